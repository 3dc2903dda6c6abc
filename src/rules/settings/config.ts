// Config options of a session: what is offered, what is asked for, what comes of it. Family `config`
// of the catalogue.
import { CODE, type Json } from '../../acp/message.ts';
import { get, objects, str } from '../../acp/json.ts';
import { OPENERS } from '../../acp/methods.ts';
import { deniesSession } from '../../model/facts/denial.ts';
import { historyOf, settings, selectValues, misfitOf, configWishOf } from './config-facts.ts';
import type { Connection, RestoreWindow, Session } from '../connection.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import {
  rulesOf,
  fail,
  judged,
  undecidable,
  type RuleFault,
  type Outcome,
  quote,
  quoteAll,
  answerSeen,
} from '../rule.ts';
import { configOf, configOptionId } from '../../model/facts/session-state.ts';
import { twiceIn } from '../../lib/grouped.ts';

/** A new list against the one before. `set`: the option that was asked to change. */
function shorter(
  session: Session,
  holder: Json | undefined,
  connection: Connection,
  at: string,
  set: string | undefined,
  history?: RestoreWindow,
): Outcome {
  const now = configOf(holder, connection.version);
  if (now === undefined) return undefined;
  const { config } = settings.of(session);
  if (config === undefined) return undefined;
  // History begins anew: what it tells first is not held against how things stand now.
  if (history !== undefined && config.history !== history) return undefined;
  const ids = new Set(now.map(({ id }) => id));
  const gone = [...config.options.keys()].filter((id) => !ids.has(id));
  if (gone.length === 0) return 'pass';
  const more = { pointer: `${at}/configOptions` };
  const words = `without ${quoteAll(gone)}, listed in #${config.seq}`;
  const [only] = now;
  if (now.length === 0 || (now.length === 1 && config.options.size > 1))
    return fail(
      `\`configOptions\` has ${only === undefined ? 'none' : `${quote(only.id)} alone`}, ${words}`,
      more,
    );
  // What one option offers may depend on another, so that a change can take options away.
  const changed =
    set !== undefined || now.some(({ id, value }) => config.options.get(id)?.value !== value);
  const depends = 'unless they depend on what changed';
  return fail(`\`configOptions\` is ${words}, ${depends}`, {
    ...more,
    severity: changed ? 'hint' : 'warning',
  });
}

/** Undefined: no select in it, and no option twice. */
function selectFaults(holder: Json | undefined, at: string): Outcome {
  const options = objects(holder, 'configOptions');
  const ids = options.map((option) => configOptionId(option));
  const faults: RuleFault[] = twiceIn(ids).map((id) =>
    fail(`two options have the id ${quote(id)}`, {
      pointer: `${at}/configOptions/${ids.lastIndexOf(id)}`,
      severity: 'warning',
      sentence: 'ids',
    }),
  );
  let any = faults.length > 0;
  for (const [i, option] of options.entries()) {
    const values = str(option, 'type') === 'select' ? selectValues(option) : undefined;
    if (values === undefined) continue;
    any = true;
    const name = quote(ids[i]);
    const where = `${at}/configOptions/${i}`;
    const current = get(option, 'currentValue');
    if (values.length === 0)
      faults.push(fail(`the option ${name} offers no value`, `${where}/options`));
    else if (typeof current === 'string' && !values.includes(current))
      faults.push(
        fail(
          `the option ${name} is ${quote(current)} and offers ${quoteAll(values, 5)}`,
          `${where}/currentValue`,
        ),
      );
    const twice = twiceIn(values);
    if (twice.length > 0)
      faults.push(fail(`the option ${name} offers ${quoteAll(twice)} twice`, `${where}/options`));
  }
  return any ? judged(faults) : undefined;
}

export const CONFIG = rulesOf({ side: 'agent' })({
  'config/unknown': {
    side: 'client',
    severity: 'error',
    clause: 'a config option is set that was offered, to a value that it can have',
    on: onRequest(['session/set_config_option'], ({ session, params, at }, connection) => {
      const wish = session && configWishOf(session, params, at, connection);
      if (wish === undefined) return undefined;
      if (wish === 'fits') return 'pass';
      if (wish === 'unknown')
        return undecidable(
          'the answer that opened the session is not in this trace',
          'a recording from the start of the session',
        );
      const { seen, pointer, race } = wish;
      if (!race) return fail(seen, pointer);
      const words = `${seen}; it was until moments before: possibly a race`;
      return fail(words, { pointer, severity: 'warning' });
    }),
  },
  'config/unknown-reply': {
    severity: 'error',
    clause: 'an unknown option or value is refused with −32602',
    on: onAnswer(['session/set_config_option'], ({ asked, error, seq, session }, connection) => {
      const odd = misfitOf(asked, connection);
      if (odd === undefined || odd.race) return undefined;
      if (error?.code === CODE.invalidParams) return 'pass';
      // The session is denied, which is a rule of its own, or the agent has no options to set.
      if (error && session && deniesSession(error, session.id)) return undefined;
      const isWithout = session && settings.of(session).config === undefined;
      if (isWithout && error?.code === CODE.methodNotFound) return 'pass';
      const [seen, pointer] = answerSeen(error);
      return fail(`${seen} for ${odd.seen}`, { pointer, seqs: [asked.seq, seq] });
    }),
  },
  'config/complete': {
    severity: 'error',
    clause: 'an answer or update holds every config option of the session, changed or not',
    on: [
      onAnswer(['session/set_config_option'], ({ session, result, params }, connection) => {
        if (session === undefined) return undefined;
        return shorter(session, result, connection, '/result', str(params, 'configId'));
      }),
      onUpdate(['config_option_update'], (step, connection) => {
        const { session, update } = step;
        return shorter(session, update, connection, '/params/update', undefined, historyOf(step));
      }),
    ],
  },
  'config/current-value': {
    severity: 'error',
    clause:
      'options have ids of their own; a select is set to one of its values, which differ from one another',
    on: [
      onAnswer([...OPENERS, 'session/set_config_option'], ({ result }) =>
        selectFaults(result, '/result'),
      ),
      onUpdate(['config_option_update'], ({ update }) => selectFaults(update, '/params/update')),
    ],
  },
  'config/not-applied': {
    severity: 'warning',
    clause: 'the answer to a change shows the changed value',
    on: onAnswer(['session/set_config_option'], (step, { version }) => {
      const { session, params, result, asked, seq } = step;
      const now = configOf(result, version);
      const id = str(params, 'configId');
      const wish = get(params, 'value');
      const option = now?.find((one) => one.id === id);
      if (session === undefined || id === undefined || option === undefined) return undefined;
      const before = settings.of(session).config?.options.get(id);
      if (typeof wish === 'object' || wish === undefined || before === undefined) return undefined;
      // Another value than either is what the agent made of the wish.
      if (option.value === wish || option.value !== before.value) return 'pass';
      return fail(`${quote(id)} is still ${quote(option.value)}, not ${quote(wish)}`, {
        pointer: '/result/configOptions',
        seqs: [asked.seq, seq],
      });
    }),
  },
});
