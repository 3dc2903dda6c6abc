// What rules and folds listen to. Each is asked about the steps it names and no others, so that a
// frame costs what concerns it, however many rules there are.
import type { Connection, Session } from './connection.ts';
import type {
  AnswerStep,
  EndStep,
  FrameStep,
  NotificationStep,
  OrphanStep,
  ReplayStep,
  RequestStep,
  StderrStep,
  TransportStep,
  UpdateStep,
} from './steps.ts';

interface Steps {
  /** Every frame, also one that is no message. */
  readonly frame: FrameStep;
  readonly request: RequestStep;
  readonly notification: NotificationStep;
  readonly answer: AnswerStep;
  readonly orphan: OrphanStep;
  readonly update: UpdateStep;
  readonly transport: TransportStep;
  /** A line that the agent wrote to stderr. */
  readonly stderr: StderrStep;
  /** A restore that ended, compared with the live session. */
  readonly replay: ReplayStep;
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
export function onStderr<R>(run: RunStep<'stderr', R>): Listener<R> {
  return { kind: 'stderr', names: undefined, run };
}
export function onReplay<R>(run: RunStep<'replay', R>): Listener<R> {
  return { kind: 'replay', names: undefined, run };
}
export function onEnd<R>(run: RunStep<'end', R>): Listener<R> {
  return { kind: 'end', names: undefined, run };
}

/** At the end, of each session that was met. */
export function onEndOfEach<F>(
  run: (session: Session, step: EndStep, connection: Connection) => readonly F[],
): Listener<readonly F[]> {
  return onEnd((step, connection) =>
    [...connection.sessions.values()].flatMap((session) => run(session, step, connection)),
  );
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
export type RuleStep = FrameStep | TransportStep | StderrStep | ReplayStep | EndStep;

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
    stderr: of('stderr'),
    replay: of('replay'),
    end: of('end'),
  };
}
