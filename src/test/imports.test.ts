// The layers of the product, checked by a program. A folder may use the folders in its row, and
// itself; type-only imports may reach any folder above it in the list. Packages have one home each.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('..', import.meta.url));
const E2E = fileURLToPath(new URL('../../e2e', import.meta.url));

const FOLDERS = {
  lib: [],
  acp: ['lib'],
  trace: ['lib'],
  report: ['lib'],
  model: ['lib', 'acp', 'trace', 'report'],
  rules: ['lib', 'acp', 'trace', 'report', 'model'],
  diff: ['lib', 'acp', 'trace', 'report', 'model'],
  drive: ['lib', 'acp', 'trace', 'report', 'model', 'rules', 'diff'],
  link: ['lib', 'trace'],
  relay: ['lib', 'acp', 'trace', 'link'],
  agent: ['lib', 'acp'],
  cli: [
    'lib',
    'acp',
    'trace',
    'report',
    'model',
    'rules',
    'diff',
    'drive',
    'link',
    'relay',
    'agent',
  ],
  storage: ['lib', 'trace'],
  engine: ['lib', 'acp', 'trace', 'report', 'model', 'rules', 'diff', 'drive', 'link', 'storage'],
  state: ['lib', 'acp', 'trace', 'report', 'model'],
  ui: ['lib', 'acp', 'trace', 'report', 'model', 'state'],
} as const;
type Folder = keyof typeof FOLDERS;
const ORDER = Object.keys(FOLDERS) as Folder[];

const PACKAGES: readonly { readonly name: RegExp; readonly homes: readonly Folder[] }[] = [
  // What builds the page and the command.
  { name: /^vite$/, homes: ['cli'] },
  { name: /^node:/, homes: ['relay', 'agent', 'cli'] },
  { name: /^ws$/, homes: ['relay', 'agent'] },
  { name: /^@agentclientprotocol\/sdk/, homes: ['relay', 'agent'] },
  { name: /^@modelcontextprotocol\/sdk/, homes: ['agent'] },
  { name: /^idb$/, homes: ['storage'] },
  { name: /^svelte/, homes: ['state', 'ui'] },
  { name: /^bits-ui$|^@codemirror\/|^@lezer\/|^@xterm\/|^marked$/, homes: ['ui'] },
];

interface Import {
  readonly file: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found: Import[] = [];
  for (const match of text.matchAll(
    /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:[^'"\n;]|\n(?!import))*?from\s+['"]([^'"]+)['"]/g,
  ))
    found.push({ file, to: match[3] ?? '', typeOnly: match[2] !== undefined });
  for (const match of text.matchAll(/(?:\bimport\s*\(\s*|(?:^|\n)import\s+)['"]([^'"]+)['"]/g)) {
    found.push({ file, to: match[1] ?? '', typeOnly: false });
  }
  return found;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|svelte)$/.test(file) && !/\.test\.ts$|vite\.config|generated/.test(file))
  .map((file) => join(SRC, file));

function fault({ file, to, typeOnly }: Import): string | undefined {
  const from = relative(SRC, file).split(sep)[0] as Folder;
  if (!(from in FOLDERS)) return undefined; // main.ts wires everything; test/ serves tests alone
  if (to.endsWith('/package.json'))
    return from === 'cli' ? undefined : 'only cli reads package.json';
  if (!to.startsWith('.')) {
    const home = PACKAGES.find(({ name }) => name.test(to));
    if (!home) return `${to} has no home in the table`;
    return home.homes.includes(from) ? undefined : `${to} belongs in ${home.homes.join(', ')}`;
  }
  const target = relative(SRC, resolve(dirname(file), to)).split(sep)[0] as Folder;
  if (target === from) return undefined;
  if (!(target in FOLDERS)) return `${from} may not import ${to}`;
  if ((FOLDERS[from] as readonly string[]).includes(target)) return undefined;
  if (typeOnly && ORDER.indexOf(target) < ORDER.indexOf(from)) return undefined;
  return `${from} may not import ${target}`;
}

test('every import goes from high to low', () => {
  const faults = files.flatMap(importsOf).flatMap((found) => {
    const why = fault(found);
    return why ? [`${relative(SRC, found.file)}: ${why}`] : [];
  });
  expect(faults).toEqual([]);
});

/** A way of imports, types among them, that leads back to where it began. Undefined: there is none. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const walk = (file: string): readonly string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    way.push(file);
    for (const next of graph.get(file) ?? []) {
      const circle = walk(next);
      if (circle) return circle;
    }
    way.pop();
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const circle = walk(file);
    if (circle) return circle;
  }
  return undefined;
}

test('no file imports itself by way of others, now or later', () => {
  const graph = new Map(
    files.map((file) => [
      relative(SRC, file),
      importsOf(file)
        .filter(({ to }) => to.startsWith('.'))
        .map(({ to }) => relative(SRC, resolve(dirname(file), to)))
        // A component that shows a tree shows itself in it.
        .filter((to) => to !== relative(SRC, file)),
    ]),
  );
  expect(circleIn(graph)).toBeUndefined();
  expect([...graph.values()].flat().length).toBeGreaterThan(files.length);
  expect(
    circleIn(
      new Map([...graph, ['lib/defined.ts', ['trace/a.ts']], ['trace/a.ts', ['lib/defined.ts']]]),
    ),
  ).toEqual(['lib/defined.ts', 'trace/a.ts', 'lib/defined.ts']);
});

/** What the page shows asks the engine through `state/` alone. */
const ASKS_ENGINE = /\.engine\b|\{[^{}]*\bengine\b[^{}]*\}\s*=/;

test('ui/ asks the engine for nothing by itself; the state of a view is in files of their own', () => {
  const asking = files
    .filter((file) => relative(SRC, file).startsWith(`ui${sep}`) && !file.endsWith('.svelte.ts'))
    .filter((file) => ASKS_ENGINE.test(readFileSync(file, 'utf8')))
    .map((file) => relative(SRC, file));
  expect(asking).toEqual([]);
  expect(ASKS_ENGINE.test('await app.engine.timeline.rows()')).toBe(true);
  expect(ASKS_ENGINE.test('const { current, engine } = app;')).toBe(true);
  expect(fault({ file: join(SRC, 'ui/a.ts'), to: '../engine/rpc.ts', typeOnly: false })).toBe(
    'ui may not import engine',
  );
});

const MOST_FILES = 30;
const MOST_LINES = 400;

test('a folder is a room one can see, and a file one can read', () => {
  const specs = readdirSync(E2E, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(E2E, file));
  const own = [...files.filter((file) => relative(SRC, file).split(sep)[0] !== 'test'), ...specs];
  const inFolder = new Map<string, number>();
  for (const file of own) inFolder.set(dirname(file), (inFolder.get(dirname(file)) ?? 0) + 1);
  const full = [...inFolder].filter(([, count]) => count > MOST_FILES);
  const long = own.filter((file) => readFileSync(file, 'utf8').split('\n').length - 1 > MOST_LINES);
  expect(full.map(([folder, count]) => `${relative(SRC, folder)}: ${count} files`)).toEqual([]);
  expect(long.map((file) => relative(SRC, file))).toEqual([]);
  expect(Math.max(...inFolder.values())).toBeGreaterThan(MOST_FILES / 2);
});

/** Folders of files that stand in the place of others, name by name. */
const TWINS = /^(?:viewer|agent[\\/]v[12])[\\/]/;
/** How a rule and a probe each write their verdict. */
const VERDICTS = ['fail'];

/** The names that two files export, each of a thing of its own. */
function namesTwice(sources: Iterable<readonly [file: string, text: string]>): readonly string[] {
  const homes = new Map<string, Set<string>>();
  for (const [file, text] of sources)
    for (const [, name = ''] of text.matchAll(
      /^export (?:async )?(?:abstract )?(?:interface|type|class|function\*?|const) ([\w$]+)/gm,
    ))
      homes.set(name, (homes.get(name) ?? new Set()).add(file));
  return [...homes]
    .filter(([name, { size }]) => size > 1 && !VERDICTS.includes(name))
    .map(([name, where]) => `${name}: ${[...where].join(', ')}`);
}

test('a name that is exported means one thing', () => {
  const own = files
    .map((file) => relative(SRC, file))
    .filter((file) => !/^test[\\/]/.test(file) && !TWINS.test(file));
  expect(namesTwice(own.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]))).toEqual([]);
  const twice = namesTwice([
    ['a.ts', 'export type Row = 1;\nexport const fail = 1;'],
    ['b.ts', 'export class Row {}\nexport const fail = 2;'],
  ]);
  expect(twice).toEqual(['Row: a.ts, b.ts']);
});

test('the check sees what it is meant to see', () => {
  const at = (file: string, to: string, typeOnly = false) =>
    fault({ file: join(SRC, file), to, typeOnly });
  expect(at('trace/a.ts', '../acp/message.ts')).toBe('trace may not import acp');
  expect(at('state/a.ts', '../engine/messages.ts')).toBe('state may not import engine');
  expect(at('state/a.ts', '../engine/messages.ts', true)).toBeUndefined();
  expect(at('ui/a.ts', 'ws')).toBe('ws belongs in relay, agent');
  expect(at('ui/a.ts', 'left-pad')).toBe('left-pad has no home in the table');
  expect(files.length).toBeGreaterThan(10);
  expect(importsOf(join(SRC, 'engine/rpc.ts'))).toContainEqual(
    expect.objectContaining({ to: './messages.ts', typeOnly: true }),
  );
});
