// The tool call of the frame looked at, wherever else it is told of.
import type { CallToldOn } from '../../engine/restore/tool-calls.ts';
import type { Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';

export class SameCall {
  readonly #app: App;
  /** By when it was; empty: the frame is about no tool call. */
  told = $state.raw<readonly CallToldOn[]>([]);

  constructor(app: App) {
    this.#app = app;
  }

  /** Call from an effect, whose end is given back: what is answered after it is of another frame. */
  watch(seq: Seq): () => void {
    const connection = this.#app.current?.connection;
    let isOver = false;
    if (connection !== undefined)
      void this.#app.engine.restore.tellingsOf(connection, seq).then((found) => {
        if (!isOver) this.told = found;
      });
    return () => (isOver = true);
  }
}
