// What happened to a session on every connection in memory, in the order of time, for the view of its
// history. It is asked for again as frames come, or are read from storage.
import type { SessionEvent } from '../../model/sessions/session-history.ts';
import type { App } from '../app.svelte.ts';
import { Paced } from '../paced.ts';

const PAUSE_MS = 250;

export class SessionHistory {
  readonly #app: App;
  readonly #sessionOf: () => string | undefined;
  #events = $state.raw<{ readonly of: string; readonly all: readonly SessionEvent[] }>();
  readonly #paced = new Paced(() => this.#load(), PAUSE_MS);

  /** `sessionOf`: the session whose history it is, now. */
  constructor(app: App, sessionOf: () => string | undefined) {
    this.#app = app;
    this.#sessionOf = sessionOf;
  }

  /** Undefined: they are not here yet. */
  get events(): readonly SessionEvent[] | undefined {
    return this.#events?.of === this.#sessionOf() ? this.#events?.all : undefined;
  }

  /** Call from an effect. */
  watch(): void {
    void this.#app.traces;
    if (this.#sessionOf() !== undefined) this.#paced.poke();
  }

  async #load(): Promise<void> {
    const session = this.#sessionOf();
    if (session === undefined) return;
    const all = await this.#app.engine.sessions.history(session);
    this.#events = { of: session, all };
  }
}
