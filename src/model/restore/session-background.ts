// What traces know of a session that is to be restored: its first prompt, with what it was set up, and
// what may keep an agent from finding it.
import { get, objects, str } from '../../acp/json.ts';
import { isMethodOf, OPENERS } from '../../acp/methods.ts';
import { updateOf } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import { CLIENT, ERR, REQ, RES } from '../columns.ts';
import { contentParts, textOf } from '../facts/content-parts.ts';
import { isOrdinary } from '../facts/life.ts';
import { saidAt, type IndexedTrace } from '../indexed-trace.ts';
import { knowsHistory } from './restore-seen.ts';
import type { AskedSession } from './restore-causes.ts';
import type { ConnectionId, FrameRef } from '../../trace/event.ts';

export interface SessionBackground extends AskedSession {
  readonly firstPrompt?: string;
  /** With what it was made or restored last, agreed to by the agent. */
  readonly setup?: FrameRef & {
    readonly method: string;
    readonly cwd?: string;
    /** JSON text, as the rest. */
    readonly mcpServers?: string;
    readonly additionalDirectories?: string;
  };
}

interface Asking {
  /** The connection it is to be restored on. */
  readonly here: IndexedTrace | undefined;
  readonly isRunning: (connection: ConnectionId) => boolean;
  /** Runs of ours try wrong setups on purpose. */
  readonly isByHand?: (connection: ConnectionId) => boolean;
}

/** `traces`: in the order they began. */
export function backgroundIn(
  traces: readonly IndexedTrace[],
  sessionId: string,
  { here, isRunning, isByHand = () => true }: Asking,
): SessionBackground {
  const all = traces.filter(({ index }) => index.sessionNamed(sessionId) !== undefined);
  const byHand = all.filter(({ connection }) => isByHand(connection));
  const newest = byHand.toReversed();
  const setup = firstOf(newest, (trace) => setupIn(trace, sessionId));
  const isHere = ({ connection }: IndexedTrace) => connection === here?.connection;
  const open = ({ connection, index }: IndexedTrace): FrameRef | undefined => {
    const session = index.sessionNamed(sessionId);
    if (!isRunning(connection) || !session?.active || !isOrdinary(session)) return undefined;
    return { connection, seq: index.columns.seqOf(index.indexOf(session.facts.first)) };
  };
  return defined({
    firstPrompt: firstOf(all, (trace) => firstPrompt(trace, sessionId)),
    // Where one trace only tried a cwd, another may say with which the session was made.
    cwd:
      firstOf(newest, (trace) => cwdIn(trace, sessionId, false)) ??
      firstOf(newest, (trace) => cwdIn(trace, sessionId, true)),
    setup,
    isKnown: byHand.some((trace) => isMoreThanAsked(trace, sessionId)),
    isListed: here && listedIn(here, sessionId),
    hasHistory: all.some(({ index }) => {
      const session = index.sessionNamed(sessionId);
      return session !== undefined && knowsHistory(index, session.index);
    }),
    deleted: firstOf(newest, (trace) => agreed(trace, sessionId, 'session/delete')),
    closed: firstOf(newest, (trace) => agreed(trace, sessionId, 'session/close')),
    openAt: firstOf(newest, (trace) => (isHere(trace) ? undefined : open(trace))),
    openHere: here && open(here),
  });
}

function firstOf<T>(
  traces: readonly IndexedTrace[],
  of: (trace: IndexedTrace) => T | undefined,
): T | undefined {
  for (const trace of traces) {
    const found = of(trace);
    if (found !== undefined) return found;
  }
  return undefined;
}

function cwdIn({ index }: IndexedTrace, sessionId: string, triedToo: boolean): string | undefined {
  const facts = index.sessionNamed(sessionId)?.facts;
  return triedToo || facts?.cwdTried !== true ? facts?.cwd : undefined;
}

/** The first prompt of a session that this trace holds. */
function firstPrompt(trace: IndexedTrace, sessionId: string): string | undefined {
  const { index } = trace;
  const { columns } = index;
  const session = index.sessionNamed(sessionId);
  if (session === undefined) return undefined;
  for (const place of columns.placesOf(session.index)) {
    const name = columns.nameOf(place);
    const isPrompt = columns.kind.get(place) === REQ && name === 'session/prompt';
    if (!isPrompt && name !== 'user_message_chunk' && name !== 'user_message') continue;
    const message = saidAt(trace, place);
    if (message?.kind === 'request')
      return textOf(contentParts(get(message.params, 'prompt'))) || undefined;
    if (message?.kind === 'notification')
      return textOf(contentParts(get(updateOf(message.params)?.update, 'content'))) || undefined;
  }
  return undefined;
}

/** What a session was made or restored with last, as far as the agent agreed. */
function setupIn(trace: IndexedTrace, sessionId: string): SessionBackground['setup'] {
  const { connection, index } = trace;
  const { columns } = index;
  for (let place = columns.length - 1; place >= 0; place--) {
    if (columns.kind.get(place) !== REQ || columns.side.get(place) !== CLIENT) continue;
    const method = columns.nameOf(place);
    if (!isMethodOf(OPENERS, method)) continue;
    const reply = columns.partnerOf(place);
    if (reply === undefined || columns.kind.get(reply) === ERR) continue;
    if (index.session(reply)?.sessionId !== sessionId) continue;
    const message = saidAt(trace, place);
    if (message?.kind !== 'request') continue;
    const text = (key: string) => {
      const value = get(message.params, key);
      return value === undefined ? undefined : JSON.stringify(value);
    };
    return defined({
      connection,
      seq: columns.seqOf(place),
      method,
      cwd: str(message.params, 'cwd'),
      mcpServers: text('mcpServers'),
      additionalDirectories: text('additionalDirectories'),
    });
  }
  return undefined;
}

/** Something other than our asking for it names the session: an answer, an update, a list. */
function isMoreThanAsked(trace: IndexedTrace, sessionId: string): boolean {
  const { index } = trace;
  const { columns } = index;
  const session = index.sessionNamed(sessionId);
  if (session === undefined) return false;
  if (!session.seen) return true;
  for (const place of columns.placesOf(session.index)) {
    const isAnswer = columns.kind.get(place) === ERR;
    if (columns.side.get(place) !== CLIENT && !isAnswer) return true;
  }
  return listedIn(trace, sessionId) === true;
}

/** In the lists this connection answered; undefined: none, or not to its end. */
function listedIn(trace: IndexedTrace, sessionId: string): boolean | undefined {
  const { columns } = trace.index;
  let isWhole = false;
  for (let place = 0; place < columns.length; place++) {
    if (columns.kind.get(place) !== RES || columns.nameOf(place) !== 'session/list') continue;
    const message = saidAt(trace, place);
    if (message?.kind !== 'success') continue;
    const { result } = message;
    if (objects(result, 'sessions').some((one) => str(one, 'sessionId') === sessionId)) return true;
    isWhole ||= str(result, 'nextCursor') === undefined;
  }
  return isWhole ? false : undefined;
}

/** The agent's answer to the session's deletion, or closing, if nothing brought it back since. */
function agreed(
  { connection, index }: IndexedTrace,
  sessionId: string,
  method: string,
): FrameRef | undefined {
  const { columns } = index;
  const session = index.sessionNamed(sessionId);
  if (session === undefined) return undefined;
  for (let place = columns.length - 1; place >= 0; place--) {
    if (columns.session.get(place) !== session.index + 1) continue;
    if (columns.kind.get(place) !== RES) continue;
    if (columns.nameOf(place) === method) return { connection, seq: columns.seqOf(place) };
    if (isMethodOf(OPENERS, columns.nameOf(place))) return undefined;
  }
  return undefined;
}
