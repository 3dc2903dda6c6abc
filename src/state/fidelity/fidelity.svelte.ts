// The fidelity view: which replay window is held against what was said live, what is shown of it, and
// the line looked at.
import type { FidelityView, OtherWindow } from '../../engine/fidelity/fidelity-messages.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { countsOf, faultsIn, linesOf, type FidelityLine, type Shown } from './fidelity-rows.ts';
import { keptWith } from '../kept.svelte.ts';
import { Paced } from '../paced.ts';

/** A restore request, on its connection. */
export interface WindowName {
  readonly connection: ConnectionId;
  readonly request: Seq;
}

/** The one of the page. */
export const fidelityOf = keptWith((app) => new Fidelity(app));

export class Fidelity {
  readonly #app: App;
  readonly #paced = new Paced(() => this.#load(), 500);
  #chosen = $state.raw<WindowName | undefined>();
  #view = $state.raw<FidelityView | undefined>();
  /** The trace that was found to have no replay window. */
  #without = $state.raw<ConnectionId | undefined>();
  #elsewhere = $state.raw<readonly OtherWindow[]>([]);
  #hidden = $state.raw<readonly Shown[]>([]);
  #toggled = $state.raw<readonly string[]>([]);
  #at = $state(0);

  constructor(app: App) {
    this.#app = app;
  }

  /** Of what is looked at; undefined: it is not there yet, or there is none. */
  view: FidelityView | undefined = $derived.by(() => {
    const connection = this.#app.current?.connection;
    const view = this.#view;
    if (view?.report.connection !== connection) return undefined;
    const isChosen = this.#chosen?.connection === connection;
    return !isChosen || this.#chosen?.request === view?.window.request ? view : undefined;
  });
  lines: readonly FidelityLine[] = $derived.by(() =>
    this.view ? linesOf(this.view.report, { hidden: this.#hidden, toggled: this.#toggled }) : [],
  );
  counts: readonly (readonly [mark: Shown, count: number])[] = $derived.by(() =>
    this.view ? countsOf(this.view.report) : [],
  );
  faults: readonly number[] = $derived.by(() => faultsIn(this.lines));
  at: number = $derived.by(() => Math.max(0, Math.min(this.#at, this.lines.length - 1)));

  /** The trace looked at has no replay window. */
  get isWithout(): boolean {
    return this.#without !== undefined && this.#without === this.#app.current?.connection;
  }
  /** Where it has none: the replay windows of its sessions on other connections. */
  get elsewhere(): readonly OtherWindow[] {
    return this.#elsewhere;
  }
  get hidden(): readonly Shown[] {
    return this.#hidden;
  }
  /** Of the faults, the one looked at or before it, from 1; 0: before the first. */
  get nth(): number {
    return this.faults.filter((at) => at <= this.at).length;
  }

  /** Call in an effect: asks anew when the trace has grown. */
  watch(): void {
    void this.#app.current?.connection;
    void this.#app.timeline.state?.last;
    this.#paced.poke();
  }

  /** Shows this window. */
  async choose(window: WindowName): Promise<void> {
    this.#chosen = window;
    this.#at = 0;
    this.#toggled = [];
    await this.#app.show(window.connection, 'fidelity');
    this.#paced.poke();
  }

  /** Shows or hides the rows of a mark. */
  show(mark: Shown, shown: boolean): void {
    const others = this.#hidden.filter((other) => other !== mark);
    this.#hidden = shown ? others : [...others, mark];
  }

  select(at: number): void {
    this.#at = Math.max(0, Math.min(at, this.lines.length - 1));
  }

  /** The next row with a fault, or the one before; stops at the ends. */
  stepFault(by: 1 | -1): void {
    const next =
      by > 0 ? this.faults.find((at) => at > this.at) : this.faults.findLast((at) => at < this.at);
    if (next !== undefined) this.#at = next;
  }

  toggle(at: number, open?: boolean): void {
    const line = this.lines[at];
    if (line?.type !== 'fold' && line?.type !== 'row') return;
    if (open === line.open) return;
    const others = this.#toggled.filter((key) => key !== line.key);
    const isToggled = others.length < this.#toggled.length;
    this.#toggled = isToggled ? others : [...others, line.key];
  }

  /** Opens all that is folded, or closes it again. */
  toggleFolds(): void {
    const folds = this.lines.filter((line) => line.type === 'fold');
    const isOpen = folds.every(({ open }) => open);
    const keys = folds.map(({ key }) => key);
    const others = this.#toggled.filter((key) => !keys.includes(key));
    this.#toggled = isOpen ? others : [...others, ...keys];
  }

  async #load(): Promise<void> {
    const connection = this.#app.current?.connection;
    if (connection === undefined) return;
    const chosen = this.#chosen?.connection === connection ? this.#chosen.request : undefined;
    const view = await this.#app.engine.fidelity.of(connection, chosen);
    if (view) this.#view = view;
    this.#elsewhere = view ? [] : await this.#app.engine.fidelity.replays(connection);
    this.#without = view ? undefined : connection;
  }
}
