// What an agent sent again for one restore: folded alone, as a client that knows nothing would hold
// it, with what it says of the settings up to the client's next request.
import { arr, get, isArray, str } from '../../acp/json.ts';
import { chunkText, isChunk, updateOf } from '../../acp/update.ts';
import { timeOf } from '../../trace/event.ts';
import type { FieldValue, NormalItem } from '../replay/normal-form.ts';
import type { Numbered } from './normalize.ts';
import { type Numbering, historyAt } from './numbering.ts';
import { isMessageKind, itemKindOf, makesItem } from '../facts/variants.ts';
import { reduce } from '../fold/reduce.ts';
import { begin } from '../fold/settings.ts';
import { freshState, type SessionState } from '../fold/state.ts';
import type { IndexedTrace } from '../indexed-trace.ts';
import { messagesIn, saidLive } from '../replay/pieces.ts';
import { settledAfter } from '../sessions/session-history.ts';
import { messageOf, saidBy } from '../timeline/digest.ts';
import { RES } from '../columns.ts';
import type { WindowRecord } from '../timeline/replay-windows.ts';

export interface ReplayedPart {
  readonly state: SessionState;
  /** Tool calls of v1 that began with a `tool_call_update`. */
  readonly orphans: ReadonlySet<string>;
  /** Keys of v2 messages that came in chunks, without the empty upsert before them. */
  readonly baseless: ReadonlySet<string>;
  /** v1: chunks of messages, by the number of the first frame of their message. */
  readonly chunks: ReadonlyMap<number, readonly Chunk[]>;
  /** How many frames only emptied the message of this key. */
  readonly baselines: ReadonlyMap<string, number>;
  /** v2: the agent told its state before the answer. */
  readonly toldState: boolean;
  /** A prompt after the answer was answered too, so what is not told by then was not told. */
  readonly settled: boolean;
  /** The agent listed its commands after the next request, as some do at the end of the next turn. */
  readonly hasLateCommands: boolean;
}

const SLICE = 256;

/** `sessionId`: the session that was asked for, or a child of it. */
export function* replayedPart(
  source: IndexedTrace,
  window: WindowRecord,
  numbering: Numbering,
  sessionId = window.session.sessionId,
): Generator<undefined, ReplayedPart> {
  const { index, eventAt } = source;
  const { columns } = index;
  const { session, answer } = window;
  const isChild = sessionId !== session.sessionId;
  const settled = answer < 0 ? index.length : settledAfter(index, session.sessionId, answer);
  const orphans = new Set<string>();
  const baseless = new Set<string>();
  const baselines = new Map<string, number>();
  const chunks = new Map<number, Chunk[]>();
  let state = freshState(sessionId, index.version);
  const until = Math.max(window.lastLate + 1, settled);
  const sent = isChild || window.lastLate < 0 ? NONE : idsOfPrompts(source, window);
  const record = index.sessionNamed(sessionId);
  const placesFrom = (from: number) => (record ? columns.placesFrom(record.index, from) : []);
  // An answer is of no session by itself.
  const places = new Set(answer < 0 ? [] : [answer]);
  for (const place of placesFrom(window.request + 1)) {
    if (place >= until) break;
    places.add(place);
  }
  let count = 0;
  for (const place of [...places].sort((a, b) => a - b)) {
    if (++count % SLICE === 0) yield;
    const event = eventAt(place);
    if (event.type !== 'frame') continue;
    const message = messageOf(event);
    if (place === answer && message.kind === 'success' && !isChild) {
      const draft = { ...state };
      const seq = numbering.next(source, place);
      const flags = { replay: true, late: false, restoring: false };
      begin(draft, message.result, { seq, at: timeOf(event), ...flags });
      state = draft;
    }
    if (message.kind !== 'notification' || index.session(place)?.sessionId !== sessionId) continue;
    const name = columns.nameOf(place);
    const history = historyAt(source, place);
    const isHistory = history?.window === window;
    const late = history?.late ?? false;
    const isSetting = !makesItem(name) && place < settled;
    if (!isHistory && !isSetting) continue;
    const update = updateOf(message.params);
    if (!update) continue;
    // The echo of a prompt that was sent after the restore is no history.
    if (late && sent.has(str(update.update, 'messageId') ?? '')) continue;
    const id = str(update.update, 'toolCallId');
    if (name === 'tool_call_update' && state.version === 1 && id !== undefined)
      if (state.places.get(`t:${id}`) === undefined) orphans.add(id);
    const key = `m:${itemKindOf(name)}:${str(update.update, 'messageId')}`;
    if (name.endsWith('message_chunk') || name === 'agent_thought_chunk')
      if (state.version === 2 && state.places.get(key) === undefined) baseless.add(key);
    if (isArray(get(update.update, 'content')) && arr(update.update, 'content').length === 0)
      if (isMessageKind(itemKindOf(name))) baselines.set(key, (baselines.get(key) ?? 0) + 1);
    const numbered = { ...event, seq: numbering.next(source, place) };
    state = reduce(state, numbered, message, { replay: true, late });
    const { last } = state.items;
    const text = isChunk(name) ? chunkText(update.update) : undefined;
    if (state.version === 1 && text !== undefined && last?.body.type === 'message') {
      const chunk = { number: numbered.seq, text, late };
      const known = chunks.get(last.first);
      if (known) known.push(chunk);
      else chunks.set(last.first, [chunk]);
    }
  }
  return {
    state,
    orphans,
    baseless,
    baselines,
    chunks,
    // Only the session that was asked for owes it.
    toldState: isChild || window.root.stateAt !== undefined,
    get settled() {
      return has(
        placesFrom(settled + 1),
        (place) => columns.kind.get(place) === RES && columns.nameOf(place) === 'session/prompt',
      );
    },
    get hasLateCommands() {
      return has(
        placesFrom(settled),
        (place) => columns.nameOf(place) === 'available_commands_update',
      );
    },
  };
}

function has(places: Iterable<number>, isIt: (place: number) => boolean): boolean {
  for (const place of places) if (isIt(place)) return true;
  return false;
}

const NONE: ReadonlySet<string> = new Set();

/** The message ids that responses gave to prompts after the restore was requested. */
function idsOfPrompts(
  { index, eventAt }: IndexedTrace,
  { request, session }: WindowRecord,
): ReadonlySet<string> {
  const { columns } = index;
  const ids = new Set<string>();
  for (const place of columns.placesFrom(session.index, request + 1)) {
    if (columns.kind.get(place) !== RES || columns.nameOf(place) !== 'session/prompt') continue;
    const message = saidBy(eventAt(place));
    const id = message?.kind === 'success' ? str(message.result, 'messageId') : undefined;
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

// v1 messages without ids are told apart only by what stands between them, so an agent that sends
// two in a row sends one. Chunks that are each a message of the live part, or one that agents add by
// themselves, are taken apart again to compare them.

/** A chunk of a message: the number of its frame, and its text. */
interface Chunk {
  readonly number: number;
  readonly text: string;
  readonly late: boolean;
}

/** `chunks`: by the number of the first frame of their message. */
export function takenApart(
  replayed: readonly Numbered[],
  live: readonly NormalItem[],
  chunks: ReadonlyMap<number, readonly Chunk[]>,
  numbering: Numbering,
): Numbered[] {
  const isSaid = saidLive(live);
  return replayed.flatMap((item): Numbered[] => {
    const parts = chunks.get(item.from) ?? [];
    if (item.id !== undefined || parts.length < 2 || item.fields.size !== 1) return [item];
    const runs = messagesIn(item.kind, parts, isSaid);
    if (runs.length < 2) return [item];
    return runs.map((run): Numbered => {
      const from = run[0]?.number ?? item.from;
      const to = run.at(-1)?.number ?? item.to;
      const text: FieldValue = { type: 'text', text: run.map((chunk) => chunk.text).join('') };
      const frames = { first: numbering.frame(from), last: numbering.frame(to) };
      const late = run.some((chunk) => chunk.late);
      return {
        ...item,
        ...frames,
        from,
        to,
        pieceOf: item.from,
        late,
        frames: run.length,
        fields: new Map([['text', text]]),
      };
    });
  });
}
