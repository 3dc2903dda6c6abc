// What a rule is shown of a frame: the message, what it belongs to, and what it is to a restore. The
// connection beside it is as it was before the frame.
import type { SchemaRemark } from '../acp/schema/frame-check.ts';
import type {
  Failure,
  Json,
  JsonObject,
  Message,
  Notification,
  Request,
  Success,
} from '../acp/message.ts';
import type { Millis } from '../lib/time.ts';
import type { ItemKind } from '../model/facts/variants.ts';
import type { Exit, Frame, Seq, Side } from '../trace/event.ts';
import type { Place } from '../model/facts/windows.ts';
import type { Asked, RestoreWindow, Session } from './connection.ts';

export interface FrameStep {
  readonly frame: Frame;
  readonly seq: Seq;
  readonly at: Millis;
  readonly from: Side;
  readonly message: Message;
  /** Bytes of the line. */
  readonly size: number;
  /** What the schemas of the connection's version say of it; empty where none is known. */
  remarks(): readonly SchemaRemark[];
}

export interface RequestStep extends FrameStep {
  readonly message: Request;
  readonly method: string;
  readonly params: Json | undefined;
  readonly asked: Asked;
  /** The session its params name; known or not (see `Session.origin`). */
  readonly session: Session | undefined;
  /** The id was waiting for an answer already. */
  readonly reusedId: boolean;
}

export interface NotificationStep extends FrameStep {
  readonly message: Notification;
  readonly method: string;
  readonly params: Json | undefined;
  readonly session: Session | undefined;
}

export interface AnswerStep extends FrameStep {
  readonly message: Success | Failure;
  /** The request it answers. */
  readonly asked: Asked;
  readonly method: string;
  readonly params: Json | undefined;
  /** The result; undefined for an error. */
  readonly result: Json | undefined;
  readonly error: Failure['error'] | undefined;
  /** The session of the request, or the one that its result made. */
  readonly session: Session | undefined;
}

/** An answer that no open request waits for. */
export interface OrphanStep extends FrameStep {
  readonly message: Success | Failure;
}

/** A `session/update` of the agent with a tag and a session. */
export interface UpdateStep extends FrameStep {
  readonly message: Notification;
  readonly session: Session;
  readonly variant: string;
  readonly update: JsonObject;
  /** What it is about: a message, a tool call, a terminal, a plan, a compaction. */
  readonly item: ItemKind | undefined;
  /** The id of that, where it names one. */
  readonly itemId: string | undefined;
  /** What it is to a restore; undefined: it came after all of its history, or without any. */
  readonly place: Place<Session, RestoreWindow> | undefined;
  /** Set where the frame is history replay, late or not, or tells how things stand after it. */
  readonly window: RestoreWindow | undefined;
  /** It is history replay: inside a window and not live work (`is:replay`). */
  readonly replay: boolean;
  /** It is history that came after its window's answer (`is:late`). */
  readonly late: boolean;
}

/** Nothing came for a while after this event. */
export interface QuietStep {
  readonly seq: Seq;
  readonly at: Millis;
}

/** No more frames will come. `exit` is undefined where a file just ends. */
export interface EndStep {
  readonly seq: Seq;
  readonly at: Millis;
  readonly exit: Exit | undefined;
}
