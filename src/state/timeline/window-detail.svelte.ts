// The replay window that the selected frame belongs to, with its verdict: asked for again as the trace
// grows, while more can come.
import type { WindowDetail } from '../../engine/messages.ts';
import type { Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { Shortfalls } from '../fidelity/shortfalls.svelte.ts';

export class ShownWindow {
  readonly #app: App;
  readonly shortfalls: Shortfalls;
  #found = $state.raw<WindowDetail | undefined>();

  constructor(app: App) {
    this.#app = app;
    this.shortfalls = new Shortfalls(app);
  }

  /** Of this request; undefined: it is not here yet. */
  of(request: Seq | undefined): WindowDetail | undefined {
    const found = this.#found;
    return found?.result.window.request === request ? found : undefined;
  }

  /** Call from an effect. */
  watch(request: Seq | undefined): void {
    const connection = this.#app.current?.connection;
    void this.#app.timeline.state?.last;
    if (connection !== undefined && request !== undefined)
      void this.#app.engine.restore.replayWindow(connection, request).then((found) => {
        if (connection !== this.#app.current?.connection) return;
        this.#found = found;
        if (found) void this.shortfalls.ask([found.result]);
      });
  }
}
