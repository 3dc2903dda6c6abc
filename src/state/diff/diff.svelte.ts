// The diff view: which two traces are compared, how, what is shown of it, and the line looked at.
// What is compared stands in the address (diff-pair.ts).
import { untrack } from 'svelte';
import type { ChangePiece } from '../../model/text-change.ts';
import type { Alias, DiffView, RowMark, Slice } from '../../diff/traces/report/report.ts';
import type { DiffAsk, DiffLook, ShownRow, TurnName } from '../../engine/diff/diff-messages.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import type { CompareRows } from '../compare/compare-lines.ts';
import { CompareList, type CompareSide } from '../compare/compare-list.svelte.ts';
import { ROW_MARKS } from '../compare/compare-map.ts';
import { CompareTerms } from '../compare/terms.svelte.ts';
import { formatPair, parsePair, swapped, type DiffPair } from './diff-pair.ts';
import { DiffRowFeed, DiffRun } from './diff-run.svelte.ts';
import { keptWith } from '../kept.svelte.ts';
import { Throttled } from '../throttled.ts';

/** The one of the page. */
export const diffOf = keptWith((app) => new Diff(app));

/** A comparison that is quicker is made again by itself when a trace grows. */
const QUICK = 300;
/** So many equal rows in a row are one line. */
const FOLDED = 3;
/** A row with more fields that differ is opened by hand. */
const OPEN = 4;

export class Diff {
  readonly #app: App;
  readonly #feed: DiffRowFeed<ShownRow>;
  readonly run: DiffRun<DiffAsk, DiffLook>;
  readonly terms = new CompareTerms('acp-scope/diff', (rule) => this.#problemOf(rule));
  readonly list = new CompareList<RowMark>((hidden) => this.look && rowsOf(this.look, hidden));
  readonly #again = new Throttled(() => this.#load(), 1500);
  #look = $state.raw<DiffLook | undefined>();
  /** Single aliases that are off. */
  rawAliases = $state.raw<readonly Alias[]>([]);
  /** The trace that was looked at when it was last asked for. */
  #looked: ConnectionId | undefined;

  /** Chunks that say the same text, cut elsewhere, differ. */
  eachChunk = $state(false);
  layout = $state<'beside' | 'unified'>('beside');
  /** The side that is shown where there is room for one. */
  side = $state<CompareSide>('left');

  constructor(app: App) {
    this.#app = app;
    const { engine } = app;
    this.#feed = new DiffRowFeed((diff, rows) => engine.diff.rows(diff, rows));
    this.run = new DiffRun(engine.diff, (ask) => engine.diff.compare(ask));
  }

  pair: DiffPair = $derived.by(() => parsePair(this.#app.diff));
  left: TraceSummary | undefined = $derived.by(() => this.#trace(this.pair.left));
  right: TraceSummary | undefined = $derived.by(() => this.#trace(this.pair.right));
  /** One of the two is not stored here. */
  missing: CompareSide | undefined = $derived.by(() => {
    if (this.pair.left !== undefined && !this.left) return 'left';
    return this.pair.right !== undefined && !this.right ? 'right' : undefined;
  });
  /** How it is compared, whatever it is compared with. */
  how: Omit<DiffAsk, 'left' | 'right'> = $derived.by(() => {
    const { view, leftPart, rightPart } = this.pair;
    const { ignore, raw } = this.terms;
    return {
      ...{ view, ignore, raw, rawValues: realValues(this.rawAliases) },
      ...(view === 'frames' && this.eachChunk && { eachChunk: true }),
      ...(leftPart && { leftSlice: leftPart }),
      ...(rightPart && { rightSlice: rightPart }),
    };
  });
  ask: DiffAsk | undefined = $derived.by(() => {
    const { left, right } = this;
    return left && right && { ...this.how, left: left.connection, right: right.connection };
  });
  readonly #key: string = $derived.by(() => JSON.stringify(this.ask ?? null));

  /** Of what is to be compared; undefined: it is not there yet. */
  look: DiffLook | undefined = $derived.by(() => {
    const [look, ask] = [this.#look, this.ask];
    return look && ask && sameThings(look.ask, ask) ? look : undefined;
  });
  /** Events that came since. */
  grown: number = $derived.by(() => {
    const [look, left, right] = [this.look, this.left, this.right];
    if (!look || !left || !right) return 0;
    const more = (trace: TraceSummary, then: number) =>
      trace.state === 'running' ? Math.max(0, trace.events - then) : 0;
    return more(left, look.events.a) + more(right, look.events.b);
  });

  /**
   * Call in an effect: what is asked for is compared. Who goes to another trace meanwhile, in the rail,
   * has it at the left.
   */
  watch(): void {
    const current = this.#app.current?.connection;
    const { left, right } = this.pair;
    const isOne = current === left || current === right;
    const isNew = left === undefined || (this.#looked ?? current) !== current;
    this.#looked = current;
    if (current !== undefined && !isOne && isNew) this.take('left', current);
    void this.#key;
    untrack(() => void this.#load());
  }

  /** Call in an effect: what runs and is quickly compared is compared again. */
  watchGrowth(): void {
    if (this.grown > 0 && (this.look?.took ?? QUICK) < QUICK) this.#again.poke();
  }

  /** This trace on that side. */
  take(side: CompareSide, connection: ConnectionId, part?: Slice): void {
    const { pair } = this;
    if (side === 'right') {
      const { rightPart: _, ...rest } = pair;
      return this.set({ ...rest, right: connection, ...(part && { rightPart: part }) });
    }
    const { leftPart: _, ...rest } = pair;
    this.set({ ...rest, left: connection, ...(part && { leftPart: part }) });
    if (this.#app.view === 'compare' && connection !== this.#app.current?.connection)
      void this.#app.show(connection, 'compare');
  }
  /** Only this part of the trace on that side; undefined: all of it. */
  takePart(side: CompareSide, part: Slice | undefined): void {
    const key = side === 'left' ? 'leftPart' : 'rightPart';
    const { [key]: _, ...pair } = this.pair;
    this.set({ ...pair, ...(part && { [key]: part }) });
  }
  set(pair: DiffPair): void {
    this.#app.diff = formatPair(pair);
  }
  show(view: DiffView): void {
    this.set({ ...this.pair, view });
  }
  swap(): void {
    this.set(swapped(this.pair));
  }
  compareAgain(): void {
    void this.#load();
  }

  useAlias(alias: Alias, on: boolean): void {
    const others = this.rawAliases.filter(({ a, b }) => a !== alias.a || b !== alias.b);
    this.rawAliases = on ? others : [...others, alias];
  }

  row(row: number): ShownRow | undefined {
    return this.#feed.row(row);
  }
  /** These lines are on screen. */
  fetch(from: number, to: number): void {
    const { look } = this;
    const { lines } = this.list;
    if (!look || !lines) return;
    this.#feed.want(look.diff, lines.rowsIn(from, to));
  }

  #trace(connection: ConnectionId | undefined): TraceSummary | undefined {
    return this.#app.traces.find((trace) => trace.connection === connection);
  }

  /** All of both values of a field that a row shows. */
  async field(row: number, nth: number): Promise<readonly ChangePiece[]> {
    const { look } = this;
    return look ? this.#app.engine.diff.field(look.diff, row, nth) : [];
  }
  /** As the command prints it; nothing is compared: empty. */
  async text(
    format: 'text' | 'markdown',
    names: { readonly left: string; readonly right: string },
  ): Promise<string> {
    const { look } = this;
    return look ? this.#app.engine.diff.text(look.diff, format, names) : '';
  }
  turnsOf(connection: ConnectionId): Promise<readonly TurnName[]> {
    return this.#app.engine.diff.turns(connection);
  }
  /** Whether what was live in it can be held against its replay. */
  hasReplay(connection: ConnectionId): Promise<boolean> {
    return this.#app.engine.diff.hasReplay(connection);
  }
  /** The trace that lived what this one replays. */
  livedIn(connection: ConnectionId): Promise<ConnectionId | undefined> {
    return this.#app.engine.diff.livedIn(connection);
  }

  async #problemOf(rule: string): Promise<string | undefined> {
    const { ask } = this;
    if (!ask) return undefined;
    const ignore = [...this.terms.ignore, rule];
    const answer = await this.#app.engine.diff.compare({ ...ask, ignore });
    return answer && 'problem' in answer ? answer.problem : undefined;
  }

  async #load(): Promise<void> {
    const look = await this.run.load(this.ask);
    if (look) this.#take(look);
  }

  #take(look: DiffLook): void {
    const [before, { row }] = [this.#look, this.list];
    this.#look = look;
    const isSame = before !== undefined && sameThings(before.ask, look.ask);
    if (isSame) this.list.selectRow(row);
    else this.list.reset();
  }
}

function rowsOf(
  { marks, rowSections, fields, told }: Pick<DiffLook, 'marks' | 'rowSections' | 'fields' | 'told'>,
  hidden: readonly RowMark[],
): CompareRows {
  const hides = ROW_MARKS.map((mark) => hidden.includes(mark));
  return {
    count: marks.length,
    sections: rowSections,
    stateOf: (row) => (marks[row] === 0 ? 'quiet' : 'fault'),
    isHidden: (row) => hides[marks[row] ?? 0] === true,
    fieldsOf: (row) => fields[row] ?? 0,
    opensItself: (row) => told[row] !== 1 && (fields[row] ?? 0) <= OPEN,
    folded: FOLDED,
  };
}

/** Both real values of each, each once. */
function realValues(aliases: readonly Alias[]): readonly string[] {
  const all = aliases.flatMap(({ a, b }) => [a, b]);
  return [...new Set(all)].filter((value) => value !== undefined);
}

/** The same parts of the same traces in the same view; what is left out may be another. */
function sameThings(one: DiffAsk, other: DiffAsk): boolean {
  const said = ({ left, right, view, leftSlice, rightSlice }: DiffAsk) =>
    JSON.stringify([left, right, view, leftSlice, rightSlice]);
  return said(one) === said(other);
}
