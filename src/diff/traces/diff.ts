// Compares two traces. Aliases first: what differs between any two runs gets a name; then both are
// aligned, and what is paired is compared field by field.
import { isArray, isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { formatCount } from '../../lib/format-count.ts';
import { DEFAULT_IGNORE, type AliasKind } from '../../model/sessions/compare-terms.ts';
import { rowsWith } from './report/uses.ts';
import type { Test } from '../../model/query/query-match.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { bind, type Names } from './binding.ts';
import { Comparer, type JsonChange, type Naming } from './changes.ts';
import { framesOf } from './frames.ts';
import { handshakeOf } from './handshake.ts';
import { Ignoring, parseIgnore, type IgnoreRule } from './ignore.ts';
import type { Entry, Lane, LaneHow } from './lane.ts';
import { LeftOutSide, leftOutBy } from './report/uses.ts';
import { Masks, type Put } from './masks.ts';
import type { LaneSide } from './chunk-links.ts';
import { pairingsOf, type Pairings } from './pairing.ts';
import type {
  DiffOptions,
  DiffRowSide,
  SameText,
  DiffView,
  Slice,
  TraceDiffReport,
  TraceDifference,
} from './report/report.ts';
import {
  entriesOf,
  inLeftOrder,
  RowList,
  Rows,
  rowsOf,
  type RowPlaces,
  type ShownSide,
} from './rows.ts';
import { historyTest, isAgainstReplay, mustLeave, sliceTest } from './slice.ts';
import { stateOf } from './state.ts';
import { storyOf } from './story.ts';
import { timingReport } from './report/timing-report.ts';
import { TokenBook } from './tokens.ts';
import { Tokens } from './tokens.ts';

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
  if (view === 'timing') return timingReport(a, b, options, pause);
  const rules = (options.ignore ?? DEFAULT_IGNORE).map(ruleOf);
  const book = new TokenBook();
  const how: LaneHow = {
    eachChunk: options.eachChunk ?? false,
    apart: options.a?.query === undefined && options.b?.query === undefined,
    history: isAgainstReplay(options.a, options.b),
  };
  const left = await sideOf(view, a, options, options.a, rules, book, how, pause);
  const right = await sideOf(view, b, options, options.b, rules, book, how, pause);
  mustLeave(left.lane.length, 'left', options.a);
  mustLeave(right.lane.length, 'right', options.b);
  const pairings = await pairingsOf(left, right, pause);
  const names = bind(left.tokens, right.tokens, pairings.links, pairings.moved);
  const comparison = new Comparison(view, left, right, names);
  await comparison.run(pairings, pause);
  const { rows, differences, counts } = comparison;
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
    rowsWith: (name) => rowsWith(name, left, right, names, rows.list),
    sameText: sameTextOf(rows),
    leftOut,
    compared: { a: left.lane.length, b: right.lane.length },
    unrelated: pairings.unrelated,
    notices: noticesOf(pairings, left.lane, right.lane),
  };
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

async function sideOf(
  view: Exclude<DiffView, 'timing'>,
  source: IndexedTrace,
  { raw = [], rawValues = [], patterns }: DiffOptions,
  slice: Slice | undefined,
  rules: readonly IgnoreRule[],
  book: TokenBook,
  how: LaneHow,
  pause: () => Promise<void>,
): Promise<MaskedSide> {
  const { sessions } = source.index.facts();
  const folders = sessions.flatMap(({ cwd }) => cwd ?? []);
  // Who speaks in which version is what a handshake is looked at for.
  const kinds = new Set<AliasKind>(view === 'handshake' ? [...raw, 'version'] : raw);
  const masks = new Masks(kinds, new Set(rawValues), folders);
  const tokens = new Tokens(masks, book);
  const leftOut = new LeftOutSide(tokens);
  const ignoring = new Ignoring(rules, leftOut.leave);
  const [sliced, held] = [await sliceTest(source, slice, patterns), historyTest(source)];
  const takes: Test = how.history ? (at) => held(at) && sliced(at) : sliced;
  const lane = await laneOf(view)(source, takes, ignoring, pause, tokens, how);
  return { lane, tokens, masks, leftOut };
}

function laneOf(view: Exclude<DiffView, 'timing'>): typeof framesOf {
  switch (view) {
    case 'story':
      return storyOf;
    case 'frames':
      return framesOf;
    case 'state':
      return stateOf;
    case 'handshake':
      return handshakeOf;
    default:
      return assertNever(view);
  }
}

class Comparison {
  readonly differences: TraceDifference[] = [];
  readonly counts = { equal: 0, changed: 0, missing: 0, extra: 0, moved: 0 };
  rows: Rows;
  readonly #a: MaskedSide;
  readonly #b: MaskedSide;
  readonly #names: Names;
  readonly #comparer: Comparer;
  readonly #shown: readonly [ShownSide, ShownSide];
  readonly #view: DiffView;

  constructor(view: DiffView, a: MaskedSide, b: MaskedSide, names: Names) {
    this.#view = view;
    this.#a = a;
    this.#b = b;
    this.#names = names;
    const [left, right] = [namingOf(a, names.a), namingOf(b, names.b)];
    this.#comparer = new Comparer(left, right);
    this.#shown = [
      { lane: a.lane, named: (value, key = '') => namedIn(value, left, key, '') },
      { lane: b.lane, named: (value, key = '') => namedIn(value, right, key, '') },
    ];
    this.rows = this.#rows(new RowList());
  }

  async run({ links, moved }: Pairings, pause: () => Promise<void>): Promise<void> {
    const changed = new Set<number>();
    let done = 0;
    for (let a = 0; a < links.a; a++) {
      const b = links.partnerOf(a);
      const joint = links.jointAt(a);
      if (b < 0 || (!joint && this.#saysSame(a, b))) continue;
      if (done++ % SLICE === 0) await pause();
      if (this.#changes({ a, b, joint }).length > 0) changed.add(a);
    }
    const list = rowsOf(this.#a.lane, this.#b.lane, links, moved, changed);
    this.rows = this.#rows(inLeftOrder(list, this.#a.lane));
    for (let row = 0; row < this.rows.length; row++) {
      const mark = this.rows.mark(row);
      this.counts[mark]++;
      if (mark === 'equal') continue;
      if (done++ % SLICE === 0) await pause();
      this.#tell(row);
    }
  }

  #rows(list: RowList): Rows {
    const [a, b] = this.#shown;
    return new Rows(this.#view, a, b, list, (row) => this.#changes(row));
  }

  /** Certain without reading them: the same words, about what has the same names. */
  #saysSame(i: number, j: number): boolean {
    const [a, b] = [this.#a.tokens, this.#b.tokens];
    const [unit, other] = [a.unitOf.get(i), b.unitOf.get(j)];
    const [from, begin] = [a.starts.get(unit), b.starts.get(other)];
    if (!a.isRun(unit) || !b.isRun(other))
      return (
        a.wild.get(unit) === b.wild.get(other) &&
        this.#hasNames(from, begin, a.starts.get(unit + 1) - from)
      );
    return (
      this.#a.lane.chunk(i) === this.#b.lane.chunk(j) &&
      a.heads.get(unit) === b.heads.get(other) &&
      this.#hasNames(from, begin, a.headEnds.get(unit) - from)
    );
  }

  /** So many values found from there on have the same names on both sides. */
  #hasNames(from: number, begin: number, size: number): boolean {
    const [a, b] = [this.#a.tokens.found, this.#b.tokens.found];
    for (let at = 0; at < size; at++)
      if (this.#names.a[a.get(from + at)] !== this.#names.b[b.get(begin + at)]) return false;
    return true;
  }

  #changes(row: RowPlaces): JsonChange[] {
    const [left, right] = entriesOf(this.#a.lane, this.#b.lane, row);
    if (!left || !right) return [];
    const [one, other] = [this.#a.lane.read(left), this.#b.lane.read(right)];
    if (left.asker === undefined || right.asker === undefined)
      return this.#comparer.changes(one, other);
    const { id: before = null, ...oneRest } = isObject(one) ? one : { line: one };
    const { id: after = null, ...otherRest } = isObject(other) ? other : { line: other };
    const names = [
      requestName(this.#a, left.asker, before, this.#names.a),
      requestName(this.#b, right.asker, after, this.#names.b),
    ];
    const found = this.#comparer.changes(oneRest, otherRest);
    return names[0] === names[1]
      ? found
      : [{ path: '$.id', kind: 'changed', before, after }, ...found];
  }

  #tell(at: number): void {
    const row = this.rows.list.at(at);
    const { mark } = row;
    if (mark === 'equal') return;
    const [left, right] = entriesOf(this.#a.lane, this.#b.lane, row);
    const place = ({ lane }: LaneSide, entry: Entry | undefined) => {
      const { connection, index } = lane.source;
      return entry && { connection, seq: index.columns.seqOf(entry.first) };
    };
    const [a, b] = [place(this.#a, left), place(this.#b, right)];
    const of = (left ?? right)?.of ?? '';
    const told = { kind: mark, ...(a && { a }), ...(b && { b }), of, row: at };
    if (mark !== 'changed') {
      // Their words cost reading the frame again: of a hundred thousand, few are looked at.
      const whole: TraceDifference = { ...told, path: '$' };
      const { rows } = this;
      const define = (key: 'before' | 'after', words: () => string) =>
        Object.defineProperty(whole, key, { get: words, enumerable: true });
      if (a) define('before', () => rows.words('a', at));
      if (b) define('after', () => rows.words('b', at));
      this.differences.push(whole);
    }
    if (mark !== 'changed' && mark !== 'moved') return;
    for (const { path, before, after } of this.#changes(row))
      this.differences.push({
        ...told,
        kind: 'changed',
        path,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      });
  }
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

function sameTextOf(rows: Rows): SameText[] {
  return [...rows.list.joints.keys()].flatMap((row): SameText[] => {
    if (rows.mark(row) !== 'equal') return [];
    const { of, a, b } = rows.row(row);
    const range = ({ seq, last, frames }: DiffRowSide) => ({ seq, last, frames });
    return a && b ? [{ of, a: range(a), b: range(b), row }] : [];
  });
}

function noticesOf({ gaveUp, unrelated }: Pairings, a: Lane, b: Lane): string[] {
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
