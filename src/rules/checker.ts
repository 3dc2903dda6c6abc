// Reads a trace event by event: shows each frame to the rules that listen to it, then folds it into
// what is known. The cost of a frame does not grow with the trace.
import type { SchemaRemark } from '../acp/schema/frame-check.ts';
import type { Failure, Message, Notification, Request, Success } from '../acp/message.ts';
import type { Role, Version } from '../acp/methods.ts';
import { sessionIdOf, updateOf } from '../acp/update.ts';
import { itemIdOf, itemKindOf } from '../model/variants.ts';
import type { ConnectionId, Frame, Seq, TraceEvent } from '../trace/event.ts';
import { FindingBook, type Judged, type Part } from './book.ts';
import type { Asked, Connection, Session } from './connection.ts';
import { lifecycle } from './lifecycle.ts';
import { dispatches, type Dispatches, type StepKind } from './listen.ts';
import { OpenConnection } from './open-connection.ts';
import type { Fault, Outcome, Undecided } from './outcome.ts';
import type { Fold, Rule } from './rule.ts';
import type { AnswerStep, EndStep, FrameStep, Window } from './step.ts';
import type { World } from './world.ts';

/** What the schemas say of a message; `requestMethod`: of the request that an answer answers. */
export type RemarksOf = (
  version: Version,
  from: Role,
  message: Message,
  requestMethod: string | undefined,
) => readonly SchemaRemark[];

/** What a frame is to a restore, as the timeline shows it. */
export interface Restoring {
  readonly window: Window | undefined;
  readonly replay: boolean;
  readonly late: boolean;
}

export interface CheckerOptions {
  readonly connection: ConnectionId;
  readonly world: World;
  readonly rules: readonly Rule[];
  readonly folds: readonly Fold[];
  /** Undefined: the schemas are not asked. */
  readonly remarksOf?: RemarksOf;
  /** What is spoken where the trace has no handshake. */
  readonly version?: Version;
  readonly keepPasses?: boolean;
  /** Is told each frame of each part of a finding once, as it is found. */
  readonly heard?: (part: Part, seq: Seq) => void;
}

const NO_REMARKS: readonly SchemaRemark[] = [];
const UNKNOWN_OFFER = {
  verdict: 'undecidable',
  why: 'the handshake is not in this trace, so nobody knows what was advertised',
  needs: 'a recording from the start of the connection',
} as const;

export class Checker {
  readonly book: FindingBook;
  readonly #connection: OpenConnection;
  readonly #rules: Dispatches<Outcome, Rule>;
  readonly #folds: Dispatches<void, Fold>;
  readonly #remarksOf: RemarksOf | undefined;
  #ended = false;

  constructor(options: CheckerOptions) {
    const { connection, world, version, rules, folds } = options;
    this.#connection = new OpenConnection(connection, world, version);
    world.connections.push(connection);
    this.book = new FindingBook(options.keepPasses === true, options.heard);
    this.#rules = dispatches(rules.map((rule) => ({ who: rule, on: rule.on })));
    const all = [lifecycle(this.#connection), ...folds];
    this.#folds = dispatches(all.map((fold) => ({ who: fold, on: fold.on })));
    this.#remarksOf = options.remarksOf;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** `message`: what a frame says; `size`: bytes of its line. */
  append(
    event: TraceEvent,
    message: Message | undefined,
    size: number,
    restoring: Restoring,
  ): void {
    switch (event.type) {
      case 'frame':
        if (message !== undefined) this.#frame(event, message, size, restoring);
        return;
      case 'start':
        this.#connection.started = true;
        return;
      case 'gap':
        this.#connection.gaps += event.count;
        return;
      case 'exit':
        return this.end(event);
      case 'stderr':
      case 'mark':
        return;
    }
  }

  /** No more will come: what was still open is judged now. `exit`: where the process ended. */
  end(last: TraceEvent | Pick<TraceEvent, 'seq' | 'at'>): void {
    if (this.#ended) return;
    this.#ended = true;
    const exit = 'type' in last && last.type === 'exit' ? last : undefined;
    const step: EndStep = { seq: last.seq, at: last.at, exit };
    const judged = { seq: last.seq, from: 'agent', session: undefined, method: undefined } as const;
    this.#judge('end', '', step, judged);
    this.#fold('end', '', step);
  }

  #frame(frame: Frame, message: Message, size: number, restoring: Restoring): void {
    const { seq, at, from } = frame;
    const connection = this.#connection;
    const remarks = this.#remarksOf;
    let requestMethod: string | undefined;
    let said: readonly SchemaRemark[] | undefined;
    const base: FrameStep = {
      frame,
      seq,
      at,
      from,
      message,
      size,
      remarks() {
        if (remarks === undefined || connection.version === undefined) return NO_REMARKS;
        said ??= remarks(connection.version, from, message, requestMethod);
        return said;
      },
    };
    switch (message.kind) {
      case 'request':
        this.#request(base, message);
        break;
      case 'notification':
        this.#notification(base, message, restoring);
        break;
      case 'success':
      case 'failure': {
        const asked = connection.settle(from, message, seq);
        requestMethod = asked?.request.method;
        if (asked === undefined)
          this.#both('orphan', '', { ...base, message }, base, undefined, undefined);
        else this.#answer(base, message, asked);
        break;
      }
      case 'invalid':
        this.#both('frame', '', base, base, undefined, undefined);
    }
    connection.last[from] = { seq, at, message };
  }

  #request(base: FrameStep, message: Request): void {
    const { seq, at, from } = base;
    const { method, params } = message;
    const session = this.#sessionOf(params);
    const asked: Asked = {
      seq,
      at,
      from,
      request: message,
      session,
      answered: false,
      cancelled: undefined,
    };
    const reusedId = !this.#connection.open.add(asked);
    const step = { ...base, message, method, params, asked, session, reusedId };
    this.#both('request', method, step, base, session, method);
  }

  #notification(base: FrameStep, message: Notification, restoring: Restoring): void {
    const { method, params } = message;
    const session = this.#sessionOf(params);
    const step = { ...base, message, method, params, session };
    if (method === '$/cancel_request') this.#cancelled(base, params);
    const update =
      method === 'session/update' && base.from === 'agent' ? updateOf(params) : undefined;
    if (update === undefined || session === undefined)
      return this.#both('notification', method, step, base, session, method);
    const { variant } = update;
    const judged = judgedOf(base, session, method);
    const whole = {
      ...base,
      ...restoring,
      message,
      session,
      variant,
      update: update.update,
      item: itemKindOf(variant),
      itemId: itemIdOf(variant, update.update),
    };
    this.#judge('frame', '', base, judged);
    this.#judge('notification', method, step, judged);
    this.#judge('update', variant, whole, judged);
    this.#fold('frame', '', base);
    this.#fold('notification', method, step);
    this.#fold('update', variant, whole);
  }

  #answer(base: FrameStep, message: Success | Failure, asked: Asked): void {
    const { method, params } = asked.request;
    const result = message.kind === 'success' ? message.result : undefined;
    const error = message.kind === 'failure' ? message.error : undefined;
    const made = sessionIdOf(result);
    const session =
      made !== undefined && asked.session === undefined
        ? this.#connection.session(made)
        : asked.session;
    asked.session = session;
    const step: AnswerStep = { ...base, message, asked, method, params, result, error, session };
    this.#both('answer', method, step, base, session, method);
  }

  #cancelled({ from, seq }: FrameStep, params: Notification['params']): void {
    const id = (params as { requestId?: unknown } | undefined)?.requestId;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const asked = this.#connection.open.find(from, id);
    if (asked) asked.cancelled ??= seq;
  }

  #sessionOf(params: Request['params']): Session | undefined {
    const id = sessionIdOf(params);
    return id === undefined ? undefined : this.#connection.session(id);
  }

  /** The frame as such, then as what it is: first to the rules, then to the folds. */
  #both(
    kind: StepKind,
    name: string,
    step: FrameStep,
    base: FrameStep,
    session: Session | undefined,
    method: string | undefined,
  ): void {
    const judged = judgedOf(base, session, method);
    this.#judge('frame', '', base, judged);
    if (kind !== 'frame') this.#judge(kind, name, step, judged);
    this.#fold('frame', '', base);
    if (kind !== 'frame') this.#fold(kind, name, step);
  }

  #judge(kind: StepKind, name: string, step: FrameStep | EndStep, judged: Judged): void {
    const connection = this.#connection;
    const { version, handshake } = connection;
    for (const { who, run } of this.#rules[kind].of(name)) {
      const needs = who.needs ?? 'version';
      if (version === undefined) {
        if (needs !== 'nothing') continue;
      } else if (!who.versions.includes(version)) continue;
      let outcome = run(step, connection);
      if (outcome === undefined) continue;
      if (needs === 'capabilities' && handshake?.result === undefined) outcome = UNKNOWN_OFFER;
      this.#record(who, outcome, judged);
    }
  }

  #record(rule: Rule, outcome: Exclude<Outcome, undefined>, judged: Judged): void {
    if (outcome === 'pass') return this.book.passed(rule, judged);
    for (const one of isMany(outcome) ? outcome : [outcome]) this.book.said(rule, one, judged);
  }

  #fold(kind: StepKind, name: string, step: FrameStep | EndStep): void {
    for (const { run } of this.#folds[kind].of(name)) run(step, this.#connection);
  }
}

function isMany(outcome: Exclude<Outcome, undefined>): outcome is readonly (Fault | Undecided)[] {
  return Array.isArray(outcome);
}

function judgedOf(
  { seq, from }: FrameStep,
  session: Session | undefined,
  method: string | undefined,
): Judged {
  return { seq, from, session: session?.id, method };
}
