// Work that the client cancels piece by piece, in v2: tool calls and terminals of the agent. Family
// `tool` of the catalogue.
import { CODE } from '../../acp/message.ts';
import { get, isObject, str } from '../../acp/json.ts';
import { isFinal } from '../../acp/update.ts';
import type { Seq } from '../../trace/event.ts';
import { type EarlierRequest, type Connection, type Session, fact } from '../connection.ts';
import { onAnswer, onEnd, onRequest, onUpdate, onEndOfEach } from '../listen.ts';
import type { AnswerStep, EndStep, UpdateStep } from '../steps.ts';
import {
  rulesOf,
  fail,
  undecidable,
  type RuleFault,
  type Undecided,
  quote,
  type Fold,
  answerSeen,
} from '../rule.ts';
import { displayTerminals } from './terminals.ts';
import { isReplay, offersCancel, toolCalls } from './tool-facts.ts';
import { knownFromStart } from './tools.ts';

const CANCELS = ['tool_call/cancel', 'terminal/cancel'] as const;

/** What was asked to be cancelled, as it stood when the request came. */
interface Target {
  readonly asked: EarlierRequest;
  readonly what: 'tool call' | 'terminal';
  readonly id: string;
  readonly was: 'unknown' | 'ended' | 'live';
  readonly session: Session;
  /** The answer that accepted it; undefined so far. */
  accepted: Pick<AnswerStep, 'seq' | 'at'> | undefined;
}

/** Milliseconds after which a cancel that was accepted should have been confirmed. */
const LONG_ENOUGH = 30_000;

/** Cancels without their confirmation so far, by `what` and id; those of a connection together. */
const cancels = fact<Connection, Map<string, Target>>(() => new Map());

function keyOf(what: Target['what'], session: Session, id: string): string {
  return `${what} ${session.id} ${id}`;
}

function targetOf(asked: EarlierRequest): Omit<Target, 'was'> | undefined {
  const { session, request } = asked;
  const what = request.method === 'terminal/cancel' ? 'terminal' : 'tool call';
  const id = str(request.params, what === 'terminal' ? 'terminalId' : 'toolCallId');
  if (session === undefined || id === undefined) return undefined;
  return { asked, what, id, session, accepted: undefined };
}

function stateOf({ what, id, session }: Omit<Target, 'was'>): Target['was'] {
  if (what === 'terminal') {
    const terminal = displayTerminals.of(session).get(id);
    return terminal === undefined ? 'unknown' : terminal.exited ? 'ended' : 'live';
  }
  const call = toolCalls.of(session).get(id);
  return call === undefined ? 'unknown' : call.final ? 'ended' : 'live';
}

function waiting(connection: Connection, asked: EarlierRequest): Target | undefined {
  const target = targetOf(asked);
  const held = target && cancels.of(connection).get(keyOf(target.what, target.session, target.id));
  return held?.asked === asked ? held : undefined;
}

/** The accepted cancel that an update confirms. */
function confirmed(step: UpdateStep, connection: Connection): Target | undefined {
  const held = cancels.of(connection);
  if (held.size === 0 || step.itemId === undefined || isReplay(step)) return undefined;
  const terminal = step.variant === 'terminal_update';
  const ends = terminal
    ? isObject(get(step.update, 'exitStatus'))
    : isFinal(str(step.update, 'status'));
  if (!ends) return undefined;
  return held.get(keyOf(terminal ? 'terminal' : 'tool call', step.session, step.itemId));
}

export const cancelFold: Fold = [
  onRequest(CANCELS, ({ asked, from }, connection) => {
    const target = from === 'client' ? targetOf(asked) : undefined;
    if (target === undefined) return;
    const key = keyOf(target.what, target.session, target.id);
    cancels.of(connection).set(key, { ...target, was: stateOf(target) });
  }),
  onAnswer(CANCELS, ({ asked, error, seq, at }, connection) => {
    const target = waiting(connection, asked);
    if (target === undefined) return;
    target.accepted = { seq, at };
    // It may have ended between the request and this answer, which confirms it.
    if (error !== undefined || target.was !== 'live' || stateOf(target) === 'ended')
      cancels.of(connection).delete(keyOf(target.what, target.session, target.id));
  }),
  onUpdate(['tool_call_update', 'terminal_update'], (step, connection) => {
    const target = confirmed(step, connection);
    if (target?.accepted !== undefined)
      cancels.of(connection).delete(keyOf(target.what, target.session, target.id));
  }),
];

const END: Readonly<Record<Target['what'], readonly [a: string, noun: string]>> = {
  terminal: ['an', '`exitStatus`'],
  'tool call': ['a', 'final status'],
};

/** Whether a cancel that nothing confirmed is a fault by now. */
function unconfirmed(target: Target, { at }: EndStep): RuleFault | Undecided {
  const { asked, accepted, what, id, session } = target;
  const more = {
    seqs: [asked.seq, ...(accepted === undefined ? [] : [accepted.seq])],
    side: 'agent',
    session: session.id,
    method: asked.request.method,
  } as const;
  const [a, end] = END[what];
  const seen = `no ${end} of the ${what} ${quote(id)} after it was accepted`;
  if (session.closed !== undefined) return fail(`${seen}, until the session was closed`, more);
  const since = accepted === undefined ? 0 : at - accepted.at;
  if (since >= LONG_ENOUGH) return fail(`${seen}, ${Math.round(since / 1000)} s long`, more);
  const needs = `a recording that goes on until ${a} ${end}, or for 30 s`;
  return undecidable(`${seen}, and the trace ends`, needs, more);
}

/** What an update says of the end and of cancelling, taken together with what was known. */
function staleAt(step: UpdateStep): string | undefined {
  const { update, session, itemId, variant } = step;
  if (itemId === undefined || !offersCancel(get(update, 'capabilities'))) return undefined;
  if (variant === 'terminal_update') {
    const exit = get(update, 'exitStatus');
    const exited = exit === undefined ? displayTerminals.of(session).get(itemId)?.exited : exit;
    return exited ? 'after the exit status' : undefined;
  }
  const status = str(update, 'status') ?? toolCalls.of(session).get(itemId)?.status;
  return isFinal(status) ? `with the status ${status}` : undefined;
}

/** What of a session has ended and may still be cancelled, as far as the client was told. */
function stillOffered(session: Session, last: Seq | undefined): readonly RuleFault[] {
  const faults: RuleFault[] = [];
  const look = (what: Target['what'], id: string, cancel: boolean, ended: Seq | undefined) => {
    // It may be taken back in a frame of its own, which a trace that ends here does not hold.
    if (!cancel || ended === undefined || ended === last) return;
    faults.push(
      fail(`the ${what} ${quote(id)} has ended, and may still be cancelled`, {
        seqs: [ended],
        ...(what === 'terminal' && { sentence: what }),
        side: 'agent',
        session: session.id,
        method: 'session/update',
      }),
    );
  };
  for (const { id, cancel, final } of toolCalls.of(session).values())
    look('tool call', id, cancel, final);
  for (const { id, cancel, exited } of displayTerminals.of(session).values())
    look('terminal', id, cancel, exited);
  return faults;
}

export const TOOL_CANCEL = rulesOf({ versions: [2], side: 'agent' })({
  'tool/cancel-confirm': {
    severity: 'error',
    clause:
      'an accepted cancel is confirmed by a final status or an exit status; of what is unknown or ended, −32602',
    on: [
      onAnswer(CANCELS, ({ asked, error, seq }, connection) => {
        const target = waiting(connection, asked);
        if (target === undefined || target.was === 'live') return undefined;
        if (error?.code === CODE.invalidParams) return 'pass';
        const [got, pointer] = answerSeen(error);
        const seen = `${got} for the ${target.was} ${target.what} ${quote(target.id)}`;
        if (target.was === 'unknown' && !knownFromStart(target.session, connection))
          return undecidable(
            `${seen}; it may have been named before this trace`,
            'a recording from the start of the session',
            pointer,
          );
        return fail(seen, { pointer, seqs: [asked.seq, seq] });
      }),
      onUpdate(['tool_call_update', 'terminal_update'], (step, connection) =>
        confirmed(step, connection) === undefined ? undefined : 'pass',
      ),
      onEnd((step, connection) => {
        const left = [...cancels.of(connection).values()].filter(({ accepted }) => accepted);
        return left.map((target) => unconfirmed(target, step));
      }),
    ],
  },
  'tool/cap-after-final': {
    severity: 'warning',
    clause: 'what has ended is no longer offered for cancelling',
    on: [
      onUpdate(['tool_call_update', 'terminal_update'], (step) => {
        if (get(step.update, 'capabilities') === undefined) return undefined;
        const stale = staleAt(step);
        if (stale === undefined) return 'pass';
        return fail(`\`capabilities.cancel\` ${stale}`, {
          pointer: '/params/update/capabilities/cancel',
          ...(step.variant === 'terminal_update' && { sentence: 'terminal' }),
        });
      }),
      onEndOfEach((session, _, { last }) => stillOffered(session, last.agent?.seq)),
    ],
  },
});
