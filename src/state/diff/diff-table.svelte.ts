// More than two traces: the table of what differs from the first, what is shown of it, and the cell
// looked at. Which traces, and how they are compared, is the diff view's (diff.svelte.ts).
import { untrack } from 'svelte';
import type { RowMark } from '../../diff/traces/report/report.ts';
import type { TableAsk, TableLook, TableRow } from '../../engine/diff/diff-table-messages.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { diffOf, type Diff } from './diff.svelte.ts';
import { movedOther, withFirst, withOther, withoutOther } from './diff-pair.ts';
import { DiffRowFeed } from './diff-rows.svelte.ts';
import { DiffRun } from './diff-run.svelte.ts';
import { TableLines, cellCounts } from './diff-table-lines.ts';
import { keptWith } from '../kept.svelte.ts';

/** The one of the page. */
export const diffTableOf = keptWith((app) => new DiffTable(app, diffOf(app)));

export class DiffTable {
  readonly #app: App;
  readonly #diff: Diff;
  readonly #feed: DiffRowFeed<TableRow>;
  readonly run: DiffRun<TableAsk, TableLook>;
  #look = $state.raw<TableLook | undefined>();
  #hidden = $state.raw<readonly RowMark[]>([]);
  #at = $state(0);
  #column = $state(1);

  constructor(app: App, diff: Diff) {
    this.#app = app;
    this.#diff = diff;
    const { engine } = app;
    this.#feed = new DiffRowFeed((table, rows) => engine.diff.tableRows(table, rows));
    this.run = new DiffRun(engine.diff, (ask) => engine.diff.table(ask));
  }

  /** Those that are stored here. */
  others: readonly TraceSummary[] = $derived.by(() =>
    (this.#diff.pair.among ?? []).flatMap(
      (one) => this.#app.traces.find(({ connection }) => connection === one) ?? [],
    ),
  );
  /** So many are not stored here any more. */
  missing: number = $derived.by(() => (this.#diff.pair.among?.length ?? 0) - this.others.length);
  ask: TableAsk | undefined = $derived.by(() => {
    const { left, how, isTable } = this.#diff;
    if (!isTable || !left) return undefined;
    const others = this.others.map(({ connection }) => connection);
    return { ...how, left: left.connection, others };
  });
  readonly #key: string = $derived.by(() => JSON.stringify(this.ask ?? null));

  /** Of what is to be compared; undefined: it is not there yet. */
  look: TableLook | undefined = $derived.by(() => {
    const [look, ask] = [this.#look, this.ask];
    return look && ask && tracesOf(look.ask) === tracesOf(ask) ? look : undefined;
  });
  lines: TableLines | undefined = $derived.by(
    () => this.look && new TableLines(this.look, this.#hidden),
  );
  counts: readonly (readonly [RowMark, number])[] = $derived.by(() =>
    this.look ? cellCounts(this.look) : [],
  );
  at: number = $derived.by(() => Math.max(0, Math.min(this.#at, (this.lines?.length ?? 1) - 1)));
  /** 0: the first trace; then the others. */
  column: number = $derived.by(() => Math.min(this.#column, this.others.length));
  /** Lines of the rows that differ in the column looked at. */
  differing: readonly number[] = $derived.by(
    () => this.lines?.differing(this.column === 0 ? undefined : this.column - 1) ?? [],
  );
  nth: number = $derived.by(() => this.differing.filter((line) => line <= this.at).length);
  /** Events that came since. */
  grown: number = $derived.by(() => {
    const { look, others } = this;
    const { left } = this.#diff;
    if (!look || !left) return 0;
    const then = [look.events, ...look.columns.map(({ events }) => events)];
    return [left, ...others].reduce(
      (sum, { state, events }, at) =>
        sum + (state === 'running' ? Math.max(0, events - (then[at] ?? 0)) : 0),
      0,
    );
  });

  get hidden(): readonly RowMark[] {
    return this.#hidden;
  }

  /** Call in an effect: what is asked for is compared. */
  watch(): void {
    void this.#key;
    untrack(() => void this.compareAgain());
  }
  async compareAgain(): Promise<void> {
    const look = await this.run.load(this.ask);
    if (!look) return;
    const row = this.lines?.rowAt(this.at) ?? 0;
    const isSame = this.#look?.ask.view === look.ask.view && this.#look.ask.left === look.ask.left;
    this.#look = look;
    this.#at = isSame ? (this.lines?.lineOf(row) ?? 0) : 0;
  }
  cancel(): void {
    void this.#app.engine.diff.cancel();
  }

  add(connection: ConnectionId): void {
    this.#diff.set(withOther(this.#diff.pair, connection));
  }
  remove(connection: ConnectionId): void {
    this.#diff.set(withoutOther(this.#diff.pair, connection));
  }
  move(connection: ConnectionId, by: 1 | -1): void {
    const before = this.#diff.pair;
    const pair = movedOther(before, connection, by);
    if (pair === before) return;
    this.#diff.set(pair);
    this.selectColumn(this.column + by);
  }
  makeFirst(connection: ConnectionId): void {
    this.#diff.set(withFirst(this.#diff.pair, connection));
  }

  showMark(mark: RowMark, shown: boolean): void {
    const row = this.lines?.rowAt(this.at) ?? 0;
    const others = this.#hidden.filter((other) => other !== mark);
    this.#hidden = shown ? others : [...others, mark];
    this.#at = this.lines?.lineOf(row) ?? 0;
  }
  select(at: number): void {
    this.#at = Math.max(0, Math.min(at, (this.lines?.length ?? 1) - 1));
  }
  selectColumn(column: number): void {
    this.#column = Math.max(0, Math.min(column, this.others.length));
  }
  /** The next row that differs in this column, or the one before; stops at the ends. */
  stepDifference(by: 1 | -1): void {
    const { differing, at } = this;
    const next =
      by > 0 ? differing.find((line) => line > at) : differing.findLast((line) => line < at);
    if (next !== undefined) this.#at = next;
  }

  row(row: number): TableRow | undefined {
    return this.#feed.row(row);
  }
  /** These lines are on screen. */
  fetch(from: number, to: number): void {
    const { look, lines } = this;
    if (!look || !lines) return;
    const end = Math.min(to, lines.length);
    const rows = Array.from({ length: end - from }, (_, at) => lines.rowAt(from + at));
    this.#feed.want(look.table, rows);
  }

  /** What this one makes of the row, in the comparison of the two; without a row, all of it. */
  open(column: number, row?: number): void {
    const other = this.others[column - 1];
    if (!other) return;
    const cell = row === undefined ? undefined : this.row(row)?.cells[column - 1];
    this.#diff.showPair(other.connection, cell?.row);
  }
}

function tracesOf({ left, others, view, leftSlice, rightSlice }: TableAsk): string {
  return JSON.stringify([left, others, view, leftSlice, rightSlice]);
}
