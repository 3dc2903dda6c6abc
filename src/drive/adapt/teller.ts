// The second reading: a recorded history told as the `session/update` frames of a replay. What the
// agent said is said again byte for byte, under the ids it gave; ours is only what the protocol
// wants around it: prompts as user messages, an empty base before chunks (v2), an end for what a
// dead process left running, and a note wherever something is missing.
import { get, isArray, objects, obj, parseJson, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import { updateLine } from '../../acp/lines.ts';
import { updateOf } from '../../acp/update.ts';
import type { StoreEntry, StoreHead } from './entry.ts';
import { textAt, withValue } from './line-edit.ts';
import type { Cut, Survey } from './survey.ts';
import { jsonEntries, rootSpan } from '../../lib/json-text.ts';

// What a replayed history says of itself: everything that it does not have. ACP gives an agent that
// must tell its user something no place of its own in a history (a notice is live only), and names
// an agent message as the way; so each note is one, in brackets, under the adapter's name, with a
// `_meta` that a program can tell it by.

type NoteKind = 'not-recorded' | 'cut-off' | 'other-version' | 'gap';

/** Marks what the adapter says by itself: `{"acp-scope":{"adapt":"cut-off"}}`. */
function markOf(kind: NoteKind | 'unfinished'): JsonObject {
  return { 'acp-scope': { adapt: kind } };
}

const NOT_RECORDED = 'Earlier messages of this session were not recorded.';

/**
 * `turn`: one has no end in the record. `tools`: calls that have none. Who ended whom, agent,
 * adapter or session, the record of a killed process cannot say.
 */
function cutOff(turn: boolean, tools: number, fork: boolean): string {
  const calls = tools === 1 ? '1 tool call' : `${tools} tool calls`;
  const unknown = `What became of ${calls} is not known; shown as failed.`;
  if (fork) return `The session was forked here.${tools > 0 ? ` ${unknown}` : ''}`;
  if (!turn) return `The session was taken up again here. ${unknown}`;
  const cut = 'The record of this turn stops here, before its end.';
  return tools > 0 ? `${cut} ${unknown}` : cut;
}

function otherVersion(was: Version): string {
  return `What follows was said in ACP v${was}, which cannot be told in v${was === 1 ? 2 : 1}, and is left out.`;
}

function terminalGone(terminalId: string): string {
  return `[acp-scope adapt: What the terminal ${terminalId} showed was not recorded.]`;
}

/**
 * The update that is a note. v1 without an id: a client adds it to the agent's message that stands
 * last, hence the paragraph.
 */
function noteUpdate(
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

interface Telling {
  readonly head: StoreHead;
  readonly survey: Survey;
  /** The version of the connection it is told on. */
  readonly acp: Version;
  /** v1 clients take compactions only where they say so. */
  readonly compactions: boolean;
}

const UPSERT_OF: Readonly<Record<string, string>> = {
  user_message_chunk: 'user_message',
  agent_message_chunk: 'agent_message',
  agent_thought_chunk: 'agent_thought',
};

export class Teller {
  readonly #telling: Telling;
  #place = -1;
  /** Of the entries being read. */
  #acp: Version;
  #leftOut = false;
  /** Items that have been told: v2's chunks need a base, v1's tool calls are made once. */
  readonly #told = new Set<string>();
  #lastVariant = '';
  #notes = 0;

  constructor(telling: Telling) {
    this.#telling = telling;
    this.#acp = telling.acp;
  }

  /** What comes before the first entry. */
  begin(): string[] {
    return this.#telling.head.begin === 'middle' ? [this.#note('not-recorded', NOT_RECORDED)] : [];
  }

  /** The frames of the next entry, in the order in which they were surveyed. */
  tell(entry: StoreEntry): string[] {
    this.#place++;
    if (entry.type === 'open') return this.#opened(entry.acp);
    if (entry.type === 'gap') return [this.#note('gap', entry.why)];
    if (entry.type !== 'prompt' && entry.type !== 'update') return [];
    if (this.#acp !== this.#telling.acp) {
      if (this.#leftOut) return [];
      this.#leftOut = true;
      return [this.#note('other-version', otherVersion(this.#acp))];
    }
    return entry.type === 'prompt'
      ? this.#prompt(entry.id, entry.blocks)
      : this.#update(entry.line);
  }

  #opened(acp: Version): string[] {
    const cut = this.#telling.survey.cuts.get(this.#place);
    const lines = cut && this.#acp === this.#telling.acp ? this.#cut(cut) : [];
    this.#acp = acp;
    this.#leftOut = false;
    return lines;
  }

  #cut({ fork, turn, tools, terminals }: Cut): string[] {
    const _meta = markOf('unfinished');
    const lines = [
      ...tools.map((toolCallId) => ({
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: 'failed',
        _meta,
      })),
      ...terminals.map((terminalId) => ({
        sessionUpdate: 'terminal_update',
        terminalId,
        exitStatus: {},
        _meta,
      })),
    ].map((update) => this.#line(update));
    if (turn || tools.length > 0)
      lines.push(this.#note('cut-off', cutOff(turn, tools.length, fork)));
    return lines;
  }

  #prompt(id: string, blocks: string): string[] {
    const { acp, survey, head } = this.#telling;
    const facts = survey.prompts.get(id);
    if (!facts || facts.refused) return [];
    const session = JSON.stringify(head.session);
    const line = (update: string) =>
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":${session},"update":{${update}}}}`;
    this.#lastVariant = 'user_message';
    if (acp === 2) {
      const { messageId } = facts;
      // Told by the agent itself, as it must; or never inserted.
      if (messageId === undefined || survey.userIds.has(messageId)) return [];
      const name = `"messageId":${JSON.stringify(messageId)}`;
      return [line(`"sessionUpdate":"user_message",${name},"content":${blocks}`)];
    }
    // A prompt has no id of the agent's unless it was echoed; ours keeps two prompts apart.
    const messageId = facts.messageId ?? (survey.userBare ? undefined : id);
    const name = messageId === undefined ? '' : `"messageId":${JSON.stringify(messageId)},`;
    return [...jsonEntries(blocks, rootSpan(blocks))].map(({ start, end }) =>
      line(`"sessionUpdate":"user_message_chunk",${name}"content":${blocks.slice(start, end)}`),
    );
  }

  #update(line: string): string[] {
    const { acp, survey, compactions } = this.#telling;
    const whole = survey.compactions.get(this.#place);
    if (whole) {
      const compaction = { sessionUpdate: 'compaction_update', ...whole };
      return compactions && str(whole, 'status') !== 'in_progress' ? [this.#line(compaction)] : [];
    }
    if (survey.skipped.has(this.#place)) return [];
    const read = updateOf(get(parseJson(line), 'params'));
    // A snapshot of what ran then; what runs now the agent says.
    if (!read || read.variant === 'state_update') return [];
    this.#lastVariant = read.variant;
    return acp === 1 ? [this.#inV1(line, read)] : this.#inV2(line, read);
  }

  #inV1(line: string, { variant, update }: { variant: string; update: JsonObject }): string {
    if (variant !== 'tool_call' && variant !== 'tool_call_update') return line;
    const key = `tool ${str(update, 'toolCallId') ?? ''}`;
    const again = variant === 'tool_call' && this.#told.has(key);
    this.#told.add(key);
    const shown = again
      ? withValue(line, [...UPDATE, 'sessionUpdate'], '"tool_call_update"')
      : line;
    if (!objects(update, 'content').some((part) => part['type'] === 'terminal')) return shown;
    const content = objects(update, 'content').map((part) => this.#withoutTerminal(part));
    return withValue(shown, [...UPDATE, 'content'], JSON.stringify(content));
  }

  /** The client's terminals are gone with the connection that had them; what they showed is not. */
  #withoutTerminal(part: JsonObject): JsonObject {
    if (part['type'] !== 'terminal') return part;
    const terminalId = str(part, 'terminalId') ?? '';
    const text = this.#telling.survey.terminals.get(terminalId) ?? terminalGone(terminalId);
    return { type: 'content', content: { type: 'text', text } };
  }

  #inV2(line: string, { variant, update }: { variant: string; update: JsonObject }): string[] {
    const message = UPSERT_OF[variant];
    const messageId = str(update, 'messageId');
    if (message !== undefined) {
      const base = { sessionUpdate: message, messageId: messageId ?? '', content: [] };
      return this.#based(`${message} ${messageId ?? ''}`, base, line);
    }
    if (messageId !== undefined && isArray(get(update, 'content')))
      this.#told.add(`${variant} ${messageId}`);
    const toolCallId = str(update, 'toolCallId') ?? '';
    if (variant === 'tool_call_content_chunk') {
      const base = { sessionUpdate: 'tool_call_update', toolCallId, content: [] };
      return this.#based(`tool ${toolCallId}`, base, line);
    }
    if (isArray(get(update, 'content'))) this.#told.add(`tool ${toolCallId}`);
    const terminalId = str(update, 'terminalId') ?? '';
    if (variant === 'terminal_output_chunk') {
      const base = { sessionUpdate: 'terminal_update', terminalId, output: { data: '' } };
      return this.#based(`terminal ${terminalId}`, base, line);
    }
    if (obj(update, 'output')) this.#told.add(`terminal ${terminalId}`);
    return [line];
  }

  /** A client may know the item: what is added to it begins from nothing. */
  #based(key: string, base: JsonObject, line: string): string[] {
    if (this.#told.has(key)) return [line];
    this.#told.add(key);
    return [this.#line(base), line];
  }

  #note(kind: NoteKind, sentence: string): string {
    const { acp, survey } = this.#telling;
    const named = acp === 2 || survey.agentIds;
    const id = named ? `acp-scope-adapt-note-${++this.#notes}` : undefined;
    const paragraph = !named && this.#lastVariant === 'agent_message_chunk';
    this.#lastVariant = 'agent_message_chunk';
    return this.#line(noteUpdate(acp, kind, sentence, id, paragraph));
  }

  #line(update: JsonObject): string {
    return updateLine(this.#telling.head.session, update);
  }
}

const UPDATE = ['params', 'update'] as const;

/** A stored update under another session's id, as a fork has it. */
export function underSession(line: string, session: string): string {
  const path = ['params', 'sessionId'];
  return textAt(line, path) === undefined ? line : withValue(line, path, JSON.stringify(session));
}
