// One human line for every event, made from facts. The order inside a line: what, state, figure.
import { withoutSecrets } from '../../lib/secrets/arguments.ts';
import { arr, get, isObject, num, obj, objects, str } from '../../acp/json.ts';
import { parseMessage, type Message, type Json, type Request } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { formatBytes, count } from '../../lib/format.ts';
import { formatSpan } from '../../lib/format-time.ts';
import { utf8Size } from '../../lib/utf8.ts';
import { type SummaryContext, exitStatusWords } from './summary-content.ts';
import {
  notificationWords,
  requestWords,
  handshakeWords,
  listedWords,
} from './summary-requests.ts';
import { updateWords } from './summary-updates.ts';
import {
  described,
  errorWords,
  facts,
  oneLine,
  programWords,
  quoted,
  shortId,
  sleepWords,
} from '../words.ts';
import { endClause } from '../../trace/agent-end.ts';
import type { Exit, Intercept, TraceEvent, Transport } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { offeredOption } from '../facts/permission.ts';

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
        oneLine(withoutSecrets(event.argv).join(' ')),
        event.pid !== undefined && `pid ${event.pid}`,
        oneLine(event.cwd),
      );
    case 'exit':
      return facts(exitSummary(event), event.left && `left running: ${programWords(event.left)}`);
    case 'gap':
      return event.omitted
        ? `${count(event.count, 'event')} left out: ${oneLine(event.reason)}`
        : `${count(event.count, 'event is', 'events are')} missing: ${oneLine(event.reason)}`;
    case 'sleep':
      return facts(sleepWords(event), event.counted < event.ms && 'times here stood still');
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
    case 'transport':
      return transportWords(event);
    case 'intercept':
      return interceptWords(event);
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
      if (context.request === undefined)
        return facts(described(message.result), context.orphan && ORPHAN);
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

/** `dropped · agent_message_chunk · “Hello” · rule lose-updates`, and what went wrong. */
function interceptWords({ did, of, rule, rules, problem, line }: Intercept): string {
  const failed = problem !== undefined && did !== 'off';
  return facts(
    did === 'off' && rule !== undefined ? 'rule off' : `${failed ? 'not ' : ''}${DEEDS[did]}`,
    of !== undefined && `of #${of}`,
    line && lineWords(lineText(line)),
    rule !== undefined && `rule ${oneLine(rule)}`,
    rules && oneLine(rules.join(', ')),
    problem !== undefined && oneLine(problem),
  );
}

/** What a line says that did not cross as it was written. */
export function lineWords(line: string): string {
  const message = line.length > LONG_LINE ? undefined : parseMessage(line);
  switch (message?.kind) {
    case 'request':
    case 'notification': {
      const name = updateOf(message.params)?.variant ?? message.method;
      const words = messageWords(message, line, {});
      return words === name ? name : facts(name, words);
    }
    case 'success':
    case 'failure':
      return facts(`answer ${message.id.token}`, messageWords(message, line, {}));
    default:
      return oneLine(line);
  }
}
/** A longer one is not read again for each row that is drawn. */
const LONG_LINE = 100_000;

const DEEDS: Readonly<Record<Intercept['did'], string>> = {
  on: 'intercept on',
  off: 'intercept off',
  keep: 'kept: it answers what was injected',
  hold: 'held',
  edit: 'edited',
  drop: 'dropped',
  delay: 'delayed',
  duplicate: 'duplicated',
  reorder: 'reordered',
  truncate: 'cut short',
  inject: 'followed by an injected frame',
  answer: 'answered in its place',
  cut: 'the stream was cut here',
};

/** Where it was asked stands in the row of the start, and is long. */
function withoutUrl(problem: string): string {
  return problem.replace(/^(?:https?|wss?):\/\/\S+ (?=\S)/, '');
}

/** `POST 202 for #12, 3 ms`, `stream of sess_1 closed`, and what went wrong. */
function transportWords({ step, method, of, session, ...event }: Transport): string {
  const stream = event.stream === 'session' ? `stream of ${oneLine(session ?? '')}` : event.stream;
  const place = [
    ...(method ? [method] : []),
    ...(event.status === undefined ? [] : [event.status]),
    ...(of === undefined ? [] : [`for #${of}`]),
    ...(stream === undefined || stream === 'post' ? [] : [stream]),
    ...(step === 'answered' ? [] : [step]),
  ].join(' ');
  return facts(
    place,
    event.code !== undefined && String(event.code),
    event.reason !== undefined && quoted(event.reason),
    event.id !== undefined && `event ${oneLine(event.id)}`,
    event.problem !== undefined && oneLine(withoutUrl(event.problem)),
    // A problem says itself what counts of it.
    event.problem === undefined && event.body !== undefined && quoted(event.body),
    event.ms !== undefined && formatSpan(event.ms),
  );
}

/** `exited with 137`, `was ended by us, with SIGKILL`, or the sentence of why it could not start. */
export function exitSummary(exit: Exit): string {
  return exit.problem === undefined ? endClause(exit) : oneLine(exit.problem);
}

// What an answer says, in one line. Answers do not name their method: their request does.

function answerWords({ method, params }: Request, result: Json): string {
  switch (method) {
    case 'initialize':
    case 'proxy/initialize':
      return handshakeWords(result, 'agentInfo', 'agentCapabilities');
    case 'session/new':
    case 'session/fork':
      return facts(shortId(str(result, 'sessionId') ?? 'no sessionId'), sessionStateWords(result));
    case 'session/load':
    case 'session/resume':
    case 'session/set_config_option':
      return sessionStateWords(result) || empty(result);
    case 'session/list':
      return listedWords(result);
    case 'session/prompt':
      return promptWords(result) || empty(result);
    case 'session/set_title':
      return quoted(str(result, 'title') ?? '') || empty(result);
    case 'session/status':
      return facts(str(result, 'status'), str(get(result, 'state'), 'state')) || empty(result);
    case 'session/request_permission':
      return outcomeWords(params, get(result, 'outcome'));
    case 'elicitation/create': {
      const values = Object.keys(obj(result, 'content') ?? {}).length;
      return facts(str(result, 'action'), values > 0 && count(values, 'value')) || empty(result);
    }
    case 'fs/read_text_file': {
      const content = str(result, 'content');
      if (content === undefined) return empty(result);
      const lines = content === '' ? 0 : content.split('\n').length;
      return facts(count(lines, 'line'), formatBytes(utf8Size(content)));
    }
    case 'terminal/create':
      return shortId(str(result, 'terminalId') ?? 'no terminalId');
    case 'terminal/output': {
      const status = get(result, 'exitStatus');
      return facts(
        formatBytes(utf8Size(str(result, 'output') ?? '')),
        get(result, 'truncated') === true && 'truncated',
        isObject(status) ? (exitStatusWords(status) ?? 'ended') : 'still running',
      );
    }
    case 'terminal/wait_for_exit':
      return exitStatusWords(result) ?? empty(result);
    case 'auth/status':
      return facts(
        str(result, 'state'),
        ...objects(result, 'accounts').map((account) => str(account, 'label')),
      );
    case 'providers/list':
      return count(arr(result, 'providers').length, 'provider');
    default:
      return described(result) || empty(result);
  }
}

/** Modes, config options and commands that an answer or update brings. */
function sessionStateWords(result: Json): string {
  const mode = str(get(result, 'modes'), 'currentModeId');
  const config = get(result, 'configOptions');
  const commands = get(result, 'availableCommands');
  return facts(
    mode !== undefined && `mode ${oneLine(mode, 40)}`,
    Array.isArray(config) && count(config.length, 'config option'),
    Array.isArray(commands) && count(commands.length, 'command'),
  );
}

/** v1 ends the turn; v2 names the message it inserted. */
function promptWords(result: Json): string {
  const tokens = num(get(result, 'usage'), 'totalTokens');
  const inserted = str(result, 'messageId');
  return facts(
    oneLine(str(result, 'stopReason') ?? '', 60),
    inserted !== undefined && `inserted as ${shortId(inserted)}`,
    tokens !== undefined && tokens > 0 && count(tokens, 'token'),
  );
}

/** The agent's own label of the chosen option, beside the option's kind. */
function outcomeWords(params: Json | undefined, outcome: Json | undefined): string {
  const id = str(outcome, 'optionId');
  if (id === undefined) return oneLine(str(outcome, 'outcome') ?? 'no outcome', 60);
  const option = offeredOption(params, id);
  if (option === undefined) return `${oneLine(id, 60)} · not one of the options`;
  return facts(oneLine(str(option, 'name') ?? id, 60), str(option, 'kind'));
}

function empty(result: Json): string {
  return result === null ? 'null' : 'done';
}
