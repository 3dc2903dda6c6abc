// Field by field: what a client that trusts the replay would hold in place of what was said live. A
// code for each field that differs, and its sentence.
import { get, isArray, isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { bare } from '../facts/message-text.ts';
import { changeRelation } from './file-changes.ts';
import {
  JUDGED,
  judgeText,
  judgeWord,
  type Ending,
  type ReplayCode,
  type SaidBefore,
} from './judge.ts';
import type { FieldValue, NormalFields } from './normal-form.ts';
import { relationOf } from './texts.ts';
import { isTimeKey } from '../time-key.ts';
import { oneLine } from '../words.ts';

/** What one field is worth; `names`: the values or leaves that it is about. */
interface FieldJudged {
  readonly code: ReplayCode;
  readonly names?: readonly string[];
  /** Within the field: `changes.0.path`. */
  readonly path?: string;
}

export interface FieldDifference extends FieldJudged {
  /** `status`, `rawInput.command`. */
  readonly field: string;
  readonly before: FieldValue | undefined;
  readonly after: FieldValue | undefined;
}

/** `from`, `to`: the versions that they were said in; where these differ, both as v1 says them. */
export function differencesOf(
  live: NormalFields,
  replayed: NormalFields,
  ending: Ending,
  saidOf: () => SaidBefore,
  [from, to]: readonly [from: 1 | 2, to: 1 | 2],
): FieldDifference[] {
  let known: SaidBefore | undefined;
  const said = () => (known ??= saidOf());
  return differing(live, replayed).flatMap((name) => {
    const [before, after] = [live.get(name), replayed.get(name)];
    const judged =
      name === 'diffs' && from !== to && before && after
        ? judgeChanges(before, after, from)
        : judge(name, before, after, ending, said);
    if (!judged) return [];
    const { path = '' } = judged;
    return [{ ...judged, field: path === '' ? name : `${name}.${path}`, before, after }];
  });
}

/**
 * Of a prompt that the agent never told live: it may tell it in other words than the client's, as one
 * message with what it adds for its model. Once told, v1 and v2 alike replay what was told.
 */
export function unlessReworded(found: readonly FieldDifference[]): FieldDifference[] {
  return found.map((one) => (isCorrupt(one) ? { ...one, code: 'reworded' } : one));
}

/** Names of the fields whose values are not the very same. */
function differing(live: NormalFields, replayed: NormalFields): string[] {
  const names: string[] = [];
  for (const [name, before] of live) {
    const after = replayed.get(name);
    if (!after || !isSameValue(before, after)) names.push(name);
  }
  for (const name of replayed.keys()) if (!live.has(name)) names.push(name);
  return names;
}

function isSameValue(one: FieldValue, other: FieldValue): boolean {
  if (one.type === 'text') return other.type === 'text' && one.text === other.text;
  if (one.type === 'word') return other.type === 'word' && one.word === other.word;
  return other.type === 'json' && isSameJson(one.value, other.value);
}

/** Changes of files, told in the words of two versions. */
function judgeChanges(before: FieldValue, after: FieldValue, from: 1 | 2): FieldJudged | undefined {
  if (before.type !== 'json' || after.type !== 'json') return undefined;
  const [v1, v2] = from === 1 ? [before.value, after.value] : [after.value, before.value];
  const { onlyV1, onlyV2, otherwise, untold } = changeRelation(v1, v2);
  const [missing, never] = from === 1 ? [[...onlyV1, ...untold], onlyV2] : [onlyV2, onlyV1];
  if (never.length > 0) return { code: 'other file', names: never };
  if (otherwise.length > 0) return { code: 'other change', names: otherwise };
  return missing.length === 0 ? undefined : { code: 'lacks change', names: missing };
}

function judge(
  name: string,
  before: FieldValue | undefined,
  after: FieldValue | undefined,
  ending: Ending,
  said: () => SaidBefore,
): FieldJudged | undefined {
  if (!before) return after && { code: gained(after, ending, said) };
  if (!after) return { code: name === 'kind' ? 'no kind' : 'empty' };
  switch (before.type) {
    case 'text':
      return after.type === 'text'
        ? of(judgeText(name, before.text, after.text, ending, said))
        : { code: 'other kind' };
    case 'word':
      return after.type === 'word'
        ? of(judgeWord(name, before.word, after.word, ending, said))
        : { code: 'other kind' };
    case 'json': {
      if (after.type !== 'json') return { code: 'other kind' };
      const relation = jsonRelation(before.value, after.value, said);
      if (relation === 'equal') return undefined;
      if (relation === 'same') return { code: 'other shape' };
      const { missing, never, onlyTimes } = relation;
      if (onlyTimes) return { code: 'other times' };
      const [first] = never;
      if (first) return { code: 'says', path: first.path, names: [first.words] };
      return missing.length > 0
        ? { code: 'lacks', names: missing.map(leafName) }
        : { code: 'other shape' };
    }
    default:
      return assertNever(before);
  }
}

const of = (code: ReplayCode | undefined) => code && { code };

/** Live left it open: what it says is no contradiction, but only some of it was heard before. */
function gained(after: FieldValue, { cut, cancelled }: Ending, said: () => SaidBefore): ReplayCode {
  if (cut || cancelled) return 'after the cut';
  const words = after.type === 'text' ? after.text : after.type === 'word' ? after.word : undefined;
  return words !== undefined && said().text(words) ? 'heard' : 'adds';
}

const WHY: Readonly<Record<ReplayCode, string | ((names: readonly string[]) => string)>> = {
  settled: 'settles what the interrupted turn left open',
  refused: 'asked for a permission that nobody gave',
  'not told': 'live never said how it ended',
  'as before': 'has an earlier value of the live session',
  never: 'was never so live',
  spaced: 'differs in white space',
  fenced: 'stands in a fence, or no more',
  'cut short': 'lacks part of the text',
  'goes on': 'goes on behind where the live turn was cut',
  elsewhere: 'adds what was said elsewhere live',
  more: 'says more than was said live',
  reworded: 'is in other words than the client’s, which the agent did not echo live',
  'other kind': 'is of another kind',
  'no kind': 'is absent, so other',
  empty: 'is empty',
  'after the cut': 'adds what the interrupted turn left open',
  heard: 'was said elsewhere live',
  adds: 'adds what live left open',
  'other shape': 'says the same in another shape',
  'other times': 'has other times',
  says: ([first = '']) => `says ${quoted(first)}, which was not said live`,
  lacks: (names) => `lacks ${namesOf(names)}`,
  'other file': ([first = '']) => `changes ${quoted(first)}, which was not changed live`,
  'other change': ([first = '']) => `is another change of ${quoted(first)}`,
  'lacks change': (names) => `lacks the change of ${namesOf(names)}`,
};

/** Returns a clause: `lacks part of the text`. */
export function whyWords({ code, names = [] }: FieldJudged): string {
  const words = WHY[code];
  return typeof words === 'string' ? words : words(names);
}

export function isCorrupt({ code }: FieldJudged): boolean {
  return JUDGED[code] === 'corrupt';
}

/** Its key; of what has none, what it said. */
function leafName({ path, words }: { readonly path: string; readonly words: string }): string {
  const [key = ''] = keysOf(path);
  return key === '' ? quoted(words) : key;
}

const keysOf = (path: string) => path.split('.').filter((part) => !/^\d*$/.test(part));

/** `call_id, turn_id, command and 3 more`. */
function namesOf(names: readonly string[]): string {
  const unique = [...new Set(names)];
  const more = unique.length - NAMED;
  return `${unique.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const NAMED = 3;

function quoted(text: string): string {
  return `“${oneLine(text, 60)}”`;
}

// How one JSON value stands to what was said live, by its leaves: which are missing, which were
// never said. The shape alone means nothing: agents keep their own records, not the frames.

interface Leaf {
  /** `command`, `changes.0.path`. */
  readonly path: string;
  readonly words: string;
}

interface JsonRelation {
  /** Leaves of the live value that are not in the other. */
  readonly missing: readonly Leaf[];
  /** Leaves that were never said live. */
  readonly never: readonly Leaf[];
  /** All that differs are times. */
  readonly onlyTimes: boolean;
}

const DEEPEST = 60;
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

const keyOf = ({ path }: Leaf) => keysOf(path).at(-1) ?? '';

function isTime({ path, words }: Leaf): boolean {
  return keysOf(path).some(isTimeKey) || DATE.test(words);
}

/** Every value the same, in whatever order of keys. */
function isSameJson(one: Json, other: Json, depth = DEEPEST): boolean {
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
function jsonRelation(
  live: Json,
  replayed: Json,
  saidOf: () => SaidBefore,
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
    (leaf) =>
      !isTime(leaf) &&
      !isAdded(live, leaf.path) &&
      !said.value(keyOf(leaf), leaf.words) &&
      !isCut(leaf),
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
