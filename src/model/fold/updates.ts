// What a `session/update` does to the state of its session.
import { get, num, objects, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { SessionUpdate } from '../../acp/update.ts';
import { noticeWords, turnEnd } from '../sessions/conversation-words.ts';
import { betweenSessions, chunk, message } from './messages.ts';
import { compaction, note } from './notes.ts';
import { commands, info, mode, options, usage } from './settings.ts';
import type { Activity, BackgroundWork, Draft, Place } from './state.ts';
import { subagent } from './subagents.ts';
import { terminalUpdate } from './terminals.ts';
import { patchTool, planById, planRemoved, toolChunk, wholePlan } from './tools.ts';

export function applyUpdate(draft: Draft, { variant, update }: SessionUpdate, place: Place): void {
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
      return info(draft, update, place);
    case 'usage_update':
      return usage(draft, update, place);
  }
}

/** A snapshot: only the step from work to idle ends a turn, and only outside a restore. */
function stateUpdate(draft: Draft, update: JsonObject, place: Place): void {
  const { seq } = place;
  const before = draft.activity?.value.state;
  const state = str(update, 'state');
  const background = get(update, 'background');
  if (Array.isArray(background)) draft.background = { value: workOf(update), seq };
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
  if (state !== 'idle' || before === 'idle' || place.restoring) return;
  if (before === undefined && stopReason === undefined) return;
  note(draft, turnEnd(update), place);
}

function workOf(update: JsonObject): BackgroundWork[] {
  return objects(update, 'background').map((work) => ({
    type: str(work, 'type') ?? 'unknown',
    id: str(work, 'terminalId') ?? str(work, 'toolCallId') ?? str(work, 'sessionId') ?? '',
  }));
}
