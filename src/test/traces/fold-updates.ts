// Folds the session/update stream of either protocol version into what a client would show at its
// end: by id, in the order of first appearance. For comparing a live session with its replay.
import type { Json, JsonObject } from '../../acp/message.ts';

type Fields = Record<string, Json>;

/** Messages, tool calls, plans and terminals, each under its id. */
export function foldUpdates(updates: readonly JsonObject[]): Record<string, Fields> {
  const shown: Record<string, Fields> = {};
  for (const update of updates) fold(shown, update);
  return shown;
}

function fold(shown: Record<string, Fields>, update: JsonObject): void {
  const { sessionUpdate, messageId, toolCallId, terminalId, ...rest } = update;
  const name = String(sessionUpdate);
  if (typeof messageId === 'string') {
    const key = `${name.replace('_chunk', '')} ${messageId}`;
    const text = textOf(rest['content']);
    const before = name.endsWith('_chunk') ? (shown[key]?.['text'] ?? '') : '';
    shown[key] = { text: `${String(before)}${text}` };
  } else if (typeof terminalId === 'string') {
    const { data, ...fields } = rest;
    const output = (fields['output'] as { readonly data: string } | undefined)?.data ?? data;
    const text = Buffer.from(String(output ?? ''), 'base64').toString('utf8');
    const before = shown[terminalId]?.['text'] ?? '';
    const all = name === 'terminal_output_chunk' ? `${String(before)}${text}` : text || before;
    shown[terminalId] = patch(shown[terminalId], { ...fields, output: null, text: all });
  } else if (typeof toolCallId === 'string') {
    shown[toolCallId] = patch(shown[toolCallId], rest);
  } else if (name === 'plan') {
    shown['plan'] = rest;
  } else if (name === 'plan_update') {
    shown['plan'] = rest['plan'] as Fields;
  }
}

function patch(before: Fields | undefined, change: Fields): Fields {
  const after = { ...before, ...change };
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null));
}

function textOf(content: Json | undefined): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.map((block) => (block as { readonly text?: string }).text ?? '').join('');
}
