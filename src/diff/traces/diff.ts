// Compares two traces. Aliases first: what differs between any two runs gets a name; then both are
// aligned, and what is paired is compared field by field.
import { isArray, isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { defined } from '../../lib/defined.ts';
import { formatCount } from '../../lib/format.ts';
import { DEFAULT_IGNORE, type AliasKind } from '../../model/sessions/compare-terms.ts';
import { rowsWith, leftOutBy, leftOutSide, type LeftOutSide } from './report/uses.ts';
import type { EventTest } from '../../model/query/match.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { bind, type AliasTable } from './binding.ts';
import { jsonChanges, type JsonChange, type Naming } from './changes.ts';
import { framesOf } from './frames.ts';
import { handshakeOf, sessionStateOf } from './state.ts';
import { Ignoring, parseIgnore, type IgnoreRule } from './ignore.ts';
import type { LaneEntry, DiffLane, LaneMaking } from './lane.ts';
import { Masks, type Put } from './masks.ts';
import type { LaneSide } from './chunk-links.ts';
import { pairingsOf, type Pairings } from './pairing.ts';
import type {
  DiffOptions,
  DiffRows,
  DiffRowSide,
  SameText,
  DiffView,
  Slice,
  TraceDiffReport,
  TraceDifference,
} from './report/report.ts';
import {
  rowEntries,
  stretchPlaces,
  stretchRows,
  shownRows,
  type PlacedRow,
  type RowPlaces,
  type SectionedRows,
  type ShownSide,
} from './rows.ts';
import { historyTest, isAgainstReplay, mustLeave, replayingSide, sliceTest } from './slice.ts';
import { storyOf } from './story.ts';
import { TokenBook, Tokens } from './tokens.ts';

/** An option that cannot be taken, as a sentence. */
export class DiffOptionError extends Error {}

const NO_PAUSE = () => Promise.resolve();
/** Comparing paired entries: so many between two pauses. */
const SLICE = 200;

/**
 * Throws DiffOptionError for an ignore rule that cannot be read, SliceError for a slice that the
 * trace does not have, and whatever `pause` throws.
 */
export async function diffTraces(
  a: IndexedTrace,
  b: IndexedTrace,
  options: DiffOptions = {},
): Promise<TraceDiffReport> {
  const { view = 'story', pause = NO_PAUSE } = options;
  const rules = (options.ignore ?? DEFAULT_IGNORE).map(ruleOf);
  const how = {
    eachChunk: options.eachChunk ?? false,
    apart: options.a?.query === undefined && options.b?.query === undefined,
    history: isAgainstReplay(options.a, options.b),
    pause,
  };
  const sideOf = sideMaker(view, options, rules, how);
  const left = await sideOf(a, options.a);
  const right = await sideOf(b, options.b);
  mustLeave(left.lane.length, 'left', options.a);
  mustLeave(right.lane.length, 'right', options.b);
  const pairings = await pairingsOf(left, right, pause);
  const names = bind(left.tokens, right.tokens, pairings.links, pairings.moved);
  const told = await compared(view, left, right, names, pairings, pause);
  const { list, rows, differences, counts } = told;
  const sources = rules.map(({ source }) => source);
  const leftOut = await leftOutBy(sources, left.leftOut, right.leftOut, pause);
  return {
    view,
    equal: differences.length === 0,
    differences,
    counts,
    rows,
    sections: rows.sections,
    aliases: names.aliases,
    rowsWith: (name) => rowsWith(name, left, right, names, list),
    sameText: sameTextOf(rows, list),
    leftOut,
    compared: { a: left.lane.length, b: right.lane.length },
    unrelated: pairings.unrelated,
    notices: noticesOf(pairings, left.lane, right.lane),
    ...defined({ replays: isOfBoth(view, options) ? replayingSide(a, b) : undefined }),
  };
}

/** Whether all that both said is compared: a handshake is no history. */
function isOfBoth(view: DiffView, { a, b }: DiffOptions): boolean {
  return view !== 'handshake' && isWhole(a) && isWhole(b);
}

/** Of what still grows the end is set: it is whole all the same. */
function isWhole({ query, turn, from }: Slice = {}): boolean {
  return query === undefined && turn === undefined && from === undefined;
}

function ruleOf(source: string): IgnoreRule {
  const rule = parseIgnore(source);
  if ('problem' in rule) throw new DiffOptionError(rule.problem);
  return rule;
}

interface MaskedSide extends LaneSide {
  readonly masks: Masks;
  readonly leftOut: LeftOutSide;
}

/** Makes both sides by the same terms: what they say alike has one token. */
function sideMaker(
  view: DiffView,
  { raw = [], rawValues = [], finder }: DiffOptions,
  rules: readonly IgnoreRule[],
  how: Pick<LaneMaking, 'eachChunk' | 'apart' | 'history' | 'pause'>,
) {
  const book = new TokenBook();
  // Who speaks in which version is what a handshake is looked at for.
  const kinds = new Set<AliasKind>(view === 'handshake' ? [...raw, 'version'] : raw);
  return async (source: IndexedTrace, slice: Slice | undefined): Promise<MaskedSide> => {
    const { sessions } = source.index.facts();
    const folders = sessions.flatMap(({ cwd }) => cwd ?? []);
    const masks = new Masks(kinds, new Set(rawValues), folders);
    const tokens = new Tokens(masks, book);
    const leftOut = leftOutSide(tokens);
    const ignoring = new Ignoring(rules, leftOut.leave);
    const [sliced, held] = [await sliceTest(source, slice, finder), historyTest(source)];
    const takes: EventTest = how.history ? (at) => held(at) && sliced(at) : sliced;
    const lane = await laneOf(view)({ source, takes, ignoring, tokens, ...how });
    return { lane, tokens, masks, leftOut };
  };
}

function laneOf(view: DiffView): typeof framesOf {
  switch (view) {
    case 'story':
      return storyOf;
    case 'frames':
      return framesOf;
    case 'state':
      return sessionStateOf;
    case 'handshake':
      return handshakeOf;
    default:
      return assertNever(view);
  }
}

/** Which pairs say the same, and what differs of the others. */
async function compared(
  view: DiffView,
  a: MaskedSide,
  b: MaskedSide,
  names: AliasTable,
  { links, moved }: Pairings,
  pause: () => Promise<void>,
) {
  const [left, right] = [namingOf(a, names.a), namingOf(b, names.b)];
  const changes = (row: RowPlaces) => changesIn(row, a, b, names, left, right);
  const changed = new Set<number>();
  let done = 0;
  for (let i = 0; i < links.a; i++) {
    const j = links.partnerOf(i);
    const joint = links.jointAt(i);
    if (j < 0 || (!joint && saysSame(a, b, i, j, names))) continue;
    if (done++ % SLICE === 0) await pause();
    if (changes({ a: i, b: j, joint }).length > 0) changed.add(i);
  }
  for (const move of moved)
    if (move.isFree && changes(stretchPlaces(move)).length > 0) changed.add(move.a0);
  const list = stretchRows(a.lane, b.lane, links, moved, changed);
  const shown = ({ lane }: LaneSide, naming: Naming): ShownSide => ({
    lane,
    named: (value, key = '') => namedIn(value, naming, key, ''),
  });
  const rows = shownRows(view, shown(a, left), shown(b, right), list, changes);
  const counts = { equal: 0, changed: 0, missing: 0, extra: 0, moved: 0 };
  const differences: TraceDifference[] = [];
  for (const [at, row] of list.entries()) {
    counts[row.mark]++;
    if (row.mark === 'equal') continue;
    if (done++ % SLICE === 0) await pause();
    differences.push(...differencesIn(row, at, a.lane, b.lane, rows, changes));
  }
  return { list, rows, differences, counts };
}

/** Certain without reading them: the same words, about what has the same names. */
function saysSame(
  one: LaneSide,
  other: LaneSide,
  i: number,
  j: number,
  names: AliasTable,
): boolean {
  const [a, b] = [one.tokens, other.tokens];
  const [left, right] = [a.unitOf.get(i), b.unitOf.get(j)];
  const [from, begin] = [a.starts.get(left), b.starts.get(right)];
  const isRun = a.isRun(left) && b.isRun(right);
  const [words, others] = isRun ? [a.heads, b.heads] : [a.wild, b.wild];
  if (words.get(left) !== others.get(right)) return false;
  if (isRun && one.lane.chunk(i) !== other.lane.chunk(j)) return false;
  const size = (isRun ? a.headEnds.get(left) : a.starts.get(left + 1)) - from;
  for (let at = 0; at < size; at++)
    if (names.a[a.found.get(from + at)] !== names.b[b.found.get(begin + at)]) return false;
  return true;
}

function changesIn(
  row: RowPlaces,
  a: MaskedSide,
  b: MaskedSide,
  names: AliasTable,
  ...naming: readonly [Naming, Naming]
): JsonChange[] {
  const [left, right] = rowEntries(a.lane, b.lane, row);
  if (!left || !right) return [];
  const [one, other] = [a.lane.read(left), b.lane.read(right)];
  if (left.asker === undefined || right.asker === undefined)
    return jsonChanges(one, other, ...naming);
  const { id: before = null, ...oneRest } = isObject(one) ? one : { line: one };
  const { id: after = null, ...otherRest } = isObject(other) ? other : { line: other };
  const isSame =
    requestName(a, left.asker, before, names.a) === requestName(b, right.asker, after, names.b);
  const found = jsonChanges(oneRest, otherRest, ...naming);
  return isSame ? found : [{ path: '$.id', kind: 'changed', before, after }, ...found];
}

/** What a row says that is not equal: the whole of it, or field by field. */
function differencesIn(
  row: PlacedRow,
  at: number,
  a: DiffLane,
  b: DiffLane,
  rows: SectionedRows,
  changes: (row: RowPlaces) => JsonChange[],
): TraceDifference[] {
  const { mark } = row;
  if (mark === 'equal') return [];
  const [left, right] = rowEntries(a, b, row);
  const placeOf = ({ source: { connection, index } }: DiffLane, entry: LaneEntry | undefined) =>
    entry && { connection, seq: index.columns.seqOf(entry.first) };
  const [one, other] = [placeOf(a, left), placeOf(b, right)];
  const of = (left ?? right)?.of ?? '';
  const told = { kind: mark, ...(one && { a: one }), ...(other && { b: other }), of, row: at };
  const fields =
    mark === 'changed' || mark === 'moved'
      ? changes(row).map(({ path, before, after }): TraceDifference => {
          return { ...told, kind: 'changed', path, ...defined({ before, after }) };
        })
      : [];
  if (mark === 'changed') return fields;
  // Their words cost reading the frame again: of a hundred thousand, few are looked at.
  const whole: TraceDifference = { ...told, path: '$' };
  const define = (key: 'before' | 'after', side: 'a' | 'b') =>
    Object.defineProperty(whole, key, { get: () => rows.words(side, at), enumerable: true });
  if (one) define('before', 'a');
  if (other) define('after', 'b');
  return [whole, ...fields];
}

/** Ids of requests count anew in every run. */
function requestName(
  { masks, tokens }: MaskedSide,
  asker: 'client' | 'agent',
  id: Json,
  names: readonly string[],
): string {
  return masks.request(JSON.stringify(id), asker, nameOf(tokens, names));
}

function nameOf({ values }: Tokens, names: readonly string[]): Put {
  return (kind, real) => {
    const number = values.find(kind, real);
    return (number === undefined ? undefined : names[number]) ?? real;
  };
}

function namingOf({ masks, tokens }: MaskedSide, names: readonly string[]): Naming {
  const put = nameOf(tokens, names);
  return (value, key, parent) =>
    typeof value === 'number'
      ? (masks.number(value, key, put) ?? value)
      : masks.text(value, key, parent, put);
}

function namedIn(value: Json, naming: Naming, key: string, parent: string): Json {
  if (typeof value === 'string' || typeof value === 'number') return naming(value, key, parent);
  if (isArray(value)) return value.map((item) => namedIn(item, naming, key, parent));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, item]) => [inner, namedIn(item, naming, inner, key)]),
  );
}

function sameTextOf(rows: DiffRows, list: readonly PlacedRow[]): SameText[] {
  const range = ({ seq, last, frames }: DiffRowSide) => ({ seq, last, frames });
  return list.flatMap(({ mark, joint }, row): SameText[] => {
    if (joint === undefined || mark !== 'equal') return [];
    const { of, a, b } = rows.row(row);
    return a && b ? [{ of, a: range(a), b: range(b), row }] : [];
  });
}

function noticesOf({ gaveUp, unrelated }: Pairings, a: DiffLane, b: DiffLane): string[] {
  const notices: string[] = [];
  if (unrelated)
    notices.push(
      `The two have next to nothing in common (${formatCount(a.length)} and ${formatCount(b.length)} compared): what differs is told whole, and says little.`,
    );
  else if (gaveUp)
    notices.push(
      'Part of them differs so much that it was aligned by order alone: there, more may be told than differs.',
    );
  const { missing: left } = a.source.index.facts();
  const { missing: right } = b.source.index.facts();
  for (const [side, missing] of [
    ['left', left],
    ['right', right],
  ] as const)
    if (missing > 0)
      notices.push(
        `The ${side} trace says that ${formatCount(missing)} of its events are missing.`,
      );
  return notices;
}
