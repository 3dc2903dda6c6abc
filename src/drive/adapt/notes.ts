// What a replayed history says of itself: everything that it does not have. ACP gives an agent that
// must tell its user something no place of its own in a history (a notice is live only), and names
// an agent message as the way; so each note is one, in brackets, under the adapter's name, with a
// `_meta` that a program can tell it by.
import type { JsonObject } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';

export type NoteKind = 'not-recorded' | 'cut-off' | 'other-version' | 'gap';

/** Marks what the adapter says by itself: `{"acp-scope":{"adapt":"cut-off"}}`. */
export function markOf(kind: NoteKind | 'unfinished'): JsonObject {
  return { 'acp-scope': { adapt: kind } };
}

export const NOT_RECORDED = 'Earlier messages of this session were not recorded.';

/**
 * `turn`: one has no end in the record. `tools`: calls that have none. Who ended whom, agent,
 * adapter or session, the record of a killed process cannot say.
 */
export function cutOff(turn: boolean, tools: number, fork: boolean): string {
  const calls = tools === 1 ? '1 tool call' : `${tools} tool calls`;
  const unknown = `What became of ${calls} is not known; shown as failed.`;
  if (fork) return `The session was forked here.${tools > 0 ? ` ${unknown}` : ''}`;
  if (!turn) return `The session was taken up again here. ${unknown}`;
  const cut = 'The record of this turn stops here, before its end.';
  return tools > 0 ? `${cut} ${unknown}` : cut;
}

export function otherVersion(was: Version): string {
  return `What follows was said in ACP v${was}, which cannot be told in v${was === 1 ? 2 : 1}, and is left out.`;
}

export function terminalGone(terminalId: string): string {
  return `[acp-scope adapt: What the terminal ${terminalId} showed was not recorded.]`;
}

/**
 * The update that is a note. v1 without an id: a client adds it to the agent's message that stands
 * last, hence the paragraph.
 */
export function noteUpdate(
  acp: Version,
  kind: NoteKind,
  sentence: string,
  messageId: string | undefined,
  paragraph: boolean,
): JsonObject {
  const text = `${paragraph ? '\n\n' : ''}[acp-scope adapt: ${sentence}]`;
  const id = messageId === undefined ? {} : { messageId };
  const block = { type: 'text', text };
  return acp === 1
    ? { sessionUpdate: 'agent_message_chunk', ...id, content: block, _meta: markOf(kind) }
    : { sessionUpdate: 'agent_message', ...id, content: [block], _meta: markOf(kind) };
}
