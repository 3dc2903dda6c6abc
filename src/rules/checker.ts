// Reads a trace event by event: shows each frame to the rules that listen to it, then folds it into
// what is known. Of what an intercept did nobody is blamed. The cost of a frame does not grow with the
// trace.
import { get } from '../acp/json.ts';
import { type Message, type Notification, type Request, parseMessage } from '../acp/message.ts';
import type { Version } from '../acp/methods.ts';
import { sessionIdOf, updateOf } from '../acp/update.ts';
import type { FidelityWindow } from '../model/fidelity/report/report.ts';
import {
  requestedIn,
  losesFrames,
  timeOf,
  type ConnectionId,
  type Frame,
  type Seq,
  type TraceEvent,
} from '../trace/event.ts';
import { FindingBook, type JudgedFrame, type FindingPart } from './book.ts';
import type { EarlierRequest, Connection, Session, World } from './connection.ts';
import { lifecycle, OpenConnection, workFold } from './lifecycle.ts';
import { dispatches, type Dispatches, type StepKind, type RuleStep as OneStep } from './listen.ts';
import {
  type RuleFault,
  type Outcome,
  type Undecided,
  type Fold,
  type Rule,
  UNKNOWN_OFFER,
  withGap,
} from './rule.ts';
import {
  AnswerStep,
  NotificationStep,
  OrphanStep,
  RequestStep,
  FrameStep,
  UpdateStep,
  type Asking,
  type EndStep,
  type RemarksOf,
} from './steps.ts';
import { lineSize } from '../trace/line.ts';
import { Interference } from './interference.ts';
import { joinedLine } from './wire/framing.ts';

interface CheckerOptions {
  readonly connection: ConnectionId;
  readonly world: World;
  readonly rules: readonly Rule[];
  readonly folds: readonly Fold[];
  /** Undefined: the schemas are not asked. */
  readonly remarksOf?: RemarksOf;
  /** What a person wants it held against, whatever the handshake says. */
  readonly version?: Version;
  readonly keepPasses?: boolean;
  /** Is told each frame of each part of a finding once, as it is found. */
  readonly heard?: (part: FindingPart, seq: Seq) => void;
}

/** What is no frame names no session and no method. */
const UNNAMED = { from: 'agent', session: undefined, method: '', member: undefined } as const;

export class Checker {
  readonly book: FindingBook;
  readonly #connection: OpenConnection;
  /** Those that can judge: before the version is known, and of each version. */
  readonly #unversioned: Dispatches<Outcome, Rule>;
  readonly #versioned: Readonly<Record<Version, Dispatches<Outcome, Rule>>>;
  readonly #folds: Dispatches<void, Fold>;
  readonly #asking: Asking;
  readonly #interference = new Interference();
  #ended = false;

  constructor(options: CheckerOptions) {
    const { connection: id, world, version, rules, folds, remarksOf } = options;
    const connection = new OpenConnection(id, world, version);
    this.#connection = connection;
    this.book = new FindingBook(options.keepPasses === true, options.heard);
    const some = (judges: (rule: Rule) => boolean) =>
      dispatches(rules.filter(judges).map((rule) => ({ who: rule, on: rule.on })));
    this.#unversioned = some(({ needs }) => needs === 'nothing');
    this.#versioned = {
      1: some(({ versions }) => versions.includes(1)),
      2: some(({ versions }) => versions.includes(2)),
    };
    const all = [lifecycle(connection), ...folds, workFold];
    this.#folds = dispatches(all.map((fold) => ({ who: fold, on: fold })));
    this.#asking = {
      remarksOf,
      get version() {
        return connection.version;
      },
    };
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** `message`: what a frame says; `size`: bytes of its line. */
  append(event: TraceEvent, message: Message | undefined, size: number): void {
    const at = timeOf(event);
    this.#connection.record.take(event, message);
    switch (event.type) {
      case 'frame':
        if (message !== undefined) this.#frame(event, message, size);
        return;
      case 'start':
        this.#connection.started = true;
        return;
      case 'gap':
        if (!event.omitted) this.#connection.lose(event.seq, event.count);
        return;
      case 'exit':
        return this.end(event);
      case 'stderr':
        return this.#fold('stderr', '', { line: event.line, seq: event.seq, at });
      case 'sleep':
      case 'mark':
      case 'suppress':
        return;
      case 'transport': {
        const step = { fact: event, seq: event.seq, at };
        this.#judge('transport', '', step, { ...UNNAMED, seq: event.seq });
        if (losesFrames(event)) this.#connection.lose(event.seq, 1);
        return this.#fold('transport', '', step);
      }
      case 'intercept':
        this.#interference.take(event, this.#connection);
        return void this.#connection.open.altered(event);
    }
  }

  /** A restore ended, and its replay was compared with the live session. */
  replayed(replay: FidelityWindow): void {
    const { session, requestSeq, answerSeq } = replay;
    const step = { replay, seq: answerSeq ?? requestSeq };
    this.#judge('replay', '', step, { ...UNNAMED, session, seq: step.seq });
  }

  /** No more will come: what was still open is judged now. */
  end(last: TraceEvent | Pick<TraceEvent, 'seq' | 'at'>): void {
    if (this.#ended) return;
    this.#ended = true;
    const exit = 'type' in last && last.type === 'exit' ? last : undefined;
    const step: EndStep = { seq: last.seq, at: timeOf(last), exit };
    this.#judge('end', '', step, { ...UNNAMED, seq: last.seq });
    this.#fold('end', '', step);
  }

  #frame(frame: Frame, message: Message, size: number): void {
    const { seq, from } = frame;
    const at = timeOf(frame);
    this.#interference.frame(frame, message, this.#connection);
    const asking = this.#asking;
    switch (message.kind) {
      case 'request':
        this.#request(frame, message, size);
        break;
      case 'notification':
        this.#notification(frame, message, size);
        break;
      case 'success':
      case 'failure': {
        const asked = this.#connection.settle(from, message, seq);
        if (asked === undefined) {
          const kind = this.#connection.open.excuses(from, frame.of) ? undefined : 'orphan';
          this.#take(kind, '', new OrphanStep(frame, message, size, asking));
        } else {
          this.#findMade(asked, message.kind === 'success' ? message.result : undefined);
          const step = new AnswerStep(frame, message, size, asking, asked);
          this.#take('answer', step.method, step);
        }
        break;
      }
      case 'invalid':
        this.#take(undefined, '', new FrameStep(frame, message, size, asking));
        this.#connection.last[from] = { seq, at, message };
        return this.#joined(frame);
    }
    // What follows an array follows no message of it.
    if (frame.member === undefined) this.#connection.last[from] = { seq, at, message };
  }

  /** Judges the message that this line completes, if it began in lines before it. */
  #joined(frame: Frame): void {
    const text = joinedLine(this.#connection, frame.from);
    if (text === undefined) return;
    const line = { text };
    const message = parseMessage(text);
    if (message.kind !== 'invalid') this.#frame({ ...frame, line }, message, lineSize(line));
  }

  #request(frame: Frame, message: Request, size: number): void {
    const asked: EarlierRequest = {
      seq: frame.seq,
      at: timeOf(frame),
      ...requestedIn(frame),
      request: message,
      size,
      session: this.#sessionOf(message.params),
      answered: false,
      cancelled: undefined,
    };
    const reused = !this.#connection.open.ask(asked);
    const step = new RequestStep(frame, message, size, this.#askingOf(message), asked, reused);
    this.#take('request', message.method, step);
  }

  /** `initialize` is written in the version that it offers, whatever the agent chooses. */
  #askingOf({ method, params }: Request): Asking {
    const version = method === 'initialize' ? this.#connection.offered(params) : undefined;
    return version === undefined ? this.#asking : { ...this.#asking, version };
  }

  #notification(frame: Frame, message: Notification, size: number): void {
    const { method, params } = message;
    const session = this.#sessionOf(params);
    const update =
      method === 'session/update' && frame.from === 'agent' ? updateOf(params) : undefined;
    if (update !== undefined && session !== undefined) {
      const place = this.#connection.windows.placeOf(session, update, frame);
      const step = new UpdateStep(frame, message, size, this.#asking, session, update, place);
      return this.#take('notification', method, step, update.variant);
    }
    if (method === '$/cancel_request') this.#cancelled(frame, params);
    const step = new NotificationStep(frame, message, size, this.#asking, session);
    this.#take('notification', method, step);
  }

  /** A request that names no session may have made the one its result names. */
  #findMade(asked: EarlierRequest, result: Request['params']): void {
    const made = sessionIdOf(result);
    if (made !== undefined) asked.session ??= this.#connection.session(made);
  }

  #cancelled(frame: Frame, params: Notification['params']): void {
    const { from, seq } = frame;
    const asked = this.#connection.open.find(from, get(params, 'requestId'));
    if (asked) asked.cancelled ??= { seq, at: timeOf(frame) };
  }

  #sessionOf(params: Request['params']): Session | undefined {
    const id = sessionIdOf(params);
    return id === undefined ? undefined : this.#connection.session(id);
  }

  /** As a frame, then as what it is, then as the update it is: to the rules, then to the folds. */
  #take(kind: StepKind | undefined, name: string, step: FrameStep, variant?: string): void {
    const { seq, from, session, method, version, frame } = step;
    const { member } = frame;
    const judged: JudgedFrame = { seq, from, session: session?.id, method, version, member };
    this.#judge('frame', '', step, judged);
    if (kind !== undefined) this.#judge(kind, name, step, judged);
    if (variant !== undefined) this.#judge('update', variant, step, judged);
    this.#fold('frame', '', step);
    if (kind !== undefined) this.#fold(kind, name, step);
    if (variant !== undefined) this.#fold('update', variant, step);
  }

  #judge(kind: StepKind, name: string, step: OneStep, judged: JudgedFrame): void {
    const connection = this.#connection;
    const { handshake } = connection;
    const { version } = step instanceof FrameStep ? step : connection;
    const rules = version === undefined ? this.#unversioned : this.#versioned[version];
    for (const { who, run } of rules[kind].of(name)) {
      let outcome = run(step, connection);
      if (outcome === undefined || isNothing(outcome)) continue;
      if (who.needs === 'capabilities' && handshake?.result === undefined) outcome = UNKNOWN_OFFER;
      if (outcome === 'pass') this.book.passed(who, judged);
      else this.#record(who, outcome, judged);
    }
  }

  #record(rule: Rule, outcome: Exclude<Outcome, undefined | 'pass'>, judged: JudgedFrame): void {
    for (const said of isMany(outcome) ? outcome : [outcome]) {
      const one = this.#excused(rule, said, judged);
      this.book.said(rule, one, judged, this.#interference.isBehind(rule, one, judged));
    }
  }

  /** Inconclusive if events are missing that the rule needs. */
  #excused(rule: Rule, said: RuleFault | Undecided, judged: JudgedFrame): RuleFault | Undecided {
    const { gaps, lastGap } = this.#connection;
    if (said.verdict !== 'fail' || rule.gaps === undefined || gaps === 0) return said;
    const first = Math.min(...(said.seqs ?? [judged.seq]));
    return rule.gaps === 'before' || lastGap > first ? withGap(said) : said;
  }

  #fold(kind: StepKind, name: string, step: OneStep): void {
    for (const { run } of this.#folds[kind].of(name)) run(step, this.#connection);
  }
}

function isNothing(outcome: Exclude<Outcome, undefined>): boolean {
  return Array.isArray(outcome) && outcome.length === 0;
}

function isMany(
  outcome: Exclude<Outcome, undefined | 'pass'>,
): outcome is readonly (RuleFault | Undecided)[] {
  return Array.isArray(outcome);
}
