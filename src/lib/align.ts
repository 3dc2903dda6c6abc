// Aligns two sequences of tokens. What both begin and end with, then tokens that stand once on each
// side, then runs of tokens that do (where everything repeats), and between those the shortest edit
// (Myers). Where that would take too long, the nth of each token stands for the nth. Not `diff` or
// `fast-myers-diff`: they look for the shortest edit of the whole, and of 100,000 frames with many
// changed took 18 and 39 s.

export type Pair = readonly [a: number, b: number];

/** Edits that are still looked for between two anchors: their square is memory and time. */
const MOST_EDITS = 1200;
/** Below this, the shortest edit is looked for even where there are no anchors. */
const SMALL = 4000;
const LONGEST_RUN = 32;
/** Below this, tokens are looked for in place. */
const FEW = 100;

interface Aligned {
  /** By place in `a`: the place in `b` of an equal token, ascending; -1: none. */
  readonly partner: Int32Array;
  /** Somewhere the shortest edit was not looked for to its end. */
  readonly gaveUp: boolean;
}

/** From `a0` to before `a1` of the one, and from `b0` to before `b1` of the other side. */
export interface Stretch {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

/** Pairs of equal tokens, ascending on both sides. */
export function align(a: readonly number[], b: readonly number[]): Pair[] {
  const book = new Map<number, number>();
  const numbers = (tokens: readonly number[]) =>
    Int32Array.from(tokens, (token) => {
      const number = book.get(token) ?? book.size;
      book.set(token, number);
      return number;
    });
  const steps = stepsOf(numbers(a), numbers(b));
  let step = steps.next();
  while (!step.done) step = steps.next();
  return [...step.value.partner.entries()].filter(([, other]) => other >= 0);
}

/** The same of long ones. Tokens are numbers from 0, without large gaps. */
export async function alignTokens(
  a: Int32Array,
  b: Int32Array,
  pause: () => Promise<void>,
): Promise<Aligned> {
  const steps = stepsOf(a, b);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/** Stretches between two steps: each takes microseconds, or some milliseconds. */
const SLICE = 32;

function* stepsOf(a: Int32Array, b: Int32Array): Generator<undefined, Aligned> {
  const partner = new Int32Array(a.length).fill(-1);
  const once = new Once();
  let gaveUp = false;
  let done = 0;
  const stretches: Stretch[] = [{ a0: 0, a1: a.length, b0: 0, b1: b.length }];
  for (let next = stretches.pop(); next; next = stretches.pop()) {
    if (done++ % SLICE === 0) yield;
    const stretch = trimmed(a, b, next, partner);
    const { a0, a1, b0, b1 } = stretch;
    if (a0 === a1 || b0 === b1) continue;
    const one = a.subarray(a0, a1);
    const other = b.subarray(b0, b1);
    const anchors = anchorsOf(one, other, once);
    if (anchors.length > 0) {
      split(stretch, anchors, partner, stretches);
      continue;
    }
    const found = myers(one, other);
    if (!found) gaveUp = true;
    for (const [i, j] of found ?? rising(nthWithNth([...one], [...other])))
      partner[i + a0] = j + b0;
  }
  return { partner, gaveUp };
}

function trimmed(a: Int32Array, b: Int32Array, stretch: Stretch, partner: Int32Array): Stretch {
  let { a0, a1, b0, b1 } = stretch;
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) partner[a0++] = b0++;
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) partner[--a1] = --b1;
  return { a0, a1, b0, b1 };
}

function split(
  { a0, a1, b0, b1 }: Stretch,
  anchors: Anchors,
  partner: Int32Array,
  stretches: Stretch[],
): void {
  let [i, j] = [a0, b0];
  for (let nth = 0; nth < anchors.length; nth++) {
    const [at, bt] = [(anchors.a[nth] ?? 0) + a0, (anchors.b[nth] ?? 0) + b0];
    if (at < i || bt < j) continue;
    partner[at] = bt;
    if (at > i && bt > j) stretches.push({ a0: i, a1: at, b0: j, b1: bt });
    [i, j] = [at + 1, bt + 1];
  }
  if (i < a1 && j < b1) stretches.push({ a0: i, a1, b0: j, b1 });
}

/** Equal tokens, ascending on both sides. */
interface Anchors {
  readonly length: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
}

function anchorsOf(a: Int32Array, b: Int32Array, once: Once): Anchors {
  const single = ascending(once.onBoth(a, b));
  if (single.length > 0 || a.length + b.length < SMALL) return single;
  let [one, other] = [a, b];
  for (let run = 2; run <= LONGEST_RUN; run *= 2) {
    const book = new Map<number, number>();
    one = doubled(one, run / 2, book);
    other = doubled(other, run / 2, book);
    const anchors = ascending(once.onBoth(one, other));
    if (anchors.length > 0) return anchors;
  }
  return single;
}

/** Finds tokens that stand once on each side. Its columns are used again for each stretch. */
class Once {
  /** By token: how often it stands on each side, and where it stood last. */
  #inA = new Int32Array();
  #inB = new Int32Array();
  #place = new Int32Array();

  /** Ascending in `a`. */
  onBoth(a: Int32Array, b: Int32Array): Anchors {
    if (a.length + b.length < FEW) return fewOnBoth(a, b);
    this.#reach(a);
    this.#reach(b);
    const [inA, inB, place] = [this.#inA, this.#inB, this.#place];
    for (let at = 0; at < b.length; at++) {
      const token = b[at] ?? 0;
      inB[token] = (inB[token] ?? 0) + 1;
      place[token] = at;
    }
    for (const token of a) inA[token] = (inA[token] ?? 0) + 1;
    const most = Math.min(a.length, b.length);
    const [left, right] = [new Int32Array(most), new Int32Array(most)];
    let length = 0;
    for (let at = 0; at < a.length; at++) {
      const token = a[at] ?? 0;
      if (inA[token] !== 1 || inB[token] !== 1) continue;
      left[length] = at;
      right[length++] = place[token] ?? 0;
    }
    for (const token of a) inA[token] = 0;
    for (const token of b) inB[token] = 0;
    return { length, a: left, b: right };
  }

  #reach(tokens: Int32Array): void {
    let most = 0;
    for (const token of tokens) if (token > most) most = token;
    if (most < this.#inA.length) return;
    const length = Math.ceil(most * 1.5) + 64;
    this.#inA = new Int32Array(length);
    this.#inB = new Int32Array(length);
    this.#place = new Int32Array(length);
  }
}

function fewOnBoth(a: Int32Array, b: Int32Array): Anchors {
  const found: { readonly a: number[]; readonly b: number[] } = { a: [], b: [] };
  a.forEach((token, at) => {
    const other = b.indexOf(token);
    if (other < 0 || b.lastIndexOf(token) !== other) return;
    if (a.indexOf(token) !== at || a.lastIndexOf(token) !== at) return;
    found.a.push(at);
    found.b.push(other);
  });
  return { length: found.a.length, a: Int32Array.from(found.a), b: Int32Array.from(found.b) };
}

/** The most of these that ascend in `b` too. */
function ascending({ length, a, b }: Anchors): Anchors {
  const ends = new Int32Array(length);
  const before = new Int32Array(length);
  let size = 0;
  for (let at = 0; at < length; at++) {
    const end = b[at] ?? 0;
    let [low, high] = [0, size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((b[ends[middle] ?? 0] ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = at;
    if (low === size) size++;
  }
  const [left, right] = [new Int32Array(size), new Int32Array(size)];
  let at = size > 0 ? (ends[size - 1] ?? -1) : -1;
  for (let nth = size - 1; nth >= 0; nth--) {
    left[nth] = a[at] ?? 0;
    right[nth] = b[at] ?? 0;
    at = before[at] ?? -1;
  }
  return { length: size, a: left, b: right };
}

/** The most of these pairs that ascend on both sides; they ascend in `a`. */
export function rising(pairs: readonly Pair[]): Pair[] {
  const { length, a, b } = ascending({
    length: pairs.length,
    a: Int32Array.from(pairs, ([i]) => i),
    b: Int32Array.from(pairs, ([, j]) => j),
  });
  return Array.from({ length }, (_, at): Pair => [a[at] ?? 0, b[at] ?? 0]);
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
