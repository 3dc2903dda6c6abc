// What the last restore of the session brought back otherwise than it was, beside the values that the
// state has now.
import type { Drift } from '../../model/sessions/config-drift.ts';
import type { Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';

export class RestoreDrift {
  readonly #app: App;
  #drift = $state.raw<readonly Drift[]>([]);
  #asked = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /** What a value said by this frame was before the restore; undefined: the same, or set since. */
  before(path: string, seq: Seq): Drift['before'] | undefined {
    return this.#drift.find((drift) => drift.path === path && drift.after?.seq === seq)?.before;
  }

  /** Call when the session is another, or was made or restored anew. */
  async read(sessionId: string | undefined): Promise<void> {
    const asked = ++this.#asked;
    const connection = this.#app.current?.connection;
    const events =
      sessionId === undefined ? [] : await this.#app.engine.sessions.history(sessionId);
    if (asked !== this.#asked) return;
    this.#drift = events
      .filter((event) => event.connection === connection)
      .flatMap((event) => event.drift);
  }
}
