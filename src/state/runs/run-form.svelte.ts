// What the suites of the test view share: whose agent it is, which version, the run itself, the report
// that is shown with the one it is compared with, and those that are kept. A run belongs to a command,
// not to the connection shown.
import { untrack } from 'svelte';
import type { JsonObject } from '../../acp/message.ts';
import { readDocumentedCursor } from '../../acp/replay-cursors.ts';
import type {
  RerunTerms,
  ReportOf,
  RunBegun,
  RunFormat,
  RunKind,
  RunPick,
  RunState,
  RunSummary,
  RunTarget,
} from '../../engine/runs/run-messages.ts';
import { UNDO_MS } from '../../lib/time.ts';
import type { App } from '../app.svelte.ts';
import { sameWords } from './known-agents.ts';
import { SUITE_NAMES } from './run-words.ts';
import { LOOKS_BACK, reportsBefore, type TestCase, type ToldBy } from './test-cases.ts';
import type { ConnectionId } from '../../trace/event.ts';

export abstract class RunForm<K extends RunKind = RunKind> {
  protected readonly app: App;
  readonly kind: K;
  target = $state.raw<RunTarget | undefined>();
  #version = $state<1 | 2 | undefined>();
  #problem = $state.raw<string | undefined>();
  /** Reports of this kind, the newest first. */
  kept = $state.raw<readonly RunSummary[]>([]);
  /** The run whose report was opened; undefined: the one of the connection looked at. */
  #opened = $state.raw<string | undefined>();
  /** Undefined: there is none. */
  report = $state.raw<ReportOf[K] | undefined>();
  /** What it is compared with, the newest first: what one of them did not ask, the next may have. */
  priors = $state.raw<readonly ReportOf[K][]>([]);
  /** Undefined: it is compared with the one before. */
  until = $state.raw<string | undefined>();
  #looked: ConnectionId | undefined;
  /** v2: a replay cursor of the agent's own, as typed; nothing: it is guessed. */
  cursorText = $state('');
  /** Prompts as typed, by what they are for; nothing: what its suite says by itself. */
  typed: Record<string, string> = $state({});

  constructor(app: App, kind: K) {
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
  /** What it is compared with first; undefined: nothing. */
  get before(): ReportOf[K] | undefined {
    return this.priors[0];
  }
  protected get toldBy(): ToldBy<ReportOf[K]> {
    const { report, priors, isRunning, run } = this;
    return { report, priors, now: isRunning ? run?.now : undefined };
  }
  /** The run of this kind that concerns what is looked at. */
  get run(): RunState | undefined {
    const { run } = this.app;
    return run?.kind === this.kind && this.concerns(run) ? run : undefined;
  }
  /** True if the run asks the agent looked at: the same command. */
  protected concerns({ like }: RunState): boolean {
    const asked = this.app.traces.find(({ connection }) => connection === like)?.facts?.started;
    return like === this.connection || sameWords(asked?.argv ?? [], this.argv);
  }
  /** The command of the agent that is asked; empty: unknown. */
  get argv(): readonly string[] {
    return this.app.facts?.started?.argv ?? [];
  }
  get isRunning(): boolean {
    return this.run !== undefined && this.run.phase !== 'ended';
  }
  get cursor(): JsonObject | undefined {
    return readDocumentedCursor(this.cursorText);
  }
  get isCursorWrong(): boolean {
    return this.cursorText.trim() !== '' && this.cursor === undefined;
  }
  /** The prompts that were typed. */
  get texts(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.entries(this.typed).flatMap(([what, text]) =>
        text.trim() === '' ? [] : [[what, text.trim()]],
      ),
    );
  }
  /** Why one of them cannot be sent: a clause behind it. */
  get textProblem(): string | undefined {
    return undefined;
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
  /** To whom its prompts are sent. */
  get agentName(): string {
    return this.target?.agent ?? '';
  }
  /** What is run one after the other, by its id; undefined: all that is chosen at once. */
  get picks(): readonly (string | undefined)[] {
    return [undefined];
  }
  /** All that its suite has. */
  abstract readonly cases: readonly TestCase[];
  /** What of it is chosen, and the most that it sends; undefined: nothing can be run. */
  abstract get price(): { readonly cases: number; readonly prompts: number } | undefined;
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
    if (!isSamePick(pick, this.pick)) return;
    this.report = report;
    await this.#readBefore();
  }

  /** `until`: with the newest that began by then, ISO 8601; undefined: with the one before. */
  compareUntil(until: string | undefined): Promise<void> {
    this.until = until;
    return this.#readBefore();
  }

  async #readBefore(): Promise<void> {
    const idsNow = () =>
      reportsBefore(this.kept, this.report, this.until)
        .slice(0, LOOKS_BACK)
        .map(({ id }) => id);
    const ids = idsNow();
    if (ids.join(' ') === this.priors.map(({ id }) => id).join(' ')) return;
    const read = await Promise.all(ids.map((run) => this.read({ run })));
    if (ids.join(' ') === idsNow().join(' ')) this.priors = read.filter((one) => one !== undefined);
  }

  /** Another connection is looked at, or none: its agent, and what came of it. */
  async look(): Promise<void> {
    const { connection } = this;
    this.#problem = undefined;
    if (connection !== this.#looked) this.#opened = undefined;
    this.#looked = connection;
    void this.#listKept();
    if (connection === undefined) return this.refresh();
    const target = await this.app.engine.runs.runTarget(connection);
    if (connection !== this.connection) return;
    if (target.version !== this.target?.version) this.#version = undefined;
    // What was typed for one agent is not asked of another.
    if (this.target !== undefined && target.agent !== this.target.agent) {
      this.cursorText = '';
      this.typed = {};
    }
    this.target = target;
    await Promise.all([this.load(), this.refresh()]);
  }

  /** `most`: prompts. `id`: which of its picks. Whether it is under way. */
  async begin(most: number, id?: string): Promise<boolean> {
    if (this.isCursorWrong || this.textProblem !== undefined) return false;
    const begun = await this.start(most, id);
    if (!begun) return false;
    this.#problem = 'problem' in begun ? begun.problem : undefined;
    if ('problem' in begun) return false;
    this.#opened = begun.run;
    await this.refresh();
    return true;
  }

  /** Reads the list of reports anew. */
  async #listKept(): Promise<void> {
    const kept = await this.app.engine.runs.keptRuns();
    this.kept = kept.filter(({ kind }) => kind === this.kind);
  }

  open(id: string): Promise<void> {
    this.#opened = id;
    return this.refresh();
  }

  /** For ten seconds it can be had back. */
  async remove({ id, agent }: RunSummary): Promise<void> {
    const { app } = this;
    const until = Date.now() + UNDO_MS;
    const problem = await app.engine.runs.removeRun(id);
    if (problem !== undefined) return app.tell('warn', problem);
    if (this.#opened === id) this.#opened = undefined;
    await this.heed();
    app.tell('info', `Deleted the report of ${SUITE_NAMES[this.kind]}, ${agent}.`, {
      label: 'Undo',
      until,
      run: () => void app.engine.runs.restoreRun(id).then(() => this.heed()),
    });
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

  protected read(pick: RunPick): Promise<ReportOf[K] | undefined> {
    return this.app.engine.runs.report(this.kind, pick);
  }
  /** By what a trace replay is compared. */
  protected get comparing(): RerunTerms | undefined {
    return undefined;
  }

  /** What can be chosen, in this version. */
  protected abstract load(): Promise<void>;
  /** Undefined: nothing is chosen that could be run. */
  protected abstract start(most: number, id?: string): Promise<RunBegun | undefined>;
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
