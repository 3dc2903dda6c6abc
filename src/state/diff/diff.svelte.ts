// The diff view: which two traces are compared, how, what is shown of it, and the line looked at.
// What is compared stands in the address (diff-pair.ts).
import { untrack } from 'svelte';
import type { Alias, DiffView, RowMark, Slice } from '../../diff/traces/report/report.ts';
import type { DiffAsk, DiffLook, ShownRow } from '../../engine/diff/diff-messages.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { DEFAULT_IGNORE, type AliasKind } from '../../model/sessions/compare-terms.ts';
import type { App } from '../app.svelte.ts';
import { realValues } from './diff-aliases.ts';
import { keepTastes, readTastes, type DiffTastes } from './diff-kept.ts';
import { DiffLines } from './diff-lines.ts';
import { formatPair, isTable, parsePair, swapped, withFirst, type DiffPair } from './diff-pair.ts';
import { DiffRowFeed } from './diff-rows.svelte.ts';
import { DiffRun } from './diff-run.svelte.ts';
import { keptWith } from '../kept.svelte.ts';
import { Paced } from '../paced.ts';

export type DiffSide = 'left' | 'right';
type DiffLayout = 'beside' | 'unified';

/** The one of the page. */
export const diffOf = keptWith((app) => new Diff(app));

/** A comparison that is quicker is made again by itself when a trace grows. */
const QUICK = 300;

export class Diff {
  readonly #app: App;
  readonly #feed: DiffRowFeed<ShownRow>;
  readonly run: DiffRun<DiffAsk, DiffLook>;
  readonly #again = new Paced(() => this.#load(), 1500);
  #look = $state.raw<DiffLook | undefined>();
  #tastes = $state.raw<DiffTastes>(readTastes());
  #rawAliases = $state.raw<readonly Alias[]>([]);
  #hidden = $state.raw<readonly RowMark[]>([]);
  #opened = $state.raw<readonly number[]>([]);
  #toggled = $state.raw<readonly number[]>([]);
  #whole = $state.raw<readonly number[]>([]);
  #at = $state(0);
  /** The row that is looked at as soon as it is there. */
  #wanted: number | undefined;
  /** The trace that was looked at when it was last asked for. */
  #looked: ConnectionId | undefined;

  /** Chunks that say the same text, cut elsewhere, differ. */
  eachChunk = $state(false);
  layout = $state<DiffLayout>('beside');
  /** The side that is shown where there is room for one. */
  side = $state<DiffSide>('left');

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
  missing: DiffSide | undefined = $derived.by(() => {
    if (this.pair.left !== undefined && !this.left) return 'left';
    return this.pair.right !== undefined && !this.right ? 'right' : undefined;
  });
  /** How it is compared, whatever it is compared with. */
  how: Omit<DiffAsk, 'left' | 'right'> = $derived.by(() => {
    const { view, leftPart, rightPart } = this.pair;
    const { ignore, raw } = this.#tastes;
    return {
      ...{ view, ignore, raw, rawValues: realValues(this.#rawAliases) },
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
  lines: DiffLines | undefined = $derived.by(
    () =>
      this.look &&
      new DiffLines(this.look, {
        hidden: this.#hidden,
        opened: this.#opened,
        toggled: this.#toggled,
        whole: this.#whole,
      }),
  );
  at: number = $derived.by(() => Math.max(0, Math.min(this.#at, (this.lines?.length ?? 1) - 1)));
  /** Of the differences, the one looked at or before it, from 1; 0: before the first. */
  nth: number = $derived.by(() => countUpTo(this.lines?.differing ?? [], this.at));
  /** Events that came since. */
  grown: number = $derived.by(() => {
    const [look, left, right] = [this.look, this.left, this.right];
    if (!look || !left || !right) return 0;
    const more = (trace: TraceSummary, then: number) =>
      trace.state === 'running' ? Math.max(0, trace.events - then) : 0;
    return more(left, look.events.a) + more(right, look.events.b);
  });

  /** More than two, of which none is looked at alone. */
  get isTable(): boolean {
    return isTable(this.pair);
  }
  get ignore(): readonly string[] {
    return this.#tastes.ignore;
  }
  get raw(): readonly AliasKind[] {
    return this.#tastes.raw;
  }
  /** Single aliases that are off. */
  get rawAliases(): readonly Alias[] {
    return this.#rawAliases;
  }
  get hidden(): readonly RowMark[] {
    return this.#hidden;
  }
  get isUsual(): boolean {
    return JSON.stringify(this.#tastes.ignore) === JSON.stringify(DEFAULT_IGNORE);
  }

  /**
   * Call in an effect: what is asked for is compared. Who goes to another trace meanwhile, in the rail,
   * has it at the left.
   */
  watch(): void {
    const current = this.#app.current?.connection;
    const { left, right, among = [] } = this.pair;
    const isOne = current === left || current === right || among.some((one) => one === current);
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
  take(side: DiffSide, connection: ConnectionId, part?: Slice): void {
    const { pair } = this;
    if (side === 'right') {
      const { rightPart: _, ...rest } = pair;
      return this.set({ ...rest, right: connection, ...(part && { rightPart: part }) });
    }
    this.set({ ...withFirst(pair, connection), ...(part && { leftPart: part }) });
    if (this.#app.view === 'diff' && connection !== this.#app.current?.connection)
      void this.#app.show(connection, 'diff');
  }
  /** Only this part of the trace on that side; undefined: all of it. */
  takePart(side: DiffSide, part: Slice | undefined): void {
    const key = side === 'left' ? 'leftPart' : 'rightPart';
    const { [key]: _, ...pair } = this.pair;
    this.set({ ...pair, ...(part && { [key]: part }) });
  }
  /** The comparison of the left with this one, at this row of it. */
  showPair(right: ConnectionId, row?: number): void {
    this.#wanted = row;
    this.set({ ...this.pair, right });
  }
  /** Back to the table of all. */
  showTable(): void {
    const { right: _, ...pair } = this.pair;
    if (pair.among) this.set(pair);
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
  cancel(): void {
    void this.#app.engine.diff.cancel();
  }

  /** Shows or hides rows of a mark. */
  showMark(mark: RowMark, shown: boolean): void {
    const row = this.lines?.rowAt(this.at) ?? 0;
    const others = this.#hidden.filter((other) => other !== mark);
    this.#hidden = shown ? others : [...others, mark];
    this.selectRow(row);
  }

  useKind(kind: AliasKind, on: boolean): void {
    const raw = this.#tastes.raw.filter((other) => other !== kind);
    this.#keep({ ...this.#tastes, raw: on ? raw : [...raw, kind] });
  }
  useAlias(alias: Alias, on: boolean): void {
    const others = this.#rawAliases.filter(({ a, b }) => a !== alias.a || b !== alias.b);
    this.#rawAliases = on ? others : [...others, alias];
  }

  /** A sentence: why the rule cannot be taken. */
  async addRule(rule: string): Promise<string | undefined> {
    const wanted = rule.trim();
    const { left, among } = this.pair;
    // In a table, any of its pairs tells whether the rule can be read.
    const [right] = among ?? [];
    const ask = this.ask ?? (left && right && { ...this.how, left, right });
    if (!ask || wanted === '' || this.ignore.includes(wanted)) return undefined;
    const ignore = [...this.ignore, wanted];
    const answer = await this.#app.engine.diff.compare({ ...ask, ignore });
    if (answer && 'problem' in answer) return answer.problem;
    this.#keep({ ...this.#tastes, ignore });
    return undefined;
  }
  removeRule(rule: string): void {
    this.#keep({ ...this.#tastes, ignore: this.ignore.filter((other) => other !== rule) });
  }
  usualRules(): void {
    this.#keep({ ...this.#tastes, ignore: DEFAULT_IGNORE });
  }

  select(at: number): void {
    this.#at = Math.max(0, Math.min(at, (this.lines?.length ?? 1) - 1));
  }
  /** The row, or the fold it is in. */
  selectRow(row: number): void {
    if (this.lines) this.select(this.lines.lineOf(row));
  }
  /** The next row that differs, or the one before; stops at the ends. */
  stepDifference(by: 1 | -1): void {
    const differing = this.lines?.differing ?? [];
    const before = countUpTo(differing, by > 0 ? this.at : this.at - 1);
    const next = differing[by > 0 ? before : before - 1];
    if (next !== undefined) this.#at = next;
  }

  /** Opens or closes a fold, or the fields of a row. */
  toggle(at: number, open?: boolean): void {
    const line = this.lines?.line(at);
    if (line?.type === 'more') this.#whole = [...this.#whole, line.row];
    if (line?.type !== 'fold' && line?.type !== 'row') return;
    if (open === line.open || (line.type === 'row' && !line.opens)) return;
    if (line.type === 'fold') this.#opened = flipped(this.#opened, line.row);
    else this.#toggled = flipped(this.#toggled, line.row);
  }
  /** Opens all that is folded, or closes it again. */
  toggleFolds(): void {
    const { lines } = this;
    if (!lines) return;
    const row = lines.rowAt(this.at);
    this.#opened = this.#opened.length > 0 ? [] : lines.folds();
    this.selectRow(row);
  }

  row(row: number): ShownRow | undefined {
    return this.#feed.row(row);
  }
  /** These lines are on screen. */
  fetch(from: number, to: number): void {
    const { look, lines } = this;
    if (!look || !lines) return;
    const end = Math.min(to, lines.length);
    const rows = Array.from({ length: end - from }, (_, at) => lines.rowAt(from + at));
    this.#feed.want(look.diff, rows);
  }

  #trace(connection: ConnectionId | undefined): TraceSummary | undefined {
    return this.#app.traces.find((trace) => trace.connection === connection);
  }

  #keep(tastes: DiffTastes): void {
    this.#tastes = tastes;
    keepTastes(tastes);
  }

  async #load(): Promise<void> {
    const look = await this.run.load(this.ask);
    if (look) this.#take(look);
  }

  #take(look: DiffLook): void {
    const before = this.#look;
    const [row, wanted] = [this.lines?.rowAt(this.at) ?? 0, this.#wanted];
    this.#look = look;
    this.#wanted = undefined;
    const isSame = before !== undefined && sameThings(before.ask, look.ask);
    if (!isSame) {
      this.#opened = this.#toggled = this.#whole = [];
      this.#at = 0;
    }
    if (wanted !== undefined) this.#hidden = [];
    if (wanted !== undefined || isSame) this.selectRow(wanted ?? row);
  }
}

/** The same parts of the same traces in the same view; what is left out may be another. */
function sameThings(one: DiffAsk, other: DiffAsk): boolean {
  const said = ({ left, right, view, leftSlice, rightSlice }: DiffAsk) =>
    JSON.stringify([left, right, view, leftSlice, rightSlice]);
  return said(one) === said(other);
}

/** In if it was out, and out if it was in. */
function flipped(list: readonly number[], value: number): readonly number[] {
  return list.includes(value) ? list.filter((other) => other !== value) : [...list, value];
}

function countUpTo(ascending: readonly number[], most: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
