// Aligns two long sequences of tokens. What both begin and end with, then tokens that stand once on
// each side, then runs of tokens that do (where everything repeats), and between those the shortest
// edit (Myers). Where that would take too long, the nth of each token stands for the nth.
import { nthWithNth, rising, type Pair } from '../align.ts';

/** Edits that are still looked for between two anchors: their square is memory and time. */
const MOST_EDITS = 1200;
/** Below this, the shortest edit is looked for even where there are no anchors. */
const SMALL = 4000;
const LONGEST_RUN = 32;

export interface Aligned {
  /** Equal tokens, ascending on both sides. */
  readonly pairs: Pair[];
  /** Somewhere the shortest edit was not looked for to its end. */
  readonly gaveUp: boolean;
}

interface Stretch {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

/** `pause` is awaited between stretches, each of which takes some milliseconds. */
export async function alignTokens(
  a: Int32Array,
  b: Int32Array,
  pause: () => Promise<void>,
): Promise<Aligned> {
  const pairs: Pair[] = [];
  let gaveUp = false;
  const stretches: Stretch[] = [{ a0: 0, a1: a.length, b0: 0, b1: b.length }];
  for (let next = stretches.pop(); next; next = stretches.pop()) {
    await pause();
    const stretch = trimmed(a, b, next, pairs);
    const { a0, a1, b0, b1 } = stretch;
    if (a0 === a1 || b0 === b1) continue;
    const one = a.subarray(a0, a1);
    const other = b.subarray(b0, b1);
    const anchors = anchorsOf(one, other);
    if (anchors.length > 0) {
      split(stretch, anchors, pairs, stretches);
      continue;
    }
    const found = myers(one, other);
    if (!found) gaveUp = true;
    for (const [i, j] of found ?? rising(nthWithNth([...one], [...other])))
      pairs.push([i + a0, j + b0]);
  }
  return { pairs: pairs.sort(([x], [y]) => x - y), gaveUp };
}

function trimmed(a: Int32Array, b: Int32Array, stretch: Stretch, pairs: Pair[]): Stretch {
  let { a0, a1, b0, b1 } = stretch;
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) pairs.push([a0++, b0++]);
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) pairs.push([--a1, --b1]);
  return { a0, a1, b0, b1 };
}

function split(
  { a0, a1, b0, b1 }: Stretch,
  anchors: readonly Pair[],
  pairs: Pair[],
  stretches: Stretch[],
): void {
  let [i, j] = [a0, b0];
  for (const [ai, bi] of anchors) {
    const [at, bt] = [ai + a0, bi + b0];
    if (at < i || bt < j) continue;
    pairs.push([at, bt]);
    if (at > i && bt > j) stretches.push({ a0: i, a1: at, b0: j, b1: bt });
    [i, j] = [at + 1, bt + 1];
  }
  if (i < a1 && j < b1) stretches.push({ a0: i, a1, b0: j, b1 });
}

function anchorsOf(a: Int32Array, b: Int32Array): Pair[] {
  const single = rising(onceOnBoth(a, b));
  if (single.length > 0 || a.length + b.length < SMALL) return single;
  let [one, other] = [a, b];
  for (let run = 2; run <= LONGEST_RUN; run *= 2) {
    const book = new Map<number, number>();
    one = doubled(one, run / 2, book);
    other = doubled(other, run / 2, book);
    const anchors = rising(onceOnBoth(one, other));
    if (anchors.length > 0) return anchors;
  }
  return [];
}

/** Numbers of the runs that begin at each place and are twice as long. */
function doubled(tokens: Int32Array, step: number, book: Map<number, number>): Int32Array {
  const runs = new Int32Array(Math.max(0, tokens.length - step));
  for (let at = 0; at < runs.length; at++) {
    const key = (tokens[at] ?? 0) * 0x4000000 + (tokens[at + step] ?? 0);
    let number = book.get(key);
    if (number === undefined) book.set(key, (number = book.size));
    runs[at] = number;
  }
  return runs;
}

/** Tokens that stand once on each side; ascending in `a`. */
function onceOnBoth(a: Int32Array, b: Int32Array): Pair[] {
  const places = new Map<number, number>();
  b.forEach((token, at) => places.set(token, places.has(token) ? -1 : at));
  const counts = new Map<number, number>();
  for (const token of a) counts.set(token, (counts.get(token) ?? 0) + 1);
  const found: Pair[] = [];
  a.forEach((token, at) => {
    const other = places.get(token) ?? -1;
    if (other >= 0 && counts.get(token) === 1) found.push([at, other]);
  });
  return found;
}

/** The shortest edit, as what it keeps; undefined: more edits than are looked for. */
function myers(a: Int32Array, b: Int32Array): Pair[] | undefined {
  const [n, m] = [a.length, b.length];
  const most = Math.min(n + m, MOST_EDITS);
  const middle = most + 1;
  const ends = new Int32Array(2 * most + 3);
  const trail: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    for (let k = -d; k <= d; k += 2) {
      const down = ends[middle + k + 1] ?? 0;
      const right = (ends[middle + k - 1] ?? 0) + 1;
      let x = k === -d || (k !== d && right - 1 < down) ? down : right;
      let y = x - k;
      while (x < n && y < m && a[x] === b[y]) {
        x++;
        y++;
      }
      ends[middle + k] = x;
      if (x >= n && y >= m) return kept(trail, n, m, d);
    }
    trail.push(ends.slice(middle - d, middle + d + 1));
  }
  return undefined;
}

/** Walks the trail back from the end: each diagonal is a pair. */
function kept(trail: readonly Int32Array[], n: number, m: number, edits: number): Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = [n, m];
  for (let d = edits; d > 0; d--) {
    const before = trail[d - 1] ?? new Int32Array();
    const end = (k: number) => (Math.abs(k) > d - 1 ? -1 : (before[k + d - 1] ?? -1));
    const k = x - y;
    const isDown = k === -d || (k !== d && end(k - 1) < end(k + 1));
    const from = isDown ? k + 1 : k - 1;
    const fromX = end(from);
    const fromY = fromX - from;
    // One edit leads from there to the head of the run of equal tokens that ends here.
    const head = isDown ? fromX : fromX + 1;
    while (x > head) pairs.push([--x, --y]);
    [x, y] = [fromX, fromY];
  }
  while (x > 0 && y > 0) pairs.push([--x, --y]);
  return pairs.reverse();
}
