// One human line for every event, made from facts. The order inside a line: what, state, figure.
import type { Message } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { count } from '../../lib/format-count.ts';
import type { Exit, TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { answerWords } from './summary-answers.ts';
import { notificationWords, requestWords } from './summary-requests.ts';
import { updateWords } from './summary-updates.ts';
import type { SummaryContext } from './summary-content.ts';
import { described, errorWords, facts, oneLine } from '../words.ts';

const ORPHAN = 'answers no open request';

/** `message`: what a frame says, undefined for every other event. */
export function summarize(
  event: TraceEvent,
  message: Message | undefined,
  context: SummaryContext = {},
): string {
  switch (event.type) {
    case 'frame':
      return message === undefined
        ? oneLine(lineText(event.line))
        : messageWords(message, lineText(event.line), context);
    case 'stderr':
      return oneLine(lineText(event.line));
    case 'start':
      return facts(
        oneLine(event.argv.join(' ')),
        event.pid !== undefined && `pid ${event.pid}`,
        oneLine(event.cwd),
      );
    case 'exit':
      return exitWords(event);
    case 'gap':
      return `${count(event.count, 'event is', 'events are')} missing: ${oneLine(event.reason)}`;
    case 'mark':
      return facts(`#${event.target}`, oneLine(event.label), event.removed && 'taken off');
    case 'suppress':
      return facts(
        event.rule,
        event.session !== undefined && `in ${oneLine(event.session)}`,
        event.method,
        oneLine(event.reason),
        event.removed && 'no longer',
      );
    default:
      return assertNever(event);
  }
}

function messageWords(message: Message, line: string, context: SummaryContext): string {
  switch (message.kind) {
    case 'request':
      return facts(
        requestWords(message.method, message.params, context),
        context.reusedId && 'its id was still waiting',
      );
    case 'notification': {
      const update = message.method === 'session/update' ? updateOf(message.params) : undefined;
      return update === undefined
        ? notificationWords(message.method, message.params)
        : updateWords(update.variant, update.update, context);
    }
    case 'success':
      if (context.request === undefined) return facts(described(message.result), ORPHAN);
      return answerWords(context.request, message.result);
    case 'failure':
      return facts(errorWords(message.error), context.orphan && ORPHAN);
    case 'invalid':
      // A stray line says most by itself; what is JSON but no message says least.
      return message.reason === 'not-json' ? oneLine(line) : message.why;
    default:
      return assertNever(message);
  }
}

/** `exited 137`, `ended by SIGKILL`, or the sentence of why it could not start. */
export function exitWords({ code, signal, problem }: Exit): string {
  if (problem !== undefined) return oneLine(problem);
  if (signal !== undefined) return `ended by ${signal}`;
  return code === undefined ? 'ended' : `exited ${code}`;
}
