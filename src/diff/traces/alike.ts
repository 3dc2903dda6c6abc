// Which entries of a gap are one thing that changed: of one kind, in order, so that the sum of their
// likeness is greatest.
import { str, jsonText } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Pair } from '../../lib/align.ts';
import { lazy } from '../../lib/lazy.ts';
import { likeness } from '../../model/replay/texts.ts';
import type { LaneEntry, DiffLane } from './lane.ts';

/** Cells of a gap in which entries of one kind are held against each other. */
export const MOST_CELLS = 900;
/** Entries of which less is alike are two, not one that changed. */
export const LEAST_ALIKE = 0.35;
/** Of a long entry, so much of its text is held against another. */
const LOOKED_AT = 4000;
/** Tool calls whose names are less alike are held against each other by all they say. */
const CALLED_ALIKE = 0.6;
/** What there is one of each time, such as an exchange, is paired however little is alike. */
const OF_ONE_KIND = 0.3;

/** An entry as it is held against others. */
interface Candidate {
  readonly at: number;
  readonly lane: DiffLane;
  readonly entry: LaneEntry;
  /** Equal where two say the same but for aliases. */
  readonly token: number;
  /** Keys and punctuation are words too, apart from those of the values. */
  readonly words: () => string;
}

export function candidate(lane: DiffLane, at: number, token: number): Candidate | undefined {
  const entry = lane.entry(at);
  const words = lazy(() =>
    entry === undefined
      ? ''
      : jsonText(lane.read(entry))
          .slice(0, LOOKED_AT)
          .replace(/["{}[\],:\\]+/g, ' '),
  );
  return entry && { at, lane, entry, token, words };
}

/** How much the two are one; 0: not at all. */
function worth(a: Candidate, b: Candidate): number {
  const [one, other] = [a.entry, b.entry];
  if (one.weak !== other.weak) return 0;
  const id = callOf(a.lane, one);
  if (id !== undefined && id === callOf(b.lane, other)) return 1;
  const isSame = a.token === b.token;
  const value = isSame ? 1 : likeness(a.words(), b.words());
  if (!one.loose) return OF_ONE_KIND + (1 - OF_ONE_KIND) * value;
  const named = isSame ? 1 : calledAlike(a.lane.read(one), b.lane.read(other));
  const most = Math.max(value, named < CALLED_ALIKE ? 0 : named);
  return most < LEAST_ALIKE ? 0 : most;
}

/**
 * Of a tool call, where ids mean the same: its session and its id, by which it is the same however
 * much of it has changed.
 */
export function callOf(lane: DiffLane, entry: LaneEntry): string | undefined {
  if (lane.byId !== true || entry.of !== 'tool') return undefined;
  const value = lane.read(entry);
  const [session, id] = [str(value, 'sessionId'), str(value, 'toolCallId')];
  return session === undefined || id === undefined ? undefined : JSON.stringify([session, id]);
}

/**
 * 0 to 1: whether two tool calls, or commands in terminals, are called the same, folders aside. Agents
 * that do the same thing put it into input and output of their own shape.
 */
function calledAlike(one: Json, other: Json): number {
  const nameOf = (value: Json) =>
    (str(value, 'title') ?? str(value, 'command') ?? '').replace(
      /(?<![^\s\\/])[^\s\\/]*[\\/](?=[^\s\\/])/g,
      '',
    );
  const likely = likeness(nameOf(one), nameOf(other));
  return str(one, 'kind') === str(other, 'kind') ? likely : Math.floor(likely);
}

/** Places in both lists. */
export function alike(left: readonly Candidate[], right: readonly Candidate[]): Pair[] {
  return pieces(left.length, right.length).flatMap(({ a0, a1, b0, b1 }) =>
    best(a1 - a0, b1 - b0, (i, j) => {
      const [one, other] = [left[a0 + i], right[b0 + j]];
      return one && other ? worth(one, other) : 0;
    }).flatMap(([i, j]): Pair[] => {
      const [one, other] = [left[a0 + i], right[b0 + j]];
      return one && other ? [[one.at, other.at]] : [];
    }),
  );
}

/** Too many to hold against each other are so in pieces, in order. */
function pieces(a: number, b: number) {
  const count = a * b > MOST_CELLS ? Math.ceil(Math.max(a, b) / Math.sqrt(MOST_CELLS)) : 1;
  return Array.from({ length: count }, (_, piece) => ({
    a0: Math.floor((a * piece) / count),
    a1: Math.floor((a * (piece + 1)) / count),
    b0: Math.floor((b * piece) / count),
    b1: Math.floor((b * (piece + 1)) / count),
  }));
}

/** Pairs that ascend on both sides and are worth most together; what is worth 0 is none. */
export function best(a: number, b: number, worth: (i: number, j: number) => number): Pair[] {
  if (a === 0 || b === 0) return [];
  if (a === 1 && b === 1) return worth(0, 0) > 0 ? [[0, 0]] : [];
  const width = b + 1;
  const sums = new Float64Array((a + 1) * width);
  const worths = new Float64Array(a * b);
  const sum = (i: number, j: number) => sums[i * width + j] ?? 0;
  for (let i = a - 1; i >= 0; i--)
    for (let j = b - 1; j >= 0; j--) {
      const value = worth(i, j);
      worths[i * b + j] = value;
      const paired = value > 0 ? sum(i + 1, j + 1) + value : 0;
      sums[i * width + j] = Math.max(paired, sum(i + 1, j), sum(i, j + 1));
    }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < a && j < b;) {
    const value = worths[i * b + j] ?? 0;
    if (value > 0 && sum(i, j) === sum(i + 1, j + 1) + value) pairs.push([i++, j++]);
    else if (sum(i, j) === sum(i + 1, j)) i++;
    else j++;
  }
  return pairs;
}
