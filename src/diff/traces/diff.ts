// Compares two traces. Aliases first: what differs between any two runs gets a name; then both are
// aligned, and what is paired is compared field by field.
import { isArray, isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { formatCount } from '../../lib/format-count.ts';
import { DEFAULT_IGNORE, type AliasKind } from '../../model/compare-terms.ts';
import { bind, type Names } from './binding.ts';
import { Comparer, type JsonChange, type Naming } from './changes.ts';
import { framesOf } from './frames.ts';
import { handshakeOf } from './handshake.ts';
import { Ignoring, parseIgnore, type IgnoreRule } from './ignore.ts';
import type { Lane } from './lane.ts';
import { Masks, type Put } from './masks.ts';
import { pairingsOf, type Pairings, type Side } from './pairing.ts';
import type {
  DiffOptions,
  DiffSource,
  DiffView,
  Slice,
  TraceDiffReport,
  TraceDifference,
} from './report.ts';
import { Rows, rowsOf, type ShownSide } from './rows.ts';
import { sliceTest } from './slice.ts';
import { stateOf } from './state.ts';
import { storyOf } from './story.ts';
import { timingReport } from './timing-report.ts';
import { TokenBook } from './token-book.ts';
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
  a: DiffSource,
  b: DiffSource,
  options: DiffOptions = {},
): Promise<TraceDiffReport> {
  const { view = 'story', pause = NO_PAUSE } = options;
  if (view === 'timing') return timingReport(a, b, options, pause);
  const rules = (options.ignore ?? DEFAULT_IGNORE).map(ruleOf);
  const book = new TokenBook();
  const ignoring = [new Ignoring(rules), new Ignoring(rules)] as const;
  const left = await sideOf(view, a, options, options.a, ignoring[0], book, pause);
  const right = await sideOf(view, b, options, options.b, ignoring[1], book, pause);
  const pairings = await pairingsOf(left, right, pause);
  const names = bind(left.tokens, right.tokens, [...pairings.pairs, ...pairings.moved]);
  const comparison = new Comparison(view, left, right, names);
  await comparison.run(pairings, pause);
  const { rows, differences, counts } = comparison;
  return {
    view,
    equal: differences.length === 0,
    differences,
    counts,
    rows,
    sections: rows.sections,
    aliases: names.aliases,
    rowsWith: (name) => comparison.rowsWith(name),
    leftOut: rules.map(({ source }, at) => ({
      rule: source,
      a: ignoring[0].counts[at] ?? 0,
      b: ignoring[1].counts[at] ?? 0,
    })),
    compared: { a: left.lane.entries.length, b: right.lane.entries.length },
    unrelated: pairings.unrelated,
    notices: noticesOf(pairings, left.lane, right.lane),
  };
}

function ruleOf(source: string): IgnoreRule {
  const rule = parseIgnore(source);
  if ('problem' in rule) throw new DiffOptionError(rule.problem);
  return rule;
}

interface MaskedSide extends Side {
  readonly masks: Masks;
}

async function sideOf(
  view: Exclude<DiffView, 'timing'>,
  source: DiffSource,
  { raw = [], rawValues = [] }: DiffOptions,
  slice: Slice | undefined,
  ignoring: Ignoring,
  book: TokenBook,
  pause: () => Promise<void>,
): Promise<MaskedSide> {
  const { sessions } = source.index.facts();
  const folders = sessions.flatMap(({ cwd }) => cwd ?? []);
  // Who speaks in which version is what a handshake is looked at for.
  const kinds = new Set<AliasKind>(view === 'handshake' ? [...raw, 'version'] : raw);
  const masks = new Masks(kinds, new Set(rawValues), folders);
  const tokens = new Tokens(masks, book);
  const takes = sliceTest(source, slice);
  const lane = await laneOf(view)(source, takes, ignoring, pause, ({ weak, asker }, value) =>
    tokens.add(weak, value, asker),
  );
  return { lane, tokens, masks };
}

function laneOf(view: Exclude<DiffView, 'timing'>): typeof storyOf {
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
    this.rows = this.#rows([]);
  }

  async run({ pairs, moved }: Pairings, pause: () => Promise<void>): Promise<void> {
    const changed = new Set<number>();
    let done = 0;
    for (const [i, j] of pairs) {
      if (this.#saysSame(i, j)) continue;
      if (done++ % SLICE === 0) await pause();
      if (this.#changes(i, j).length > 0) changed.add(i);
    }
    const [a, b] = [this.#a.lane.entries, this.#b.lane.entries];
    this.rows = this.#rows(rowsOf(a, b, pairs, moved, (i) => !changed.has(i)));
    for (const [row, { mark }] of this.rows.list.entries()) {
      this.counts[mark]++;
      if (mark === 'equal') continue;
      if (done++ % SLICE === 0) await pause();
      this.#tell(row);
    }
  }

  rowsWith(name: string): number[] {
    const left = standsIn(this.#a.tokens, this.#names.a.indexOf(name));
    const right = standsIn(this.#b.tokens, this.#names.b.indexOf(name));
    return this.rows.list.flatMap(({ a, b }, row) => (left(a) || right(b) ? [row] : []));
  }

  #rows(list: Rows['list']): Rows {
    const [a, b] = this.#shown;
    return new Rows(this.#view, a, b, list, (row) => {
      const { a: i, b: j } = this.rows.list[row] ?? { a: -1, b: -1 };
      return this.#changes(i, j);
    });
  }

  /** Certain without reading them: the same words, about what has the same names. */
  #saysSame(i: number, j: number): boolean {
    const [a, b] = [this.#a.tokens, this.#b.tokens];
    if (a.wild.get(i) !== b.wild.get(j)) return false;
    const [from, to, other] = [a.starts.get(i), a.starts.get(i + 1), b.starts.get(j)];
    for (let at = 0; at < to - from; at++) {
      const left = this.#names.a[a.found.get(from + at)];
      if (left !== this.#names.b[b.found.get(other + at)]) return false;
    }
    return true;
  }

  #changes(i: number, j: number): JsonChange[] {
    const [left, right] = [this.#a.lane.entries[i], this.#b.lane.entries[j]];
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

  #tell(row: number): void {
    const { mark, a: i, b: j } = this.rows.list[row] ?? { mark: 'equal', a: -1, b: -1 };
    if (mark === 'equal') return;
    const place = ({ lane }: Side, at: number) => {
      const entry = lane.entries[at];
      const { connection, index } = lane.source;
      return entry && { connection, seq: index.columns.seqOf(entry.first) };
    };
    const [a, b] = [place(this.#a, i), place(this.#b, j)];
    const of = (this.#a.lane.entries[i] ?? this.#b.lane.entries[j])?.of ?? '';
    const told = { kind: mark, ...(a && { a }), ...(b && { b }), of, row };
    if (mark !== 'changed') {
      // Their words cost reading the frame again: of a hundred thousand, few are looked at.
      const whole: TraceDifference = { ...told, path: '$' };
      const { rows } = this;
      const define = (key: 'before' | 'after', words: () => string) =>
        Object.defineProperty(whole, key, { get: words, enumerable: true });
      if (a) define('before', () => rows.words('a', i));
      if (b) define('after', () => rows.words('b', j));
      this.differences.push(whole);
    }
    if (mark !== 'changed' && mark !== 'moved') return;
    for (const { path, before, after } of this.#changes(i, j))
      this.differences.push({
        ...told,
        kind: 'changed',
        path,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      });
  }
}

/** Whether the real value of this number stands in an entry. */
function standsIn({ starts, found }: Tokens, value: number): (entry: number) => boolean {
  return (entry) => {
    if (entry < 0 || value < 0) return false;
    const end = starts.get(entry + 1);
    for (let at = starts.get(entry); at < end; at++) if (found.get(at) === value) return true;
    return false;
  };
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

function noticesOf({ gaveUp, unrelated }: Pairings, a: Lane, b: Lane): string[] {
  const notices: string[] = [];
  if (unrelated)
    notices.push(
      `The two have next to nothing in common (${formatCount(a.entries.length)} and ${formatCount(b.entries.length)} compared): what differs is told whole, and says little.`,
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
