// More than two traces: the table of what differs from the first, what is shown of it, and the cell
// looked at. Which traces, and how they are compared, is the diff view's (diff.svelte.ts).
import { untrack } from 'svelte';
import type { RowMark } from '../../diff/traces/report/report.ts';
import type { TableAsk, TableLook, TableRow } from '../../engine/diff/diff-messages.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import type { CompareLines, CompareRows } from '../compare/compare-lines.ts';
import { CompareList } from '../compare/compare-list.svelte.ts';
import { ROW_MARKS } from '../compare/compare-map.ts';
import { diffOf, type Diff } from './diff.svelte.ts';
import { movedOther, withFirst, withOther, withoutOther } from './diff-pair.ts';
import { DiffRowFeed, DiffRun } from './diff-run.svelte.ts';
import { keptWith } from '../kept.svelte.ts';

/** The one of the page. */
export const diffTableOf = keptWith((app) => new DiffTable(app, diffOf(app)));

export class DiffTable {
  readonly #app: App;
  readonly #diff: Diff;
  readonly #feed: DiffRowFeed<TableRow>;
  readonly run: DiffRun<TableAsk, TableLook>;
  #look = $state.raw<TableLook | undefined>();
  #column = $state(1);
  /** Its rows; stops at those that differ in the column looked at. */
  readonly list = new CompareList<RowMark>(
    (hidden) => this.look && visibleRows(this.look, hidden),
    (lines) => this.#differing(lines),
  );

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
  /** How many cells have each mark, of those that differ. */
  counts: readonly (readonly [RowMark, number])[] = $derived.by(() =>
    this.look ? cellCounts(this.look) : [],
  );
  /** 0: the first trace; then the others. */
  column: number = $derived.by(() => Math.min(this.#column, this.others.length));
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

  /** Call in an effect: what is asked for is compared. */
  watch(): void {
    void this.#key;
    untrack(() => void this.compareAgain());
  }
  async compareAgain(): Promise<void> {
    const look = await this.run.load(this.ask);
    if (!look) return;
    const { row } = this.list;
    const isSame = this.#look?.ask.view === look.ask.view && this.#look.ask.left === look.ask.left;
    this.#look = look;
    if (isSame) this.list.selectRow(row);
    else this.list.reset();
  }
  /** As the command prints it; nothing is compared: empty. */
  async text(format: 'text' | 'markdown'): Promise<string> {
    const { left } = this.#diff;
    if (!this.look || !left) return '';
    const names = [left, ...this.others].map(({ name }) => name);
    return this.#app.engine.diff.tableText(this.look.table, format, names);
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

  selectColumn(column: number): void {
    this.#column = Math.max(0, Math.min(column, this.others.length));
  }
  row(row: number): TableRow | undefined {
    return this.#feed.row(row);
  }
  /** These lines are on screen. */
  fetch(from: number, to: number): void {
    const { look } = this;
    const { lines } = this.list;
    if (look && lines) this.#feed.want(look.table, lines.rowsIn(from, to));
  }

  /** What this one makes of the row, in the comparison of the two; without a row, all of it. */
  open(column: number, row?: number): void {
    const other = this.others[column - 1];
    if (!other) return;
    const cell = row === undefined ? undefined : this.row(row)?.cells[column - 1];
    this.#diff.showPair(other.connection, cell?.row);
  }

  /** Lines of the rows that differ in the column looked at. */
  #differing(lines: CompareLines): readonly number[] {
    const { look, column } = this;
    if (!look || column === 0) return lines.faults;
    const { marks, columns } = look;
    return lines.faults.filter((at) =>
      isDifference(marks[lines.rowAt(at) * columns.length + column - 1] ?? 0),
    );
  }
}

/** Of `TableLook.marks`: it has no more of it than the first. */
const ABSENT = 5;

function isDifference(mark: number): boolean {
  return mark !== 0 && mark !== ABSENT;
}

type Looks = Pick<TableLook, 'marks' | 'rowSections' | 'columns'>;

/** Rows that have only hidden marks are left out. */
export function visibleRows(
  { marks, rowSections, columns: { length } }: Looks,
  hidden: readonly RowMark[],
): CompareRows {
  const shown = ROW_MARKS.map((mark) => mark !== 'equal' && !hidden.includes(mark));
  return {
    count: rowSections.length,
    sections: rowSections,
    stateOf: () => 'fault',
    isHidden: (row) =>
      !marks.subarray(row * length, (row + 1) * length).some((mark) => shown[mark]),
    fieldsOf: () => 0,
    opensItself: () => false,
    folded: Infinity,
  };
}

export function cellCounts({ marks }: Looks): readonly (readonly [RowMark, number])[] {
  const counts = new Uint32Array(ABSENT + 1);
  for (const mark of marks) counts[mark] = (counts[mark] ?? 0) + 1;
  return ROW_MARKS.flatMap((mark, at) => {
    const count = counts[at] ?? 0;
    return at > 0 && count > 0 ? [[mark, count] as const] : [];
  });
}

function tracesOf({ left, others, view, leftSlice, rightSlice }: TableAsk): string {
  return JSON.stringify([left, others, view, leftSlice, rightSlice]);
}
