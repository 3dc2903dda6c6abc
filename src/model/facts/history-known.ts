// Whether a trace knows history of a session: a restore that replays nothing is judged by that.
import { AGENT, FLAG } from '../columns.ts';
import type { TraceIndex } from '../trace-index.ts';
import { isHistory, itemKindOf } from './variants.ts';

/**
 * Whether a prompt, a message or a tool call of the session came before event `until`. Ends at the
 * first, which comes early in any session that has some. `session`: its place among the sessions.
 */
export function knowsHistory(
  { columns }: TraceIndex,
  session: number,
  until = columns.length,
): boolean {
  for (let place = 0; place < until; place++) {
    if (columns.session.get(place) !== session + 1) continue;
    const name = columns.nameOf(place);
    if (name === 'session/prompt') return true;
    const isUpdate = columns.has(place, FLAG.update) && columns.side.get(place) === AGENT;
    if (isUpdate && isHistory(itemKindOf(name))) return true;
  }
  return false;
}
