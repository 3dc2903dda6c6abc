// The steps of listen.ts, made of frames. One object a frame, whatever kinds of step it is: a session
// update is a notification and a frame too, and a flood of them must not cost three.
import type {
  Failure,
  Json,
  JsonObject,
  Message,
  Notification,
  Request,
  Success,
} from '../acp/message.ts';
import type { Role, Version } from '../acp/methods.ts';
import { type SchemaRemark, frameRemarks, loadSchemaSet } from '../acp/schema/frame-check.ts';
import type { SessionUpdate } from '../acp/update.ts';
import type { Millis } from '../lib/time.ts';
import { itemIdOf, itemKindOf, type ItemKind } from '../model/facts/variants.ts';
import type { EarlierRequest, Session } from './connection.ts';
import type {
  AnswerStep,
  FrameStep,
  NotificationStep,
  OrphanStep,
  RequestStep,
  UpdateStep,
} from './listen.ts';
import { timeOf, type Frame, type Seq, type Side } from '../trace/event.ts';

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

export class AnyStep<M extends Message = Message> implements FrameStep {
  readonly frame: Frame;
  readonly seq: Seq;
  readonly at: Millis;
  readonly from: Side;
  readonly message: M;
  readonly size: number;
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

  remarks(): readonly SchemaRemark[] {
    const { remarksOf, version } = this.#asking;
    // What came before a version was chosen is meant for the one that came to be.
    const spoken = this.#version ?? version;
    if (remarksOf === undefined || spoken === undefined) return NO_REMARKS;
    this.#remarks ??= remarksOf(spoken, this.from, this.message, this.method);
    return this.#remarks;
  }
}

export class AnyRequest extends AnyStep<Request> implements RequestStep {
  readonly asked: EarlierRequest;
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

export class AnyNotification extends AnyStep<Notification> implements NotificationStep {
  override get method(): string {
    return this.message.method;
  }
  get params(): Json | undefined {
    return this.message.params;
  }
}

export class AnyUpdate extends AnyNotification implements UpdateStep {
  declare readonly session: Session;
  readonly variant: string;
  readonly update: JsonObject;
  readonly item: ItemKind | undefined;
  readonly itemId: string | undefined;
  readonly place: UpdateStep['place'];

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

  get window(): UpdateStep['window'] {
    return this.place?.as === 'meanwhile' ? undefined : this.place?.window;
  }
  get replay(): boolean {
    return this.place?.as === 'replay';
  }
  get late(): boolean {
    return this.place?.as === 'late';
  }
}

export class AnyAnswer extends AnyStep<Success | Failure> implements AnswerStep {
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
  get result(): Json | undefined {
    return this.message.kind === 'success' ? this.message.result : undefined;
  }
  get error(): Failure['error'] | undefined {
    return this.message.kind === 'failure' ? this.message.error : undefined;
  }
}

export class AnyOrphan extends AnyStep<Success | Failure> implements OrphanStep {}

// The schemas as the checker asks them. Loaded before a check begins, because none of its steps waits.

export async function loadRemarks(): Promise<RemarksOf> {
  const [v1, v2] = await Promise.all([loadSchemaSet(1), loadSchemaSet(2)]);
  return (version, from, message, requestMethod) =>
    frameRemarks(version === 1 ? v1 : v2, from, message, requestMethod);
}
