// Choices that an agent offers in a session and then refuses: modes and models, config options, commands. Families
// `mode`, `config` and `prompt` of the catalogue.
import { get, isArray, objects, str } from '../../acp/json.ts';
import { CODE, type Failure, type Json } from '../../acp/message.ts';
import { OPENERS } from '../../acp/methods.ts';
import type { Seq } from '../../trace/event.ts';
import { deniesSession } from '../../model/facts/denial.ts';
import { contentParts, textOf } from '../../model/facts/content-parts.ts';
import { type Connection, type EarlierRequest, fact, type Session } from '../connection.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import { catalogue, fail, type Fold, type Outcome, quote } from '../rule.ts';
import { openedBy } from '../sessions/setup-facts.ts';
import type { AnswerStep, RequestStep } from '../steps.ts';
import { configWishOf, settings } from './config-facts.ts';

/** Names in a list, and the frame that holds the list. */
interface List {
  readonly seq: Seq;
  readonly names: ReadonlySet<string>;
}

/** v1 models, which no schema of today has, and slash commands. */
const lists = fact<Session, { models: List | undefined; commands: List | undefined }>(() => ({
  models: undefined,
  commands: undefined,
}));

function listOf(seq: Seq, entries: Json | undefined, list: string, key: string): List | undefined {
  const names = objects(entries, list).flatMap((entry) => str(entry, key) ?? []);
  return names.length === 0 ? undefined : { seq, names: new Set(names) };
}

/** What a request chooses that was on offer when it was sent. */
interface Choice {
  readonly offered: Seq;
  readonly words: string;
}
const choices = fact<Connection, Map<EarlierRequest, Choice>>(() => new Map());

const CHOOSE = [
  'session/set_mode',
  'session/set_model',
  'session/set_config_option',
  'session/prompt',
] as const;

function choiceOf(step: RequestStep, connection: Connection): Choice | undefined {
  const { session, params, method, at } = step;
  if (session?.active !== true) return undefined;
  const { modes, config } = settings.of(session);
  const { models, commands } = lists.of(session);
  const among = (list: List | undefined, name: string | undefined, what: string) =>
    list && name !== undefined && list.names.has(name)
      ? { offered: list.seq, words: `the ${what} ${quote(name)}` }
      : undefined;
  switch (method) {
    case 'session/set_mode':
      return among(modes && { seq: modes.seq, names: modes.ids }, str(params, 'modeId'), 'mode');
    case 'session/set_model':
      return among(models, str(params, 'modelId'), 'model');
    case 'session/set_config_option': {
      if (!config || configWishOf(session, params, at, connection) !== 'fits') return undefined;
      const words = `${quote(get(params, 'value'))} for the option ${quote(str(params, 'configId'))}`;
      return { offered: config.seq, words };
    }
    default: {
      const text = textOf(contentParts(get(params, 'prompt')));
      return among(commands, /^\/(\S+)/.exec(text)?.[1], 'command');
    }
  }
}

export const choiceFold: Fold = [
  onAnswer(OPENERS, (step, connection) => {
    const opened = openedBy(step, connection);
    if (opened === undefined) return;
    const { result, seq } = step;
    const its = lists.of(opened);
    its.models = listOf(seq, get(result, 'models'), 'availableModels', 'modelId');
    if (isArray(get(result, 'availableCommands')))
      its.commands = listOf(seq, result, 'availableCommands', 'name');
  }),
  onUpdate(['available_commands_update'], ({ session, update, seq }) => {
    lists.of(session).commands = listOf(seq, update, 'availableCommands', 'name');
  }),
  onRequest(CHOOSE, (step, connection) => {
    const choice = step.from === 'client' ? choiceOf(step, connection) : undefined;
    if (choice) choices.of(connection).set(step.asked, choice);
  }),
  onAnswer(CHOOSE, ({ asked }, connection) => {
    choices.of(connection).delete(asked);
  }),
];

const DENIES =
  /\b(?:unknown|unsupported|invalid|no such|unrecogni[sz]ed|not (?:a )?(?:found|supported|available|offered|valid|implemented|exist|recogni[sz]ed))\b/i;
/** Characters of an error's message that are read. */
const MAX_MESSAGE = 1000;

/** True if an error says that there is no such method, or no such choice. */
export function isRefusal({ code, message }: Failure['error']): boolean {
  if (code === CODE.methodNotFound) return true;
  if (code === CODE.authRequired || code === CODE.requestCancelled) return false;
  return code === CODE.invalidParams || DENIES.test(message.slice(0, MAX_MESSAGE));
}

/** Judges the response to a choice that was on offer, and still is. */
function refused({ asked, error, seq, at, session }: AnswerStep, connection: Connection): Outcome {
  const choice = choices.of(connection).get(asked);
  if (choice === undefined || connection.gaps > 0) return undefined;
  if (error === undefined) return 'pass';
  if (!isRefusal(error) || session?.active !== true) return undefined;
  if (deniesSession(error, session.id)) return undefined;
  const { method, params } = asked.request;
  const isGone =
    method === 'session/set_config_option' &&
    configWishOf(session, params, at, connection) !== 'fits';
  if (isGone) return undefined;
  return fail(
    `${error.code} ${quote(error.message)} for ${choice.words}, offered in #${choice.offered}`,
    {
      pointer: '/error',
      seqs: [choice.offered, asked.seq, seq],
      ...(error.code === CODE.methodNotFound ? {} : { severity: 'warning' }),
    },
  );
}

export const REFUSED = catalogue({
  'mode/refused': {
    versions: [1],
    side: 'agent',
    severity: 'error',
    clause: 'a mode or model that the agent offers can be set',
    on: onAnswer(['session/set_mode', 'session/set_model'], refused),
  },
  'config/refused': {
    side: 'agent',
    severity: 'error',
    clause: 'a config option that the agent offers can be set to each value that it offers',
    on: onAnswer(['session/set_config_option'], refused),
  },
  'prompt/command-refused': {
    side: 'agent',
    severity: 'warning',
    clause: 'a prompt with a command that the agent offers is accepted',
    on: onAnswer(['session/prompt'], (step, connection) => {
      const isAbout = /command/i.test(step.error?.message.slice(0, MAX_MESSAGE) ?? 'command');
      return isAbout ? refused(step, connection) : undefined;
    }),
  },
});
