// Where the replay windows of the shown rows begin and end, for the overview ruler. Asked for again when rows change, not per row.
import type { ShownHead } from '../../model/timeline/row-view.ts';
import type { App } from '../app.svelte.ts';
import { Throttled } from '../throttled.ts';
import type { ShownRows } from './row-feed.svelte.ts';

/** More than this are not drawn in the ruler: they would be one band. */
const MOST = 100;
const PAUSE_MS = 250;

export class ShownWindows {
  readonly #app: App;
  list = $state.raw<readonly ShownHead[]>([]);
  #shown: ShownRows | undefined;
  #asked: ShownRows['state'] | undefined;
  readonly #throttled = new Throttled(() => this.#load(), PAUSE_MS);

  constructor(app: App) {
    this.#app = app;
  }

  /** Call with every new view; asks at most four times a second. */
  watch(shown: ShownRows | undefined): void {
    if (shown?.state.connection !== this.#asked?.connection) this.list = [];
    this.#shown = shown;
    if (!this.#isAsked()) this.#throttled.poke();
  }

  #isAsked(): boolean {
    const state = this.#shown?.state;
    return state?.version === this.#asked?.version && state?.connection === this.#asked?.connection;
  }

  async #load(): Promise<void> {
    if (this.#isAsked()) return;
    const state = this.#shown?.state;
    this.#asked = state;
    const { timeline } = this.#app.engine;
    const list = state ? await timeline.windows(state.connection, MOST) : [];
    if (this.#shown?.state.connection === state?.connection) this.list = list;
  }
}
