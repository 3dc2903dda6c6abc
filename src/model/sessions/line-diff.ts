// Old and new text as the lines of a unified diff.
import { align, alignTokens, type Pair } from '../../lib/align.ts';
import type { ToolPart } from './conversation-view.ts';

export type DiffLine =
  | { readonly type: 'same'; readonly old: number; readonly new: number; readonly text: string }
  | { readonly type: 'removed'; readonly old: number; readonly text: string }
  | { readonly type: 'added'; readonly new: number; readonly text: string }
  /** Lines left out because nothing changed around them. */
  | { readonly type: 'skipped'; readonly count: number };

const CONTEXT = 3;

/** What is shown of a diff that is too long to be made in one go. */
export interface LongDiff {
  /** The first of the changes with three lines around each; long lines are cut. */
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
  /** Lines after those. */
  readonly more: number;
}
export type DiffPart = Extract<ToolPart, { type: 'diff' | 'patch' }>;
const MOST_LINES = 4000;
/** Characters of a line that are shown. */
export const LONGEST_LINE = 2000;

/** `pause`: whoever waits has a turn. */
export async function longDiff(part: DiffPart, pause: () => Promise<void>): Promise<LongDiff> {
  const all =
    part.type === 'patch'
      ? patchLines(part.text)
      : withContext(await linesInTurns(part.oldText ?? '', part.newText, pause));
  const lines = all.slice(0, MOST_LINES).map((line) => {
    if (line.type === 'skipped' || line.text.length <= LONGEST_LINE) return line;
    return { ...line, text: line.text.slice(0, LONGEST_LINE + 1) };
  });
  return { lines, ...countChanges(all), more: all.length - lines.length };
}

async function linesInTurns(
  old: string,
  text: string,
  pause: () => Promise<void>,
): Promise<readonly DiffLine[]> {
  const { before, after, a, b } = numbered(old, text);
  await pause();
  const { partner } = await alignTokens(Int32Array.from(a), Int32Array.from(b), pause);
  const pairs: Pair[] = [];
  partner.forEach((other, at) => other >= 0 && pairs.push([at, other]));
  return merged(before, after, pairs);
}

/** All lines. `old` undefined: a new file. */
export function diffLines(old: string | undefined, text: string): readonly DiffLine[] {
  const { before, after, a, b } = numbered(old ?? '', text);
  return merged(before, after, align(a, b));
}

/** The lines of both, and a number for each that equal ones share. */
function numbered(old: string, text: string) {
  const [before, after] = [linesOf(old), linesOf(text)];
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  };
  return { before, after, a: before.map(numberOf), b: after.map(numberOf) };
}

function merged(
  before: readonly string[],
  after: readonly string[],
  pairs: readonly Pair[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...pairs, [before.length, after.length] as const]) {
    for (; i < x; i++) lines.push({ type: 'removed', old: i + 1, text: before[i] ?? '' });
    for (; j < y; j++) lines.push({ type: 'added', new: j + 1, text: after[j] ?? '' });
    if (x < before.length) lines.push({ type: 'same', old: ++i, new: ++j, text: after[y] ?? '' });
  }
  return lines;
}

/** Only the changes and three lines around each. */
export function withContext(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Set<number>();
  lines.forEach((line, at) => {
    if (line.type !== 'same') for (let i = at - CONTEXT; i <= at + CONTEXT; i++) near.add(i);
  });
  const kept: DiffLine[] = [];
  let skipped = 0;
  const flush = () => {
    if (skipped > 0) kept.push({ type: 'skipped', count: skipped });
    skipped = 0;
  };
  lines.forEach((line, at) => {
    if (!near.has(at)) return skipped++;
    flush();
    kept.push(line);
    return skipped;
  });
  flush();
  return kept;
}

/** A git patch read the same way; lines before the first hunk are left out. */
export function patchLines(patch: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const text of linesOf(patch)) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (hunk) {
      const start = Number(hunk[1]);
      const count = start - before - 1;
      if (count > 0 && lines.length > 0) lines.push({ type: 'skipped', count });
      before = start - 1;
      after = Number(hunk[2]) - 1;
      inHunk = true;
    } else if (text.startsWith('diff --git ')) inHunk = false;
    else if (!inHunk || text.startsWith('\\')) continue;
    else if (text.startsWith('-'))
      lines.push({ type: 'removed', old: ++before, text: text.slice(1) });
    else if (text.startsWith('+')) lines.push({ type: 'added', new: ++after, text: text.slice(1) });
    else lines.push({ type: 'same', old: ++before, new: ++after, text: text.slice(1) });
  }
  return lines;
}

export function countChanges(lines: readonly DiffLine[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const { type } of lines) {
    if (type === 'added') added++;
    if (type === 'removed') removed++;
  }
  return { added, removed };
}

/** A last line break ends its line and begins none. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
