// What the forms of probes and of the resume lab share: whose agent it is, which version, how many
// prompts may be sent, and the run itself. A run belongs to a command, not to the connection shown.
import type { RunFormat, RunKind, RunState, RunTarget } from '../engine/run-messages.ts';
import type { ConnectionId } from '../trace/event.ts';
import type { App } from './app.svelte.ts';
import { limitOf } from './run-words.ts';

export abstract class RunForm {
  protected readonly app: App;
  readonly kind: RunKind;
  #target = $state.raw<RunTarget | undefined>();
  #version = $state<1 | 2 | undefined>();
  #problem = $state.raw<string | undefined>();
  /** As typed; nothing: as many prompts as are needed. */
  limit = $state('');
  /** The price is shown and waits for a yes. */
  asking = $state(false);
  /** What to do is chosen, also where there is a report. */
  choosing = $state(false);

  constructor(app: App, kind: RunKind) {
    this.app = app;
    this.kind = kind;
  }

  get target(): RunTarget | undefined {
    return this.#target;
  }
  get version(): 1 | 2 {
    return this.#version ?? this.#target?.version ?? 2;
  }
  /** Why the last run could not begin, or ended: a sentence. */
  get problem(): string | undefined {
    return this.#problem ?? (this.run?.phase === 'ended' ? this.run.problem : undefined);
  }
  /** Of this kind; of which agent, its report says. */
  get run(): RunState | undefined {
    const { run } = this.app;
    return run?.kind === this.kind ? run : undefined;
  }
  get isRunning(): boolean {
    return this.run !== undefined && this.run.phase !== 'ended';
  }
  /** A run of the other kind is under way. */
  get isBusy(): boolean {
    const { run } = this.app;
    return run !== undefined && run.phase !== 'ended' && run.kind !== this.kind;
  }
  get most(): number | undefined {
    return limitOf(this.limit);
  }
  protected get connection(): ConnectionId | undefined {
    return this.app.current?.connection;
  }

  setVersion(version: 1 | 2): Promise<void> {
    this.#version = version;
    return this.load();
  }

  /** Another connection is looked at: its agent, and what came of it. */
  async look(): Promise<void> {
    const { connection } = this;
    this.asking = false;
    this.#problem = undefined;
    if (connection === undefined) return;
    const target = await this.app.engine.runTarget(connection);
    if (connection !== this.connection) return;
    if (target.version !== this.#target?.version) this.#version = undefined;
    this.#target = target;
    await Promise.all([this.load(), this.refresh()]);
  }

  async begin(): Promise<void> {
    const { connection, most } = this;
    this.asking = false;
    if (connection === undefined || most === undefined) return;
    this.#problem = await this.start(connection, most);
    if (this.#problem === undefined) this.choosing = false;
  }

  cancel(): Promise<void> {
    return this.app.engine.cancelRun();
  }

  async text(format: RunFormat): Promise<string> {
    const { connection } = this;
    if (connection === undefined) return '';
    return (await this.app.engine.reportText(connection, this.kind, format)) ?? '';
  }

  /** What can be chosen, in this version. */
  protected abstract load(): Promise<void>;
  /** The report as it is now. */
  abstract refresh(): Promise<void>;
  protected abstract start(connection: ConnectionId, most: number): Promise<string | undefined>;
}
