// Each regular expression that reads files of strangers takes steps in proportion to the text. Its steps are counted by
// V8 itself: each sign is tried twice, which costs a backtrack, and V8 gives up after as many backtracks as it is told.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { DEAR, long } from '../../test/traces/dear.ts';

const SRC = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['trace', 'lib'];

/** Patterns that read short texts only, by what those are. */
const SHORT: Readonly<Record<string, string>> = {
  '\\B(?=(\\d{3})+$)': 'the digits of a number',
  '[.-]+$': 'the name of a file, of at most 80 signs',
  '[.!?:]+$': 'a word of at most 400 signs',
};

interface Pattern {
  readonly path: string;
  readonly source: string;
  readonly flags: string;
}

function patternsIn(path: string): readonly Pattern[] {
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ path, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(SRC + path, 'utf8'), ts.ScriptTarget.Latest));
  return found;
}

const PATTERNS = FOLDERS.flatMap((folder) =>
  readdirSync(SRC + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .flatMap(patternsIn),
);

setFlagsFromString('--allow-natives-syntax');
const limited = new Function(
  'source',
  'flags',
  'most',
  'return %NewRegExpWithBacktrackLimit(source, flags, most)',
) as (source: string, flags: string, most: number) => RegExp;
setFlagsFromString('--no-allow-natives-syntax');

/** A part of a pattern; in the first group if it is a sign or a class of signs. */
const PARTS =
  /\\[bB]|\(\?(?:[:=!]|<[=!]|<\w+>)|[()|^$]|[*+?]\??|\{\d+(?:,\d*)?\}\??|(\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|[^])|[^])/g;

/** The pattern with each sign tried in vain first, and with a match at the end of a text that has none. */
function counted({ source, flags }: Pattern): (most: number) => RegExp {
  const twice = source.replace(PARTS, (part, sign?: string) =>
    sign === undefined ? part : `(?:${sign}(?!)|${sign})`,
  );
  const start = flags.includes('y') ? '^' : '';
  return (most) => limited(`${start}(?:${twice})|$`, flags.replace(/[gym]/g, ''), most);
}

/** True if the pattern ends within that many steps: otherwise V8 finds nothing, not even the end. */
const endsIn = (pattern: (most: number) => RegExp, text: string, most: number) =>
  pattern(most).exec(text) !== null;

const SIZE = 2000;
/**
 * Steps for each sign: a pattern may try several ways, one after the other, and V8 tries a class of Unicode
 * properties range by range. A pattern that looks back over a run takes half of `SIZE` for each sign.
 */
const STEPS = 200;

/** Texts with a run alone, in the middle and at the end of a text that begins well. */
const TEXTS = DEAR.flatMap((unit) => {
  const run = long(unit, SIZE);
  const line =
    '2026-02-14 20:22:39,308 [ 1] FINE - AcpTransport - OUT: {"type":"frame","seq":1,"at":';
  return [run, `${run}!`, `${run}\n${run}/x`, `--a=b ${line}${run}!`, `${run}${line}`];
});

test('the steps of a pattern are counted', () => {
  const square = counted({ path: '', source: '^([^{[]*?)\\s*([{[].*)$', flags: 's' });
  const straight = counted({ path: '', source: '[{[]', flags: 'g' });
  const blanks = ' '.repeat(SIZE);
  expect(endsIn(square, blanks, (SIZE * SIZE) / 4)).toBe(false);
  expect(endsIn(square, blanks, 10 * SIZE * SIZE)).toBe(true);
  expect(endsIn(straight, blanks, STEPS * SIZE)).toBe(true);
  expect(PATTERNS.length).toBeGreaterThan(40);
});

test.each(
  PATTERNS.filter(({ source }) => !(source in SHORT)).map(
    (one) => [one.path, one.source, one] as const,
  ),
)('S-08 I-02 in %s, %s takes steps as the text is long', (_, __, pattern) => {
  const made = counted(pattern);
  const dear = TEXTS.filter((text) => !endsIn(made, text, STEPS * text.length));
  expect(dear.map((text) => JSON.stringify(text.slice(0, 60)))).toEqual([]);
});
