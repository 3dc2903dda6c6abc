// What rules and folds listen to. Each is asked about the steps it names and no others, so that a
// frame costs what concerns it, however many rules there are.
import type {
  Failure,
  Json,
  JsonObject,
  Message,
  Notification,
  Request,
  Success,
} from '../acp/message.ts';
import type { SchemaRemark } from '../acp/schema/frame-check.ts';
import type { Millis } from '../lib/time.ts';
import type { ItemKind } from '../model/facts/variants.ts';
import type { WindowPlace } from '../model/facts/window.ts';
import type { Connection, EarlierRequest, RestoreWindow, Session } from './connection.ts';
import type { Exit, Frame, Seq, Side, Transport } from '../trace/event.ts';

// What a rule is shown of a frame: the message, what it belongs to, and what it is to a restore. The
// connection beside it is as it was before the frame.

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
  readonly asked: EarlierRequest;
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
  readonly asked: EarlierRequest;
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
  readonly place: WindowPlace<Session, RestoreWindow> | undefined;
  /** Set where the frame is history replay, late or not, or tells how things stand after it. */
  readonly window: RestoreWindow | undefined;
  /** It is history replay: inside a window and not live work (`is:replay`). */
  readonly replay: boolean;
  /** It is history that came after its window's answer (`is:late`). */
  readonly late: boolean;
}

/** What the transport did beside its frames, of an agent reached by URL. */
interface TransportStep {
  readonly fact: Transport;
  readonly seq: Seq;
  readonly at: Millis;
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

interface Steps {
  /** Every frame, also one that is no message. */
  readonly frame: FrameStep;
  readonly request: RequestStep;
  readonly notification: NotificationStep;
  readonly answer: AnswerStep;
  readonly orphan: OrphanStep;
  readonly update: UpdateStep;
  readonly transport: TransportStep;
  /** Nothing came for a while: what may come late did not. */
  readonly quiet: QuietStep;
  readonly end: EndStep;
}
export type StepKind = keyof Steps;

type RunStep<K extends StepKind, R> = (step: Steps[K], connection: Connection) => R;

/** `names`: methods, or update variants; undefined: all. */
export type Listener<R> = {
  readonly [K in StepKind]: {
    readonly kind: K;
    readonly names: readonly string[] | undefined;
    readonly run: RunStep<K, R>;
  };
}[StepKind];

/** `all`, or names of methods or update variants. */
type Names = 'all' | readonly string[];

function named(names: Names): readonly string[] | undefined {
  return names === 'all' ? undefined : names;
}

export function onFrame<R>(run: RunStep<'frame', R>): Listener<R> {
  return { kind: 'frame', names: undefined, run };
}
export function onRequest<R>(methods: Names, run: RunStep<'request', R>): Listener<R> {
  return { kind: 'request', names: named(methods), run };
}
/** `session/update` is a notification too. */
export function onNotification<R>(methods: Names, run: RunStep<'notification', R>): Listener<R> {
  return { kind: 'notification', names: named(methods), run };
}
export function onAnswer<R>(methods: Names, run: RunStep<'answer', R>): Listener<R> {
  return { kind: 'answer', names: named(methods), run };
}
export function onOrphan<R>(run: RunStep<'orphan', R>): Listener<R> {
  return { kind: 'orphan', names: undefined, run };
}
export function onUpdate<R>(variants: Names, run: RunStep<'update', R>): Listener<R> {
  return { kind: 'update', names: named(variants), run };
}
export function onTransport<R>(run: RunStep<'transport', R>): Listener<R> {
  return { kind: 'transport', names: undefined, run };
}
/** At the end too, unless it was quiet before. */
export function onQuiet<R>(run: RunStep<'quiet', R>): Listener<R> {
  return { kind: 'quiet', names: undefined, run };
}
export function onEnd<R>(run: RunStep<'end', R>): Listener<R> {
  return { kind: 'end', names: undefined, run };
}

/** Runs of one kind of step by name, in the order given. */
class Dispatch<R, W> {
  readonly #any: readonly RuleEntry<R, W>[];
  readonly #byName = new Map<string, RuleEntry<R, W>[]>();

  constructor(entries: readonly RuleEntry<R, W>[]) {
    this.#any = entries.filter(({ names }) => names === undefined);
    for (const entry of entries)
      for (const name of entry.names ?? []) {
        const list = this.#byName.get(name);
        if (list) list.push(entry);
        else this.#byName.set(name, [...this.#any, entry]);
      }
  }

  /** Those that listen to all of them, then those that listen to this name. */
  of(name: string): readonly RuleEntry<R, W>[] {
    return this.#byName.get(name) ?? this.#any;
  }
}

/** A run that forgot which kind of step it takes; its dispatch knows. */
type AnyRun<R> = (step: RuleStep, connection: Connection) => R;

/** Of whatever kind. */
export type RuleStep = FrameStep | TransportStep | QuietStep | EndStep;

interface RuleEntry<R, W> {
  readonly who: W;
  readonly names: readonly string[] | undefined;
  readonly run: AnyRun<R>;
}

export type Dispatches<R, W> = Readonly<Record<StepKind, Dispatch<R, W>>>;

export function dispatches<R, W>(
  all: readonly { readonly who: W; readonly on: readonly Listener<R>[] }[],
): Dispatches<R, W> {
  const of = (wanted: StepKind) =>
    new Dispatch(
      all.flatMap(({ who, on }) =>
        on.flatMap(({ kind, names, run }) =>
          // The kind names the step that the run takes; only steps of that kind are given to it.
          kind === wanted ? [{ who, names, run: run as AnyRun<R> }] : [],
        ),
      ),
    );
  return {
    frame: of('frame'),
    request: of('request'),
    notification: of('notification'),
    answer: of('answer'),
    orphan: of('orphan'),
    update: of('update'),
    transport: of('transport'),
    quiet: of('quiet'),
    end: of('end'),
  };
}
