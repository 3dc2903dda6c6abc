// Which entries of two lanes belong together: those that say the same, then those that say the same
// of something that began otherwise, then what is of one kind and most alike between them.
import { str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { jsonText } from '../../model/pins.ts';
import { likeness } from '../compare-text.ts';
import type { Pair } from '../align.ts';
import type { Entry, Lane } from './lane.ts';
import { alignTokens } from './sequence.ts';
import type { Tokens } from './tokens.ts';

export interface Side {
  readonly lane: Lane;
  readonly tokens: Tokens;
}

export interface Pairings {
  /** Ascending on both sides. */
  readonly pairs: readonly Pair[];
  /** The same on both sides, at places that cross those. */
  readonly moved: readonly Pair[];
  readonly gaveUp: boolean;
  readonly unrelated: boolean;
}

/** Cells of a gap in which entries of one kind are held against each other. */
const MOST_CELLS = 900;
/** Entries of which less is alike are two, not one that changed. */
const LEAST_ALIKE = 0.35;
/** Of a long entry, so much of its text is held against another. */
const LOOKED_AT = 4000;
/** Tool calls whose names are less alike are held against each other by all they say. */
const CALLED_ALIKE = 0.6;
/** What there is one of each time, such as an exchange, is paired however little is alike. */
const OF_ONE_KIND = 0.3;
/** Of what the shorter side says, the part that both must say for the rest to be worth pairing. */
const LEAST_COMMON = 0.05;
/** What says less is always paired. */
const SHORT = 50;

export async function pairingsOf(a: Side, b: Side, pause: () => Promise<void>): Promise<Pairings> {
  const [one, other] = [a.tokens, b.tokens];
  // Whoever holds one thing against one other wants to see what differs in it.
  if (one.length === 1 && other.length === 1)
    return { pairs: [[0, 0]], moved: [], gaveUp: false, unrelated: false };
  const unrelated = isUnrelated(one.wild.values(), other.wild.values());
  const strong = await alignTokens(one.strong.values(), other.strong.values(), pause);
  const wild: Pair[] = [...strong.pairs];
  let { gaveUp } = strong;
  if (unrelated) return { pairs: strong.pairs, moved: [], gaveUp, unrelated };
  for (const gap of gapsOf(strong.pairs, one.length, other.length)) {
    const found = await alignTokens(
      one.wild.values().subarray(gap.a0, gap.a1),
      other.wild.values().subarray(gap.b0, gap.b1),
      pause,
    );
    gaveUp ||= found.gaveUp;
    for (const [i, j] of found.pairs) wild.push([i + gap.a0, j + gap.b0]);
  }
  wild.sort(([x], [y]) => x - y);
  const moved = movedOf(a, b, wild);
  const isMoved = [new Set(moved.map(([i]) => i)), new Set(moved.map(([, j]) => j))] as const;
  const pairs = [...wild];
  const texts = new Texts();
  let done = 0;
  for (const { a0, a1, b0, b1 } of gapsOf(wild, one.length, other.length)) {
    if (done++ % 50 === 0) await pause();
    const left = range(a0, a1).filter((at) => !isMoved[0].has(at));
    const right = range(b0, b1).filter((at) => !isMoved[1].has(at));
    pairs.push(...alike(a, b, left, right, texts));
  }
  moved.push(...elsewhere(a, b, pairs, isMoved));
  return { pairs: pairs.sort(([x], [y]) => x - y), moved, gaveUp, unrelated: false };
}

/** Of all that either says, next to nothing is said by both. */
function isUnrelated(a: Int32Array, b: Int32Array): boolean {
  const [left, right] = [new Set(a), new Set(b)];
  const [small, large] = left.size < right.size ? [left, right] : [right, left];
  if (small.size < SHORT) return false;
  let common = 0;
  for (const token of small) if (large.has(token)) common++;
  return common < small.size * LEAST_COMMON;
}

interface Gap {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

/** What lies between pairs and has something on both sides. */
function gapsOf(pairs: readonly Pair[], a: number, b: number): Gap[] {
  const gaps: Gap[] = [];
  let [a0, b0] = [0, 0];
  for (const [a1, b1] of [...pairs, [a, b] as const]) {
    if (a1 > a0 && b1 > b0) gaps.push({ a0, a1, b0, b1 });
    [a0, b0] = [a1 + 1, b1 + 1];
  }
  return gaps;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** What is left once on each side and says the same. */
function movedOf(a: Side, b: Side, pairs: readonly Pair[]): Pair[] {
  const left = (side: Side, taken: ReadonlySet<number>) => {
    const places = new Map<number, number>();
    side.lane.entries.forEach(({ movable }, at) => {
      if (!movable || taken.has(at)) return;
      const token = side.tokens.strong.get(at);
      places.set(token, places.has(token) ? -1 : at);
    });
    return places;
  };
  const inB = left(b, new Set(pairs.map(([, j]) => j)));
  const moved: Pair[] = [];
  for (const [token, i] of left(a, new Set(pairs.map(([at]) => at)))) {
    const j = inB.get(token) ?? -1;
    if (i >= 0 && j >= 0) moved.push([i, j]);
  }
  return moved.sort(([x], [y]) => x - y);
}

/** What is left once on each side of a kind that is no mere text: the same thing, changed and moved. */
function elsewhere(
  a: Side,
  b: Side,
  pairs: readonly Pair[],
  moved: readonly [ReadonlySet<number>, ReadonlySet<number>],
): Pair[] {
  const left = ({ lane }: Side, taken: ReadonlySet<number>, gone: ReadonlySet<number>) => {
    const places = new Map<string, number>();
    lane.entries.forEach(({ loose, movable, weak }, at) => {
      if (!movable || loose || taken.has(at) || gone.has(at)) return;
      places.set(weak, places.has(weak) ? -1 : at);
    });
    return places;
  };
  const inB = left(b, new Set(pairs.map(([, j]) => j)), moved[1]);
  const found: Pair[] = [];
  for (const [weak, i] of left(a, new Set(pairs.map(([at]) => at)), moved[0])) {
    const j = inB.get(weak) ?? -1;
    if (i >= 0 && j >= 0) found.push([i, j]);
  }
  return found;
}

/** Entries of one kind, in order, so that the sum of their likeness is greatest. */
function alike(
  a: Side,
  b: Side,
  left: readonly number[],
  right: readonly number[],
  texts: Texts,
): Pair[] {
  const weak = ({ lane }: Side, at: number) => lane.entries[at]?.weak;
  const [only] = left;
  const [other] = right;
  if (left.length === 1 && right.length === 1 && only !== undefined && other !== undefined)
    return weak(a, only) === weak(b, other) && worth(a, b, only, other, texts) > 0
      ? [[only, other]]
      : [];
  if (left.length * right.length > MOST_CELLS) {
    // Too many to hold against each other: in pieces, in order.
    const pieces = Math.ceil(Math.max(left.length, right.length) / Math.sqrt(MOST_CELLS));
    return range(0, pieces).flatMap((piece) => {
      const part = (all: readonly number[]) =>
        all.slice(
          Math.floor((all.length * piece) / pieces),
          Math.floor((all.length * (piece + 1)) / pieces),
        );
      const [one, two] = [part(left), part(right)];
      return one.length === 0 || two.length === 0 ? [] : alike(a, b, one, two, texts);
    });
  }
  const width = right.length + 1;
  const best = new Float64Array((left.length + 1) * width);
  const worths = new Float64Array(left.length * right.length);
  const cell = (i: number, j: number) => best[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--) {
      const [x = 0, y = 0] = [left[i], right[j]];
      const value = weak(a, x) === weak(b, y) ? worth(a, b, x, y, texts) : 0;
      worths[i * right.length + j] = value;
      const paired = value > 0 ? cell(i + 1, j + 1) + value : 0;
      best[i * width + j] = Math.max(paired, cell(i + 1, j), cell(i, j + 1));
    }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    const value = worths[i * right.length + j] ?? 0;
    const [x, y] = [left[i], right[j]];
    if (
      value > 0 &&
      x !== undefined &&
      y !== undefined &&
      cell(i, j) === cell(i + 1, j + 1) + value
    ) {
      pairs.push([x, y]);
      i++;
      j++;
    } else if (cell(i, j) === cell(i + 1, j)) i++;
    else j++;
  }
  return pairs;
}

/** 0: not to be paired. */
function worth(a: Side, b: Side, i: number, j: number, texts: Texts): number {
  const isSame = a.tokens.wild.get(i) === b.tokens.wild.get(j);
  const value = isSame ? 1 : likeness(texts.of(a, i), texts.of(b, j));
  const [one, other] = [a.lane.entries[i], b.lane.entries[j]];
  if (one?.loose && other) {
    const named = isSame ? 1 : calledAlike(a.lane.read(one), b.lane.read(other));
    const best = Math.max(value, named < CALLED_ALIKE ? 0 : named);
    return best < LEAST_ALIKE ? 0 : best;
  }
  return OF_ONE_KIND + (1 - OF_ONE_KIND) * value;
}

/**
 * 0 to 1: whether two tool calls, or commands in terminals, are called the same, folders aside. Agents
 * that do the same thing put it into input and output of their own shape.
 */
function calledAlike(one: Json, other: Json): number {
  const nameOf = (value: Json) =>
    (str(value, 'title') ?? str(value, 'command') ?? '').replace(/[^\s\\/]*[\\/](?=[^\s\\/])/g, '');
  const alike = likeness(nameOf(one), nameOf(other));
  return str(one, 'kind') === str(other, 'kind') ? alike : Math.floor(alike);
}

/** What entries say, word by word; those of one gap are asked for again and again. */
class Texts {
  #kept = new Map<Entry, string>();

  of({ lane }: Side, at: number): string {
    const entry = lane.entries[at];
    if (!entry) return '';
    const known = this.#kept.get(entry);
    if (known !== undefined) return known;
    if (this.#kept.size > MOST_CELLS) this.#kept = new Map();
    // Keys and punctuation are words too, apart from those of the values.
    const text = jsonText(lane.read(entry))
      .slice(0, LOOKED_AT)
      .replace(/["{}[\],:\\]+/g, ' ');
    this.#kept.set(entry, text);
    return text;
  }
}
