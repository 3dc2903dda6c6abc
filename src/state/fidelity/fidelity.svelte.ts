// The fidelity view: which replay window is held against what was said live, what is shown of it, and
// the line looked at.
import type { FidelityView, OtherWindow } from '../../engine/fidelity/fidelities.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import type { ChangePiece } from '../../model/text-change.ts';
import { mapMarks } from '../compare/compare-map.ts';
import { CompareList } from '../compare/compare-list.svelte.ts';
import {
  compareRows,
  rowCounts,
  fidelityRows,
  type FidelityRow,
  type FidelityFilter,
} from './fidelity-rows.ts';
import { keptWith } from '../kept.svelte.ts';
import { Throttled } from '../throttled.ts';

/** A restore request, on its connection. */
interface WindowName {
  readonly connection: ConnectionId;
  readonly request: Seq;
}

/** The one of the page. */
export const fidelityViewOf = keptWith((app) => new Fidelity(app));

export class Fidelity {
  readonly #app: App;
  readonly #throttled = new Throttled(() => this.#load(), 500);
  #chosen = $state.raw<WindowName | undefined>();
  /** The row to show once its comparison is there. */
  #row: number | undefined;
  #view = $state.raw<FidelityView | undefined>();
  /** The open trace for which the view was made: its replay may be on another connection. */
  #shownFor = $state.raw<ConnectionId | undefined>();
  /** The trace that was found to have no replay window. */
  #without = $state.raw<ConnectionId | undefined>();
  /** Where it has none: the replay windows of its sessions on other connections. */
  elsewhere = $state.raw<readonly OtherWindow[]>([]);
  readonly list = new CompareList<FidelityFilter>((hidden) =>
    this.view ? compareRows(this.rows, hidden) : undefined,
  );

  readonly #of: (() => WindowName | undefined) | undefined;

  /** `of`: it shows this window, whatever is looked at elsewhere. */
  constructor(app: App, of?: () => WindowName | undefined) {
    this.#app = app;
    this.#of = of;
  }

  get #connection(): ConnectionId | undefined {
    return this.#of ? this.#of()?.connection : this.#app.current?.connection;
  }
  get #wanted(): WindowName | undefined {
    return this.#of ? this.#of() : this.#chosen;
  }

  /** Of what is looked at; undefined: it is not there yet, or there is none. */
  view: FidelityView | undefined = $derived.by(() => {
    const connection = this.#connection;
    const view = this.#view;
    if (!view || this.#shownFor !== connection) return undefined;
    const wanted = this.#wanted;
    const isChosen = wanted?.connection === connection;
    return !isChosen || wanted?.request === view.window.request ? view : undefined;
  });
  rows: readonly FidelityRow[] = $derived.by(() =>
    this.view ? fidelityRows(this.view.report) : [],
  );
  counts: readonly (readonly [mark: FidelityFilter, count: number])[] = $derived.by(() =>
    rowCounts(this.rows),
  );
  marks = $derived.by(() => mapMarks(this.rows));

  /** The trace looked at has no replay window. */
  get isWithout(): boolean {
    return this.#without !== undefined && this.#without === this.#connection;
  }

  /** Call in an effect: asks anew when the trace has grown. */
  watch(): void {
    void this.#wanted?.request;
    void this.#connection;
    void this.#app.timeline.state?.last;
    this.#throttled.poke();
  }

  /** Shows this window, at this row of its comparison. */
  async choose(window: WindowName, row?: number): Promise<void> {
    const isShown = this.#view?.window.request === window.request;
    this.#chosen = window;
    this.#row = row;
    this.list.reset();
    this.#app.diff = undefined;
    if (isShown && this.view?.report.connection === window.connection) this.#toRow();
    await this.#app.show(window.connection, 'compare');
    this.#throttled.poke();
  }

  /** All of both values of a difference, by its place in the report. */
  async change(place: number): Promise<readonly ChangePiece[]> {
    const { view } = this;
    if (!view) return [];
    const { report, window } = view;
    return (await this.#app.engine.fidelity.change(report.connection, window.request, place)) ?? [];
  }

  /** The report of the window, for an issue or a chat. */
  async markdown(): Promise<string> {
    const { view } = this;
    if (!view) return '';
    const { report, window } = view;
    return (await this.#app.engine.fidelity.markdown(report.connection, window.request)) ?? '';
  }

  #toRow(): void {
    if (this.#row !== undefined) this.list.selectRow(this.#row);
    this.#row = undefined;
  }

  async #load(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    const wanted = this.#wanted;
    const chosen = wanted?.connection === connection ? wanted.request : undefined;
    const { engine, current, timeline } = this.#app;
    // Of a live agent the newest restore is what one waits for; elsewhere what one looks at.
    const near = this.#of || current?.state === 'running' ? undefined : timeline.selected;
    const own = await engine.fidelity.of(connection, chosen, near);
    const others = own ? [] : await engine.fidelity.replays(connection);
    const newest = others.findLast(({ answer }) => answer.history !== 'no replay');
    const view = own ?? (newest && (await engine.fidelity.of(newest.connection, newest.request)));
    this.#shownFor = connection;
    const isSame = this.view?.window.request === view?.window.request;
    if (view && isSame) this.list.keepRow(() => (this.#view = view));
    else if (view) {
      this.#view = view;
      this.list.reset();
      this.#toRow();
    }
    this.elsewhere = view ? [] : others;
    this.#without = view ? undefined : connection;
  }
}
