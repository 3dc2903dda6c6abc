// Modes of a v1 session, titles that a client gives, and what a restored session has of its settings.
// Families `mode`, `title` and `resume` of the catalogue.
import { get, obj, objects, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { OPENERS, RESTORES, type Version } from '../../acp/methods.ts';
import { fact, type Session, type SessionAtAgent, isOpening } from '../connection.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import {
  catalogue,
  fail,
  undecidable,
  type RuleFault,
  type Outcome,
  quote,
  quoteAll,
  type Fold,
} from '../rule.ts';
import { openedBy } from '../sessions/setup-facts.ts';
import { modeIdsOf, settings } from './config-facts.ts';
import { configOf } from '../../model/facts/session-state.ts';
import type { Seq } from '../../trace/event.ts';
import { twiceIn } from '../../lib/grouped.ts';

function among(
  mode: string | undefined,
  offered: Iterable<string> | undefined,
  pointer: string,
): RuleFault | 'pass' | undefined {
  if (mode === undefined || offered === undefined) return undefined;
  const ids = [...offered];
  if (ids.includes(mode)) return 'pass';
  return fail(`${quote(mode)}; offered are ${quoteAll(ids, 6)}`, pointer);
}

interface Title {
  readonly seq: Seq;
  readonly title: string;
}

/** The title that an agent last said it stored for a client. */
const titles = fact<Session, { given: Title | undefined }>(() => ({ given: undefined }));

export const titleFold: Fold = [
  onAnswer(['session/set_title'], ({ session, result, seq }) => {
    const title = str(result, 'title');
    if (session && title !== undefined) titles.of(session).given = { seq, title };
  }),
];

function otherTitle(
  session: Session,
  title: unknown,
  seq: Seq,
  pointer: string,
): RuleFault | 'pass' | undefined {
  const { given } = titles.of(session);
  if (given === undefined || (typeof title !== 'string' && title !== null)) return undefined;
  if (title === given.title) return 'pass';
  return fail(`${quote(title)}, after ${quote(given.title)} was stored in #${given.seq}`, {
    pointer,
    seqs: [given.seq, seq],
    session: session.id,
  });
}

export const MODES_AND_TITLES = catalogue({
  'mode/unknown': {
    versions: [1],
    side: 'sender',
    severity: 'error',
    clause: 'a mode is one of `availableModes`, which have ids of their own',
    on: [
      onRequest(['session/set_mode'], ({ session, params }) => {
        const modes = session && settings.of(session).modes;
        return among(str(params, 'modeId'), modes?.ids, '/params/modeId');
      }),
      onUpdate(['current_mode_update'], ({ session, update, window }) => {
        // Inside a restore, its answer offers the modes, and comes after.
        if (window !== undefined) return undefined;
        const { modes, opened } = settings.of(session);
        const [mode, pointer] = [str(update, 'currentModeId'), '/params/update/currentModeId'];
        if (mode !== undefined && modes === undefined && opened !== undefined)
          return fail(
            `${quote(mode)}, and #${opened}, which opened the session, has no \`modes\``,
            {
              pointer,
              severity: 'warning',
            },
          );
        return among(mode, modes?.ids, pointer);
      }),
      onAnswer(OPENERS, ({ result }): Outcome => {
        const ids = modeIdsOf(result);
        const [twice] = twiceIn(ids ?? []);
        if (twice !== undefined)
          return fail(`two modes have the id ${quote(twice)}`, {
            pointer: '/result/modes/availableModes',
            severity: 'warning',
            sentence: 'ids',
          });
        const current = str(obj(result, 'modes'), 'currentModeId');
        return among(current, ids, '/result/modes/currentModeId');
      }),
    ],
  },
  'mode/no-modes': {
    versions: [1],
    side: 'client',
    severity: 'warning',
    clause: 'a mode is set only where the session offers modes',
    on: onRequest(['session/set_mode'], ({ session }): Outcome => {
      if (session === undefined || isOpening(session)) return undefined;
      const { opened, modes } = settings.of(session);
      if (modes !== undefined) return 'pass';
      if (opened === undefined)
        return undecidable(
          'the answer that opened the session is not in this trace',
          'a recording from the start of the session',
        );
      return fail(`no \`modes\` in #${opened}, which opened the session`);
    }),
  },
  'title/normalised': {
    side: 'agent',
    severity: 'hint',
    clause: 'the title that `session/set_title` answers with is the one shown from then on',
    on: [
      onUpdate(['session_info_update'], ({ session, update, seq, window }) =>
        window === undefined
          ? otherTitle(session, get(update, 'title'), seq, '/params/update/title')
          : undefined,
      ),
      onAnswer(['session/list'], ({ result, seq }, { sessions }) => {
        const said = objects(result, 'sessions').flatMap((info, i) => {
          const session = sessions.get(str(info, 'sessionId') ?? '');
          const pointer = `/result/sessions/${i}/title`;
          return (session && otherTitle(session, get(info, 'title'), seq, pointer)) ?? [];
        });
        const faults = said.filter((one) => one !== 'pass');
        return faults.length > 0 ? faults : said[0];
      }),
    ],
  },
});

/** Modes and values by name, as JSON, as they were told last on any connection. */
const lastSettings = fact<SessionAtAgent, Map<string, string>>(() => new Map());
const MODE = 'the mode';

function settingsIn(holder: Json | undefined, version: Version | undefined): Map<string, string> {
  const found = new Map<string, string>();
  const mode = str(get(holder, 'modes'), 'currentModeId') ?? str(holder, 'currentModeId');
  if (mode !== undefined) found.set(MODE, quote(mode));
  for (const { id, value } of configOf(holder, version) ?? [])
    if (value !== null) found.set(quote(id), quote(value));
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

/** Of the last settings of each session. */
export const settingsKeptFold: Fold = [
  onAnswer(OPENERS, (step, connection) => {
    keep(openedBy(step, connection), step.result, connection.version);
  }),
  onAnswer(['session/set_config_option'], ({ session, result }, { version }) => {
    keep(session, result, version);
  }),
  onAnswer(['session/set_mode'], ({ session, params, error }) => {
    const mode = str(params, 'modeId');
    if (session && mode !== undefined && error === undefined)
      lastSettings.of(session.stored).set(MODE, quote(mode));
  }),
  onUpdate(['config_option_update', 'current_mode_update'], ({ session, update }, { version }) => {
    keep(session, update, version);
  }),
];

export const SETTINGS_KEPT = catalogue({
  'resume/mode-config-lost': {
    side: 'agent',
    severity: 'hint',
    clause: 'a restored session has the mode and the options it had',
    on: onAnswer(RESTORES, ({ session, result }, { version }): Outcome => {
      if (session === undefined || result === undefined) return undefined;
      const before = lastSettings.of(session.stored);
      const now = settingsIn(result, version);
      const lost = [...now].flatMap(([name, value]): string[] => {
        const was = before.get(name);
        return was === undefined || was === value ? [] : [`${name} was ${was} and is ${value}`];
      });
      if (lost.length > 0) return fail(lost.slice(0, 3).join('; '), '/result');
      return [...now.keys()].some((name) => before.has(name)) ? 'pass' : undefined;
    }),
  },
});
