// An assertion that is asked of the trace looked at, and what came of it.
import type { JudgedTrace } from '../../engine/runs/minimise-messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';

interface Asked {
  readonly connection: ConnectionId;
  readonly assertion: string;
  readonly judged: JudgedTrace;
}

export class TraceQuestion {
  readonly #app: App;
  #asked = $state.raw<Asked | undefined>();
  #problem = $state.raw<string | undefined>();
  text = $state('none(type:err)');

  constructor(app: App) {
    this.#app = app;
  }

  /** Of the trace looked at; undefined: it was not asked yet. */
  asked: Asked | undefined = $derived.by(() => {
    const asked = this.#asked;
    return asked?.connection === this.#app.current?.connection ? asked : undefined;
  });

  /** A sentence: why it cannot be asked. */
  get problem(): string | undefined {
    return this.#problem;
  }

  edit(text: string): void {
    this.text = text;
    this.#problem = undefined;
  }

  async ask(): Promise<void> {
    const connection = this.#app.current?.connection;
    const assertion = this.text.trim();
    if (connection === undefined || assertion === '') return;
    const judged = await this.#app.engine.minimise.judge(connection, assertion);
    if (this.text.trim() !== assertion) return;
    this.#problem = 'problem' in judged ? judged.problem : undefined;
    this.#asked = 'problem' in judged ? undefined : { connection, assertion, judged };
  }
}
