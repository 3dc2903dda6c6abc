// The frames of one session on every connection of this browser, for the view of them. Asked for again
// as frames come.
import type { SessionTimeline } from '../../engine/messages.ts';
import type { App } from '../app.svelte.ts';
import { Paced } from '../paced.ts';

const PAUSE_MS = 500;
/** Rows at first, and with each wish for more. */
const STEP = 500;

export class Across {
  readonly #app: App;
  readonly #paced = new Paced(() => this.#load(), PAUSE_MS);
  #most = $state(STEP);
  #found = $state.raw<SessionTimeline | undefined>();

  constructor(app: App) {
    this.#app = app;
  }

  /** Undefined: it is not here yet. */
  get found(): SessionTimeline | undefined {
    return this.#found;
  }
  /** Rows that `more` would add; 0: all are here. */
  get step(): number {
    const found = this.#found;
    return found ? Math.min(STEP, found.total - found.rows.length) : 0;
  }
  more(): void {
    this.#most += STEP;
  }

  /** Call from an effect. */
  watch(): void {
    void this.#app.traces;
    void this.#most;
    this.#paced.poke();
  }

  async #load(): Promise<void> {
    const { across, engine } = this.#app;
    if (across) this.#found = await engine.sessions.timeline(across.sessionId, this.#most);
  }
}
