// One line for what a row shows, with aliases.
import { get, isObject, str } from '../../../acp/json.ts';
import type { Json, Message, Request } from '../../../acp/message.ts';
import { count } from '../../../lib/format-count.ts';
import { saidBy } from '../../../model/timeline/digest.ts';
import { requestWords } from '../../../model/timeline/summary-requests.ts';
import { summarize } from '../../../model/timeline/summary.ts';
import { described, errorWords, facts, oneLine, quoted } from '../../../model/words.ts';
import type { Entry, Lane } from '../lane.ts';
import type { DiffView } from './report.ts';
import { TURN_END } from '../story-items.ts';

/** `named`: the same value with aliases in place of real values. */
export function wordsOf(
  view: DiffView,
  lane: Lane,
  entry: Entry,
  named: (value: Json) => Json,
): string {
  if (view === 'frames') return frameWords(lane, entry, named);
  return stepWords(entry.of, named(lane.read(entry)));
}

function frameWords(
  { source }: Lane,
  { first, of, value, frames }: Entry,
  named: (value: Json) => Json,
): string {
  const { index, eventAt } = source;
  const event = eventAt(first);
  const whole = saidBy(event);
  // Of chunks that are told as one, the first has not all there is to say.
  const params = get(value, 'params');
  const message =
    params !== undefined && whole?.kind === 'notification' ? { ...whole, params } : whole;
  const partner = index.columns.partnerOf(first);
  const asked = partner === undefined ? undefined : eventAt(partner);
  const request = saidBy(asked);
  const isAnswer = message?.kind === 'success' || message?.kind === 'failure';
  const context = index.context(first, isAnswer ? requestOf(request) : undefined);
  const words = summarize(event, message && withNames(message, named), context);
  const many = frames > 1 && count(frames, 'chunk');
  return facts(isAnswer ? `answers ${of}` : of, words, many);
}

function requestOf(message: Message | undefined): Request | undefined {
  return message?.kind === 'request' ? message : undefined;
}

function withNames(message: Message, named: (value: Json) => Json): Message {
  switch (message.kind) {
    case 'request':
    case 'notification':
      return message.params === undefined ? message : { ...message, params: named(message.params) };
    case 'success':
      return { ...message, result: named(message.result) };
    case 'failure':
    case 'invalid':
      return message;
  }
}

const SAYS: ReadonlySet<string> = new Set(['user', 'agent', 'thought', 'peer']);

function stepWords(of: string, value: Json): string {
  if (SAYS.has(of)) {
    const others = get(value, 'attachments');
    const more = Array.isArray(others) && count(others.length, 'attachment');
    return facts(`${of} ${quoted(str(value, 'text') ?? '') || 'says nothing'}`, more);
  }
  switch (of) {
    case 'tool':
      return facts(
        [
          str(value, 'toolCallId'),
          str(value, 'kind'),
          oneLine(str(value, 'title') ?? str(value, 'name') ?? ''),
        ]
          .filter((word) => word !== undefined && word !== '')
          .join(' '),
        str(value, 'status'),
      );
    case 'plan': {
      const entries = get(value, 'entries');
      return facts('plan', Array.isArray(entries) && count(entries.length, 'entry', 'entries'));
    }
    case TURN_END:
      return facts('turn ends', str(get(value, 'result'), 'stopReason'), failure(value));
    case 'exit':
      return facts('exit', described(value));
  }
  const params = get(value, 'params');
  if (isFact(value)) return facts(of, described(value.value));
  if (params === undefined) return facts(of, failure(value) ?? described(value));
  return facts(of, requestWords(of, params, {}), failure(value) ?? outcome(get(value, 'result')));
}

/** Of a state: one value under its name. */
function isFact(value: Json): value is { readonly value: Json } {
  return isObject(value) && Object.hasOwn(value, 'value') && Object.keys(value).length === 1;
}

function failure(value: Json): string | undefined {
  const error = get(value, 'error');
  if (!isObject(error)) return undefined;
  const { code, message } = error;
  if (typeof code !== 'number' || typeof message !== 'string') return 'an error';
  return `error ${errorWords({ code, message })}`;
}

function outcome(result: Json | undefined): string | undefined {
  const chosen = get(result, 'outcome');
  if (chosen !== undefined) return str(chosen, 'optionId') ?? str(chosen, 'outcome');
  return str(result, 'sessionId');
}
