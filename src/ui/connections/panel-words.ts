// Sentences about a connection that does not do what one hoped.
import type { ConnectionFacts } from '../../model/facts/facts-view.ts';
import { formatSpan } from '../../lib/format-time.ts';
import { known } from '../../lib/time.ts';
import { endClause } from '../../trace/agent-end.ts';

/** How it ended, and what that leaves open. */
export function exitSentence(facts: ConnectionFacts): string {
  const { exit, open, handshake } = facts;
  if (!exit) return '';
  if (exit.problem !== undefined) return exit.problem;
  const { cut } = facts.intercept ?? {};
  const before = cut === undefined ? '' : `The intercept cut the stream, by the rule ${cut}. `;
  const how = endClause(exit);
  const { lastEventAt } = facts;
  const after = known(lastEventAt) === undefined ? '' : ` after ${formatSpan(lastEventAt)}`;
  if (handshake?.version === undefined)
    return `${before}The agent ${how}${after}, before it answered the handshake.${facts.lastWords.length > 0 ? ' Its last words:' : ' It said nothing on stderr.'}`;
  const asked = open.filter(({ from }) => from === 'client');
  if (asked.length === 0) return `${before}The agent ${how}${after}.`;
  const names = asked.map(({ method, id }) => `${method} ${id}`).join(', ');
  return `${before}The agent ${how}${after} with ${asked.length} request${asked.length === 1 ? '' : 's'} open: ${names}.`;
}
