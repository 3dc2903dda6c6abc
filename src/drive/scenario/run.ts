// Runs a scenario with live agents: step after step, until one fails. What must hold of the record is
// judged afterwards, by whoever has the record.
import { initializeParams, type ClientName } from '../../acp/capabilities.ts';
import { str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { count } from '../../lib/format-count.ts';
import { chipBook } from '../../model/chips.ts';
import { parseQuery } from '../../model/query.ts';
import type { Seq } from '../../trace/event.ts';
import { assertNever } from '../../lib/assert-never.ts';
import type { Ended, Launcher } from '../peer.ts';
import type { Answered, Heard } from '../scripted.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { REAL_TIMERS, within, type Timers } from '../timers.ts';
import { endOfTurn } from '../turn.ts';
import { fill, fillText, valueAt } from './names.ts';
import type { Captures, Scenario, Step } from './scenario.ts';
import { jsonOf, Stage } from './stage.ts';
import { endWords, seenWords, stepWords } from './words.ts';

export interface ScenarioGround {
  readonly launcher: Launcher;
  readonly name: ClientName;
  /** `$cwd`. */
  readonly cwd: string;
  readonly timers?: Timers;
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

export interface ScenarioConnection {
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

const PATIENCE_MS = 30_000;
const PROMPT_MS = 600_000;
/** More is no time a timer can wait. */
const MOST_MS = 2 ** 31 - 1;
const LEAVE_MS = 2000;

export async function runScenario(
  scenario: Scenario,
  ground: ScenarioGround,
): Promise<ScenarioRun> {
  const conductor = new Conductor(scenario, ground);
  await conductor.run();
  return conductor.result();
}

class Failed extends Error {
  readonly seqs: readonly Seq[];
  constructor(message: string, seqs: readonly Seq[] = []) {
    super(message);
    this.seqs = seqs;
  }
}

/** The agent could not be started. */
class NotStarted extends Error {}

class Conductor {
  readonly #scenario: Scenario;
  readonly #ground: ScenarioGround;
  readonly #timers: Timers;
  readonly #names: Map<string, Json>;
  readonly #chipOf = chipBook();
  readonly #stages: Stage[] = [];
  #protocol: 1 | 2 | undefined;
  #handshake: boolean;
  #failure: StepFailure | undefined;
  #problem: string | undefined;

  constructor(scenario: Scenario, ground: ScenarioGround) {
    this.#scenario = scenario;
    this.#ground = ground;
    this.#timers = ground.timers ?? REAL_TIMERS;
    this.#names = new Map([['$cwd', ground.cwd]]);
    this.#protocol = scenario.protocol;
    this.#handshake = scenario.handshake;
  }

  async run(): Promise<void> {
    const { steps } = this.#scenario;
    let at = 0;
    try {
      await this.#start();
      for (const step of steps) {
        at++;
        if (this.#ground.stop?.aborted) throw new Failed('The run was stopped.');
        this.#ground.step?.(at);
        await this.#take(step);
        const { problem } = this.#stage.wire;
        if (problem !== undefined) throw new Failed(problem);
      }
    } catch (error) {
      if (error instanceof NotStarted) this.#problem = error.message;
      else if (error instanceof Failed) this.#fail(at, steps[at - 1], error);
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
      notes: [...new Set(this.#stages.flatMap(({ connection }) => connection.notes))],
    };
  }

  get #stage(): Stage {
    const stage = this.#stages.at(-1);
    if (stage === undefined) throw new Error('no agent was started');
    return stage;
  }

  #fail(at: number, step: Step | undefined, { message, seqs }: Failed): void {
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
    const label = `scenario-${this.#stages.length + 1}`;
    const launched = await this.#ground.launcher.launch({ label, cwd: this.#ground.cwd });
    if (!launched.ok) throw new NotStarted(launched.message);
    const stage = new Stage(launched.agent, {
      name: this.#ground.name,
      timers: this.#timers,
      names: this.#names,
      chipOf: this.#chipOf,
    });
    this.#stages.push(stage);
    // In force once, also where it is not met before a restart.
    if (this.#stages.length === 1)
      for (const rule of this.#scenario.faults) stage.wire.addFault(rule);
    if (this.#handshake) await this.#shakeHands(stage);
  }

  async #shakeHands({ connection }: Stage): Promise<void> {
    const { capabilities } = this.#scenario;
    const params = initializeParams(
      this.#protocol ?? 'highest',
      DEFAULT_SETTINGS.advertise,
      this.#ground.name,
    );
    const key = params['protocolVersion'] === 1 ? 'clientCapabilities' : 'capabilities';
    const answered = await connection.request('initialize', {
      ...params,
      ...(capabilities && { [key]: capabilities }),
    });
    if (answered.answer === undefined) throw new Failed(this.#unanswered(answered, PATIENCE_MS));
  }

  async #take(step: Step): Promise<void> {
    const stage = this.#stage;
    switch (step.kind) {
      case 'request':
        return this.#request(stage, step);
      case 'notify':
        return this.#send(stage, step, () =>
          stage.connection.notify(step.method, fill(step.params, this.#names)),
        );
      case 'line':
        return this.#send(stage, step, () =>
          stage.connection.line(fillText(step.text, this.#names)),
        );
      case 'expect':
        return this.#expect(stage, step);
      case 'answer':
        return stage.wire.addAnswer(step.rule);
      case 'fault':
        return stage.wire.addFault(step.rule);
      case 'quiet': {
        const cap = step.within ?? PATIENCE_MS;
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
    stage: Stage,
    { fault }: Extract<Step, { readonly kind: 'notify' | 'line' }>,
    send: () => void,
  ): void {
    this.#mustRun(stage);
    stage.mark = stage.connection.heard.length;
    stage.wire.during(fault, send);
  }

  async #request(stage: Stage, step: Extract<Step, { readonly kind: 'request' }>): Promise<void> {
    this.#mustRun(stage);
    const { connection } = stage;
    const { method, fault, wait } = step;
    const params = fill(step.params, this.#names);
    const isPrompt = method === 'session/prompt';
    const patience = Math.min(step.within ?? (isPrompt ? PROMPT_MS : PATIENCE_MS), MOST_MS);
    const from = connection.heard.length;
    stage.mark = from;
    const { answered } = stage.wire.during(fault, () => connection.ask(method, params, patience));
    const done = answered.then((asked) => {
      const { answer, answerSeq } = asked;
      const sessionId = answer?.kind === 'success' ? str(answer.result, 'sessionId') : undefined;
      if (sessionId !== undefined) this.#names.set('$sessionId', sessionId);
      const heard = connection.heard.find(({ frame }) => frame.seq === answerSeq);
      if (heard) this.#capture(step.capture, heard);
      return asked;
    });
    if (!wait) {
      // What it should have given is missed where its name is used.
      void done.catch(() => undefined);
      return;
    }
    const asked = await done;
    if (asked.answer === undefined)
      throw new Failed(this.#unanswered(asked, patience), seqsOf(asked));
    const isTaken =
      asked.answer.kind === 'success' && str(asked.answer.result, 'stopReason') === undefined;
    if (!isPrompt || !isTaken || connection.version !== 2) return;
    const turn = await endOfTurn(connection, str(params, 'sessionId') ?? '', asked, from, patience);
    const { exit } = connection;
    if (turn.end === undefined)
      throw new Failed(
        exit
          ? `The agent ended (${endWords(exit)}) in the middle of the turn.`
          : `The turn was not over after ${patience} ms.`,
        seqsOf(asked),
      );
  }

  async #expect(stage: Stage, step: Extract<Step, { readonly kind: 'expect' }>): Promise<void> {
    const query = fillText(step.query, this.#names);
    const parsed = step.terms ? { ok: true as const, terms: step.terms } : parseQuery(query);
    if (!parsed.ok)
      throw new Failed(`The query ${query} cannot be read: ${parsed.problem.message}`);
    const patience = Math.min(step.within ?? PATIENCE_MS, MOST_MS);
    const { mark } = stage;
    const found = await stage.expect(parsed.terms, step.nth, patience);
    if (found) return this.#capture(step.capture, found);
    const { heard, exit } = stage.connection;
    const since = heard.slice(mark).filter(({ frame }) => frame.from === 'agent');
    const came =
      since.length === 0
        ? 'nothing came from the agent'
        : `${count(since.length, 'frame')} came from the agent, the last ${seenWords(since.at(-1))}`;
    const due = step.nth > 1 ? `Fewer than ${step.nth} frames matched` : 'No frame matched';
    const end = exit ? `before the agent ended (${endWords(exit)})` : `in ${patience} ms`;
    throw new Failed(
      `${due} ${query} ${end}; ${came}.`,
      since.slice(-1).map(({ frame }) => frame.seq),
    );
  }

  #capture(captures: Captures, heard: Heard): void {
    const message = jsonOf(heard);
    for (const { name, pointer } of captures) {
      const value = message === undefined ? undefined : valueAt(message, pointer);
      const { seq } = heard.frame;
      if (value === undefined)
        throw new Failed(`#${seq} has nothing at ${pointer} to be ${name}.`, [seq]);
      this.#names.set(name, value);
    }
  }

  async #kill({ connection, wire }: Stage, how: 'SIGKILL' | 'SIGTERM' | 'stdin'): Promise<void> {
    if (connection.exit) return;
    await wire.settled();
    if (how === 'stdin') connection.endInput();
    else wire.signal(how);
    if (await within(this.#timers, PATIENCE_MS, wire.ended)) return;
    throw new Failed(`The agent did not end within ${PATIENCE_MS} ms of ${how}.`);
  }

  async #leave({ connection, wire }: Stage): Promise<void> {
    // Agents that end on their own need no signal; faults that wait for a line get none any more.
    await within(this.#timers, LEAVE_MS, wire.settled());
    if (connection.exit === undefined) await connection.leave();
  }

  #mustRun({ connection }: Stage): void {
    const { exit } = connection;
    if (exit)
      throw new Failed(`The agent has ended (${endWords(exit)}). A restart starts it again.`);
  }

  #unanswered({ method }: Answered, patience: number): string {
    const { exit } = this.#stage.connection;
    return exit
      ? `The agent ended (${endWords(exit)}) before it answered ${method}.`
      : `${method} was not answered in ${patience} ms.`;
  }
}

function seqsOf({ requestSeq }: Answered): readonly Seq[] {
  return requestSeq === undefined ? [] : [requestSeq];
}
