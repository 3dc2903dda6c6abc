// Runs a scenario with live agents: step after step, until one fails. What must hold of the record is
// judged afterwards, by whoever has the record.
import { initializeParams, type ClientName } from '../../acp/capabilities.ts';
import type { Json } from '../../acp/message.ts';
import { chipBook } from '../../model/facts/chips.ts';
import type { Finder } from '../../model/query/find.ts';
import type { Seq } from '../../trace/event.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { defined } from '../../lib/defined.ts';
import { LEAVE_MS, type Ended, type Launcher } from '../peer.ts';
import { handshakeFault } from '../heard.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { REAL_TIMERS, within, type Timers } from '../timers.ts';
import { stoppable, unlessStopped, takeExpect, takeRequest } from './step-request.ts';
import { fill, fillText } from './file/names.ts';
import type { Scenario, ScenarioStep } from './file/scenario.ts';
import { Failed, mustRun, PATIENCE, ScenarioStage, type Patience, unanswered } from './stage.ts';
import { unmetWords, type Unmet, stepWords } from './report/words.ts';

interface ScenarioEnvironment {
  readonly launcher: Launcher;
  readonly name: ClientName;
  /** `$cwd`. */
  readonly cwd: string;
  /** Looks for what steps expect of lines. */
  readonly finder: Finder;
  readonly timers?: Timers;
  readonly patience?: Patience;
  readonly stop?: AbortSignal;
  /** Called before each step is taken, with its number from 1. */
  readonly step?: (at: number) => void;
}

export interface StepFailure {
  /** From 1; 0 is the handshake. */
  readonly step: number;
  /** What it was: `expect type:err`. */
  readonly what: string;
  /** A sentence. */
  readonly why: string;
  /** The frames it is about, on this connection, from 1. */
  readonly connection: number;
  readonly seqs: readonly Seq[];
  /** The agent ended although nothing asked it to. */
  readonly ended?: Ended;
}

interface ScenarioConnection {
  /** Names its record: a file, or a connection. */
  readonly trace: string;
  readonly ended: Ended;
}

export interface ScenarioRun {
  /** Undefined: every step was taken. */
  readonly failure: StepFailure | undefined;
  readonly connections: readonly ScenarioConnection[];
  /** The agent could not be started: a sentence. */
  readonly problem: string | undefined;
  /** What a person should know beside, sentences. */
  readonly notes: readonly string[];
}

export async function runScenario(
  scenario: Scenario,
  environment: ScenarioEnvironment,
): Promise<ScenarioRun> {
  const conductor = new Conductor(scenario, environment);
  await conductor.run();
  return conductor.result();
}

/** The agent could not be started. */
class NotStarted extends Error {}

class Conductor {
  readonly #scenario: Scenario;
  readonly #environment: ScenarioEnvironment;
  readonly #timers: Timers;
  readonly #names: Map<string, Json>;
  readonly #chipOf = chipBook();
  readonly #stages: ScenarioStage[] = [];
  #protocol: 1 | 2 | undefined;
  #handshake: boolean;
  /** Of the intercept that is in force. */
  #rules: string | undefined;
  /** Steps that were begun. */
  #at = 0;
  #failure: StepFailure | undefined;
  #problem: string | undefined;

  constructor(scenario: Scenario, environment: ScenarioEnvironment) {
    this.#scenario = scenario;
    this.#environment = environment;
    this.#timers = stoppable(environment.timers ?? REAL_TIMERS, environment.stop);
    this.#names = new Map([['$cwd', environment.cwd]]);
    this.#protocol = scenario.protocol;
    this.#handshake = scenario.handshake;
    this.#rules = scenario.intercept?.text;
  }

  async run(): Promise<void> {
    const { steps } = this.#scenario;
    try {
      await this.#start();
      for (const step of steps) {
        const at = ++this.#at;
        if (this.#environment.stop?.aborted) throw new Failed('The run was stopped.');
        this.#environment.step?.(at);
        this.#stage.expects(step.kind === 'expect' || isExpected(steps, at));
        // A restart has steps of its own, and an agent that must not be forgotten.
        const taken = this.#take(step);
        await (step.kind === 'restart' ? taken : unlessStopped(taken, this.#environment.stop));
        const { problem } = this.#stage.wire;
        if (problem !== undefined) throw new Failed(problem);
      }
      this.#missed(this.#at);
    } catch (error) {
      if (error instanceof NotStarted) this.#problem = error.message;
      else if (error instanceof Failed) this.#fail(this.#at, steps[this.#at - 1], error);
      else throw error;
    }
    await Promise.all(this.#stages.map((stage) => this.#leave(stage)));
  }

  result(): ScenarioRun {
    return {
      failure: this.#failure,
      connections: this.#stages.map(({ connection }) => ({
        trace: connection.trace,
        ended: connection.exit ?? {},
      })),
      problem: this.#problem,
      notes: [
        ...new Set(this.#stages.flatMap(({ connection }) => connection.notes)),
        ...(this.#failure ? [] : this.#unmet.notes),
      ],
    };
  }

  get #stage(): ScenarioStage {
    const stage = this.#stages.at(-1);
    if (stage === undefined) throw new Error('no agent was started');
    return stage;
  }

  get #unmet(): Unmet {
    return unmetWords(this.#stages.flatMap(({ wire }) => wire.unmet()));
  }

  /** What all steps were taken for and never happened fails the step that says it. */
  #missed(last: number): void {
    const { steps } = this.#scenario;
    const late = this.#stages.find(({ wire }) => wire.problem !== undefined)?.wire.problem;
    if (late !== undefined) return this.#fail(last, steps[last - 1], new Failed(late));
    const [idle] = this.#unmet.idle;
    if (idle === undefined) return;
    const place = steps.findIndex((step) => 'rule' in step && step.rule === idle.rule);
    const at = place < 0 ? last : place + 1;
    this.#fail(at, steps[at - 1], new Failed(idle.why));
  }

  #fail(at: number, step: ScenarioStep | undefined, { message, seqs }: Failed): void {
    const { exit } = this.#stage.connection;
    this.#failure = {
      step: at,
      what: step === undefined ? 'the handshake' : stepWords(step),
      why: message,
      connection: this.#stages.length,
      seqs,
      ...(exit && { ended: exit }),
    };
  }

  async #start(): Promise<void> {
    const { steps } = this.#scenario;
    const label = `scenario-${this.#stages.length + 1}`;
    const { cwd, launcher } = this.#environment;
    const launched = await launcher.launch({ label, cwd, ...defined({ rules: this.#rules }) });
    if (!launched.ok) throw new NotStarted(launched.message);
    const stage = new ScenarioStage(launched.agent, {
      name: this.#environment.name,
      timers: this.#timers,
      names: this.#names,
      chipOf: this.#chipOf,
      finder: this.#environment.finder,
      number: this.#stages.length + 1,
      patience: this.#environment.patience ?? PATIENCE,
      isSearched: steps.some(({ kind }) => kind === 'expect'),
    });
    stage.expects(isExpected(steps, this.#at));
    this.#stages.push(stage);
    if (this.#handshake) await unlessStopped(this.#shakeHands(stage), this.#environment.stop);
  }

  async #shakeHands(stage: ScenarioStage): Promise<void> {
    const { connection } = stage;
    const { capabilities, subagents } = this.#scenario;
    const params = initializeParams(
      this.#protocol ?? 'highest',
      { ...DEFAULT_SETTINGS.advertise, subagents },
      this.#environment.name,
    );
    const key = this.#protocol === 1 ? 'clientCapabilities' : 'capabilities';
    const answered = await connection.request('initialize', {
      ...params,
      ...(capabilities && { [key]: capabilities }),
    });
    if (answered.answer === undefined) throw unanswered(stage, answered, stage.patience.ms);
    if (answered.error === undefined) return;
    // Whatever follows would be refused for that, and only the last of it would be told.
    const why = `${handshakeFault(answered, connection)} A scenario that means to see that says "handshake": false.`;
    throw new Failed(
      why,
      [answered.requestSeq, answered.answerSeq].flatMap((one) => one ?? []),
    );
  }

  async #take(step: ScenarioStep): Promise<void> {
    const stage = this.#stage;
    switch (step.kind) {
      case 'request':
        return takeRequest(stage, step);
      case 'notify':
        return this.#send(stage, step, () =>
          stage.connection.notify(step.method, fill(step.params, this.#names)),
        );
      case 'line':
        return this.#send(stage, step, () =>
          stage.connection.line(fillText(step.text, this.#names)),
        );
      case 'expect':
        return takeExpect(stage, step);
      case 'answer':
        return stage.wire.addAnswer(step.rule);
      case 'intercept': {
        this.#rules = step.by.text;
        const problem = await stage.wire.steer(this.#rules);
        if (problem !== undefined) throw new Failed(problem);
        return;
      }
      case 'quiet': {
        const cap = step.within ?? stage.patience.ms;
        if (!(await stage.connection.quiet(step.ms, cap)))
          throw new Failed(`Frames kept coming: no ${step.ms} ms without one in ${cap} ms.`);
        return;
      }
      case 'wait':
        return stage.connection.pause(step.ms);
      case 'kill':
        return this.#kill(stage, step.how);
      case 'cut':
        if (!stage.wire.cut())
          throw new Failed('This connection cannot be cut: its pipe is not ours. Use kill.');
        return;
      case 'restart':
        await this.#leave(stage);
        this.#protocol = step.protocol ?? this.#protocol;
        this.#handshake = step.handshake ?? this.#handshake;
        return this.#start();
      default:
        return assertNever(step);
    }
  }

  #send(
    stage: ScenarioStage,
    { fault }: Extract<ScenarioStep, { readonly kind: 'notify' | 'line' }>,
    send: () => void,
  ): void {
    mustRun(stage);
    stage.markNow();
    stage.wire.during(fault, send);
  }

  async #kill(
    { connection, wire, patience: { ms } }: ScenarioStage,
    how: 'SIGKILL' | 'SIGTERM' | 'stdin',
  ): Promise<void> {
    if (connection.exit) return;
    await wire.settled();
    if (how === 'stdin') connection.endInput();
    else wire.signal(how);
    if (await within(this.#timers, ms, wire.ended)) return;
    throw new Failed(`The agent did not end within ${ms} ms of ${how}.`);
  }

  async #leave({ connection, wire }: ScenarioStage): Promise<void> {
    // Agents that end on their own need no signal; faults that wait for a line get none any more.
    if (!this.#environment.stop?.aborted) await within(this.#timers, LEAVE_MS, wire.settled());
    if (connection.exit === undefined) await connection.leave();
  }
}

/** Whether steps behind the first `taken` look for what comes before they send a line. */
function isExpected(steps: readonly ScenarioStep[], taken: number): boolean {
  const next = steps
    .slice(taken)
    .find(({ kind }) => ['expect', 'request', 'notify', 'line', 'restart'].includes(kind));
  return next?.kind === 'expect';
}
