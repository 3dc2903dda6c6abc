// Checks every command of the table, so that a new one cannot omit them: no option is dropped, and no file is
// overwritten unasked.
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SMALL_TRACE } from '../test/traces/small-trace.ts';
import { folder, keepTaps, scope, whole } from '../test/programs/tap-process.ts';
import { EXIT, runCommand, type Command } from './command.ts';
import { serve } from './serve.ts';
import { COMMAND_TABLE, HIDDEN } from './table.ts';

keepTaps();

const NAMES = [...Object.keys(COMMAND_TABLE), ...Object.keys(HIDDEN), 'serve'];
const commands = new Map<string, Command>([['serve', serve]]);
beforeAll(async () => {
  for (const [name, load] of Object.entries({ ...COMMAND_TABLE, ...HIDDEN }))
    commands.set(name, await load());
});

function commandOf(name: string): Command {
  const command = commands.get(name);
  if (!command) throw new Error(`there is no command ${name}`);
  return command;
}

describe.each(NAMES)('%s', (name) => {
  test('has no option with one value that drops a value in silence', async () => {
    const said: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((text: string) => void said.push(text));
    const command = commandOf(name);
    for (const [option, { type, multiple }] of Object.entries(command.options)) {
      if (type !== 'string' || multiple) continue;
      const twice = [`--${option}`, 'the-first', `--${option}=the-second`];
      expect([option, await runCommand(command, twice)]).toEqual([option, EXIT.usage]);
      expect(said.pop()).toMatch(new RegExp(`--${option} .*the-first.*the-second`));
    }
    vi.restoreAllMocks();
  });

  test('names the files that it writes, and takes --force for them', () => {
    const { usage, details, options, writes } = commandOf(name);
    const outs = Object.keys(options).filter((one) => /^(?:out|html|report|save)/.test(one));
    const named = [...outs.map((one) => `--${one}`), ...(/\bOUT\b/.test(usage) ? ['OUT'] : [])];
    expect([...writes].sort()).toEqual(named.sort());
    for (const one of writes.filter((one) => one !== '--out' || !/--out DIR/.test(usage))) {
      expect(options, one).toHaveProperty('force');
      expect(details.join('\n')).toMatch(/--force +overwrite/);
    }
  });
});

/** Answers what a prompt needs; v1. */
const AGENT = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = { initialize: { protocolVersion: 1, agentCapabilities: {} }, 'session/new': { sessionId: 's' }, 'session/prompt': { stopReason: 'end_turn' } }[method];
    const error = { code: -32601, message: 'none' };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
  });`;
const agent = ['--', process.execPath, '-e', AGENT];

const SCHEMA = fileURLToPath(import.meta.resolve('@agentclientprotocol/sdk/schema/v1/schema.json'));

interface Way {
  /** The name of the file that is written. */
  readonly out: string;
  readonly args: readonly string[];
  /** The command writes to another name and says so, because an editor starts the command again and again. */
  readonly renames?: true;
}

/** How each command writes each file, in a folder with a trace `in.acptrace.jsonl`. */
const WAYS: Readonly<Record<string, Way>> = {
  'convert OUT': { out: 'o.ndjson', args: ['convert', 'in.acptrace.jsonl', 'o.ndjson'] },
  'export OUT': { out: 'o.ndjson', args: ['export', 'in.acptrace.jsonl', 'o.ndjson'] },
  'minimise OUT': {
    out: 'o.ndjson',
    args: ['minimise', 'in.acptrace.jsonl', 'o.ndjson', '--assert', 'none(side:agent)'],
  },
  'record --out': {
    out: 'o.acptrace.jsonl',
    args: ['record', '--out', 'o.acptrace.jsonl', ...agent],
  },
  'tap --out': {
    out: 'o.acptrace.jsonl',
    args: ['tap', '--out', 'o.acptrace.jsonl', ...agent],
    renames: true,
  },
  'replay --report': {
    out: 'o.json',
    args: ['replay', 'in.acptrace.jsonl', '--as', 'agent', '--report', 'o.json'],
  },
  'replay --out': {
    out: 'o.acptrace.jsonl',
    args: ['replay', 'in.acptrace.jsonl', '--as', 'client', '--out', 'o.acptrace.jsonl', ...agent],
  },
  'edition --out': {
    out: 'o.json',
    args: ['edition', '--from', SCHEMA, '--id', 'mine', '--out', 'o.json'],
  },
  'lab --html': { out: 'o.html', args: ['lab', '--html', 'o.html', ...agent] },
};
/** Those that write several files into a folder that is named. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'lab --out': ['lab', '--out', 'traces', ...agent],
  'probe --out': ['probe', '--only', 'ver/v1', '--out', 'traces', ...agent],
};

/** The options of a command line, and --force. */
const withForce = ([name = '', ...args]: readonly string[]) => [name, '--force', ...args];

async function ran(args: readonly string[]) {
  const child = scope(...args);
  child.stdin.end();
  return whole(child);
}

const at = (name: string) => join(folder, name);
const textAt = (name: string) => readFileSync(at(name), 'utf8');

describe('no file is overwritten unasked', () => {
  beforeEach(() => writeFileSync(at('in.acptrace.jsonl'), SMALL_TRACE));

  test('each file of each command is tried here', () => {
    const all = [...commands].flatMap(([name, { writes }]) =>
      writes.map((one) => `${name} ${one}`),
    );
    expect(all.sort()).toEqual([...Object.keys(WAYS), ...Object.keys(FOLDERS)].sort());
  });

  test.each(Object.entries(WAYS))('R-68: %s, without --force', async (_, way) => {
    writeFileSync(at(way.out), 'before');
    const { code, err } = await ran(way.args);
    expect(textAt(way.out)).toBe('before');
    if (way.renames) {
      expect(err).toContain(`${way.out} exists. Recorded in `);
      expect(textAt(way.out.replace('.', '-2.'))).toContain('"format":"acptrace"');
      await ran(way.args);
      expect(readdirSync(folder)).toContain(way.out.replace('.', '-3.'));
    } else {
      expect(code).toBe(EXIT.environment);
      expect(err).toMatch(new RegExp(`${way.out} exists\\. .*--force`));
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test.each(Object.entries(WAYS))('R-68: %s, with --force', async (_, way) => {
    const before = 'before'.repeat(10_000);
    writeFileSync(at(way.out), before);
    await ran(withForce(way.args));
    expect(textAt(way.out)).not.toContain('before');
    expect(textAt(way.out)).not.toBe('');
  });

  test.each(Object.entries(WAYS).filter(([, { args }]) => args[1] === 'in.acptrace.jsonl'))(
    'R-68: %s, with --force, where it is the file that is read, by whatever way',
    async (_, way) => {
      const before = textAt('in.acptrace.jsonl');
      for (const link of [linkSync, symlinkSync]) {
        const name = `${link.name}-${way.out}`;
        link(at('in.acptrace.jsonl'), at(name));
        const args = way.args.map((word) => (word === way.out ? name : word));
        const { code, err } = await ran(withForce(args));
        expect([code, textAt('in.acptrace.jsonl')]).toEqual([EXIT.usage, before]);
        expect(err).toContain('one file that is read');
      }
    },
  );

  test.each(Object.entries(FOLDERS))(
    'R-68: %s adds its traces to those that are there',
    async (_, args) => {
      mkdirSync(at('traces'));
      await ran(args);
      const first = readdirSync(at('traces'));
      const texts = first.map((name) => textAt(join('traces', name)));
      expect((await ran(args)).code).not.toBe(EXIT.environment);
      expect(first.map((name) => textAt(join('traces', name)))).toEqual(texts);
      expect(readdirSync(at('traces'))).toHaveLength(2 * first.length);
    },
  );

  test('R-68: export does not overwrite the trace beside OUT.md, which nobody named, --force or not', async () => {
    writeFileSync(at('in.c2.acptrace.jsonl'), textAt('in.acptrace.jsonl'));
    writeFileSync(at('in.acptrace.jsonl'), 'a recording');
    for (const more of [[], ['--force']]) {
      const args = ['export', ...more, 'in.c2.acptrace.jsonl#1..3', 'in.md'];
      const { code, err } = await ran(args);
      expect([code, textAt('in.acptrace.jsonl')]).toEqual([EXIT.environment, 'a recording']);
      expect(err).toMatch(/in\.acptrace\.jsonl exists, .* beside in\.md/);
      expect(readdirSync(folder)).not.toContain('in.md');
    }
  });

  test('R-68: convert does not overwrite the trace of another process of its log, and writes none before', async () => {
    const log = fileURLToPath(new URL('../test/cases/logs/26-two-processes.log', import.meta.url));
    writeFileSync(at('o.c2.ndjson'), 'a recording');
    const { code, err } = await ran(['convert', '--force', log, 'o.ndjson']);
    expect([code, textAt('o.c2.ndjson')]).toEqual([EXIT.environment, 'a recording']);
    expect(err).toMatch(/o\.c2\.ndjson exists, .* beside o\.ndjson/);
    expect(readdirSync(folder)).not.toContain('o.ndjson');
    expect((await ran(['convert', log, 'p.ndjson'])).code).toBe(EXIT.ok);
    expect(textAt('p.c2.ndjson')).toContain('"raw"');
  });

  test('R-68: record overwrites no recording of a further run or connection, and says so before it starts', async () => {
    writeFileSync(at('o.run2.ndjson'), 'a recording');
    writeFileSync(at('p.ndjson.acptrace.jsonl'), 'a recording');
    const run = ['record', '--force', '--repeat', '2', '--out', 'o.ndjson', ...agent];
    const { code, err } = await ran(run);
    expect([code, textAt('o.run2.ndjson')]).toEqual([EXIT.environment, 'a recording']);
    expect(err).toMatch(/o\.run2\.ndjson exists, .* beside o\.ndjson/);
    expect(readdirSync(folder)).not.toContain('o.ndjson');
    // Nor one with the name that the recording has on its way.
    expect((await ran(['record', '--out', 'p.ndjson', ...agent])).code).toBe(EXIT.ok);
    expect(textAt('p.ndjson.acptrace.jsonl')).toBe('a recording');
    expect(readdirSync(folder).filter((name) => name.startsWith('p.'))).toHaveLength(2);
  });
});
