// What the checker keeps of a connection while it reads on: the facts every family of rules looks at,
// and the slots in which a family keeps facts of its own.
import type { JsonObject, Message, Request, RequestId } from '../acp/message.ts';
import type { Version } from '../acp/methods.ts';
import type { Millis } from '../lib/time.ts';
import type { Handshake } from '../model/facts/handshake.ts';
import type { HolesFold } from '../model/facts/holes.ts';
import type { SessionLife } from '../model/facts/life.ts';
import type { Window } from '../model/facts/window.ts';
import type { Turns } from '../model/facts/turns.ts';
import type { Windows } from '../model/facts/windows.ts';
import { agentEnd, endClause } from '../trace/agent-end.ts';
import { lazy } from '../lib/lazy.ts';
import { chipBook } from '../model/facts/chips.ts';
import { indexedTrace, type GrowingTrace } from '../model/indexed-trace.ts';
import type { ConnectionId, FrameRef, Seq, Side, Exit, TraceEvent } from '../trace/event.ts';

// What several connections have in common: sessions outlive them. Traces that are checked together,
// and the connections a page holds, share one world.

// Slots for facts that some rules need and the connection does not keep: a fold beside its rules
// declares one, and every connection, session or stored session holds its own value of it.

interface FactsHolder {
  readonly facts: unknown[];
}

interface Fact<S extends FactsHolder, T> {
  /** The value, made when first asked for. */
  of(scope: S): T;
}

let slots = 0;

/** A fact of connections, sessions or stored sessions; `make` gives what it begins as. */
export function fact<S extends FactsHolder, T>(make: () => T): Fact<S, T> {
  const slot = slots++;
  return {
    of({ facts }) {
      const held = facts[slot];
      if (held !== undefined) return held as T;
      const made = make();
      facts[slot] = made;
      return made;
    },
  };
}

/** A session as its agent stores it, whatever connection it is met on. */
export interface SessionAtAgent extends FactsHolder {
  readonly id: string;
  /** The answer that made it. */
  made: FrameRef | undefined;
}

/** Milliseconds between the beginnings of two traces without clocks: longer than any trace. */
const APART = 1e12;

export class World {
  readonly #sessions = new Map<string, SessionAtAgent>();
  readonly #traces: (() => GrowingTrace)[] = [];
  readonly #chipOf = chipBook();

  /** The next trace in time, with the events read by now. */
  add(events: readonly TraceEvent[], name: string): void {
    const began = this.#traces.length * APART;
    this.#traces.push(lazy(() => indexedTrace(events, name, { chipOf: this.#chipOf, began })));
  }

  /** The traces so far, the oldest first. They are indexed when this is first called. */
  traces(): readonly GrowingTrace[] {
    return this.#traces.map((one) => one());
  }

  session(id: string): SessionAtAgent {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const made: SessionAtAgent = { id, made: undefined, facts: [] };
    this.#sessions.set(id, made);
    return made;
  }
}

export interface Session extends FactsHolder, SessionLife {
  readonly id: string;
  readonly connection: Connection;
  /** The same session, whatever connection or trace it is met on. */
  stored: SessionAtAgent;
}

/** True if a restore of the session waits for its answer. */
export function isOpening(session: Session): boolean {
  const restore = session.connection.windows.open(session);
  return restore !== undefined && restore.method !== 'session/fork';
}

/** What only rules keep of a restore. */
export interface Kept extends FactsHolder {
  /** Its request. */
  readonly seq: Seq;
  /** Gaps in the record when it began. */
  readonly gaps: number;
}

/** A restore and what came of it; frames are named by their seq. */
export type RestoreWindow = Window<Session> & Kept;

/** A request as its answer and later frames look back on it. */
export interface EarlierRequest {
  readonly seq: Seq;
  readonly at: Millis;
  readonly from: Side;
  readonly request: Request;
  readonly size: number;
  /** The frame whose array it came in; undefined: it is a line of its own. */
  readonly array: Seq | undefined;
  /** The session it names, or the one that its result made. */
  session: Session | undefined;
  answered: boolean;
  /** The transport could not hand it over, or the other side takes no arrays. */
  refused?: true;
  /** The `$/cancel_request` that named it. */
  cancelled: Pick<EarlierFrame, 'seq' | 'at'> | undefined;
}

export interface OpenRequests {
  /** The open request of `side` that an id in params means. */
  find(side: Side, id: string | number): EarlierRequest | undefined;
  /** The oldest open request of `side` under this id. */
  under(side: Side, id: RequestId): EarlierRequest | undefined;
  /** How many requests of the client wait that make a session, whose id only their answer tells. */
  readonly making: number;
  /** Open requests of a side, oldest first. */
  of(side: Side): Iterable<EarlierRequest>;
}

/** An answered request: what is needed to tell what a second answer is. */
export interface AnsweredRequest {
  readonly request: Seq;
  readonly answer: Seq;
  readonly method: string;
  /** The session it named, where the answer is no error. */
  readonly heldIn: Session | undefined;
}

/** A frame that later ones look back on. */
export interface EarlierFrame {
  readonly seq: Seq;
  readonly at: Millis;
  readonly message: Message;
}

export interface Connection extends FactsHolder {
  readonly id: ConnectionId;
  readonly world: World;
  /** What the connection is held against: a person's choice, else the version agreed on. */
  readonly version: Version | undefined;
  /** Agreed on by the handshake: known from the answer to `initialize` on, if it is one we know. */
  readonly agreed: Version | undefined;
  /** The version that the agent chose, also if it is none we know. */
  readonly chosen: number | undefined;
  readonly handshake: Handshake<EarlierRequest> | undefined;
  /** The process ended, so that the next `initialize` is to another one. */
  readonly isOver: boolean;
  /** What both sides advertised; undefined where the handshake is not in the trace. */
  clientCapabilities: JsonObject | undefined;
  agentCapabilities: JsonObject | undefined;
  authMethods: readonly JsonObject[];
  readonly open: OpenRequests;
  /** Answered ids by who asked, under `idKey`. */
  readonly answered: Readonly<Record<Side, ReadonlyMap<string, AnsweredRequest>>>;
  readonly sessions: ReadonlyMap<string, Session>;
  /** Its restores, and the sessions that others own. */
  readonly windows: Windows<Session, Kept>;
  readonly turns: Turns;
  readonly last: Readonly<Record<Side, EarlierFrame | undefined>>;
  /** The recording saw the process come up, so its first frames are the first there were. */
  started: boolean;
  /** Events that are missing from the record so far, its beginning as one: what was not seen may have been. */
  readonly gaps: number;
  readonly record: HolesFold;
  /** True if the record has what this side sends; false if no frame of it came and nothing shows that it sent none. */
  hears(side: Side): boolean;
}

/**
 * Returns `the agent exited with 1` for an end by a fault of its own; undefined if nobody knows. An agent that was
 * told to end is not accused either: nobody waited for its answers any more.
 */
export function crashWords(exit: Exit | undefined): string | undefined {
  if (!exit) return undefined;
  const { isCrash, asked } = agentEnd(exit);
  return isCrash && asked === undefined ? `the agent ${endClause(exit)}` : undefined;
}
