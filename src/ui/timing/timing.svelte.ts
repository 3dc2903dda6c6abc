// The view Timing: the shown table, the traces side by side, and the part of the time that the waterfall shows.
import type { Figures } from '../../engine/performance/performance.ts';
import type { WaterfallView } from '../../model/performance/waterfall.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../../state/app.svelte.ts';
import { Asked } from '../../state/asked.svelte.ts';
import { keptWith } from '../../state/kept.svelte.ts';

export const PARTS = [
  { value: 'methods', label: 'Methods' },
  { value: 'turns', label: 'Turns' },
  { value: 'open', label: 'Open turns' },
  { value: 'stalls', label: 'Stalls' },
  { value: 'restores', label: 'Restores' },
  { value: 'usage', label: 'Usage' },
] as const;
export type Part = (typeof PARTS)[number]['value'];

/** A trace with its figures. */
export interface Measured {
  readonly trace: TraceSummary;
  readonly figures: Figures;
}

/** A trace with its longest exchanges and turns. */
export interface Fallen {
  readonly trace: TraceSummary;
  readonly of: WaterfallView;
}

/** Figures are of all frames: while a trace grows they are not read at every frame. */
const PAUSE_MS = 1000;
const ZOOM_PAUSE_MS = 100;
/** Traces beside the one looked at. */
const MOST_BESIDE = 3;
/** Spans that are drawn, of all traces together. */
const MOST_SPANS = 200;

/** The one of the page. */
export const timingOf = keptWith((app) => new Timing(app));

export class Timing {
  readonly #app: App;
  part = $state<Part>('methods');
  #beside = $state.raw<readonly ConnectionId[]>([]);
  #range = $state.raw<{ readonly from: number; readonly to: number } | undefined>();
  readonly #measured: Asked<string, readonly Measured[]>;
  readonly #waterfall: Asked<string, readonly Fallen[]>;

  constructor(app: App) {
    this.#app = app;
    const all = () => this.shown.map(({ connection }) => connection).join(' ') || undefined;
    this.#measured = new Asked(all, () => this.#measure(), PAUSE_MS);
    this.#waterfall = new Asked(
      () => {
        const { from = '', to = '' } = this.#range ?? {};
        const connections = all();
        return connections && `${connections} ${from} ${to}`;
      },
      () => this.#fall(),
      ZOOM_PAUSE_MS,
    );
  }

  /** The trace looked at, then those beside it. */
  get shown(): readonly TraceSummary[] {
    const { current, traces } = this.#app;
    if (!current) return [];
    const beside = this.#beside.flatMap(
      (one) => traces.find(({ connection }) => connection === one) ?? [],
    );
    return [current, ...beside.filter(({ connection }) => connection !== current.connection)];
  }

  /** Traces that may be put beside, the newest first. */
  get others(): readonly TraceSummary[] {
    const taken = this.shown;
    if (taken.length > MOST_BESIDE) return [];
    return this.#app.traces
      .filter(
        (one) => one.frames > 0 && !taken.some((other) => other.connection === one.connection),
      )
      .toReversed();
  }

  compare(connection: ConnectionId): void {
    this.#beside = [...this.#beside, connection];
  }
  leave(connection: ConnectionId): void {
    this.#beside = this.#beside.filter((one) => one !== connection);
  }

  /** As `shown`; undefined: not read yet. */
  get measured(): readonly Measured[] | undefined {
    return this.#measured.told;
  }
  get waterfall(): readonly Fallen[] | undefined {
    return this.#waterfall.told;
  }

  /** The part of the time that the waterfall shows; undefined: all. */
  get range(): { readonly from: number; readonly to: number } | undefined {
    return this.#range;
  }
  zoom(range: { readonly from: number; readonly to: number } | undefined): void {
    this.#range = range;
  }

  /** Asks again when a trace has grown. Call this in an effect. */
  watch(): void {
    const grown = this.shown.map(({ events }) => events).join();
    this.#measured.watch(grown);
    this.#waterfall.watch(grown, this.#range);
  }

  async #measure(): Promise<readonly Measured[]> {
    return this.#ofEach(async (trace) => {
      const figures = await this.#app.engine.performance.figures(trace.connection);
      return figures && { trace, figures };
    });
  }

  async #fall(): Promise<readonly Fallen[]> {
    const ask = { ...this.#range, most: Math.floor(MOST_SPANS / this.shown.length) };
    return this.#ofEach(async (trace) => {
      const of = await this.#app.engine.performance.waterfall(trace.connection, ask);
      return of && { trace, of };
    });
  }

  /** What is known of each that is shown, and not gone. */
  async #ofEach<T>(ask: (trace: TraceSummary) => Promise<T | undefined>): Promise<readonly T[]> {
    const found = await Promise.all(this.shown.map(ask));
    return found.filter((one) => one !== undefined);
  }
}
