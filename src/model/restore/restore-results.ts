// What came of each restore of a session: its verdict, in words too, whether it is as the protocol
// makes due, and the frames behind it. Only frames decide; where they do not, the words say what is
// missing.
import type { Json, Message } from '../../acp/message.ts';
import { endsLife } from '../../acp/methods.ts';
import { str } from '../../acp/json.ts';
import { defined } from '../../lib/defined.ts';
import type { ConnectionId, Seq, TraceEvent } from '../../trace/event.ts';
import { CLIENT, ERR, FLAG, REQ, type Columns } from '../columns.ts';
import { hasGap, type IndexedTrace } from '../indexed-trace.ts';
import { cursorIds } from './cursor-values.ts';
import { saidBy } from '../timeline/digest.ts';
import { type ClauseSeen, type RuledRestore, judgeRestore } from './clauses.ts';
import { type Came, type Named, type RestoreAsked, askedOf } from './clauses/clause.ts';
import { type SeenIn, seenIn } from './restore-seen.ts';
import { type SessionRecord, isMade } from '../facts/sessions.ts';
import type {
  Elsewhere,
  NamedItem,
  RestoreEvidence,
  RestoreVerdict,
  SearchedTrace,
} from './restore-verdict.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';
import type { TraceIndex } from '../trace-index.ts';
import { deniesSession } from '../facts/denial.ts';
import { isHistory } from '../facts/variants.ts';
import type { ReplayFault, ReplayRule } from '../replay/faults.ts';

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

/** Returns the result of one restore or fork. `compared`: the faults of its replay beside the live session. */
export function restoreResult(
  { connection, index, eventAt }: IndexedTrace,
  window: WindowRecord,
  compared: readonly ReplayFault[],
  elsewhere: Elsewhere = {},
): RestoreResult & RuledRestore {
  const found = seenIn(index, window);
  const seen = {
    ...found,
    known: found.known || elsewhere.history === true,
    begins: found.begins ?? beginsElsewhere(found, window, elsewhere),
  };
  const { method, version, session } = window;
  const params = paramsOf(messageAt(eventAt, window.request));
  const asked = askedOf(method, version, params, index.handshake ?? NOT_TOLD);
  const answer = messageAt(eventAt, window.answer);
  const refused = window.outcome === 'answered' ? refusedLater(index, eventAt, window) : undefined;
  const view = index.windowView(window);
  const { outcome, problem } = view;
  const isFound = (rule: ReplayRule, of?: string) =>
    compared.some(
      (one) => one.rule === rule && one.verdict === 'fail' && (of ?? one.session) === one.session,
    );
  const isKept = isMade(session) || elsewhere.known === true;
  const { made, prompted, active } = window.life;
  const came: Came = {
    ...seen,
    requestSeq: window.seq as Seq,
    answerSeq: window.answerSeq as Seq,
    code: codeOf(answer),
    problem: problem ?? '',
    late: window.late,
    isSurelyLate: isFound('replay/after-response') || isLateBeforeAnswer(index, window),
    isNotWhole: WHOLENESS.some((rule) => isFound(rule, session.sessionId)),
    isLost: hasGap({ index, eventAt }, window),
    named: namedIn(asked, seen, window, elsewhere),
    gone: window.deleted || elsewhere.gone === true,
    isKnown: seen.known || isKept,
    isStored: seen.known && isKept,
    isDenied:
      !window.deleted &&
      (active ? prompted || elsewhere.history === true : prompted && made !== undefined) &&
      isDenial(answer, session) &&
      !isEnding(index, window),
    denies: isDenial(answer, session),
    isOpen: active,
    madeSeq: made,
    isLostSince: () => hasGapSince({ index, eventAt }, made, window),
    otherSession: otherSession(answer, window),
    refusedNext: refused !== undefined,
  };
  const told = judged(asked, came, outcome, problem);
  return {
    connection,
    window: view,
    ...told,
    evidence: evidenceOf(
      index,
      window,
      asked,
      told.verdict === 'restored-nothing' ? refused : undefined,
    ),
    ...(seen.state === undefined ? {} : { stateBeforeAnswer: seen.state }),
  };
}

const WHOLENESS = ['replay/empty', 'replay/missing-history', 'replay/order'] as const;

/** No trace of a handshake: nothing was advertised. */
const NOT_TOLD = { clientCapabilities: {}, agentCapabilities: {}, authMethods: [] };

function judged(
  asked: RestoreAsked,
  came: Came,
  outcome: ReplayWindowView['outcome'],
  problem: string | undefined,
): RuledRestore {
  if (outcome === 'open') return { verdict: 'open', due: undefined, seen: [], ...UNRULED };
  if (outcome !== 'incomplete') return judgeRestore(asked, came);
  const ended: ClauseSeen = { clause: 'answer', code: 'ended', facts: defined({ problem }) };
  return { verdict: 'incomplete', due: undefined, seen: [ended], ...UNRULED };
}

/** No rule judges a restore without a response. */
const UNRULED = { faults: [], judged: [] };

/** A terminal or a plan counts only if the cursor names it. */
function namedIn(
  { cursor, wish }: RestoreAsked,
  { items }: SeenIn,
  window: WindowRecord,
  elsewhere: Elsewhere,
): Named {
  const { session } = window;
  const ids = cursor === undefined ? [] : cursorIds(cursor);
  const named = session.items.find(ids);
  const isNamed = ({ item }: { readonly item: number }) => named.includes(item);
  const came = items.filter((one) => one.isHistory || isNamed(one));
  const [first] = came;
  const before = wish === 'custom' ? historyBefore(window, elsewhere) : [];
  return {
    isKnown: named.length > 0 || elsewhere.items?.some(({ id }) => ids.includes(id)) === true,
    first: first && (isNamed(first) ? 'named' : 'other'),
    firstSeq: first?.seq,
    isFromStart: namesOf(session, first?.item).some(
      ({ kind, id }) => before[0]?.kind === kind && before[0].id === id,
    ),
    before: before.length,
    isThere: came.some(isNamed),
  };
}

/** Returns the messages and tool calls that a trace knows from before the restore, in order: the longer list of this trace and another. */
function historyBefore(
  { session, request }: WindowRecord,
  { items = [] }: Elsewhere,
): readonly NamedItem[] {
  const here = session.items.all().filter(({ index }) => index < request);
  const [one, two] = [here, items].map((all) => all.filter(({ kind }) => isHistory(kind)));
  const known = (one ?? []).length > (two ?? []).length ? one : two;
  return (known ?? []).toSorted((a, b) => a.index - b.index);
}

/** The ids of the item that an event was the first to speak of. */
function namesOf({ items }: SessionRecord, first: number | undefined): readonly NamedItem[] {
  return first === undefined ? [] : items.all().filter(({ index }) => index === first);
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
  for (const { kind, id } of namesOf(session, first)) {
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

/** True if the frame is a request of the client. */
function isRequest({ kind, side }: Columns, place: number): boolean {
  return kind.get(place) === REQ && side.get(place) === CLIENT;
}

/** The answer to the session's next request, if that says that there is no such session. */
function refusedLater(
  { columns }: TraceIndex,
  eventAt: EventAt,
  { session, answer }: WindowRecord,
): number | undefined {
  for (const place of columns.placesFrom(session.index, answer + 1)) {
    if (!isRequest(columns, place)) continue;
    const reply = columns.partnerOf(place);
    if (reply === undefined || columns.kind.get(reply) !== ERR) return undefined;
    if (columns.nameOf(place) === 'session/delete') return undefined;
    return isDenial(messageAt(eventAt, reply), session) ? reply : undefined;
  }
  return undefined;
}

function isDenial(answer: Message | undefined, { sessionId }: SessionRecord): boolean {
  return answer?.kind === 'failure' && deniesSession(answer.error, sessionId);
}

/** True if a request to close or delete the session awaited its response while the restore did. */
function isEnding({ columns }: TraceIndex, { session, request, answer }: WindowRecord): boolean {
  for (const place of columns.placesOf(session.index)) {
    if (place >= answer) break;
    if (!isRequest(columns, place) || !endsLife(columns.nameOf(place))) continue;
    const reply = columns.partnerOf(place);
    if (reply === undefined || reply > request) return true;
  }
  return false;
}

function hasGapSince(trace: SearchedTrace, made: Seq | undefined, { answer }: WindowRecord) {
  return made !== undefined && hasGap(trace, { request: trace.index.indexOf(made), answer });
}

/** True if history came between the marker that called it complete and the response. */
function isLateBeforeAnswer({ columns }: TraceIndex, { request, answer, late }: WindowRecord) {
  for (let place = request; late > 0 && place < answer; place++)
    if (columns.has(place, FLAG.late)) return true;
  return false;
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
