// What a `session/update` does to the state of its session; first, what it does to messages.
import { get, num, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { SessionUpdate } from '../../acp/update.ts';
import { goesOn } from '../facts/message-text.ts';
import { contentPart, contentParts, withPart } from '../facts/content-parts.ts';
import { backgroundOf, isAtWork } from '../facts/activity.ts';
import { endsTurn } from '../facts/turns.ts';
import {
  add,
  change,
  find,
  freshKey,
  lastOf,
  moveToEnd,
  nameAlso,
  put,
  compaction,
  note,
} from './items.ts';
import { patchedMeta } from './meta.ts';
import { absorb, claim } from './prompts.ts';
import { commands, addInfo, mode, options, usage } from './settings.ts';
import type { Activity, Draft, FoldedFrame, MessageBody, PeerIds, ReplayFlags } from './state.ts';
import { subagent } from './subagents.ts';
import { terminalUpdate } from './terminals.ts';
import { patchTool, planById, planRemoved, toolChunk, wholePlan } from './tools.ts';
import type { ContentPart } from '../sessions/conversation-view.ts';
import { noticeWords, turnEnd } from '../sessions/conversation-words.ts';

// Messages. v1: chunks append to the message that stands last; another role, another stated
// messageId, or any item made in between starts a new one. v2: upserts by id, chunks append.

type Role = MessageBody['role'];
type Parts = readonly ContentPart[];

function chunk(draft: Draft, role: Role, update: JsonObject, place: FoldedFrame): void {
  const part = contentPart(get(update, 'content'));
  const messageId = str(update, 'messageId');
  if (draft.version === 2 && messageId !== undefined) {
    byId(draft, role, messageId, [part], (before) => withPart(before, part), place);
    return;
  }
  if (role === 'user') {
    if (isLive(place) && absorb(draft, part, messageId, place)) return;
    draft.turnPlan = undefined;
  }
  inRow(draft, role, messageId, (before) => withPart(before, part), place);
}

/** An upsert: `content` omitted leaves, null or an array replaces. */
function message(draft: Draft, role: Role, update: JsonObject, place: FoldedFrame): void {
  const messageId = str(update, 'messageId');
  const content = get(update, 'content');
  const parts = contentParts(content);
  const become = (before: Parts): Parts => (content === undefined ? before : parts);
  if (messageId === undefined) return inRow(draft, role, undefined, become, place);
  byId(draft, role, messageId, parts, become, place, true);
  patchMeta(draft, `m:${role}:${messageId}`, update);
}

const PEER_FIELDS = [
  'senderSessionId',
  'recipientSessionId',
  'senderMessageId',
  'recipientMessageId',
] as const;

/** Unstable, both versions: an upsert by id, its fields omitted, null or a value; chunks append. */
function betweenSessions(
  draft: Draft,
  variant: string,
  update: JsonObject,
  place: FoldedFrame,
): void {
  const messageId = str(update, 'messageId');
  if (messageId === undefined) return;
  const key = `m:peer:${messageId}`;
  const content = get(update, 'content');
  if (variant === 'session_message_chunk') {
    const part = contentPart(content);
    return byId(draft, 'peer', messageId, [part], (before) => withPart(before, part), place);
  }
  const parts = contentParts(content);
  byId(draft, 'peer', messageId, parts, (old) => (content === undefined ? old : parts), place);
  patchMeta(draft, key, update);
  const found = find(draft, key, 'message');
  if (!found) return;
  const { item, index } = found;
  const peer: PeerIds = Object.fromEntries(
    PEER_FIELDS.map((field) => [
      field,
      get(update, field) === null ? undefined : (str(update, field) ?? item.body.peer?.[field]),
    ]),
  );
  put(draft, index, { ...item, body: { ...item.body, peer } });
}

/** Of the message that the frame has just told of. */
function patchMeta(draft: Draft, name: string, update: JsonObject): void {
  if (get(update, '_meta') === undefined) return;
  const found = find(draft, name, 'message');
  if (!found) return;
  const { item, index } = found;
  const meta = patchedMeta(item.body.meta, update, draft.version);
  put(draft, index, { ...item, body: { ...item.body, meta } });
}

/** v1: the message that stands last, if the chunk goes on with it; else a new one. */
function inRow(
  draft: Draft,
  role: Role,
  messageId: string | undefined,
  become: (before: Parts) => Parts,
  place: FoldedFrame,
): void {
  const last = lastOf(draft, 'message');
  if (last?.item.body.role === role) {
    const { item } = last;
    // Behind the answer to a restore a client begins anew.
    const sameTime = isHistoric(item) === isHistoric(place) && item.late === place.late;
    if (
      goesOn(item.body.messageId, messageId, draft.version) &&
      sameTime &&
      item.body.prompt === undefined
    )
      return change(draft, last, withParts(item.body, become(item.body.parts)), place);
  }
  const key = messageId === undefined ? undefined : `m:${role}:${messageId}`;
  const free = key !== undefined && !find(draft, key, 'message');
  add(draft, free ? key : freshKey(draft, place.seq), fresh(role, messageId, become([])), place);
}

/** v2: the message of that id; a new one, or the prompt that it echoes. */
function byId(
  draft: Draft,
  role: Role,
  messageId: string,
  says: Parts,
  become: (before: Parts) => Parts,
  place: FoldedFrame,
  whole = false,
): void {
  const key = `m:${role}:${messageId}`;
  const known = find(draft, key, 'message');
  if (known) {
    const { body } = known.item;
    // The answer named a prompt that was not echoed yet: the first chunk of its echo begins it anew.
    const isEcho = body.prompt !== undefined && !body.isEchoed && isLive(place);
    const parts = become(isEcho && !whole ? [] : body.parts);
    const told = withParts(body, parts);
    return change(draft, known, isEcho ? { ...told, isEchoed: true } : told, place);
  }
  const prompt = role === 'user' && isLive(place) ? claim(draft, says, whole) : undefined;
  if (!prompt) return add(draft, key, fresh(role, messageId, become([])), place);
  const { body } = prompt.item;
  const parts = become(whole ? body.parts : []);
  const named = nameAlso(draft, prompt, key);
  const moved = prompt.stays ? named : moveToEnd(draft, named);
  change(draft, moved, { ...body, messageId, parts, isEchoed: true }, place);
}

function fresh(role: Role, messageId: string | undefined, parts: Parts): MessageBody {
  const none = undefined;
  return { type: 'message', role, messageId, parts, prompt: none, peer: none, meta: none };
}

function withParts(
  { type, role, messageId, prompt, isEchoed, peer, meta }: MessageBody,
  parts: Parts,
): MessageBody {
  return { type, role, messageId, parts, prompt, isEchoed, peer, meta };
}

function isLive(place: FoldedFrame): boolean {
  return !place.restoring && !isHistoric(place);
}

function isHistoric({ replay, late }: ReplayFlags): boolean {
  return replay || late;
}

export function applyUpdate(
  draft: Draft,
  { variant, update }: SessionUpdate,
  place: FoldedFrame,
): void {
  switch (variant) {
    case 'agent_message_chunk':
      return chunk(draft, 'agent', update, place);
    case 'agent_thought_chunk':
      return chunk(draft, 'thought', update, place);
    case 'user_message_chunk':
      return chunk(draft, 'user', update, place);
    // Only v2 has these.
    case 'agent_message':
      draft.version = 2;
      return message(draft, 'agent', update, place);
    case 'agent_thought':
      draft.version = 2;
      return message(draft, 'thought', update, place);
    case 'user_message':
      draft.version = 2;
      return message(draft, 'user', update, place);
    case 'state_update':
      draft.version = 2;
      return stateUpdate(draft, update, place);
    case 'tool_call':
    case 'tool_call_update':
      return patchTool(draft, update, place);
    case 'tool_call_content_chunk':
      return toolChunk(draft, update, place);
    case 'terminal_update':
    case 'terminal_output_chunk':
      draft.terminals = terminalUpdate(
        draft.terminals,
        draft.sessionId,
        variant,
        update,
        place.seq,
      );
      return;
    case 'plan':
      return wholePlan(draft, update, place);
    case 'plan_update':
      return planById(draft, update, place);
    case 'plan_removed':
      return planRemoved(draft, update);
    case 'compaction_update':
    case 'compaction_summary_chunk':
      return compaction(draft, variant, update, place);
    case 'session_message':
    case 'session_message_chunk':
      return betweenSessions(draft, variant, update, place);
    case 'subagent_update':
      return subagent(draft, update, place);
    case 'notice':
      return note(draft, noticeWords(update), place);
    case 'current_mode_update':
      return mode(draft, str(update, 'currentModeId'), place);
    case 'config_option_update':
      return options(draft, update, place);
    case 'available_commands_update':
      return commands(draft, update, place);
    case 'session_info_update':
      return addInfo(draft, update, place);
    case 'usage_update':
      return usage(draft, update, place);
  }
}

/** A snapshot, which may end a turn, but not in a restore. */
function stateUpdate(draft: Draft, update: JsonObject, place: FoldedFrame): void {
  const { seq } = place;
  const before = draft.activity?.value.state;
  const state = str(update, 'state');
  const background = backgroundOf(update);
  if (background) draft.background = { value: background, seq };
  if (state === undefined) return;
  const stopReason = str(update, 'stopReason');
  const error = str(get(update, 'error'), 'message');
  const tokens = num(get(update, 'usage'), 'totalTokens');
  const value: Activity = {
    state,
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(error === undefined ? {} : { error }),
    ...(tokens === undefined ? {} : { tokens }),
  };
  draft.activity = { value, seq };
  if (place.restoring || !endsTurn(update, isAtWork(before), draft.prompted)) return;
  draft.prompted = false;
  note(draft, turnEnd(update), place);
}
