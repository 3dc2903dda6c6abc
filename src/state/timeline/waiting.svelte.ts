// Who waits for whom in the trace looked at, read again as it grows or the playhead moves.
import type { WaitingView } from '../../model/facts/waiting.ts';
import type { App } from '../app.svelte.ts';
import { Paced } from '../paced.ts';

const PAUSE_MS = 500;

export class Waiting {
  readonly #app: App;
  readonly #paced = new Paced(() => this.#read(), PAUSE_MS);
  #view = $state.raw<WaitingView | undefined>();

  constructor(app: App) {
    this.#app = app;
  }

  /** Undefined until it is read. */
  get view(): WaitingView | undefined {
    return this.#view;
  }

  /** Call when facts or the playhead change. */
  sync(): void {
    this.#paced.poke();
  }

  async #read(): Promise<void> {
    const { current, playhead } = this.#app;
    if (!current) return;
    const view = await this.#app.engine.sessions.waiting(current.connection, playhead);
    if (current.connection === this.#app.current?.connection) this.#view = view;
  }
}
