// The probes of choices that a v1 session offers: each mode, and each value of each config option, is set once. The
// rules on choices that are offered and then rejected judge the responses.
import { get, objects, str } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';
import { count } from '../../../lib/format.ts';
import { selectChoices } from '../../../model/facts/session-state.ts';
import { brokenRules } from '../by-rules.ts';
import { fail, info, onPage, outcomeWords, pass, skip, worstVerdict } from '../probe.ts';
import type { ProbeVerdict } from '../probe.ts';
import type { Answered } from '../../heard.ts';
import type { ScriptedConnection } from '../../scripted.ts';
import { family, type ProbeWorld } from '../world.ts';
import { settingNow } from './config-options.ts';

/** Choices that are set at most, for agents that offer hundreds of models. */
const MAX_CHOICES = 40;

export const CHOOSING = family({ versions: [1], connections: 1 })({
  'choice/modes': {
    source: onPage(1, 'session-modes', 'setting-the-current-mode'),
    sentence: `Each mode that a new session offers (at most ${MAX_CHOICES}) can be set; at the end the mode is the first again.`,
    async run(world) {
      const connection = await world.connect('a');
      const { sessionId, made, result } = await world.create(connection);
      const modes = get(result, 'modes');
      const now = str(modes, 'currentModeId');
      const others = objects(modes, 'availableModes')
        .flatMap((mode) => str(mode, 'id') ?? [])
        .filter((id) => id !== now);
      if (others.length === 0) return skip('The session offers no mode to choose.', made);
      const answers: Answered[] = [];
      for (const modeId of [...others.slice(0, MAX_CHOICES), ...(now === undefined ? [] : [now])])
        answers.push(await connection.request('session/set_mode', { sessionId, modeId }));
      return judged(world, connection, answers, ['mode/refused']);
    },
  },
  'choice/options': {
    source: onPage(1, 'session-config-options', 'setting-a-config-option'),
    sentence: `Each value of each config option that a new session offers (at most ${MAX_CHOICES}) can be set, and is what the answer shows; at the end each option is as before.`,
    async run(world) {
      const connection = await world.connect('a');
      const { sessionId, made, result } = await world.create(connection);
      const answers: Answered[] = [];
      let now: Json = result;
      const set = async (configId: string, value: string) => {
        const params = { sessionId, configId, value };
        const answered = await connection.request('session/set_config_option', params);
        answers.push(answered);
        // An option may change what another one offers.
        if (answered.result !== undefined) now = answered.result;
      };
      for (const option of objects(result, 'configOptions')) {
        const id = str(option, 'id');
        const first = str(option, 'currentValue');
        if (id === undefined || first === undefined) continue;
        for (const value of valuesOf(now, id))
          if (value !== first && valuesOf(now, id).includes(value) && answers.length < MAX_CHOICES)
            await set(id, value);
        if (settingNow(1, now, id) !== first && valuesOf(now, id).includes(first))
          await set(id, first);
      }
      if (answers.length === 0)
        return skip('The session offers no config option with a value to choose.', made);
      const rules = ['config/refused', 'config/not-applied', 'config/complete'];
      return judged(world, connection, answers, rules);
    },
  },
});

function valuesOf(result: Json, id: string): readonly string[] {
  const option = objects(result, 'configOptions').find((one) => str(one, 'id') === id);
  return option === undefined ? [] : selectChoices(option).map(({ value }) => value);
}

/** Returns the findings of the rules, and each request that has no answer. */
function judged(
  world: ProbeWorld,
  connection: ScriptedConnection,
  answers: readonly Answered[],
  rules: readonly string[],
): ProbeVerdict {
  const silent = answers.filter(({ answer }) => answer === undefined);
  const accepted = answers.filter(({ result }) => result !== undefined);
  const told = `${accepted.length} of ${count(answers.length, 'choice')} accepted.`;
  return worstVerdict([
    ...brokenRules(world, connection, ...rules),
    ...silent.slice(0, 1).map((one) => fail(`${one.method} ${outcomeWords(one)}.`, ...silent)),
    accepted.length === answers.length ? pass(told, ...answers) : info(told, ...answers),
  ]);
}
