// What came of each restore of a session: its verdict, in words too, whether it is as the protocol
// makes due, and the frames behind it. Only frames decide; where they do not, the words say what is
// missing.
import type { Json, Message } from '../../acp/message.ts';
import { str } from '../../acp/json.ts';
import { defined } from '../../lib/defined.ts';
import type { ConnectionId, Seq, TraceEvent } from '../../trace/event.ts';
import { CLIENT, ERR, FLAG, REQ } from '../columns.ts';
import { hasGap } from '../indexed-trace.ts';
import { cursorIds } from './cursor-values.ts';
import { saidBy } from '../timeline/digest.ts';
import { type ClauseSeen, type RuledRestore, judgeRestore } from './clauses.ts';
import { type Came, type Named, type RestoreAsked, askedOf } from './clauses/clause.ts';
import { lifeHere, NOTHING_HERE, type SeenIn, seenIn } from './restore-seen.ts';
import { type SessionRecord, isMade } from '../facts/sessions.ts';
import type {
  Elsewhere,
  NamedItem,
  SearchedTrace,
  RestoreEvidence,
  RestoreVerdict,
} from './restore-verdict.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';
import type { TraceIndex } from '../trace-index.ts';
import { isFinal, updateOf } from '../../acp/update.ts';
import { deniesSession } from '../facts/denial.ts';
import { bare, goesOn, textAfter } from '../facts/message-text.ts';
import {
  type ItemKind,
  isHistory,
  isMessageKind,
  itemIdOf,
  itemKindOf,
} from '../facts/variants.ts';
import { mayGoOn } from '../replay/judge.ts';
import { isToldAgain, syntheticText } from '../replay/texts.ts';

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
): RestoreResult & RuledRestore {
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
  const isKept = isMade(session) || elsewhere.known === true;
  // Only an error is explained by what was before.
  const here = answer?.kind === 'failure' ? lifeHere({ index, eventAt }, window) : NOTHING_HERE;
  const came: Came = {
    ...seen,
    requestSeq: window.seq as Seq,
    answerSeq: window.answerSeq as Seq,
    code: codeOf(answer),
    problem: problem ?? '',
    late: window.late,
    isSurelyLate: seen.isMarked
      ? window.late > 0
      : isSurelyLate({ index, eventAt }, window, elsewhere.traces ?? []),
    isLost: hasGap({ index, eventAt }, window),
    named: namedIn(asked, seen, window, elsewhere),
    gone: window.deleted || elsewhere.gone === true,
    isKnown: seen.known || isKept,
    isStored: seen.known && isKept,
    isDenied: !window.deleted && isDenial(answer, session) && here.wasUsed,
    here,
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
    return isDenial(messageAt(eventAt, reply), session) ? reply : undefined;
  }
  return undefined;
}

function isDenial(answer: Message | undefined, { sessionId }: SessionRecord): boolean {
  return answer?.kind === 'failure' && deniesSession(answer.error, sessionId);
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

// Of what came behind the end of a window: whether some of it is history for sure. While nothing runs a
// user's message is, and what was said before; of anything else, and of a tool call that had not ended,
// nobody can tell (`mayGoOn`).

/** `earlier`: traces that began before this one. */
function isSurelyLate(
  here: SearchedTrace,
  window: WindowRecord,
  earlier: readonly SearchedTrace[],
): boolean {
  const { index } = here;
  const { columns } = index;
  const { lastLate, end, id } = window;
  const said = new Map<SessionRecord, readonly Said[]>();
  for (let place = end + 1; window.late > 0 && place <= lastLate; place++) {
    if (!columns.has(place, FLAG.late) || columns.window.get(place) !== id + 1) continue;
    const kind = itemKindOf(columns.nameOf(place));
    const session = index.sessionByNumber(columns.session.get(place));
    if (kind === undefined || session === undefined) continue;
    // A child may have been told more meanwhile.
    if (kind === 'user' && session === window.session) return true;
    const told = updateAt(here, place);
    const text = told ? textAfter('', told.variant, told.update) : '';
    // What an agent puts into a history by itself is none of its work.
    if (syntheticText(kind, text) !== undefined) return true;
    const before = said.get(session) ?? saidOf(session, [here, ...earlier], end);
    said.set(session, before);
    const itemId = told && itemIdOf(told.variant, told.update);
    if (before.some((one) => one.knows(kind, itemId, bare(text)))) return true;
  }
  return false;
}

function saidOf(
  { sessionId }: SessionRecord,
  [here, ...earlier]: readonly [SearchedTrace, ...SearchedTrace[]],
  end: number,
): readonly Said[] {
  return [here, ...earlier].flatMap((looked) => {
    const session = looked.index.sessionNamed(sessionId);
    const until = looked === here ? end : looked.index.length;
    return session ? new Said(looked, session, until) : [];
  });
}

/** Frames that are looked through for a text, from the latest back: older ones are seldom told late alone. */
const MOST_FRAMES = 5000;

/** What was said of a session before an event. */
class Said {
  readonly #in: SearchedTrace;
  readonly #session: SessionRecord;
  readonly #until: number;
  #texts: ReadonlyMap<ItemKind, readonly string[]> | undefined;

  constructor(looked: SearchedTrace, session: SessionRecord, until: number) {
    this.#in = looked;
    this.#session = session;
    this.#until = until;
  }

  /** It was said, and is over; `text`: bare. */
  knows(kind: ItemKind, id: string | undefined, text: string): boolean {
    const first = id === undefined ? undefined : this.#session.items.get(kind, id);
    if (first !== undefined && first < this.#until)
      return !mayGoOn(kind, kind !== 'tool' || this.#hasEnded(first));
    this.#texts ??= this.#read();
    return this.#texts.get(kind)?.some((said) => isToldAgain(said, text)) === true;
  }

  /** Whether a tool call had its last status. */
  #hasEnded(first: number): boolean {
    const { columns } = this.#in.index;
    for (let place = this.#until - 1; place >= first; place--) {
      if (columns.item.get(place) !== first + 1) continue;
      const status = str(updateAt(this.#in, place)?.update, 'status');
      if (status) return isFinal(status);
    }
    return false;
  }

  /** Bare texts of messages, by kind. */
  #read(): ReadonlyMap<ItemKind, readonly string[]> {
    const { columns, version } = this.#in.index;
    const places: number[] = [];
    for (let place = this.#until - 1; place >= 0 && places.length < MOST_FRAMES; place--) {
      if (columns.session.get(place) !== this.#session.index + 1) continue;
      if (columns.has(place, FLAG.update) && itemKindOf(columns.nameOf(place))) places.push(place);
    }
    const messages: { kind: ItemKind; id: string | undefined; text: string }[] = [];
    for (const place of places.reverse()) {
      const told = updateAt(this.#in, place);
      const kind = itemKindOf(told?.variant ?? '');
      if (told === undefined || kind === undefined) continue;
      const id = itemIdOf(told.variant, told.update);
      const last = messages.at(-1);
      const isMore = last?.kind === kind && isMessageKind(kind) && goesOn(last.id, id, version);
      if (isMore) last.text = textAfter(last.text, told.variant, told.update);
      else messages.push({ kind, id, text: textAfter('', told.variant, told.update) });
    }
    const texts = new Map<ItemKind, string[]>();
    for (const { kind, text } of messages)
      texts.set(kind, [...(texts.get(kind) ?? []), bare(text)]);
    return texts;
  }
}

function updateAt({ eventAt }: SearchedTrace, place: number) {
  const message = saidBy(eventAt(place));
  return message?.kind === 'notification' ? updateOf(message.params) : undefined;
}
