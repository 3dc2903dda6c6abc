// What happened, in a person's words: turn ends, errors, notices, compactions, exits, and how an
// ask was answered. One line each; a tone where it matters.
import { CODE, type Failure, type Json, type JsonObject, type Message } from '../../acp/message.ts';
import { get, isObject, str } from '../../acp/json.ts';
import { agentEnd, endClause } from '../../trace/agent-end.ts';
import type { Exit, Gap } from '../../trace/event.ts';
import type { NoteItem } from './conversation-view.ts';
import { errorWords } from '../words.ts';
import { offeredOption } from '../facts/permission.ts';

export interface NoteWords {
  readonly tone: NoteItem['tone'];
  readonly text: string;
}

export const quiet = (text: string): NoteWords => ({ tone: 'quiet', text });
const warn = (text: string): NoteWords => ({ tone: 'warn', text });
const fault = (text: string): NoteWords => ({ tone: 'error', text });

/** The end of a turn: the answer of a v1 prompt, or a v2 idle state. */
export function turnEnd(result: Json): NoteWords {
  const reason = str(result, 'stopReason');
  switch (reason) {
    case 'end_turn':
      return quiet('Turn ended');
    case 'cancelled':
      return quiet('Turn cancelled');
    case 'max_tokens':
      return warn('Turn ended: the token limit was reached');
    case 'max_turn_requests':
      return warn('Turn ended: the limit of requests in one turn was reached');
    case 'refusal':
      return warn('Turn ended: the agent refuses to go on');
    case 'error': {
      const message = str(get(result, 'error'), 'message');
      return fault(
        message === undefined ? 'Turn ended by an error' : `Turn ended by an error: ${message}`,
      );
    }
    case undefined:
      return quiet('Turn ended, with no reason given');
    default:
      return quiet(`Turn ended: ${reason}`);
  }
}

/** An error answer to a request of the client, or why it has none, as a sentence. */
export function failureWords(method: string, why: Failure | string): NoteWords {
  const code = typeof why === 'string' ? undefined : why.error.code;
  if (code === CODE.requestCancelled) return quiet(`${method} was cancelled`);
  return fault(`${method} failed: ${typeof why === 'string' ? why : errorWords(why.error)}`);
}

export function noticeWords(update: JsonObject): NoteWords {
  const severity = str(update, 'severity');
  const text = [str(update, 'title'), str(update, 'description')].filter(Boolean).join(' · ');
  if (severity === 'error') return fault(text);
  return severity === 'warning' ? warn(text) : quiet(text);
}

/** A compaction as known so far; `summary` is its text. */
export function compactionWords(
  status: string,
  summary: string,
  error: string | undefined,
): NoteWords {
  const more = summary === '' ? '' : `: ${summary}`;
  switch (status) {
    case 'in_progress':
      return quiet(`Compacting the context${more || '…'}`);
    case 'completed':
      return quiet(`Context compacted${more}`);
    case 'failed':
      return fault(`Compaction failed${error === undefined ? '' : `: ${error}`}`);
    default:
      return quiet(`Compaction ${status}${more}`);
  }
}

export function exitNote(exit: Exit): NoteWords {
  const text = exit.problem ?? `The agent ${endClause(exit)}`;
  return agentEnd(exit).isUnexpected ? fault(text) : quiet(text);
}

export function gapWords({ count, reason, omitted }: Gap): NoteWords {
  if (omitted) return quiet(`${count} ${count === 1 ? 'event' : 'events'} left out: ${reason}`);
  const text = `${count} ${count === 1 ? 'event is' : 'events are'} missing here: ${reason}`;
  return warn(text);
}

/** What a permission or elicitation asks; `toolTitle` where the tool call is known. */
export function askTitle(
  method: string,
  params: Json | undefined,
  toolTitle: string | undefined,
): string {
  if (method === 'elicitation/create') return str(params, 'message') ?? 'The agent asks';
  const subject = get(params, 'subject');
  return (
    str(params, 'title') ??
    str(get(params, 'toolCall'), 'title') ??
    toolTitle ??
    str(subject, 'command') ??
    'The agent asks for permission'
  );
}

/** How the client answered an ask whose params these are. */
export function answerWords(method: string, params: Json | undefined, answer: Message): string {
  if (answer.kind === 'failure') return errorWords(answer.error);
  const result = answer.kind === 'success' ? answer.result : undefined;
  return method === 'elicitation/create' ? elicited(result) : permitted(params, result);
}

function permitted(params: Json | undefined, result: Json | undefined): string {
  const outcome = get(result, 'outcome');
  const what = str(outcome, 'outcome');
  if (what === 'cancelled') return 'Cancelled';
  if (what !== 'selected') return what ?? 'An answer without an outcome';
  const optionId = str(outcome, 'optionId') ?? '';
  const option = offeredOption(params, optionId);
  if (!option) return `Selected “${optionId}”, which was not offered`;
  const name = str(option, 'name') ?? optionId;
  const kind = str(option, 'kind')?.replaceAll('_', ' ');
  return kind === undefined || kind === name.toLowerCase() ? name : `${name} · ${kind}`;
}

function elicited(result: Json | undefined): string {
  switch (str(result, 'action')) {
    case 'accept': {
      const content = get(result, 'content');
      const fields = isObject(content) ? Object.keys(content) : [];
      return fields.length > 0 ? `Accepted, with ${fields.join(', ')}` : 'Accepted';
    }
    case 'decline':
      return 'Declined';
    case 'cancel':
      return 'Cancelled';
    default:
      return str(result, 'action') ?? 'An answer without an action';
  }
}
