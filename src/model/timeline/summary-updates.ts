// What a session/update says, in one line: every variant of v1 and v2.
import { arr, get, isObject, num, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { formatBytes, count, formatCount } from '../../lib/format.ts';
import { decodeLossy, fromBase64 } from '../../lib/utf8.ts';
import {
  contentWords,
  exitStatusWords,
  type SummaryContext,
  toolContentWords,
} from './summary-content.ts';
import { costWords } from '../facts/usage.ts';
import { described, facts, oneLine, quoted, shortId } from '../words.ts';

export function updateWords(
  variant: string,
  update: JsonObject,
  { toolOf }: SummaryContext,
): string {
  switch (variant) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
    case 'compaction_summary_chunk':
    case 'session_message_chunk':
      return contentWords(get(update, 'content')) || 'empty';
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
      return upsertWords(update);
    case 'tool_call':
    case 'tool_call_update':
      return facts(
        toolTitle(update, toolOf),
        word(update, 'status') || changedWords(update),
        toolContentWords(get(update, 'content')),
      );
    case 'tool_call_content_chunk': {
      const content = get(update, 'content');
      const shown = contentWords(get(content, 'content')) || toolContentWords([content ?? null]);
      return facts(toolTitle(update, toolOf), shown);
    }
    case 'terminal_update':
      return terminalWords(update);
    case 'terminal_output_chunk':
      return quoted(terminalText(update) ?? '') || 'no output';
    case 'plan':
      return planWords(update);
    case 'plan_update':
      return planWords(get(update, 'plan'));
    case 'plan_removed':
      return `plan ${shortId(str(update, 'planId') ?? '')} removed`;
    case 'available_commands_update':
      return count(arr(update, 'availableCommands').length, 'command');
    case 'current_mode_update':
      return `mode ${word(update, 'currentModeId')}`;
    case 'config_option_update':
      return count(arr(update, 'configOptions').length, 'config option');
    case 'session_info_update':
      return sessionInfoWords(update);
    case 'usage_update':
      return usageWords(update);
    case 'state_update':
      return stateWords(update);
    case 'notice':
      return facts(word(update, 'severity'), quoted(str(update, 'title') ?? ''));
    case 'compaction_update':
      return facts(
        word(update, 'status'),
        contentWords(get(update, 'summary')) || oneLine(str(update, 'error') ?? ''),
      );
    case 'subagent_update':
      return facts(
        quoted((str(update, 'title') || str(update, 'description')) ?? '') ||
          shortId(str(update, 'sessionId') ?? ''),
        word(get(update, 'state'), 'state') || childWords(update),
      );
    case 'session_message':
      return facts(
        contentWords(get(update, 'content')),
        `from ${shortId(str(update, 'senderSessionId') ?? 'this session')}`,
        `to ${shortId(str(update, 'recipientSessionId') ?? 'this session')}`,
      );
    default: {
      const { sessionUpdate: _, ...rest } = update;
      return described(rest);
    }
  }
}

/** The text one frame adds to its run, exactly; undefined where it adds none. */
export function runText(variant: string, update: JsonObject): string | undefined {
  if (variant === 'terminal_output_chunk') return terminalText(update);
  const content = get(update, 'content');
  const block = variant === 'tool_call_content_chunk' ? get(content, 'content') : content;
  return str(block, 'type') === 'text' ? str(block, 'text') : undefined;
}

function upsertWords(update: JsonObject): string {
  const content = get(update, 'content');
  if (content === undefined) return 'content unchanged';
  return contentWords(content) || (content === null ? 'cleared' : 'empty');
}

/** What an update of a tool call brings that has no status. */
function changedWords(update: JsonObject): string {
  const names = { rawInput: 'input', rawOutput: 'output', locations: 'locations' };
  return Object.entries(names)
    .flatMap(([key, name]) =>
      get(update, key) === undefined || get(update, key) === null ? [] : name,
    )
    .join(', ');
}

/** What an update of a child session brings that has no state. */
function childWords(update: JsonObject): string {
  const cancel = get(get(update, 'capabilities'), 'cancel');
  return facts(
    cancel !== undefined && (cancel === null ? 'cannot be cancelled' : 'can be cancelled'),
    oneLine(str(update, 'cwd') ?? ''),
  );
}

/** `read config.json`: the kind is said only where the title is a name and no sentence. */
function toolTitle(tool: Json | undefined, toolOf: SummaryContext['toolOf']): string {
  const id = str(tool, 'toolCallId') ?? '';
  const known = toolOf?.(id);
  const title = str(tool, 'title') ?? known?.title ?? str(tool, 'name');
  const kind = str(tool, 'kind') ?? known?.kind;
  if (title === undefined || title.trim() === '') return facts(kind, shortId(id));
  if (kind === undefined || kind === 'other') return oneLine(title);
  const said = title.toLowerCase().startsWith(kind.toLowerCase()) || /^\p{Lu}\p{Ll}+ /u.test(title);
  return oneLine(said ? title : `${kind} ${title}`);
}

function terminalWords(update: JsonObject): string {
  const command = str(update, 'command');
  const output = str(get(update, 'output'), 'data');
  const status = get(update, 'exitStatus');
  const bytes = output === undefined ? undefined : fromBase64(output)?.length;
  return (
    facts(
      command !== undefined && oneLine(command),
      isObject(status) && (exitStatusWords(status) ?? 'ended'),
      bytes !== undefined && `output of ${formatBytes(bytes)}`,
    ) || shortId(str(update, 'terminalId') ?? '')
  );
}

function terminalText(update: JsonObject): string | undefined {
  const bytes = fromBase64(str(update, 'data') ?? '');
  return bytes === undefined ? undefined : decodeLossy(bytes);
}

/** `3 of 4 done · “the entry in work”`. Plans that are no list of entries say what they are. */
function planWords(plan: Json | undefined): string {
  const entries = objects(plan, 'entries');
  const type = str(plan, 'type');
  if (type !== undefined && type !== 'items') {
    const text = str(plan, 'content') ?? str(plan, 'markdown') ?? str(plan, 'uri') ?? '';
    return facts(oneLine(type, 40), quoted(text));
  }
  if (entries.length === 0) return 'empty plan';
  const status = (entry: JsonObject) => str(entry, 'status');
  const done = entries.filter((entry) => status(entry) === 'completed').length;
  const current =
    entries.find((entry) => status(entry) === 'in_progress') ??
    entries.find((entry) => status(entry) === 'pending');
  return facts(`${done} of ${entries.length} done`, quoted(str(current, 'content') ?? ''));
}

function sessionInfoWords(update: JsonObject): string {
  const title = get(update, 'title');
  const updated = str(update, 'updatedAt');
  return facts(
    title === null ? 'title cleared' : quoted(str(update, 'title') ?? ''),
    updated !== undefined && `updated ${oneLine(updated, 40)}`,
    title === undefined && updated === undefined && described(get(update, '_meta')),
  );
}

function usageWords(update: JsonObject): string {
  const used = num(update, 'used');
  const size = num(update, 'size');
  const cost = get(update, 'cost');
  const amount = num(cost, 'amount');
  return facts(
    used !== undefined && size !== undefined && `${formatCount(used)} of ${count(size, 'token')}`,
    amount !== undefined && costWords({ amount, currency: word(cost, 'currency') }),
  );
}

function stateWords(update: JsonObject): string {
  const background = arr(update, 'background').length;
  return facts(
    word(update, 'state'),
    word(update, 'stopReason'),
    str(get(update, 'error'), 'message'),
    background > 0 && `${background} in the background`,
  );
}

function word(value: Json | undefined, key: string): string {
  return oneLine(str(value, key) ?? '', 60);
}
