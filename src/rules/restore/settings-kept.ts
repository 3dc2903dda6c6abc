// Whether a restored session has the mode and the options that it had. Of the family `resume`.
import { get, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import { RESTORES } from '../../acp/method-groups.ts';
import { configOptionsOf } from '../settings/config-facts.ts';
import type { Session } from '../connection.ts';
import { fact } from '../facts.ts';
import { onAnswer, onUpdate } from '../listen.ts';
import { fail, type Outcome } from '../outcome.ts';
import { quote } from '../quote.ts';
import type { Fold, Rule } from '../rule.ts';
import { openedBy } from '../sessions/setup-facts.ts';
import type { Stored } from '../world.ts';

/** Modes and values by name, as JSON, as they were told last on any connection. */
const lastSettings = fact<Stored, Map<string, string>>(() => new Map());
const MODE = 'the mode';

function settingsIn(holder: Json | undefined, version: Version | undefined): Map<string, string> {
  const found = new Map<string, string>();
  const mode = str(get(holder, 'modes'), 'currentModeId') ?? str(holder, 'currentModeId');
  if (mode !== undefined) found.set(MODE, quote(mode));
  for (const { id, value } of configOptionsOf(holder, version) ?? [])
    if (value !== undefined) found.set(quote(id), quote(value));
  return found;
}

function keep(
  session: Session | undefined,
  holder: Json | undefined,
  version: Version | undefined,
): void {
  if (session === undefined) return;
  const held = lastSettings.of(session.stored);
  for (const [name, value] of settingsIn(holder, version)) held.set(name, value);
}

const settingsLost: Rule = {
  id: 'resume/mode-config-lost',
  versions: [1, 2],
  side: 'agent',
  severity: 'hint',
  clause: 'a restored session has the mode and the options it had',
  on: [
    onAnswer(RESTORES, ({ session, result }, { version }): Outcome => {
      if (session === undefined || result === undefined) return undefined;
      const before = lastSettings.of(session.stored);
      const now = settingsIn(result, version);
      const lost = [...now].flatMap(([name, value]): string[] => {
        const was = before.get(name);
        return was === undefined || was === value ? [] : [`${name} was ${was} and is ${value}`];
      });
      if (lost.length > 0) return fail(lost.slice(0, 3).join('; '), { pointer: '/result' });
      return [...now.keys()].some((name) => before.has(name)) ? 'pass' : undefined;
    }),
  ],
};

/** Of the last settings of each session. */
export const settingsKeptFold: Fold = {
  on: [
    onAnswer(
      ['session/new', 'session/load', 'session/resume', 'session/fork'],
      (step, connection) => {
        keep(openedBy(step, connection), step.result, connection.version);
      },
    ),
    onAnswer(['session/set_config_option'], ({ session, result }, { version }) => {
      keep(session, result, version);
    }),
    onAnswer(['session/set_mode'], ({ session, params, error }) => {
      const mode = str(params, 'modeId');
      if (session && mode !== undefined && error === undefined)
        lastSettings.of(session.stored).set(MODE, quote(mode));
    }),
    onUpdate(
      ['config_option_update', 'current_mode_update'],
      ({ session, update }, { version }) => {
        keep(session, update, version);
      },
    ),
  ],
};

export const SETTINGS_KEPT: readonly Rule[] = [settingsLost];
