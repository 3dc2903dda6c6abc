// What a session said and did as it happened, whatever connection saw it: what a replay of it can be
// held against. Bounded: of a very long session the first items are known.
import { get, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import { childIdOf, isFinal } from '../../acp/update.ts';
import { contentPart, contentParts } from '../../model/facts/content-parts.ts';
import { NO_ECHOES, pieceOf, prompted, type Echoes } from '../../model/facts/echo.ts';
import { optionsOf, rulingOf } from '../../model/facts/permission.ts';
import { isHistory, isMessageKind, type ItemKind } from '../../model/facts/variants.ts';
import type { Version } from '../../acp/methods.ts';
import { isAtWork, isBusy } from '../../model/facts/activity.ts';
import type { ConnectionId, Seq, FrameRef } from '../../trace/event.ts';
import {
  type Connection,
  type RestoreWindow,
  type Session,
  fact,
  type SessionAtAgent,
} from '../connection.ts';
import { onAnswer, onNotification, onRequest, onUpdate } from '../listen.ts';
import type { UpdateStep } from '../steps.ts';
import { bare, goesOn, promptText, textAfter } from '../../model/facts/message-text.ts';
import type { Fold } from '../rule.ts';
import { turnOf } from '../turns/turn-facts.ts';
import { permissionToolCall } from '../work/tool-facts.ts';

/** One message or tool call. */
export interface HistoryItem {
  readonly kind: ItemKind;
  id: string | undefined;
  text: string;
  /** Of a tool call. */
  title: string | undefined;
  /** Of a tool call: its updates; undefined: not all of them are kept. */
  told: ToolTold[] | undefined;
  final: boolean;
  readonly turn: HistoryTurn;
  readonly where: FrameRef;
  /** Of a message between sessions: its ids in the transcripts of both. */
  readonly views: readonly string[];
  /** Of the connection that said it. */
  readonly version: Version | undefined;
  /** It was seen as it happened, not only in a replay. */
  readonly live: boolean;
  /** Of one that was not: the request whose replay told it first. */
  readonly replay: Seq | undefined;
  /** A prompt of the client; v2: one whose answer named this id. */
  prompt: boolean;
  /** The agent told it live; of a prompt, which is the client's, it need not. */
  echoed: boolean;
}

/** What was said of a tool call: an update of it, or the permission that was asked for it. */
export interface ToolTold {
  readonly variant: string;
  readonly update: JsonObject;
}

interface HistoryTurn {
  readonly number: number;
  /** How it ended; `open` also where the trace does not tell. */
  end: 'open' | 'done' | 'cancelled' | 'failed';
  /** Its work was asked for, or told to go on, and not told to be over. */
  isAtWork: boolean;
  /** It was at work when its connection ended. */
  cut: boolean;
  /** The client cancelled it, whatever came of that. */
  cancelled: boolean;
  /** The user refused a permission in it. */
  declined: boolean;
}

export interface HistoryFacts {
  /** The answer that made the session was seen: what is known has its beginning. */
  isWhole: boolean;
  /** Events are missing from a record of it. */
  hasGap: boolean;
  readonly items: HistoryItem[];
  readonly byId: Map<string, HistoryItem>;
  turn: HistoryTurn;
  /** The connection that said the last of it live. */
  on: ConnectionId | undefined;
  echoes: Echoes<HistoryItem>;
  /** The replay that told the first there is: its order, and messages without ids, count too. */
  cold: RestoreWindow | undefined;
  /** Tool calls that asked for a permission, and whether that which they asked for last was given. */
  readonly asked: Map<string, boolean>;
  /** A compaction may have taken its begin away. */
  compacted: boolean;
  /** Titles of notices. */
  readonly notices: Set<string>;
  /** Characters that can still be kept; what was kept of a message is its begin. */
  room: number;
}

const MOST_ITEMS = 10_000;
const MOST_NOTICES = 1000;
const MOST_TEXT = 16_000_000;

export const histories = fact<SessionAtAgent, HistoryFacts>(() => ({
  isWhole: false,
  hasGap: false,
  items: [],
  byId: new Map(),
  turn: turn(0, false),
  on: undefined,
  echoes: NO_ECHOES,
  cold: undefined,
  asked: new Map(),
  compacted: false,
  notices: new Set(),
  room: MOST_TEXT,
}));

function turn(number: number, isAtWork: boolean): HistoryTurn {
  return { number, end: 'open', isAtWork, cut: false, cancelled: false, declined: false };
}

/** Of a message between sessions. */
export function messageViews(update: JsonObject): readonly string[] {
  return ['messageId', 'senderMessageId', 'recipientMessageId'].flatMap(
    (field) => str(update, field) ?? [],
  );
}

export function itemKey(kind: ItemKind, id: string): string {
  return `${kind} ${id}`;
}

/** The items under any of these ids: one id may name a message and its thought. */
export function itemsNamed({ byId }: HistoryFacts, ids: readonly string[]): readonly HistoryItem[] {
  const kinds: readonly ItemKind[] = ['user', 'agent', 'thought', 'tool'];
  return ids.flatMap((id) => kinds.flatMap((kind) => byId.get(itemKey(kind, id)) ?? []));
}

type Begin = Pick<HistoryItem, 'kind' | 'id' | 'where' | 'live'> & Partial<HistoryItem>;

function add(history: HistoryFacts, begin: Begin): HistoryItem {
  const item = {
    text: '',
    title: undefined,
    told: [],
    final: false,
    prompt: false,
    echoed: false,
    views: [],
    version: undefined,
    replay: undefined,
    turn: history.turn,
    ...begin,
  };
  if (history.items.length >= MOST_ITEMS) return item;
  history.items.push(item);
  if (item.id !== undefined) history.byId.set(itemKey(item.kind, item.id), item);
  return item;
}

function nextTurn(history: HistoryFacts): void {
  const { number, isAtWork } = history.turn;
  history.turn.isAtWork = false;
  history.turn = turn(number + 1, isAtWork);
}

/** Something was said or asked live. */
function livedOn(history: HistoryFacts, { id }: Connection): void {
  if (history.on === id) return;
  history.on = id;
  history.turn.cut ||= history.turn.isAtWork;
  history.turn.isAtWork = false;
}

/** v1: the prompt that a piece of a user message repeats. */
function echoed(history: HistoryFacts, update: JsonObject, id: string): HistoryItem | undefined {
  const [echoes, piece] = pieceOf(history.echoes, contentPart(update['content']), id);
  history.echoes = echoes;
  return piece?.is === 'departure' ? undefined : piece?.of;
}

/** Whether an update without an id is more of the last item. */
export function isNext<I extends Pick<HistoryItem, 'kind' | 'id'>>(
  last: I | undefined,
  kind: ItemKind,
  version: Version | undefined,
): last is I {
  if (last?.kind !== kind) return false;
  return isMessageKind(kind) ? goesOn(last.id, undefined, version) : last.id === undefined;
}

/** The item that an update of a message or a tool call adds to. */
function itemOf(
  history: HistoryFacts,
  step: UpdateStep,
  kind: ItemKind,
  live: boolean,
  where: FrameRef,
  version: Version | undefined,
) {
  const { itemId: id } = step;
  const replay = live ? undefined : step.window?.seq;
  const last = history.items.at(-1);
  if (id !== undefined) {
    const known = history.byId.get(itemKey(kind, id));
    if (known !== undefined) return known;
    // v1: the echo of a prompt gives it its id.
    const prompt = kind === 'user' && live ? echoed(history, step.update, id) : undefined;
    if (prompt) {
      prompt.id ??= id;
      history.byId.set(itemKey(kind, id), prompt);
      return prompt;
    }
    if (kind === 'user' && (live || isCold(history, step))) nextTurn(history);
    const views = kind === 'peer' ? messageViews(step.update) : [];
    return add(history, { kind, id, where, live, replay, version, views });
  }
  if (!live) {
    if (!isCold(history, step)) return undefined;
    if (isNext(last, kind, version)) return last;
    if (kind === 'user') nextTurn(history);
    return add(history, { kind, id, where, live, replay, version });
  }
  if (kind === 'user' && last?.prompt === true) return last;
  if (isNext(last, kind, version) && last.turn === history.turn) return last;
  return add(history, { kind, id, where, live, version });
}

/** It is told in a replay before which nothing of the session was known. */
function isCold(history: HistoryFacts, { window, replay }: UpdateStep): boolean {
  if (replay && history.items.length === 0) history.cold = window;
  return replay && window !== undefined && history.cold === window;
}

function told(step: UpdateStep, connection: Connection): void {
  const { item: kind, session, replay, late, variant, update, seq } = step;
  if (kind === undefined || !isHistory(kind)) return;
  const history = histories.of(session.stored);
  const live = !replay && !late;
  if (live) livedOn(history, connection);
  const where = { connection: connection.id, seq };
  const item = itemOf(history, step, kind, live, where, connection.version);
  // What is told again changes nothing.
  if (item === undefined || item.live !== live) return;
  if (!live && (item.replay !== step.window?.seq || item.where.connection !== connection.id))
    return;
  history.hasGap ||= connection.gaps > 0;
  if (kind === 'tool') {
    item.title = str(update, 'title') ?? item.title;
    item.final = isFinal(str(update, 'status') ?? (item.final ? 'completed' : undefined));
    if (live) keepTold(history, item, { variant, update }, step.size);
    return;
  }
  // v2: from its echo on, a prompt is what the agent says it is; in v1 it stays what the client sent.
  const isTheirs = !item.prompt || connection.version === 2;
  if (isTheirs && item.prompt && !item.echoed) item.text = '';
  item.echoed ||=
    live && (isTheirs || bare(item.text).includes(bare(textAfter('', variant, update))));
  if (isTheirs && history.room > 0) {
    const before = item.text.length;
    item.text = textAfter(item.text, variant, update);
    history.room -= Math.max(0, item.text.length - before);
  }
}

function keepTold(history: HistoryFacts, item: HistoryItem, told: ToolTold, size: number): void {
  history.room -= size;
  if (history.room > 0) item.told?.push(told);
  else item.told = undefined;
}

function stateTold({ session, update, seq }: UpdateStep, connection: Connection): void {
  const history = histories.of(session.stored);
  livedOn(history, connection);
  history.turn.isAtWork = isAtWork(session.activity.state);
  if (turnOf.of(session).ended?.seq === seq) ended(session, str(update, 'stopReason'));
}

function ended({ stored }: Session, reason: string | undefined): void {
  const { turn } = histories.of(stored);
  if (turn.end !== 'open') return;
  turn.end = reason === 'cancelled' ? 'cancelled' : reason === 'error' ? 'failed' : 'done';
}

const ASK = ['session/request_permission'] as const;

export const historyFold: Fold = [
  onRequest(['session/prompt'], ({ session, params, from, seq }, connection) => {
    if (session === undefined || from !== 'client' || connection.version === 2) return;
    const history = histories.of(session.stored);
    livedOn(history, connection);
    nextTurn(history);
    history.turn.isAtWork = true;
    const where = { connection: connection.id, seq };
    const item = add(history, {
      kind: 'user',
      id: undefined,
      where,
      live: true,
      prompt: true,
      text: promptText(params),
    });
    history.echoes = prompted(NO_ECHOES, item, contentParts(get(params, 'prompt')));
  }),
  onAnswer(['session/prompt'], ({ session, result, error, params, asked }, connection) => {
    if (session === undefined || asked.from !== 'client') return;
    const history = histories.of(session.stored);
    if (connection.version !== 2) {
      // A prompt that was refused at once is no part of the conversation.
      const last = history.items.at(-1);
      if (error !== undefined && last?.prompt === true && last.where.seq === asked.seq)
        history.items.pop();
      history.turn.end = 'open';
      history.turn.isAtWork = isBusy(session.activity);
      history.echoes = NO_ECHOES;
      return ended(session, error === undefined ? str(result, 'stopReason') : 'error');
    }
    const id = str(result, 'messageId');
    if (id === undefined) return;
    const where = { connection: connection.id, seq: asked.seq };
    let item = history.byId.get(itemKey('user', id));
    livedOn(history, connection);
    if (item === undefined) {
      nextTurn(history);
      item = add(history, { kind: 'user', id, where, live: true });
    }
    history.turn.isAtWork ||= turnOf.of(session).inserted !== undefined;
    item.prompt = true;
    if (item.text === '') item.text = promptText(params);
  }),
  onUpdate('all', told),
  onAnswer(['session/new'], ({ session, result }) => {
    if (session && result !== undefined) histories.of(session.stored).isWhole = true;
  }),
  // An announcement is where a child begins, unless one may have been missed.
  onUpdate(['subagent_update'], ({ session, update, replay, late }, { sessions }) => {
    const child = sessions.get(childIdOf(update) ?? '');
    if (child === undefined || replay || late || !histories.of(session.stored).isWhole) return;
    const history = histories.of(child.stored);
    history.isWhole ||= history.items.length === 0;
  }),
  onRequest(ASK, ({ session, params, size }, { version }) => {
    const update = permissionToolCall(params, version);
    const id = str(update, 'toolCallId');
    if (session === undefined || id === undefined) return;
    const history = histories.of(session.stored);
    history.asked.set(id, false);
    const item = history.byId.get(itemKey('tool', id));
    if (item?.live && update) keepTold(history, item, { variant: ASK[0], update }, size);
  }),
  onAnswer(ASK, ({ session, params, result, error }, { version }) => {
    if (session === undefined) return;
    const history = histories.of(session.stored);
    const id = str(permissionToolCall(params, version), 'toolCallId');
    const ruling = rulingOf(optionsOf(params), result, error);
    if (id !== undefined && ruling === 'approved') history.asked.set(id, true);
    if (ruling === 'rejected') history.turn.declined = true;
  }),
  onUpdate(['state_update'], (step, connection) => {
    if (!step.replay && step.session.opening === 0) stateTold(step, connection);
  }),
  onNotification(['session/cancel'], ({ session, from }) => {
    if (session && from === 'client') histories.of(session.stored).turn.cancelled = true;
  }),
  onUpdate(['compaction_update'], ({ session }) => {
    histories.of(session.stored).compacted = true;
  }),
  onUpdate(['notice'], ({ session, update, window }) => {
    const { notices } = histories.of(session.stored);
    const title = str(update, 'title');
    if (title !== undefined && window === undefined && notices.size < MOST_NOTICES)
      notices.add(title);
  }),
];
