// Trace replay as the client: of the trace looked at, on an agent, at a speed; and what came of it.
import type { RerunPlan, RerunReportView, RerunRow } from '../../engine/runs/rerun-messages.ts';
import type { RerunTerms, RunBegun, RunPick } from '../../engine/runs/run-messages.ts';
import { count } from '../../lib/format.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { AgentChoice } from './agent-choice.svelte.ts';
import type { App } from '../app.svelte.ts';
import { RecordedAgent } from './recorded-agent.svelte.ts';
import { CompareTerms } from '../compare/terms.svelte.ts';
import { Throttled } from '../throttled.ts';
import { RunForm } from './run-form.svelte.ts';
import { keptCases, type TestCase } from './test-cases.ts';

/** Between two looks at a recording that is played. */
const LOOK_MS = 400;

export type RerunRole = 'client' | 'agent';

export class Rerun extends RunForm<RerunReportView> {
  readonly agent: AgentChoice;
  readonly asAgent: RecordedAgent;
  /** By what the recording and what came are compared. */
  readonly terms: CompareTerms;
  plan = $state.raw<RerunPlan | undefined>();
  readonly #again = new Throttled(() => this.refresh(), LOOK_MS);
  #planned: ConnectionId | undefined;
  /** Which side of the recording is played. */
  role = $state<RerunRole>('client');
  speed = $state<'max' | 1 | 4>('max');
  /** By the recorded session: which one it is now, as typed; nothing: the same. */
  sessions = $state<Record<string, string>>({});
  /** Only rows that differ are shown. */
  onlyDifferences = $state(false);

  constructor(app: App) {
    super(app, 'rerun');
    this.agent = new AgentChoice(app);
    this.asAgent = new RecordedAgent(app);
    this.terms = new CompareTerms(
      'acp-scope/rerun',
      (rule) => app.engine.runs.ruleProblem(rule),
      () => void this.refresh(),
    );
  }

  rows: readonly RerunRow[] = $derived.by(() => {
    const all = this.report?.rows ?? [];
    return this.onlyDifferences
      ? all.filter(({ state }) => state !== 'matched' && state !== 'passed')
      : all;
  });

  /** The trace looked at, and those that were sent again. */
  cases: readonly TestCase[] = $derived.by(() => {
    const all = keptCases(this.kept, this.until);
    const { connection, plan, report } = this;
    const name = this.app.current?.name;
    if (connection === undefined || name === undefined) return all;
    const before = all.find((one) => one.id === connection);
    const isClient = this.role === 'client';
    const played = this.isPlay && report ? report : undefined;
    const looked: TestCase = {
      ...{ suite: 'rerun', id: connection, evidence: [], verdict: undefined },
      name: played ? `${played.name}, as the agent` : name,
      said: plan
        ? `${count(plan.frames, 'frame')} of its client, ${count(plan.says, 'frame')} of its agent`
        : 'Reading…',
      ...(before && { ...before, name }),
      prompts: isClient ? plan?.prompts : undefined,
      ...(played && {
        said: played.verdict ?? 'It is being played.',
        verdict: played.verdict === undefined ? undefined : played.isAsRecorded ? 'pass' : 'fail',
      }),
      chosen: played || !isClient ? undefined : (plan?.frames ?? 0) > 0,
      now: this.isRunning,
    };
    return [looked, ...all.filter((one) => one !== before)];
  });

  override get price() {
    const { plan, role, agent } = this;
    if (this.isPlay || role === 'agent' || !agent.launch || !plan || plan.frames === 0)
      return undefined;
    return { cases: 1, prompts: plan.prompts };
  }

  override get agentName(): string {
    return this.agent.launch?.name ?? '';
  }

  /** Any trace with a client in it can be replayed, files too. */
  override get canRun(): boolean {
    return this.connection !== undefined;
  }

  /** Being played, it is under way as well. */
  override get isRunning(): boolean {
    return super.isRunning || (this.isPlay && this.report?.phase === 'running');
  }

  /** The recording is the agent of the connection looked at. */
  get isPlay(): boolean {
    return this.report?.role === 'agent' && this.report.rerun === this.connection;
  }

  override async refresh(): Promise<void> {
    await super.refresh();
    this.role = this.report?.role ?? this.role;
  }

  protected read(pick: RunPick): Promise<RerunReportView | undefined> {
    return this.app.engine.runs.rerunReport(pick, this.terms.all);
  }

  /** The connection looked at has grown, or ended: so has what a recording played on it came to. */
  grown(): void {
    if (this.isPlay) this.#again.poke();
  }

  /** Puts the recorded frame that may come next into the composer. */
  async composeNext(): Promise<void> {
    const { report, app } = this;
    if (!report?.next) return;
    const frame = await app.engine.timeline.frame(report.recording, report.next.seq);
    if (frame?.line && 'text' in frame.line) await app.composer.fill(frame.line.text);
  }

  /** The traces are others: so may be those on which the recording is played. */
  async listed(): Promise<void> {
    const { connection } = this;
    if (connection === undefined || connection !== this.#planned) return;
    const plan = await this.app.engine.runs.rerunPlan(connection);
    if (connection === this.connection) this.plan = plan;
  }

  protected override get comparing(): RerunTerms {
    return this.terms.all;
  }

  protected async load(): Promise<void> {
    const { connection } = this;
    if (connection === undefined) return;
    const plan = await this.app.engine.runs.rerunPlan(connection);
    if (connection !== this.connection) return;
    const isFresh = this.#planned !== connection;
    this.#planned = connection;
    this.plan = plan;
    if (isFresh) this.sessions = {};
    this.asAgent.look(connection);
    await this.agent.load(plan?.started, isFresh);
  }

  protected async start(most: number): Promise<RunBegun | undefined> {
    const recording = this.connection;
    if (recording === undefined) return undefined;
    const { launch } = this.agent;
    if (!launch) return { problem: 'Say which command starts the agent, and in which folder.' };
    const sessions = Object.entries(this.sessions)
      .map(([was, is]) => [was, is.trim()] as const)
      .filter(([, is]) => is !== '');
    return this.app.engine.runs.runRerun({
      ...{ recording, launch, cwd: launch.cwd, speed: this.speed, sessions },
      most: Math.min(most, this.plan?.prompts ?? 0),
    });
  }
}
