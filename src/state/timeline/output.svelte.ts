// What a connection wrote beside the protocol: the agent's stderr, and the terminals of its
// sessions. Read anew, from where it ended, whenever facts change.
import type { TerminalView } from '../../model/sessions/conversation-view.ts';
import { seq, type ConnectionId, type Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { Throttled } from '../throttled.ts';

interface StderrLine {
  readonly seq: Seq;
  readonly text: string;
}

/** Older lines are left to the trace view. */
const LINES_KEPT = 5000;

export class Output {
  readonly #app: App;
  readonly #throttled = new Throttled(() => this.#read(), 250);
  #of: ConnectionId | undefined;
  lines = $state.raw<readonly StderrLine[]>([]);
  /** Lines before the ones kept here. */
  dropped = $state(0);
  terminals = $state.raw<readonly TerminalView[]>([]);

  constructor(app: App) {
    this.#app = app;
  }

  /** Facts have changed: what is new is read at most four times a second. */
  watch(connection: ConnectionId | undefined): void {
    if (connection !== this.#of) {
      this.#of = connection;
      this.lines = [];
      this.dropped = 0;
      this.terminals = [];
    }
    this.#throttled.poke();
  }

  async #read(): Promise<void> {
    const connection = this.#of;
    if (connection === undefined) return;
    const after = this.lines.at(-1)?.seq ?? seq(0);
    const [lines, terminals] = await Promise.all([
      this.#app.engine.timeline.stderr(connection, after),
      this.#app.engine.sessions.terminals(connection),
    ]);
    if (connection !== this.#of) return;
    const all = [...this.lines, ...lines];
    this.dropped += Math.max(0, all.length - LINES_KEPT);
    if (lines.length > 0) this.lines = all.slice(-LINES_KEPT);
    this.terminals = terminals;
  }
}
