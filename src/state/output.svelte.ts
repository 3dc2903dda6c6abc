// What a connection wrote beside the protocol: the agent's stderr, and the terminals of its
// sessions. Read anew, from where it ended, whenever facts change.
import type { TerminalView } from '../model/conversation-view.ts';
import { seq, type ConnectionId, type Seq } from '../trace/event.ts';
import type { App } from './app.svelte.ts';

export interface StderrLine {
  readonly seq: Seq;
  readonly text: string;
}

/** Older lines are left to the trace view. */
const LINES_KEPT = 5000;

export class Output {
  readonly #app: App;
  #of: ConnectionId | undefined;
  #busy = false;
  #again = false;
  #lines = $state.raw<readonly StderrLine[]>([]);
  #dropped = $state(0);
  #terminals = $state.raw<readonly TerminalView[]>([]);

  constructor(app: App) {
    this.#app = app;
  }

  get lines(): readonly StderrLine[] {
    return this.#lines;
  }
  /** Lines before the ones kept here. */
  get dropped(): number {
    return this.#dropped;
  }
  get terminals(): readonly TerminalView[] {
    return this.#terminals;
  }

  async sync(connection: ConnectionId | undefined): Promise<void> {
    if (connection !== this.#of) {
      this.#of = connection;
      this.#lines = [];
      this.#dropped = 0;
      this.#terminals = [];
    }
    if (connection === undefined) return;
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    const after = this.#lines.at(-1)?.seq ?? seq(0);
    const [lines, terminals] = await Promise.all([
      this.#app.engine.stderr(connection, after),
      this.#app.engine.terminals(connection),
    ]);
    this.#busy = false;
    if (connection === this.#of) {
      const all = [...this.#lines, ...lines];
      this.#dropped += Math.max(0, all.length - LINES_KEPT);
      if (lines.length > 0) this.#lines = all.slice(-LINES_KEPT);
      this.#terminals = terminals;
    }
    if (this.#again || connection !== this.#of) {
      this.#again = false;
      await this.sync(this.#app.current?.connection);
    }
  }
}
