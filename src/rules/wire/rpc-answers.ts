// Who answers what, and how often: ids that wait, answers to nothing, requests left waiting. Family
// `rpc` of the catalogue.
import { CODE, idKey, type RequestId } from '../../acp/message.ts';
import { REMOVED } from './methods.ts';
import { shutGate } from '../../acp/gate.ts';
import { methodsNamed, OPENERS, supportOf } from '../../acp/methods.ts';
import {
  type EarlierRequest,
  type Connection,
  type EarlierFrame,
  crashWords,
} from '../connection.ts';
import { onAnswer, onEnd, onOrphan, onRequest } from '../listen.ts';
import type { EndStep } from '../steps.ts';
import {
  rulesOf,
  fail,
  undecidable,
  unheard,
  type RuleFault,
  type Undecided,
  answerSeen,
} from '../rule.ts';
import { newerMethod } from '../unknown.ts';
import { cancelOf, isCancelledQuestion } from '../asking/permissions.ts';
import { turnOf } from '../turns/turn-facts.ts';
import { otherSide, type Seq, type Side } from '../../trace/event.ts';
import { answerOnStderr, silenceEvidence } from './silence.ts';

/** The id of the same meaning and another JSON type: of `1`, `"1"`. */
function twin(id: RequestId): RequestId | undefined {
  if (id.type === 'number') return { type: 'string', token: JSON.stringify(id.token) };
  if (id.type !== 'string') return undefined;
  const bare = id.token.slice(1, -1);
  return /^-?\d+$/.test(bare) ? { type: 'number', token: bare } : undefined;
}

/** Requests that wait for a person, or for work of any length. A prompt of v2 is only taken in. */
const LONG: ReadonlySet<string> = new Set([
  'session/prompt',
  'session/request_permission',
  'elicitation/create',
  'terminal/wait_for_exit',
  'authenticate',
  'auth/login',
]);
/** Milliseconds of silence in which anything that is done at once has been done. */
const LONG_ENOUGH = 30_000;
/** Milliseconds in which an answer that was logged is written, too. */
const SOON = 1000;

function unanswered(
  asked: EarlierRequest,
  connection: Connection,
  end: EndStep,
): (RuleFault | Undecided)[] {
  // Whether a cancelled request is answered is a rule of its own: cancel/request-unanswered.
  if (asked.cancelled !== undefined) return [];
  // And whether a question of a cancelled turn is: perm/answer-after-cancel.
  if (connection.version === 1 && isCancelledQuestion(asked)) return [];
  const { seq, request } = asked;
  const where = owedAt(asked, seq);
  if (!connection.hears(otherSide(asked.from))) return [unheard(otherSide(asked.from), where)];
  const why = whyAnswerDue(asked, connection, end);
  const stray = answerOnStderr(asked, connection);
  if (stray !== undefined && (why !== undefined || end.at - stray.at >= SOON))
    return [
      fail(
        `the answer to \`${request.method}\` was written to stderr (#${stray.seq}), not to stdout`,
        {
          ...where,
          seqs: [seq, stray.seq],
        },
      ),
    ];
  if (why !== undefined) {
    if (isLeftToCancel(asked, connection)) return [];
    const { words, seqs } = silenceEvidence(where.side, seq, asked.session, connection);
    const said = `no answer to \`${request.method}\`: ${why}${words}`;
    return [fail(said, { ...where, seqs: [seq, ...seqs] })];
  }
  return [
    undecidable(
      `\`${request.method}\` was still open when the trace ended`,
      'a recording that goes on until the answer, or for 30 s of silence',
      where,
    ),
  ];
}

/** Where a request stands that the other side owes an answer. */
export function owedAt({ from, request, session }: EarlierRequest, ...seqs: Seq[]) {
  return {
    seqs,
    side: otherSide(from),
    method: request.method,
    ...(session === undefined ? {} : { session: session.id }),
  };
}

/** Why the answer should have come before the trace ended; undefined: it may have been on its way. */
export function whyAnswerDue(
  asked: EarlierRequest,
  connection: Connection,
  { at, exit }: EndStep,
): string | undefined {
  const { from, request } = asked;
  const crash = crashWords(exit);
  if (from === 'client' && crash !== undefined) return crash;
  const isTurn = request.method === 'session/prompt' && connection.version !== 2;
  const isLong = LONG.has(request.method) && (request.method !== 'session/prompt' || isTurn);
  // A turn may wait for the client, and people may take as long as they like.
  if (isLong && (!isTurn || hasAny(connection.open.of('agent')))) return undefined;
  const later = isLong ? undefined : laterAnswer(asked, connection);
  if (later !== undefined) return `#${later}, asked later, has one`;
  const passed = isTurn ? whyLost(asked) : undefined;
  if (passed !== undefined) return passed;
  const last = connection.last[otherSide(from)]?.at ?? asked.at;
  const silence = at - Math.max(last, asked.at);
  return silence >= LONG_ENOUGH ? `${Math.round(silence / 1000)} s of silence` : undefined;
}

/**
 * Of a turn that was cancelled it is told by cancel/stop-sending; but not where a later request was
 * answered before the cancel, which had no part in it then.
 */
export function isLeftToCancel(asked: EarlierRequest, connection: Connection): boolean {
  const cancelled = connection.version === undefined ? undefined : cancelOf(asked);
  return cancelled !== undefined && laterAnswer(asked, connection, cancelled) === undefined;
}

function hasAny(requests: Iterable<EarlierRequest>): boolean {
  return requests[Symbol.iterator]().next().done !== true;
}

/**
 * An answered request of the same side that was asked after this one. A session takes as long to begin or
 * to come back as what is in it: only what that very session then did says that it was there.
 */
function laterAnswer(
  { from, seq, session, request: { method } }: EarlierRequest,
  connection: Connection,
  before = Infinity,
): Seq | undefined {
  const opens = OPENERS.some((opener) => opener === method);
  for (const { request, heldIn } of connection.answered[from].values())
    if (request > seq && request < before && (!opens || (heldIn && heldIn === session)))
      return request;
  return undefined;
}

/** Why a turn of v1 is lost, although later ones ended; undefined: it may still run. */
function whyLost(asked: EarlierRequest): string | undefined {
  const open = asked.session ? turnOf.of(asked.session).open : [];
  const { passedBy = [], retry } = open.find((prompt) => prompt.asked === asked) ?? {};
  const [first, second] = passedBy;
  if (first === undefined) return undefined;
  if (second)
    return `the turns of #${first.prompt} and #${second.prompt}, sent later, ended one after the other`;
  if (retry !== first.prompt || Number.isNaN(asked.at)) return undefined;
  return `after a long silence the turn of #${first.prompt}, sent later, ended`;
}

/** A notification was the last thing this side said, and nothing of it waits for an answer. */
function afterNotification(last: EarlierFrame | undefined): boolean {
  return last?.message.kind === 'notification';
}

/** Why a side need not know a method; undefined: it has to. */
function unknownTo(connection: Connection, method: string): boolean {
  const { version } = connection;
  if (version === undefined) return false;
  return !methodsNamed(method).some((known) => supportOf(known, version));
}

/** Codes of what is checked before the method is. */
const EARLIER: readonly number[] = [CODE.authRequired, CODE.invalidRequest, CODE.requestCancelled];

/** The capability that a side would need for a method that the other side sends, and did not advertise. */
function missing(method: string, from: Side, connection: Connection): string | undefined {
  const { version, handshake, authMethods } = connection;
  const { agentCapabilities = {}, clientCapabilities = {} } = connection;
  if (version === undefined || handshake?.result === undefined) return undefined;
  const offered = { agentCapabilities, clientCapabilities, authMethods };
  const gate = shutGate(method, from, version, offered);
  return gate?.by === otherSide(from) && !gate.byAuthMethods ? gate.words : undefined;
}

export const RPC_ANSWERS = rulesOf({ side: 'sender' })({
  'rpc/id-reuse': {
    severity: 'error',
    needs: 'nothing',
    clause: 'an id that still waits for its answer is not used again',
    on: onRequest('all', ({ reusedId, message, from, seq }, connection) => {
      if (!reusedId) return 'pass';
      if (connection.gaps > 0)
        return undecidable(
          `the id ${message.id.token} again, whose first answer may be missing`,
          'a recording without a gap',
          '/id',
        );
      if (!connection.hears(otherSide(from))) return unheard(otherSide(from), '/id');
      const first = connection.open.under(from, message.id);
      const seqs = first === undefined ? [seq] : [first.seq, seq];
      const words = first === undefined ? '' : `, which waits for \`${first.request.method}\``;
      return fail(`the id ${message.id.token} again${words}`, { pointer: '/id', seqs });
    }),
  },
  'rpc/response-unknown-id': {
    severity: 'error',
    needs: 'nothing',
    clause: 'an answer carries the id of an open request of the other side',
    on: [
      onAnswer('all', () => 'pass'),
      onOrphan(({ message, from }, connection) => {
        const { id } = message;
        const asker = otherSide(from);
        if (id.type === 'null' || connection.answered[asker].has(idKey(id))) return undefined;
        if (connection.gaps > 0)
          return undecidable('events are missing before it', 'a recording without a gap');
        if (!connection.hears(asker)) return unheard(asker, '/id');
        const same = twin(id);
        const open = same && connection.open.under(asker, same);
        if (open !== undefined)
          return fail(`the id ${id.token}; the open request has ${open.request.id.token}`, {
            due: 'the id comes back with its JSON type',
            pointer: '/id',
          });
        return fail(`the id ${id.token}, under which no request of the ${asker} waits`, '/id');
      }),
    ],
  },
  'rpc/response-duplicate': {
    severity: 'error',
    needs: 'nothing',
    clause: 'a request is answered once',
    on: [
      onAnswer('all', () => 'pass'),
      onOrphan(({ message, from }, connection) => {
        const done = connection.answered[otherSide(from)].get(idKey(message.id));
        if (done === undefined) return undefined;
        return fail(
          `a second answer to \`${done.method}\` (#${done.request}), answered in #${done.answer}`,
          { pointer: '/id', method: done.method },
        );
      }),
    ],
  },
  'rpc/response-missing': {
    gaps: 'since',
    side: 'receiver',
    severity: 'warning',
    needs: 'nothing',
    clause: 'every request is answered',
    on: [
      onAnswer('all', () => 'pass'),
      onEnd((step, connection) => {
        const open = [...connection.open.of('client'), ...connection.open.of('agent')];
        return open.flatMap((asked) => unanswered(asked, connection, step));
      }),
    ],
  },
  'rpc/response-to-notification': {
    severity: 'error',
    needs: 'nothing',
    clause: 'a notification is never answered',
    on: [
      onAnswer('all', () => 'pass'),
      onOrphan(({ message, from }, connection) => {
        const last = connection.last[otherSide(from)];
        if (message.kind !== 'failure' || message.id.type !== 'null' || !afterNotification(last))
          return undefined;
        const method = last?.message.kind === 'notification' ? last.message.method : '';
        return fail(`an error right after the notification \`${method}\``, { method });
      }),
    ],
  },
  'rpc/null-id-error': {
    severity: 'warning',
    needs: 'nothing',
    clause: 'a null id is for errors whose request could not be read',
    on: onOrphan(({ message, from }, connection) => {
      if (message.id.type !== 'null') return undefined;
      if (message.kind === 'success') return fail('a result with a null id', '/id');
      const last = connection.last[otherSide(from)];
      if (last === undefined || last.message.kind === 'invalid') return 'pass';
      // That is rpc/response-to-notification.
      if (afterNotification(last)) return undefined;
      return fail(`an error with a null id after the well-formed #${last.seq}`, '/id');
    }),
  },
  'rpc/unknown-method-code': {
    severity: 'warning',
    clause: 'a method that is unknown or not advertised is answered with −32601',
    on: onAnswer('all', (step, connection) => {
      const { method, error, asked } = step;
      if (method.startsWith('_')) return undefined;
      const isUnknown = unknownTo(connection, method);
      const path = isUnknown ? undefined : missing(method, asked.from, connection);
      if (!isUnknown && (path === undefined || error === undefined)) return undefined;
      if (error?.code === CODE.methodNotFound) return 'pass';
      // The responder may know a method that no edition here has, or that an earlier schema had.
      if (methodsNamed(method).length === 0)
        if (REMOVED.has(method) || newerMethod(method, step, connection)) return undefined;
      if (path === undefined) return fail(...answerSeen(error));
      if (error && EARLIER.includes(error.code)) return undefined;
      const [seen, pointer] = answerSeen(error);
      return fail(`${seen} for \`${method}\`, although \`${path}\` is not advertised`, pointer);
    }),
  },
});
