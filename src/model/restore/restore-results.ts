// What came of each restore of a session: its verdict, in words too, whether it is as the protocol
// makes due, and the frames behind it. Only frames decide; where they do not, the words say what is
// missing.
import { CODE } from '../../acp/errors.ts';
import { get, str } from '../../acp/json.ts';
import type { Json, Message } from '../../acp/message.ts';
import type { ConnectionId, Seq, TraceEvent } from '../../trace/event.ts';
import { CLIENT, ERR, REQ } from '../columns.ts';
import { cursorIds } from './cursor-values.ts';
import { saidBy } from '../timeline/digest.ts';
import { acceptedFaults, judgeRestore, orderFaults } from './restore-judge.ts';
import { seenIn, type Seen } from './restore-seen.ts';
import { isMade } from '../facts/sessions.ts';
import type { Elsewhere, RestoreEvidence, RestoreVerdict } from './restore-verdict.ts';
import type { WindowRecord } from '../facts/replay-windows.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';
import type { TraceIndex } from '../trace-index.ts';

/** One past restore of a session, for the results table. */
export interface RestoreResult {
  /** The trace it lies in: links to its frames name it. */
  readonly connection: ConnectionId;
  readonly window: ReplayWindowView;
  readonly verdict: RestoreVerdict;
  /** One clause: what came, or what is wrong and what was due. */
  readonly words: string;
  /** Whether it is as due; undefined where the trace cannot decide. */
  readonly due: boolean | undefined;
  /** In the order of the trace. */
  readonly evidence: readonly RestoreEvidence[];
  /** v2: the last state the agent told before its answer. */
  readonly stateBeforeAnswer?: string;
}

type EventAt = (place: number) => TraceEvent;

/** Every restore of the session in this trace, in order. `eventAt`: the event at a place of the index. */
export function restoreResults(
  index: TraceIndex,
  eventAt: EventAt,
  sessionId: string,
  elsewhere: Elsewhere = {},
): RestoreResult[] {
  return index.windowRecords
    .filter(({ session, method }) => session.sessionId === sessionId && method !== 'session/fork')
    .map((window) => restoreResult(index, eventAt, window, elsewhere));
}

/** Of one window, forks too. */
export function restoreResult(
  index: TraceIndex,
  eventAt: EventAt,
  window: WindowRecord,
  elsewhere: Elsewhere = {},
): RestoreResult {
  const { connection, handshake } = index.facts();
  const found = seenIn(index, eventAt, window);
  const seen = {
    ...found,
    known: found.known || elsewhere.history === true,
    begins: found.begins ?? beginsElsewhere(found, window, elsewhere),
  };
  const params = paramsOf(messageAt(eventAt, window.request));
  const cursor = get(params, 'replayFrom');
  const ids = cursor === undefined ? [] : cursorIds(cursor);
  const refused = window.outcome === 'answered' ? refusedLater(index, eventAt, window) : undefined;
  const view = index.windowView(window);
  const { outcome, problem } = view;
  const { verdict, due, words } = judgeRestore({
    window: { ...window, outcome, problem },
    seen,
    params,
    capabilities: handshake?.agentCapabilities,
    code: codeOf(messageAt(eventAt, window.answer)),
    isNamedElsewhere: elsewhere.items?.some(({ id }) => ids.includes(id)) === true,
    isKnown: seen.known || isMade(window.session) || elsewhere.known === true,
    gone: window.deleted || elsewhere.gone === true,
    nothing:
      otherSession(messageAt(eventAt, window.answer), window) ??
      (refused === undefined ? undefined : 'the next request found no session'),
  });
  const faults =
    window.outcome === 'answered'
      ? [...acceptedFaults(window.method, params), ...orderFaults(window, seen)]
      : [];
  // What came too late says best why nothing came before.
  const told = words === '' || due === true || (due === undefined && seen.history === 0);
  const parts = told && faults.length > 0 ? faults : [words, ...faults];
  return {
    connection,
    window: view,
    verdict,
    words: parts.join('; '),
    due: faults.length > 0 ? false : due,
    evidence: evidenceOf(
      index,
      window,
      seen,
      params,
      verdict === 'restored-nothing' ? refused : undefined,
    ),
    ...(seen.state === undefined ? {} : { stateBeforeAnswer: seen.state }),
  };
}

/** As another trace knows the order of the session's items. */
function beginsElsewhere(
  { items }: Seen,
  { session }: WindowRecord,
  elsewhere: Elsewhere,
): Seen['begins'] {
  const first = items.find(({ isHistory }) => isHistory)?.item;
  const known = elsewhere.items;
  if (first === undefined || known === undefined) return undefined;
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
  seen: Seen,
  params: Json | undefined,
  refused: number | undefined,
): RestoreEvidence[] {
  const at = (what: RestoreEvidence['what'], place: number | undefined): RestoreEvidence[] =>
    place === undefined || place < 0 ? [] : [{ what, seq: columns.seqOf(place) as Seq }];
  const cursor = get(params, 'replayFrom');
  const named = cursor === undefined ? [] : window.session.items.find(cursorIds(cursor));
  return [
    ...at('named', named.length === 0 ? undefined : Math.min(...named)),
    ...at('request', window.request),
    ...at('first replayed', seen.first),
    ...at('last replayed', seen.last === seen.first ? undefined : seen.last),
    ...at('state', seen.statePlace),
    ...at('answer', window.answer),
    ...at('end', window.answer < 0 ? window.end : undefined),
    ...at('last late', window.lastLate),
    ...at('refused', refused),
  ].sort((a, b) => a.seq - b.seq);
}

/** A result that names another session than the one asked for. */
function otherSession(answer: Message | undefined, window: WindowRecord): string | undefined {
  if (answer?.kind !== 'success' || window.method === 'session/fork') return undefined;
  const named = str(answer.result, 'sessionId');
  return named === undefined || named === window.session.sessionId
    ? undefined
    : `it names another session, ${named}`;
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
