// The connection itself, as its frames make it: handshake, sessions that are made, restored, listed,
// closed and deleted, requests that wait. Folded after the rules have judged a frame.
import { childIdOf } from '../acp/update.ts';
import { knownVersion, nearestVersion, offeredVersion, offersIn } from '../acp/handshake.ts';
import { objects, str } from '../acp/json.ts';
import { MAKERS, isMethodOf, type Version } from '../acp/methods.ts';
import {
  idKey,
  type Failure,
  type Json,
  type JsonObject,
  type RequestId,
  type Success,
} from '../acp/message.ts';
import { Exchanges } from '../model/facts/exchanges.ts';
import { HandshakeFold } from '../model/facts/handshake.ts';
import { HolesFold } from '../model/facts/holes.ts';
import { listLife, restartLife, unknownLife } from '../model/facts/life.ts';
import { SessionSteps } from '../model/facts/session-steps.ts';
import { cancelTurn, Turns } from '../model/facts/turns.ts';
import {
  World,
  type Session,
  type EarlierRequest,
  type Connection,
  type AnsweredRequest,
  type Kept,
  type OpenRequests,
  type EarlierFrame,
} from './connection.ts';
import {
  onAnswer,
  onEnd,
  onNotification,
  onOrphan,
  onRequest,
  onTransport,
  onUpdate,
} from './listen.ts';
import type { AnswerStep, RequestStep, UpdateStep } from './steps.ts';
import type { Fold } from './rule.ts';
import { otherSide, refusedBy, type ConnectionId, type Seq, type Side } from '../trace/event.ts';

// A connection in the making, which the checker alone changes; rules see it as `Connection`.

export class OpenConnection implements Connection {
  readonly id: ConnectionId;
  world: World;
  readonly facts: unknown[] = [];
  readonly hello = new HandshakeFold<EarlierRequest>();
  clientCapabilities: JsonObject | undefined;
  agentCapabilities: JsonObject | undefined;
  authMethods: readonly JsonObject[] = [];
  readonly open = new Waiting();
  readonly answered = {
    client: new Map<string, AnsweredRequest>(),
    agent: new Map<string, AnsweredRequest>(),
  };
  readonly sessions = new Map<string, Session>();
  readonly turns = new Turns(this.hello);
  readonly windows = new SessionSteps<Session, Kept>(this.turns);
  readonly last: Record<Side, EarlierFrame | undefined> = { client: undefined, agent: undefined };
  readonly record = new HolesFold();
  started = false;
  /** The last gap in the record; 0: there is none. */
  lastGap = 0;
  #lost = 0;

  readonly #wanted: Version | undefined;
  /** Fields, because each rule reads them for each frame. */
  version: Version | undefined;
  agreed: Version | undefined;

  /** `wanted`: what a person wants it held against, whatever the handshake says. */
  constructor(id: ConnectionId, world: World, wanted: Version | undefined) {
    this.id = id;
    this.world = world;
    this.version = this.#wanted = wanted;
  }

  get chosen(): number | undefined {
    return this.hello.chosen;
  }

  get handshake(): Connection['handshake'] {
    return this.hello.current;
  }

  get isOver(): boolean {
    return this.hello.isOver;
  }

  get gaps(): number {
    return this.#lost + (this.record.holes.startsInMiddle ? 1 : 0);
  }

  lose(seq: Seq, count: number): void {
    this.#lost += count;
    this.lastGap = seq;
  }

  hears(side: Side): boolean {
    return this.record.hears(side);
  }

  /** The handshake may have another version now. */
  agree(): void {
    this.agreed = knownVersion(this.hello.chosen);
    this.version = this.#wanted ?? this.agreed;
  }

  /** The version that an `initialize` is written in; undefined: a person chose one, or no edition is of it. */
  offered(params: Json | undefined): Version | undefined {
    return this.#wanted === undefined ? offeredVersion(params) : undefined;
  }

  /** The session of this id, known from here on. */
  session(id: string): Session {
    const known = this.sessions.get(id);
    if (known !== undefined) return known;
    const made: Session = {
      id,
      connection: this,
      stored: this.world.session(id),
      facts: [],
      ...unknownLife(),
    };
    this.sessions.set(id, made);
    return made;
  }

  /**
   * Another connection made this session, and a session is made once: this is a second recording of the same process,
   * or its id was given again. What it tells from here on is no second part of one history.
   */
  setApart(session: Session): void {
    this.world = new World();
    session.stored = this.world.session(session.id);
  }

  /**
   * The request that an answer ends; undefined where none waits under its id. The answer to
   * `initialize` is in the version that it chooses, so from here on that one is agreed on.
   */
  settle(from: Side, message: Success | Failure, seq: Seq): EarlierRequest | undefined {
    const asked = this.open.answer(from, message.id);
    if (asked === undefined) return undefined;
    asked.answered = true;
    const { method } = asked.request;
    const heldIn = message.kind === 'success' ? asked.session : undefined;
    const done = { request: asked.seq, answer: seq, method, heldIn };
    this.answered[asked.from].set(idKey(message.id), done);
    if (method === 'initialize' && from === 'agent' && message.kind === 'success') {
      this.hello.choose(message.result);
      this.agree();
    }
    return asked;
  }
}

/** Requests that wait, and how many of them make a session. */
class Waiting extends Exchanges<EarlierRequest> implements OpenRequests {
  #making = 0;

  get making(): number {
    return this.#making;
  }

  override ask(asked: EarlierRequest): boolean {
    if (makes(asked)) this.#making++;
    return super.ask(asked);
  }

  override answer(from: Side, id: RequestId): EarlierRequest | undefined {
    return this.#less(super.answer(from, id));
  }

  override refused(isIt: (asked: EarlierRequest) => boolean, from?: Side) {
    const refused = super.refused(isIt, from);
    for (const asked of refused) this.#less(asked);
    return refused;
  }

  #less(asked: EarlierRequest | undefined): EarlierRequest | undefined {
    if (asked !== undefined && makes(asked) && !asked.refused) this.#making--;
    return asked;
  }
}

/** Its answer names a session that was not there before. */
function makes({ from, request: { method } }: EarlierRequest): boolean {
  return from === 'client' && isMethodOf(MAKERS, method);
}

/** Folds into the connection it is made for; other folds only have it to read. */
export function lifecycle(connection: OpenConnection): Fold {
  return [
    onRequest(['initialize'], ({ asked, from }) => {
      if (from !== 'client') return;
      if (connection.isOver) connection.sessions.forEach(restartLife);
      connection.hello.ask(asked);
      connection.agree();
    }),
    onAnswer(['initialize'], (step) => handshaken(connection, step)),
    onRequest('all', (step) => {
      if (step.session && step.from === 'client') clientAsks(connection, step, step.session);
    }),
    onAnswer('all', (step) => {
      if (step.asked.from === 'client') sessionAnswered(connection, step);
    }),
    onNotification(['session/cancel'], ({ session, from }) => {
      if (session && from === 'client') cancelTurn(session.activity);
    }),
    onUpdate('all', (step) => updated(connection, step)),
    onTransport(({ fact, seq }) => {
      const { of, problem = '' } = refusedBy(fact) ?? {};
      for (const asked of connection.open.refused((open) => open.seq === of))
        refused(connection, asked, seq, problem);
    }),
    onOrphan(({ message, from, seq }) => {
      for (const asked of connection.open.refusedArray(otherSide(from), message))
        refused(connection, asked, seq, 'array rejected');
    }),
    onEnd(({ seq, exit }) => {
      if (!exit) return;
      connection.windows.exited(seq, 'exit');
      connection.hello.isOver = true;
    }),
  ];
}

/** Goes after all other folds, which look at the work as it was before the frame. */
export const workFold: Fold = [
  onUpdate(['state_update'], ({ session, seq, update }, { turns }) => {
    turns.told(session.activity, seq, update);
  }),
];

function handshaken(connection: OpenConnection, { asked, message, seq }: AnswerStep): void {
  if (asked.from !== 'client') return;
  const { hello } = connection;
  hello.answer(asked, message, seq);
  const { result, asked: inForce } = hello.current ?? {};
  if (inForce !== asked || result === undefined) return;
  const version = connection.version ?? nearestVersion(hello.version);
  Object.assign(connection, offersIn(asked.request.params, result, version));
}

function clientAsks(
  { version, hello, windows, gaps }: OpenConnection,
  { asked, seq }: RequestStep,
  session: Session,
): void {
  const restore = windows.requested(session, asked, version ?? hello.version);
  if (restore) windows.begin(session, restore, seq, { seq, gaps, facts: [] });
}

function updated(connection: OpenConnection, step: UpdateStep): void {
  const { session, place, frame, seq, variant, update } = step;
  const id = variant === 'subagent_update' ? childIdOf(update) : undefined;
  const child = id === undefined ? undefined : connection.session(id);
  connection.windows.updated(session, place, step, { frame, name: seq }, child);
}

function sessionAnswered(connection: OpenConnection, step: AnswerStep): void {
  const { asked, method, message, session, result, frame, seq } = step;
  const id = str(result, 'sessionId');
  const made = id === undefined ? undefined : connection.session(id);
  const end = { frame, name: seq, request: asked.seq };
  connection.windows.responded(asked, message, end, { about: session, made });
  if (made && isMethodOf(MAKERS, method)) store(connection, made, method, seq);
  if (method === 'session/list')
    for (const info of objects(result, 'sessions')) {
      const id = str(info, 'sessionId');
      if (id !== undefined) listLife(connection.session(id), seq);
    }
}

/** A result made the session. */
function store(connection: OpenConnection, session: Session, method: string, seq: Seq): void {
  const { made } = session.stored;
  if (method === 'session/new' && made && made.connection !== connection.id)
    connection.setApart(session);
  session.stored.made ??= { connection: connection.id, seq };
}

/** It began nothing, and no answer comes. */
function refused(
  connection: OpenConnection,
  asked: EarlierRequest,
  name: Seq,
  problem: string,
): void {
  asked.refused = true;
  connection.windows.rejected(asked.session, asked, asked.seq, name, problem);
}
