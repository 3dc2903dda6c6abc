// What a rule is shown of a frame: the message, what it belongs to, and what it is to a restore. The
// connection beside it is as it was before the frame. One object a frame, whatever kinds of step it is:
// a session update is a notification and a frame too, and a flood of them must not cost three.
import type {
  Failure,
  Json,
  JsonObject,
  Message,
  Notification,
  Request,
  Success,
} from '../acp/message.ts';
import type { EditionId } from '../acp/editions/edition.ts';
import { editionsFor } from '../acp/editions/editions.ts';
import type { Role, Version } from '../acp/methods.ts';
import { type SchemaRemark, frameRemarks, loadSchemaSet } from '../acp/schema/frame-check.ts';
import type { SessionUpdate } from '../acp/update.ts';
import type { Millis } from '../lib/time.ts';
import type { FidelityWindow } from '../model/fidelity/report/report.ts';
import { itemIdOf, itemKindOf, type ItemKind } from '../model/facts/variants.ts';
import type { WindowPlace } from '../model/facts/window.ts';
import type { EarlierRequest, RestoreWindow, Session } from './connection.ts';
import {
  timeOf,
  type Exit,
  type Frame,
  type Line,
  type Seq,
  type Side,
  type Transport,
} from '../trace/event.ts';

/** What the schemas say of a message; `requestMethod`: of the request that an answer answers. */
export type RemarksOf = (
  version: Version,
  from: Role,
  message: Message,
  requestMethod: string | undefined,
) => readonly SchemaRemark[];

/** How a step asks the schemas: those of the version spoken when the frame came. */
export interface Asking {
  readonly version: Version | undefined;
  readonly remarksOf: RemarksOf | undefined;
}

const NO_REMARKS: readonly SchemaRemark[] = [];

export class FrameStep<M extends Message = Message> {
  readonly frame: Frame;
  readonly seq: Seq;
  readonly at: Millis;
  readonly from: Side;
  readonly message: M;
  /** Bytes of the line. */
  readonly size: number;
  /** The session it names, known or not (see `Session.origin`); of an answer, that of its request, or the one that its result made. */
  readonly session: Session | undefined;
  readonly #asking: Asking;
  readonly #version: Version | undefined;
  #remarks: readonly SchemaRemark[] | undefined;

  constructor(frame: Frame, message: M, size: number, asking: Asking, session?: Session) {
    this.frame = frame;
    this.seq = frame.seq;
    this.at = timeOf(frame);
    this.from = frame.from;
    this.message = message;
    this.size = size;
    this.session = session;
    this.#asking = asking;
    this.#version = asking.version;
  }

  /** The method a frame is about; of an answer, its request's. */
  get method(): string | undefined {
    return undefined;
  }

  /** The version in force when it was sent; before a version was chosen, the one that came to be. */
  get version(): Version | undefined {
    return this.#version ?? this.#asking.version;
  }

  /** What the schemas of its version say of it; empty where none is known. */
  remarks(): readonly SchemaRemark[] {
    const { remarksOf } = this.#asking;
    const { version } = this;
    if (remarksOf === undefined || version === undefined) return NO_REMARKS;
    this.#remarks ??= remarksOf(version, this.from, this.message, this.method);
    return this.#remarks;
  }

  /** True if the schemas of its version have no remark on it; undefined if there are no schemas to ask. */
  get isSound(): boolean | undefined {
    if (this.#asking.remarksOf === undefined || this.version === undefined) return undefined;
    return this.remarks().length === 0;
  }
}

export class RequestStep extends FrameStep<Request> {
  readonly asked: EarlierRequest;
  /** The id was waiting for an answer already. */
  readonly reusedId: boolean;

  constructor(
    frame: Frame,
    message: Request,
    size: number,
    asking: Asking,
    asked: EarlierRequest,
    reusedId: boolean,
  ) {
    super(frame, message, size, asking, asked.session);
    this.asked = asked;
    this.reusedId = reusedId;
  }

  override get method(): string {
    return this.message.method;
  }
  get params(): Json | undefined {
    return this.message.params;
  }
}

export class NotificationStep extends FrameStep<Notification> {
  override get method(): string {
    return this.message.method;
  }
  get params(): Json | undefined {
    return this.message.params;
  }
}

/** A `session/update` of the agent with a tag and a session. */
export class UpdateStep extends NotificationStep {
  declare readonly session: Session;
  readonly variant: string;
  readonly update: JsonObject;
  /** What it is about: a message, a tool call, a terminal, a plan, a compaction. */
  readonly item: ItemKind | undefined;
  /** The id of that, where it names one. */
  readonly itemId: string | undefined;
  /** What it is to a restore; undefined: it came after all of its history, or without any. */
  readonly place: WindowPlace<Session, RestoreWindow> | undefined;

  constructor(
    frame: Frame,
    message: Notification,
    size: number,
    asking: Asking,
    session: Session,
    { variant, update }: SessionUpdate,
    place: UpdateStep['place'],
  ) {
    super(frame, message, size, asking, session);
    this.variant = variant;
    this.update = update;
    this.item = itemKindOf(variant);
    this.itemId = itemIdOf(variant, update);
    this.place = place;
  }

  /** Set where the frame is history replay, late or not, or tells how things stand after it. */
  get window(): RestoreWindow | undefined {
    return this.place?.as === 'meanwhile' ? undefined : this.place?.window;
  }
  /** It is history replay: inside a window and not live work (`is:replay`). */
  get replay(): boolean {
    return this.place?.as === 'replay';
  }
  /** It is history that came after its window's answer (`is:late`). */
  get late(): boolean {
    return this.place?.as === 'late';
  }
}

export class AnswerStep extends FrameStep<Success | Failure> {
  readonly asked: EarlierRequest;

  constructor(
    frame: Frame,
    message: Success | Failure,
    size: number,
    asking: Asking,
    asked: EarlierRequest,
  ) {
    super(frame, message, size, asking, asked.session);
    this.asked = asked;
  }

  override get method(): string {
    return this.asked.request.method;
  }
  get params(): Json | undefined {
    return this.asked.request.params;
  }
  /** Undefined for an error. */
  get result(): Json | undefined {
    return this.message.kind === 'success' ? this.message.result : undefined;
  }
  get error(): Failure['error'] | undefined {
    return this.message.kind === 'failure' ? this.message.error : undefined;
  }
}

/** An answer that no open request waits for. */
export class OrphanStep extends FrameStep<Success | Failure> {}

/** What the transport did beside its frames, of an agent reached by URL. */
export interface TransportStep {
  readonly fact: Transport;
  readonly seq: Seq;
  readonly at: Millis;
}

/** A line that the agent wrote to stderr. */
export interface StderrStep {
  readonly line: Line;
  readonly seq: Seq;
  readonly at: Millis;
}

/** A restore that ended, and what the comparison with the live session found. */
export interface ReplayStep {
  readonly replay: FidelityWindow;
  readonly seq: Seq;
}

/** No more frames will come. `exit` is undefined where a file just ends. */
export interface EndStep extends Pick<FrameStep, 'seq' | 'at'> {
  readonly exit: Exit | undefined;
}

// The schemas as the checker asks them. Loaded before a check begins, because none of its steps waits.

/** `choice`: the edition whose schemas take the place of those of its version. */
export async function loadRemarks(choice: EditionId | 'auto' = 'auto'): Promise<RemarksOf> {
  const editions = editionsFor(choice);
  const [v1, v2] = await Promise.all([loadSchemaSet(1, editions), loadSchemaSet(2, editions)]);
  return (version, from, message, requestMethod) =>
    frameRemarks(version === 1 ? v1 : v2, from, message, requestMethod);
}
