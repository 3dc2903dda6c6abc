// Trace replay as the client: of the trace looked at, on an agent, at a speed; and what came of it.
import type { RerunPlan, RerunReportView, RerunRow } from '../../engine/runs/rerun-messages.ts';
import type { RerunTerms, RunBegun, RunPick } from '../../engine/runs/run-messages.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import { count } from '../../lib/format.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { AgentChoice } from './agent-choice.svelte.ts';
import type { App } from '../app.svelte.ts';
import { RecordedAgent } from './recorded-agent.svelte.ts';
import { CompareTerms } from '../compare/terms.svelte.ts';
import { Throttled } from '../throttled.ts';
import { SeveralForm } from './several-form.svelte.ts';
import { keptCases, type TestCase } from './test-cases.ts';

/** Between two looks at a recording that is played. */
const LOOK_MS = 400;

export type RerunRole = 'client' | 'agent';

export class Rerun extends SeveralForm<'rerun'> {
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

  /** The trace looked at, those that were sent again, and all others that could be. */
  cases: readonly TestCase[] = $derived.by(() => {
    const all = keptCases(this.kept, this.until);
    const { connection, plan, report } = this;
    const name = this.app.current?.name;
    const others = (before?: TestCase): readonly TestCase[] => {
      const known = all.filter((one) => one !== before);
      const isNew = ({ connection: id, state, group }: TraceSummary) =>
        state === 'ended' && !group && id !== connection && !known.some((one) => one.id === id);
      const stored = this.app.traces.filter(isNew).map((trace): TestCase => ({
        ...{ suite: 'rerun', id: trace.connection, verdict: undefined, evidence: [] },
        name: `c${trace.number} ${trace.name}`,
        said: count(trace.frames, 'frame'),
        prompts: this.picked.others[trace.connection],
      }));
      return [...known, ...stored].map((one) => ({ ...one, chosen: this.isPicked(one.id) }));
    };
    if (connection === undefined || name === undefined) return others();
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
      chosen:
        played || !isClient ? undefined : (plan?.frames ?? 0) > 0 && this.isPicked(connection),
      now: this.isRunning,
    };
    return [looked, ...others(before)];
  });

  protected override get ownId(): ConnectionId | undefined {
    return this.connection;
  }
  protected override get ownPrompts(): number | undefined {
    const { plan, role, agent } = this;
    if (this.isPlay || role === 'agent' || !agent.launch || !plan || plan.frames === 0)
      return undefined;
    return plan.prompts;
  }
  protected override async promptsOf(id: string): Promise<number | undefined> {
    const trace = this.app.traces.find(({ connection }) => connection === id);
    const plan = trace && (await this.app.engine.runs.rerunPlan(trace.connection));
    if (plan && plan.frames > 0) return plan.prompts;
    const why = trace ? 'no frame of a client is in it' : 'it is not stored any more';
    this.app.tell('warn', `${trace?.name ?? 'The trace'} cannot be sent again: ${why}.`);
    return undefined;
  }

  override get agentName(): string {
    return this.agent.launch?.name ?? '';
  }
  override get argv(): readonly string[] {
    return this.agent.launch?.argv ?? [];
  }
  /** It begins from any trace, whichever agent it asks. */
  protected override concerns(): boolean {
    return true;
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

  protected override read(pick: RunPick): Promise<RerunReportView | undefined> {
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

  protected async start(most: number, id?: string): Promise<RunBegun | undefined> {
    const recording = this.app.traces.find(({ connection }) => connection === id)?.connection;
    if (recording === undefined) return undefined;
    const { launch } = this.agent;
    if (!launch) return { problem: 'Say which command starts the agent, and in which folder.' };
    const isOwn = recording === this.connection;
    const sessions = Object.entries(isOwn ? this.sessions : {})
      .map(([was, is]) => [was, is.trim()] as const)
      .filter(([, is]) => is !== '');
    return this.app.engine.runs.runRerun({
      ...{ recording, launch, cwd: launch.cwd, speed: this.speed, sessions },
      most: isOwn ? Math.min(most, this.plan?.prompts ?? 0) : most,
    });
  }
}
