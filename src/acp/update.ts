// What a session/update frame carries, read without trust, and which session a message names.
import { get, isObject, obj, str } from './json.ts';
import type { Json, JsonObject, Message } from './message.ts';

export interface SessionUpdate {
  readonly sessionId?: string;
  /** The `sessionUpdate` tag, without which it is no update. */
  readonly variant: string;
  readonly update: JsonObject;
}

/** Reads the params of a `session/update`; undefined where no tagged update is in them. */
export function updateOf(params: Json | undefined): SessionUpdate | undefined {
  const update = obj(params, 'update');
  const variant = str(update, 'sessionUpdate');
  if (update === undefined || variant === undefined) return undefined;
  const sessionId = str(params, 'sessionId');
  return sessionId === undefined ? { variant, update } : { sessionId, variant, update };
}

const CHUNKS: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call_content_chunk',
  'terminal_output_chunk',
  'compaction_summary_chunk',
  'session_message_chunk',
]);

/** Whether updates of this variant append to something instead of setting it. */
export function isChunk(variant: string): boolean {
  return CHUNKS.has(variant);
}

const FINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** Whether a tool call with this status is over; one that the protocol does not know says no end. */
export function isFinal(status: string | undefined): boolean {
  return status !== undefined && FINAL.has(status);
}

/** The text a chunk adds, where it adds text: message chunks and compaction summaries. */
export function chunkText(update: JsonObject): string | undefined {
  const content = obj(update, 'content');
  return str(content, 'type') === 'text' ? str(content, 'text') : undefined;
}

/** The id of the child that a `subagent_update` tells of. */
export function childIdOf(update: JsonObject): string | undefined {
  return str(update, 'sessionId') ?? str(update, 'childSessionId');
}

/** The session that params, a result or an error's data name. */
export function sessionIdOf(value: Json | undefined): string | undefined {
  return str(value, 'sessionId');
}

/** The session a message names itself; answers seldom do, their request knows. */
export function sessionOf(message: Message): string | undefined {
  switch (message.kind) {
    case 'request':
    case 'notification':
      return sessionIdOf(message.params);
    case 'success':
      return sessionIdOf(message.result);
    case 'failure':
      return sessionIdOf(message.error.data);
    case 'invalid':
      return isObject(message.value)
        ? (sessionIdOf(get(message.value, 'params')) ?? sessionIdOf(get(message.value, 'result')))
        : undefined;
  }
}
