// Aligns two sequences by equal tokens: what both begin and end with, then anchors (tokens that
// both have once), then what is left between them. Near-linear where histories resemble each other.
// Not `diff` or `fast-myers-diff`: they look for the shortest edit, and of 100,000 frames with many
// changed took 18 and 39 s.
import { countWhile } from './list-window.ts';

export type Pair = readonly [a: number, b: number];

/** Cells of a table that is still filled; beyond it, order of appearance must do. */
const MOST_CELLS = 1_000_000;

/** Pairs of equal tokens, ascending on both sides. */
export function align(a: readonly number[], b: readonly number[]): Pair[] {
  const pairs: Pair[] = [];
  const stretches = [{ a0: 0, a1: a.length, b0: 0, b1: b.length }];
  for (let next = stretches.pop(); next; next = stretches.pop()) {
    let { a0, a1, b0, b1 } = next;
    while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) pairs.push([a0++, b0++]);
    while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) pairs.push([--a1, --b1]);
    if (a0 === a1 || b0 === b1) continue;
    const anchors = rising(anchorsOf(a.slice(a0, a1), b.slice(b0, b1)));
    if (anchors.length === 0) {
      const found = between(a.slice(a0, a1), b.slice(b0, b1));
      pairs.push(...found.map(([i, j]): Pair => [i + a0, j + b0]));
      continue;
    }
    let [i, j] = [a0, b0];
    for (const [ai, bi] of anchors) {
      const [at, bt] = [ai + a0, bi + b0];
      pairs.push([at, bt]);
      stretches.push({ a0: i, a1: at, b0: j, b1: bt });
      [i, j] = [at + 1, bt + 1];
    }
    stretches.push({ a0: i, a1, b0: j, b1 });
  }
  return pairs.sort(([x], [y]) => x - y);
}

/** Tokens that stand once on each side. */
function anchorsOf(a: readonly number[], b: readonly number[]): Pair[] {
  const once = (tokens: readonly number[]) => {
    const places = new Map<number, number>();
    tokens.forEach((token, at) => places.set(token, places.has(token) ? -1 : at));
    return places;
  };
  const inB = once(b);
  const anchors: Pair[] = [];
  for (const [token, at] of once(a)) {
    const other = inB.get(token) ?? -1;
    if (at >= 0 && other >= 0) anchors.push([at, other]);
  }
  return anchors.sort(([x], [y]) => x - y);
}

/** The most of these pairs that ascend on both sides; they ascend in `a`. */
export function rising(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = [];
  const before = new Array<number>(pairs.length).fill(-1);
  pairs.forEach(([, b], at) => {
    const low = countWhile(ends.length, (nth) => (pairs[ends[nth] ?? -1]?.[1] ?? 0) < b);
    before[at] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = at;
  });
  const chosen: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair) chosen.push(pair);
  }
  return chosen.reverse();
}

/** Without anchors: the longest common part, or the nth of each token with the nth. */
function between(a: readonly number[], b: readonly number[]): Pair[] {
  if (a.length * b.length > MOST_CELLS) return rising(nthWithNth(a, b));
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  const cell = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i] === b[j] ? cell(i + 1, j + 1) + 1 : Math.max(cell(i + 1, j), cell(i, j + 1));
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (cell(i + 1, j) >= cell(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** Equal tokens in the order in which they appear on each side. */
export function nthWithNth(a: readonly number[], b: readonly number[]): Pair[] {
  const places = new Map<number, number[]>();
  b.forEach((token, at) => {
    const known = places.get(token);
    if (known) known.push(at);
    else places.set(token, [at]);
  });
  const taken = new Map<number, number>();
  return a.flatMap((token, at): Pair[] => {
    const nth = taken.get(token) ?? 0;
    const other = places.get(token)?.[nth];
    if (other === undefined) return [];
    taken.set(token, nth + 1);
    return [[at, other]];
  });
}
