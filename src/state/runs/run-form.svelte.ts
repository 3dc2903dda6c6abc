// What the forms of probes and of the resume lab share: whose agent it is, which version, how many
// prompts may be sent, the run itself, and the reports that are kept. A run belongs to a command, not to
// the connection shown.
import { untrack } from 'svelte';
import type { JsonObject } from '../../acp/message.ts';
import { readDocumentedCursor } from '../../acp/replay-cursors.ts';
import type {
  RerunTerms,
  RunBegun,
  RunFormat,
  RunKind,
  RunPick,
  RunState,
  RunSummary,
  RunTarget,
} from '../../engine/runs/run-messages.ts';
import type { App } from '../app.svelte.ts';
import { viewOf } from '../views.ts';
import { limitOf } from './run-words.ts';
import type { ConnectionId } from '../../trace/event.ts';

export interface RunReport {
  readonly id: string;
  readonly agent: string;
  readonly version: 1 | 2;
  /** ISO 8601, when it began. */
  readonly at: string;
}

export abstract class RunForm<R extends RunReport = RunReport> {
  protected readonly app: App;
  readonly kind: RunKind;
  target = $state.raw<RunTarget | undefined>();
  #version = $state<1 | 2 | undefined>();
  #problem = $state.raw<string | undefined>();
  /** Reports of this kind, the newest first. */
  kept = $state.raw<readonly RunSummary[]>([]);
  /** The run whose report was opened; undefined: the one of the connection looked at. */
  #opened = $state.raw<string | undefined>();
  /** Undefined: there is none. */
  report = $state.raw<R | undefined>();
  #looked: ConnectionId | undefined;
  /** As typed; nothing: as many prompts as are needed. */
  limit = $state('');
  /** The price is shown and waits for a yes. */
  asking = $state(false);
  /** What to do is chosen, also where there is a report. */
  choosing = $state(false);
  /** The reports that are kept are listed in place of one. */
  listing = $state(false);
  /** v2: a replay cursor of the agent's own, as typed; nothing: it is guessed. */
  cursorText = $state('');

  constructor(app: App, kind: RunKind) {
    this.app = app;
    this.kind = kind;
  }

  get version(): 1 | 2 {
    return this.#version ?? this.target?.version ?? 2;
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
  get cursor(): JsonObject | undefined {
    return readDocumentedCursor(this.cursorText);
  }
  get isCursorWrong(): boolean {
    return this.cursorText.trim() !== '' && this.cursor === undefined;
  }
  get shows(): 'choice' | 'report' | 'list' {
    if (this.listing) return 'list';
    if (this.report === undefined && !this.isRunning) return 'choice';
    return this.choosing ? 'choice' : 'report';
  }
  /** The connection looked at can be asked. */
  get canRun(): boolean {
    const { current } = this.app;
    return current !== undefined && current.mode !== 'file';
  }
  /** Which report is meant; undefined: none. */
  protected get pick(): RunPick | undefined {
    if (this.#opened !== undefined) return { run: this.#opened };
    return this.connection === undefined ? undefined : { connection: this.connection };
  }
  /** By what it is another agent, or known again. */
  get seen(): readonly unknown[] {
    const { facts, link } = this.app;
    return [this.connection, facts?.handshake?.version, link.status === 'open'];
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

  /** Reads the report that is shown as it is now. */
  async refresh(): Promise<void> {
    const { pick } = this;
    const report = pick && (await this.read(pick));
    if (isSamePick(pick, this.pick)) this.report = report;
  }

  /** Another connection is looked at, or none: its agent, and what came of it. */
  async look(): Promise<void> {
    const { connection } = this;
    this.asking = false;
    this.#problem = undefined;
    if (connection !== this.#looked) this.#opened = undefined;
    this.#looked = connection;
    void this.#listKept();
    if (connection === undefined) return this.refresh();
    const target = await this.app.engine.runs.runTarget(connection);
    if (connection !== this.connection) return;
    if (target.version !== this.target?.version) this.#version = undefined;
    if (this.target !== undefined && target.agent !== this.target.agent) this.#clear();
    this.target = target;
    await Promise.all([this.load(), this.refresh()]);
  }

  /** What was typed for one agent is not asked of another. */
  #clear(): void {
    this.limit = '';
    this.cursorText = '';
  }

  async begin(): Promise<void> {
    const { most } = this;
    this.asking = false;
    if (most === undefined || this.isCursorWrong) return;
    const begun = await this.start(most);
    if (!begun) return;
    this.#problem = 'problem' in begun ? begun.problem : undefined;
    if ('problem' in begun) return;
    this.choosing = false;
    this.#opened = begun.run;
    await this.refresh();
  }

  /** Reads the list of reports anew. */
  async #listKept(): Promise<void> {
    const kept = await this.app.engine.runs.keptRuns();
    this.kept = kept.filter(({ kind }) => kind === this.kind);
  }

  open(id: string): Promise<void> {
    this.#opened = id;
    this.listing = false;
    this.choosing = false;
    return this.refresh();
  }

  /** For ten seconds it can be had back. */
  async remove({ id, agent }: RunSummary): Promise<void> {
    const { app } = this;
    const problem = await app.engine.runs.removeRun(id);
    if (problem !== undefined) return app.tell('warn', problem);
    if (this.#opened === id) this.#opened = undefined;
    await this.heed();
    app.tell('info', `Deleted the report of ${viewOf(this.kind).label}, ${agent}.`, {
      label: 'Undo',
      run: () => void app.engine.runs.restoreRun(id).then(() => this.heed()),
    });
  }

  cancel(): Promise<void> {
    return this.app.engine.runs.cancelRun();
  }

  async text(format: RunFormat): Promise<string> {
    const { pick } = this;
    if (pick === undefined) return '';
    const { kind, comparing } = this;
    return (await this.app.engine.runs.reportText(pick, kind, format, comparing)) ?? '';
  }

  /** The run has grown or ended, or a report came or went. */
  async heed(): Promise<void> {
    await this.#listKept();
    // A run that was stopped before it knew anything has no report: the last one is shown.
    const isThere = this.kept.some(({ id }) => id === this.#opened);
    if (!isThere && !this.isRunning) this.#opened = undefined;
    await this.refresh();
  }

  /** By what a trace replay is compared. */
  protected get comparing(): RerunTerms | undefined {
    return undefined;
  }

  /** What can be chosen, in this version. */
  protected abstract load(): Promise<void>;
  protected abstract read(pick: RunPick): Promise<R | undefined>;
  /** Undefined: nothing is chosen that could be run. */
  protected abstract start(most: number): Promise<RunBegun | undefined>;
}

export function isSamePick(one: RunPick | undefined, two: RunPick | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(two);
}

/** Called by a component as it is made. */
export function heedRun(form: RunForm): void {
  const thing = $derived(form.seen.join(' '));
  $effect(() => {
    void thing;
    // It looks at more than it is to be done again for.
    untrack(() => void form.look());
  });
  $effect(() => {
    void form.run?.version;
    void form.run?.phase;
    untrack(() => void form.heed());
  });
}
