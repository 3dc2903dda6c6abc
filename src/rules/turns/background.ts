// What a v2 agent lists as work in the background. Family `state` of the catalogue.
import { get, isArray, isObject, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Connection, Session } from '../connection.ts';
import { onUpdate } from '../listen.ts';
import { fail, judged, type Fault } from '../outcome.ts';
import { quote } from '../quote.ts';
import type { Rule } from '../rule.ts';
import { displayTerminals } from '../work/terminal-facts.ts';
import { toolCalls } from '../work/tool-facts.ts';
import { backgroundOf, ID_OF, keyOfBackground, turnOf, type Background } from './turn-facts.ts';

const dropped: Rule = {
  id: 'state/background-dropped',
  versions: [2],
  side: 'agent',
  severity: 'error',
  clause: 'an agent that lists its background work does so in every state update',
  on: [
    onUpdate(['state_update'], ({ session, update }) => {
      if (turnOf.of(session).background === undefined) return undefined;
      const listed = get(update, 'background');
      if (isArray(listed)) return 'pass';
      return fail(`${quote(listed)} for \`background\`, which was reported before`, {
        pointer: '/params/update',
      });
    }),
  ],
};

function isAnnounced({ type, id }: Background, session: Session, at: Connection): boolean {
  if (type === 'terminal') return displayTerminals.of(session).has(id);
  if (type === 'tool_call') return toolCalls.of(session).has(id);
  return type !== 'subagent' || at.sessions.get(id)?.origin !== undefined;
}

function hasEnded({ type, id }: Background, session: Session): boolean {
  if (type === 'terminal') return displayTerminals.of(session).get(id)?.exited !== undefined;
  // Whether a child session runs is told in its own updates, and closing it ends it too.
  return type !== 'tool_call' || toolCalls.of(session).get(id)?.final !== undefined;
}

/** Items of a list that stand in it a second time. */
function repeated(items: readonly Json[]): Fault[] {
  const seen = new Set<string>();
  return items.flatMap((item, i): Fault[] => {
    const type = str(item, 'type') ?? '';
    const id = isObject(item) ? str(item, ID_OF.get(type) ?? '') : undefined;
    if (id === undefined) return [];
    const key = keyOfBackground(type, id);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [fail(`the ${type} ${quote(id)} twice`, { pointer: `/params/update/background/${i}` })];
  });
}

const unannounced: Rule = {
  id: 'state/background-unannounced',
  versions: [2],
  side: 'agent',
  severity: 'error',
  clause:
    'background work is announced before it is listed, listed once, and ended before it leaves the list',
  on: [
    onUpdate(['state_update'], ({ session, update, window }, connection) => {
      const listed = get(update, 'background');
      if (!isArray(listed) || session.origin === undefined || connection.gaps > 0) return undefined;
      const { background: before } = turnOf.of(session);
      const faults = repeated(listed);
      const now = backgroundOf(update);
      for (const [key, item] of now)
        if (before?.has(key) !== true && !isAnnounced(item, session, connection))
          faults.push(
            fail(`the ${item.type} ${quote(item.id)}, which was not announced`, {
              pointer: '/params/update/background',
            }),
          );
      // What a restore finds may have ended while nobody listened.
      if (window === undefined)
        for (const [key, item] of before ?? [])
          if (!now.has(key) && !hasEnded(item, session))
            faults.push(
              fail(`the ${item.type} ${quote(item.id)} left the list and was not ended`, {
                pointer: '/params/update/background',
              }),
            );
      return judged(faults);
    }),
  ],
};

export const BACKGROUND: readonly Rule[] = [dropped, unannounced];
