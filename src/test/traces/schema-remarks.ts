// What the schemas say of one frame, for tests; and short ways to write the frames.
import { parseMessage } from '../../acp/message.ts';
import type { Role, Version } from '../../acp/methods.ts';
import { frameRemarks, loadSchemaSet } from '../../acp/schema/frame-check.ts';
import { remarkWords } from '../../acp/schema/remark-words.ts';

const sets = { 1: await loadSchemaSet(1), 2: await loadSchemaSet(2) };

export function remarks(version: Version, from: Role, body: object, asked?: string) {
  const line = JSON.stringify({ jsonrpc: '2.0', ...body });
  return frameRemarks(sets[version], from, parseMessage(line), asked).map((remark) => ({
    kind: remark.kind,
    pointer: remark.pointer,
    ...remarkWords(remark),
  }));
}
/** `kind pointer: message`, each. */
export function said(...args: Parameters<typeof remarks>): readonly string[] {
  return remarks(...args).map(({ kind, pointer, message }) => `${kind} ${pointer}: ${message}`);
}

export const update = (fields: object) => ({
  method: 'session/update',
  params: { sessionId: 's', update: fields },
});
export const ask = (method: string, params: object) => ({ id: 1, method, params });
export const answer = (result: unknown) => ({ id: 1, result });
export const prompt = (...blocks: object[]) =>
  ask('session/prompt', { sessionId: 's', prompt: blocks });
export const text = (fields: object = {}) => ({ type: 'text', text: 'hi', ...fields });
export const chunk = (content: unknown) =>
  update({ sessionUpdate: 'agent_message_chunk', content });
export const chunk2 = (content: unknown) =>
  update({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content });
