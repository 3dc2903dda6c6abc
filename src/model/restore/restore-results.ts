// What came of each restore of a session: its verdict, in words too, whether it is as the protocol
// makes due, and the frames behind it. Only frames decide; where they do not, the words say what is
// missing.
import { CODE, type Json, type Message } from '../../acp/message.ts';
import { str } from '../../acp/json.ts';
import { defined } from '../../lib/defined.ts';
import type { ConnectionId, Seq, TraceEvent } from '../../trace/event.ts';
import { CLIENT, ERR, REQ } from '../columns.ts';
import { hasGap } from '../indexed-trace.ts';
import { cursorIds } from './cursor-values.ts';
import { isSurelyLate } from './late.ts';
import { saidBy } from '../timeline/digest.ts';
import { type ClauseSeen, judgeRestore, type JudgedRestore } from './clauses.ts';
import { askedOf, type RestoreAsked, type Came, type Named } from './clauses/clause.ts';
import { seenIn, type SeenIn } from './restore-seen.ts';
import { isMade } from '../facts/sessions.ts';
import type { Elsewhere, RestoreEvidence, RestoreVerdict } from './restore-verdict.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';
import type { TraceIndex } from '../trace-index.ts';

/** One past restore of a session, for the results table. */
export interface RestoreResult {
  /** The trace it lies in: links to its frames name it. */
  readonly connection: ConnectionId;
  readonly window: ReplayWindowView;
  readonly verdict: RestoreVerdict;
  /** What came, or what is wrong and what was due (restore-words.ts says it). */
  readonly seen: readonly ClauseSeen[];
  /** Whether it is as due; undefined where the trace cannot decide. */
  readonly due: boolean | undefined;
  /** In the order of the trace. */
  readonly evidence: readonly RestoreEvidence[];
  /** v2: the last state the agent told before its answer. */
  readonly stateBeforeAnswer?: string;
}

type EventAt = (place: number) => TraceEvent;

/** Of one window, forks too. */
export function restoreResult(
  index: TraceIndex,
  eventAt: EventAt,
  window: WindowRecord,
  elsewhere: Elsewhere = {},
): RestoreResult {
  const { connection, handshake } = index.facts();
  const found = seenIn(index, window);
  const seen = {
    ...found,
    known: found.known || elsewhere.history === true,
    begins: found.begins ?? beginsElsewhere(found, window, elsewhere),
  };
  const { method, version, session } = window;
  const params = paramsOf(messageAt(eventAt, window.request));
  const asked = askedOf(method, version, params, handshake ?? NOT_TOLD);
  const answer = messageAt(eventAt, window.answer);
  const refused = window.outcome === 'answered' ? refusedLater(index, eventAt, window) : undefined;
  const view = index.windowView(window);
  const { outcome, problem } = view;
  const came: Came = {
    ...seen,
    code: codeOf(answer),
    problem: problem ?? '',
    late: window.late,
    isSurelyLate: seen.isMarked
      ? window.late > 0
      : isSurelyLate({ index, eventAt }, window, elsewhere.traces ?? []),
    isLost: hasGap({ index, eventAt }, window),
    named: namedIn(asked, seen, window, elsewhere),
    gone: window.deleted || elsewhere.gone === true,
    isKnown: seen.known || isMade(session) || elsewhere.known === true,
    otherSession: otherSession(answer, window),
    refusedNext: refused !== undefined,
  };
  const { verdict, due, seen: told } = judged(asked, came, outcome, problem);
  return {
    connection,
    window: view,
    verdict,
    seen: told,
    due,
    evidence: evidenceOf(
      index,
      window,
      asked,
      verdict === 'restored-nothing' ? refused : undefined,
    ),
    ...(seen.state === undefined ? {} : { stateBeforeAnswer: seen.state }),
  };
}

/** No trace of a handshake: nothing was advertised. */
const NOT_TOLD = { clientCapabilities: {}, agentCapabilities: {}, authMethods: [] };

function judged(
  asked: RestoreAsked,
  came: Came,
  outcome: ReplayWindowView['outcome'],
  problem: string | undefined,
): JudgedRestore {
  if (outcome === 'open') return { verdict: 'open', due: undefined, seen: [] };
  if (outcome !== 'incomplete') return judgeRestore(asked, came);
  const ended: ClauseSeen = { clause: 'answer', code: 'ended', facts: defined({ problem }) };
  return { verdict: 'incomplete', due: undefined, seen: [ended] };
}

/** A terminal or a plan counts only if the cursor names it. */
function namedIn(
  { cursor }: RestoreAsked,
  { items }: SeenIn,
  { session }: WindowRecord,
  elsewhere: Elsewhere,
): Named {
  const ids = cursor === undefined ? [] : cursorIds(cursor);
  const named = session.items.find(ids);
  const isNamed = ({ item }: { readonly item: number }) => named.includes(item);
  const came = items.filter((one) => one.isHistory || isNamed(one));
  const [first] = came;
  return {
    isKnown: named.length > 0 || elsewhere.items?.some(({ id }) => ids.includes(id)) === true,
    first: first && (isNamed(first) ? 'named' : 'other'),
    isThere: came.some(isNamed),
  };
}

/** As another trace knows the order of the session's items. */
function beginsElsewhere(
  { items, isNamed }: SeenIn,
  { session }: WindowRecord,
  elsewhere: Elsewhere,
): SeenIn['begins'] {
  const first = items.find(({ isHistory }) => isHistory)?.item;
  const known = elsewhere.items;
  if (!isNamed || first === undefined || known === undefined) return undefined;
  const named = session.items.all().filter(({ index }) => index === first);
  for (const { kind, id } of named) {
    const place = known.filter((other) => other.kind === kind).findIndex((one) => one.id === id);
    if (place >= 0) return place === 0 ? 'start' : 'later';
  }
  return undefined;
}

function evidenceOf(
  { columns }: TraceIndex,
  window: WindowRecord,
  { cursor }: RestoreAsked,
  refused: number | undefined,
): RestoreEvidence[] {
  const { root } = window;
  const at = (what: RestoreEvidence['what'], place: number | undefined): RestoreEvidence[] =>
    place === undefined || place < 0 ? [] : [{ what, seq: columns.seqOf(place) as Seq }];
  const named = cursor === undefined ? [] : window.session.items.find(cursorIds(cursor));
  return [
    ...at('named', named.length === 0 ? undefined : Math.min(...named)),
    ...at('request', window.request),
    ...at('first replayed', root.first),
    ...at('last replayed', root.last === root.first ? undefined : root.last),
    ...at('state', root.stateAt),
    ...at('answer', window.answer),
    ...at('end', window.answer < 0 ? window.end : undefined),
    ...at('last late', window.late > 0 ? window.lastLate : undefined),
    ...at('refused', refused),
  ].sort((a, b) => a.seq - b.seq);
}

/** A result that names another session than the one asked for. */
function otherSession(answer: Message | undefined, window: WindowRecord): string | undefined {
  if (answer?.kind !== 'success' || window.method === 'session/fork') return undefined;
  const named = str(answer.result, 'sessionId');
  return named === undefined || named === window.session.sessionId ? undefined : named;
}

/** The answer to the session's next request, if that says that there is no such session. */
function refusedLater(
  { columns }: TraceIndex,
  eventAt: EventAt,
  { session, answer }: WindowRecord,
): number | undefined {
  for (let place = answer + 1; place < columns.length; place++) {
    if (columns.session.get(place) !== session.index + 1) continue;
    if (columns.kind.get(place) !== REQ || columns.side.get(place) !== CLIENT) continue;
    const reply = columns.partnerOf(place);
    if (reply === undefined || columns.kind.get(reply) !== ERR) return undefined;
    if (columns.nameOf(place) === 'session/delete') return undefined;
    return codeOf(messageAt(eventAt, reply)) === CODE.notFound ? reply : undefined;
  }
  return undefined;
}

function messageAt(eventAt: EventAt, place: number): Message | undefined {
  return place < 0 ? undefined : saidBy(eventAt(place));
}

function paramsOf(message: Message | undefined): Json | undefined {
  return message?.kind === 'request' ? message.params : undefined;
}

function codeOf(message: Message | undefined): number | undefined {
  return message?.kind === 'failure' ? message.error.code : undefined;
}
