// What a session/update frame carries, read without trust, and which session a message names.
import { get, isObject, num, obj, str } from './json.ts';
import type { Json, JsonObject, Message } from './message.ts';

export interface SessionUpdate {
  readonly sessionId?: string;
  /** The `sessionUpdate` tag, without which it is no update. */
  readonly variant: string;
  /** The update with its tag. */
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

/** Where each chunk variant names what it adds to. v1 message chunks may leave it out. */
const CHUNKED: Readonly<Record<string, string>> = {
  user_message_chunk: 'messageId',
  agent_message_chunk: 'messageId',
  agent_thought_chunk: 'messageId',
  tool_call_content_chunk: 'toolCallId',
  terminal_output_chunk: 'terminalId',
  compaction_summary_chunk: 'compactionId',
  session_message_chunk: 'messageId',
};

/** Whether updates of this variant append to something instead of setting it. */
export function isChunk(variant: string): boolean {
  return Object.hasOwn(CHUNKED, variant);
}

/**
 * What a chunk adds to, as a key: equal for chunks of one message, tool call or terminal of one
 * session. Chunks that name nothing share a key by variant. Undefined: not a chunk.
 */
export function chunkKey({ sessionId, variant, update }: SessionUpdate): string | undefined {
  if (!isChunk(variant)) return undefined;
  const target = str(update, CHUNKED[variant] ?? '');
  return JSON.stringify([sessionId, variant, target]);
}

/** The text a chunk adds, where it adds text: message chunks and compaction summaries. */
export function chunkText(update: JsonObject): string | undefined {
  const content = obj(update, 'content');
  return str(content, 'type') === 'text' ? str(content, 'text') : undefined;
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

/** `protocolVersion` of an `initialize` request's params or its result. */
export function protocolVersionOf(value: Json | undefined): number | undefined {
  return num(value, 'protocolVersion');
}
