// Old and new text as the lines of a unified diff. Exact for what people read; two texts that are
// both long and unlike are shown as removed and added, because finding more costs too much.

export type DiffLine =
  | { readonly type: 'same'; readonly old: number; readonly new: number; readonly text: string }
  | { readonly type: 'removed'; readonly old: number; readonly text: string }
  | { readonly type: 'added'; readonly new: number; readonly text: string }
  /** Lines left out because nothing changed around them. */
  | { readonly type: 'skipped'; readonly count: number };

/** Cells of the table of longest common lines, at most. */
const LARGEST = 1_000_000;
const CONTEXT = 3;

/** All lines. `old` undefined: a new file. */
export function diffLines(old: string | undefined, text: string): readonly DiffLine[] {
  const before = linesOf(old ?? '');
  const after = linesOf(text);
  let front = 0;
  while (front < before.length && front < after.length && before[front] === after[front]) front++;
  let back = 0;
  while (
    back < before.length - front &&
    back < after.length - front &&
    before[before.length - 1 - back] === after[after.length - 1 - back]
  )
    back++;
  const lines: DiffLine[] = [];
  const put = {
    same: (i: number, j: number) =>
      lines.push({ type: 'same', old: i + 1, new: j + 1, text: after[j] ?? '' }),
    removed: (i: number) => lines.push({ type: 'removed', old: i + 1, text: before[i] ?? '' }),
    added: (j: number) => lines.push({ type: 'added', new: j + 1, text: after[j] ?? '' }),
  };
  for (let i = 0; i < front; i++) put.same(i, i);
  middle(before, after, front, back, put);
  for (let i = back; i > 0; i--) put.same(before.length - i, after.length - i);
  return lines;
}

interface Put {
  same(i: number, j: number): void;
  removed(i: number): void;
  added(j: number): void;
}

/** What lies between the lines that both texts begin and end with. */
function middle(
  before: readonly string[],
  after: readonly string[],
  front: number,
  back: number,
  put: Put,
): void {
  const rows = before.length - front - back;
  const columns = after.length - front - back;
  const width = columns + 1;
  const exact = rows * columns <= LARGEST;
  // lengths[i * width + j]: common lines from before[i] and after[j] on.
  const lengths = new Uint32Array(exact ? (rows + 1) * width : 0);
  if (exact)
    for (let i = rows - 1; i >= 0; i--)
      for (let j = columns - 1; j >= 0; j--)
        lengths[i * width + j] =
          before[front + i] === after[front + j]
            ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
            : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  let i = 0;
  let j = 0;
  while (i < rows || j < columns) {
    if (exact && i < rows && j < columns && before[front + i] === after[front + j])
      put.same(front + i++, front + j++);
    else if (i < rows && (j >= columns || !exact || down(i, j))) put.removed(front + i++);
    else put.added(front + j++);
  }
  function down(row: number, column: number): boolean {
    return (lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0);
  }
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
