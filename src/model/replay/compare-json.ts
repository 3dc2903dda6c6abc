// How one JSON value stands to what was said live, by its leaves: which are missing, which were
// never said. The shape alone means nothing: agents keep their own records, not the frames.
import { get, isArray, isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { bare } from '../facts/message-text.ts';
import { relationOf } from './texts.ts';
import type { SaidLive } from './judge.ts';

interface Leaf {
  /** `command`, `changes.0.path`. */
  readonly path: string;
  readonly words: string;
}

export interface JsonRelation {
  /** Leaves of the live value that are not in the other. */
  readonly missing: readonly Leaf[];
  /** Leaves that were never said live. */
  readonly never: readonly Leaf[];
  /** All that differs are times. */
  readonly onlyTimes: boolean;
}

const DEEPEST = 60;
/** `started_at_ms`, `timestamp`, `durationMs`, `updatedAt`. */
const TIME_KEY =
  /(?:^|[._])(?:timestamp|time|date|duration|elapsed|secs|nanos)|[a-z]At$|_at(?:_ms)?$|(?:duration|elapsed|time)_?ms$/iu;
const DATE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

function leavesOf(value: Json, path = '', depth = DEEPEST): Leaf[] {
  const inner = (key: string, one: Json) =>
    leavesOf(one, path === '' ? key : `${path}.${key}`, depth - 1);
  if (depth > 0 && isArray(value)) return value.flatMap((one, at) => inner(String(at), one));
  if (depth > 0 && isObject(value))
    return Object.entries(value).flatMap(([key, one]) => inner(key, one));
  if (value === null || value === '') return [];
  return [{ path, words: typeof value === 'string' ? value : JSON.stringify(value) }];
}

function isTime({ path, words }: Leaf): boolean {
  return TIME_KEY.test(path) || DATE.test(words);
}

/** Every value the same, in whatever order of keys. */
export function isSameJson(one: Json, other: Json, depth = DEEPEST): boolean {
  if (one === other) return true;
  if (depth === 0) return JSON.stringify(one) === JSON.stringify(other);
  if (isArray(one))
    return (
      isArray(other) &&
      one.length === other.length &&
      one.every((inner, at) => isSameJson(inner, other[at] ?? null, depth - 1))
    );
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => {
      const [a, b] = [one[key], other[key]];
      return a !== undefined && b !== undefined && isSameJson(a, b, depth - 1);
    })
  );
}

/** same: but for white space in its texts, and for its shape. */
export function jsonRelation(
  live: Json,
  replayed: Json,
  saidOf: () => SaidLive,
): JsonRelation | 'equal' | 'same' {
  if (isSameJson(live, replayed)) return 'equal';
  const [before, after] = [leavesOf(live), leavesOf(replayed)];
  const key = ({ words }: Leaf) => bare(words);
  const [inLive, inReplayed] = [new Set(before.map(key)), new Set(after.map(key))];
  const lost = before.filter((leaf) => !inReplayed.has(key(leaf)));
  const odd = after.filter((leaf) => !inLive.has(key(leaf)));
  if (lost.length === 0 && odd.length === 0) return 'same';
  const onlyTimes = lost.every(isTime) && odd.every(isTime);
  if (onlyTimes) return { missing: [], never: [], onlyTimes };
  const said = saidOf();
  // What is left of a longer text is no new one; the longer one is missing.
  const isCut = ({ words }: Leaf) => lost.some((one) => relationOf(one.words, words) === 'shorter');
  const never = odd.filter(
    (leaf) => !isTime(leaf) && !isAdded(live, leaf.path) && !said.text(leaf.words) && !isCut(leaf),
  );
  const missing = lost.filter((leaf) => !isTime(leaf) && !standsIn(leaf, after));
  return { missing, never, onlyTimes: false };
}

/** A key that an object did not have live says nothing against it. */
function isAdded(live: Json, path: string): boolean {
  let value: Json | undefined = live;
  for (const key of path === '' ? [] : path.split('.')) {
    if (isObject(value) && !Object.hasOwn(value, key)) return true;
    value = isArray(value) ? value[Number(key)] : get(value, key);
  }
  return false;
}

/** Part of a longer text counts as there; so does a file that is named by its path from the folder. */
function standsIn({ words }: Leaf, leaves: readonly Leaf[]): boolean {
  const wanted = bare(words);
  return leaves.some(
    (leaf) =>
      (wanted.length > 3 && bare(leaf.words).includes(wanted)) || isPathTo(words, leaf.words),
  );
}

function isPathTo(absolute: string, relative: string): boolean {
  return (
    relative !== '' &&
    isAbsolutePath(absolute) &&
    ['/', '\\'].some((slash) => absolute.endsWith(slash + relative))
  );
}
