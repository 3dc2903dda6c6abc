// Who speaks before the handshake is done. Family `init` of the catalogue; which version comes of it
// stands in init.ts.
import { CODE } from '../../acp/message.ts';
import type { Seq } from '../../trace/event.ts';
import type { Handshake } from '../../model/facts/handshake.ts';
import { type Connection, type EarlierRequest, fact } from '../connection.ts';
import { onAnswer, onEnd, onFrame, onRequest, type Listener } from '../listen.ts';
import type { AnswerStep } from '../steps.ts';
import {
  rulesOf,
  fail,
  undecidable,
  unheard,
  type Outcome,
  type RuleFault,
  type Fold,
  answerSeen,
} from '../rule.ts';
import { onCall, type CallStep } from '../remarks.ts';

const HELLO: ReadonlySet<string> = new Set(['initialize', 'proxy/initialize']);

interface Begun {
  /** The client's first request that was no handshake. */
  request: Seq | undefined;
  /** A conductor greeted this side as a proxy, which has a handshake of its own. */
  isProxy: boolean;
  /**
   * What came before any handshake, where the recording did not see the process begin. A handshake
   * after it proves that these are the first frames there were.
   */
  readonly early: (CallStep | AnswerStep)[];
}

const MOST_EARLY = 100;

export const begun = fact<Connection, Begun>(() => ({
  request: undefined,
  isProxy: false,
  early: [],
}));

function keepEarly(step: CallStep | AnswerStep, connection: Connection): void {
  if (connection.started || connection.handshake !== undefined) return;
  const { early } = begun.of(connection);
  if (early.length < MOST_EARLY) early.push(step);
}

export const begunFold: Fold = [
  onRequest('all', ({ from, method, seq }, connection) => {
    if (from === 'client' && !HELLO.has(method)) begun.of(connection).request ??= seq;
  }),
  onRequest(['proxy/initialize'], (_, connection) => {
    begun.of(connection).isProxy = true;
  }),
  ...onCall(keepEarly),
  onAnswer('all', keepEarly),
];

/** Whether the record holds the connection's first frames, and all since; and those are no proxy's. */
function isWhole(connection: Connection): boolean {
  const { started, handshake, gaps } = connection;
  return (started || handshake !== undefined) && gaps === 0 && !begun.of(connection).isProxy;
}

/** Judges what came before a handshake, once that comes. */
function onLateHandshake(judge: (step: CallStep | AnswerStep) => Outcome): Listener<Outcome> {
  return onRequest(['initialize'], ({ from }, connection) => {
    const { early, isProxy } = begun.of(connection);
    if (from !== 'client' || connection.handshake !== undefined || isProxy) return undefined;
    if (connection.gaps > 0) return undefined;
    return early.flatMap((step) => {
      const said = judge(step);
      if (typeof said !== 'object' || !('verdict' in said)) return [];
      return { ...placeOf(step), ...said };
    });
  });
}

function beforeHello({ from, method }: CallStep | AnswerStep): Outcome {
  return from === 'client' && !HELLO.has(method)
    ? fail(`\`${method}\` before \`initialize\``)
    : undefined;
}

function isRequest({ message }: CallStep | AnswerStep): boolean {
  return message.kind === 'request';
}

function accepted({ asked, method, error }: AnswerStep): Outcome {
  if (asked.from !== 'client' || HELLO.has(method)) return undefined;
  if (error?.code === CODE.invalidRequest || error?.code === CODE.methodNotFound) return 'pass';
  const [what, pointer] = answerSeen(error);
  return fail(`${what} for \`${method}\` (#${asked.seq}), before \`initialize\` was answered`, {
    pointer,
    ...(error === undefined ? {} : { severity: 'warning' }),
  });
}

function spoke({ from, method }: CallStep | AnswerStep): Outcome {
  return from === 'agent' ? fail(`\`${method}\` before the answer to \`initialize\``) : undefined;
}

/** Requests before the answer to `initialize`, in a trace that has no frame of the agent yet. */
const unheardEarly = fact<Connection, CallStep[]>(() => []);

function early(
  { method }: CallStep,
  { asked: { seq, answered } }: Handshake<EarlierRequest>,
): RuleFault {
  return fail(
    answered
      ? `\`${method}\`, although \`initialize\` (#${seq}) failed`
      : `\`${method}\` while \`initialize\` (#${seq}) waits for its answer`,
  );
}

function placeOf({ seq, method, session }: CallStep | AnswerStep) {
  return { seqs: [seq], method, ...(session && { session: session.id }) };
}

export const BEFORE_HANDSHAKE = rulesOf({ needs: 'nothing' })({
  'init/first': {
    side: 'client',
    severity: 'error',
    clause: 'the first request is `initialize`',
    on: [
      onRequest('all', (step, connection) => {
        if (step.from !== 'client' || connection.handshake !== undefined) return undefined;
        if (step.method === 'initialize')
          return begun.of(connection).early.some(isRequest) ? undefined : 'pass';
        if (!connection.started || begun.of(connection).isProxy) return undefined;
        const said = beforeHello(step);
        if (said === undefined || connection.gaps === 0) return said;
        return undecidable(
          `\`${step.method}\` before \`initialize\`, but events are missing before it`,
          'a recording without a gap',
        );
      }),
      onLateHandshake((step) => (isRequest(step) ? beforeHello(step) : undefined)),
    ],
  },
  'init/early-request': {
    side: 'client',
    severity: 'error',
    clause: 'nothing is asked until `initialize` is answered',
    on: [
      onRequest('all', (step, connection) => {
        const { handshake, gaps } = connection;
        if (step.from !== 'client' || step.method === 'initialize' || handshake === undefined)
          return undefined;
        if (handshake.result !== undefined) return 'pass';
        if (gaps > 0)
          return undecidable(
            'events are missing, and the answer to `initialize` may be among them',
            'a recording without a gap',
          );
        if (connection.hears('agent')) return early(step, handshake);
        unheardEarly.of(connection).push(step);
        return undefined;
      }),
      // A frame of the agent shows that its answer would be in the trace.
      onFrame(({ from }, connection) => {
        const { handshake } = connection;
        if (from !== 'agent' || handshake === undefined) return undefined;
        const steps = unheardEarly.of(connection).splice(0);
        return steps.map((step) => ({ ...placeOf(step), ...early(step, handshake) }));
      }),
      onEnd((_, connection) =>
        unheardEarly.of(connection).map((step) => unheard('agent', placeOf(step))),
      ),
    ],
  },
  'init/early-accept': {
    side: 'agent',
    severity: 'warning',
    clause: 'what is asked before `initialize` is answered is refused with −32600',
    on: [
      onAnswer('all', (step, connection) => {
        // Once it has answered, an agent cannot tell who did not wait.
        if (connection.handshake?.result !== undefined || !isWhole(connection)) return undefined;
        return accepted(step);
      }),
      onLateHandshake((step) => ('error' in step ? accepted(step) : undefined)),
    ],
  },
  'init/agent-talks-first': {
    side: 'agent',
    severity: 'warning',
    clause: 'the agent sends nothing of its own before it has answered `initialize`',
    on: [
      ...onCall((step: CallStep, connection) => {
        if (step.from === 'agent' && connection.handshake?.result !== undefined) return 'pass';
        // A recording that was begun later shows no handshake either.
        return isWhole(connection) ? spoke(step) : undefined;
      }),
      onLateHandshake((step) => ('error' in step ? undefined : spoke(step))),
    ],
  },
});
