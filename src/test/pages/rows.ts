// The rows of docs/threat-model.md and docs/reliability.md, and the tests that bear their ids in
// their names.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const ID = /\b(?:[TSPLIER]-\d\d|N(?:1[0-6]|[1-9]))\b/g;

export interface Row {
  readonly id: string;
  /** Files its last cell links to, from the root. */
  readonly links: readonly string[];
}

/** `| T-01 | what happens | what we do | [server](…) · open: why |` */
export function rowsOf(page: string): Row[] {
  const path = join(ROOT, page);
  return [...readFileSync(path, 'utf8').matchAll(/^\| *([A-Z]-?\d+) *\|.*\|([^|]*)\|$/gm)].map(
    ([, id = '', proof = '']) => ({
      id,
      links: [...proof.matchAll(/\]\(([^)]*)\)/g)].map(([, to = '']) =>
        fromRoot(resolve(dirname(path), to)),
      ),
    }),
  );
}

/** The ids that stand in a text, each once. */
export function idsIn(text: string): string[] {
  return [...new Set(text.match(ID))];
}

/** By row, the files with a test that bears its id in its name, or in that of its group. */
export function provenRows(): ReadonlyMap<string, ReadonlySet<string>> {
  const proven = new Map<string, Set<string>>();
  for (const folder of ['src', 'e2e'])
    for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(test|spec)\.ts$/.test(file)) continue;
      const path = join(ROOT, folder, file);
      const text = readFileSync(path, 'utf8');
      if (idsIn(text).length === 0) continue;
      for (const id of namesIn(path, text).flatMap(idsIn))
        proven.set(id, (proven.get(id) ?? new Set()).add(fromRoot(path)));
    }
  return proven;
}

/** The names of a file's tests and groups, as they stand in the source. */
function namesIn(path: string, text: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [name] = node.arguments;
      if (name && (ts.isStringLiteralLike(name) || ts.isTemplateExpression(name)))
        names.push(name.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return names;
}

/** `test`, `test.each(…)`, `describe.skipIf(…)` and their like. */
function isTest(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return ['test', 'it', 'describe'].includes(node.text);
  return (
    (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) && isTest(node.expression)
  );
}

function fromRoot(path: string): string {
  return relative(ROOT, path).split(sep).join('/');
}
