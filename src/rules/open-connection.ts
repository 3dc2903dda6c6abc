// A connection in the making, which the checker alone changes; rules see it as `Connection`.
import { get } from '../acp/json.ts';
import {
  idKey,
  type Failure,
  type Json,
  type JsonObject,
  type RequestId,
  type Success,
} from '../acp/message.ts';
import type { Version } from '../acp/methods.ts';
import { atRest } from '../model/facts/activity.ts';
import { Windows } from '../model/facts/windows.ts';
import type { ConnectionId, Seq, Side } from '../trace/event.ts';
import type {
  Asked,
  Connection,
  Done,
  Handshake,
  Kept,
  OpenRequests,
  Seen,
  Session,
} from './connection.ts';
import type { World } from './world.ts';
import { Exchanges } from '../model/facts/exchanges.ts';

export class OpenConnection implements Connection {
  readonly id: ConnectionId;
  readonly world: World;
  readonly facts: unknown[] = [];
  agreed: Version | undefined;
  handshake: Handshake | undefined;
  clientCapabilities: JsonObject | undefined;
  agentCapabilities: JsonObject | undefined;
  authMethods: readonly JsonObject[] = [];
  readonly open = new Waiting();
  readonly answered = { client: new Map<string, Done>(), agent: new Map<string, Done>() };
  readonly sessions = new Map<string, Session>();
  readonly windows = new Windows<Session, Kept>();
  readonly last: Record<Side, Seen | undefined> = { client: undefined, agent: undefined };
  started = false;
  gaps = 0;

  readonly #chosen: Version | undefined;

  /** `chosen`: what a person wants it held against, whatever the handshake says. */
  constructor(id: ConnectionId, world: World, chosen: Version | undefined) {
    this.id = id;
    this.world = world;
    this.#chosen = chosen;
  }

  get version(): Version | undefined {
    return this.#chosen ?? this.agreed;
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
      origin: undefined,
      announced: undefined,
      activity: atRest(),
      active: false,
      opening: 0,
      closed: undefined,
      deleted: undefined,
    };
    this.sessions.set(id, made);
    return made;
  }

  /**
   * The request that an answer ends; undefined where none waits under its id. The answer to
   * `initialize` is in the version that it chooses, so from here on that one is agreed on.
   */
  settle(from: Side, message: Success | Failure, seq: Seq): Asked | undefined {
    const asked = this.open.answer(from, message.id);
    if (asked === undefined) return undefined;
    asked.answered = true;
    const { method } = asked.request;
    this.answered[asked.from].set(idKey(message.id), { request: asked.seq, answer: seq, method });
    if (method === 'initialize' && from === 'agent' && message.kind === 'success')
      this.agreed = spoken(get(message.result, 'protocolVersion')) ?? this.agreed;
    return asked;
  }
}

function spoken(version: Json | undefined): Version | undefined {
  return version === 1 || version === 2 ? version : undefined;
}

/** Requests that wait, and how many of them make a session. */
class Waiting extends Exchanges<Asked> implements OpenRequests {
  #making = 0;

  get making(): number {
    return this.#making;
  }

  override ask(asked: Asked): boolean {
    if (makes(asked)) this.#making++;
    return super.ask(asked);
  }

  override answer(from: Side, id: RequestId): Asked | undefined {
    const asked = super.answer(from, id);
    if (asked !== undefined && makes(asked)) this.#making--;
    return asked;
  }
}

/** Its answer names a session that was not there before. */
function makes({ from, request: { method } }: Asked): boolean {
  return from === 'client' && (method === 'session/new' || method === 'session/fork');
}
