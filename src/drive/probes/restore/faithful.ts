// The shared session's replay held against what was said live, as `acp-scope fidelity` does it: both
// folded to one form and aligned.
import { fidelityOf } from '../../../diff/fidelity/fidelity.ts';
import type { FidelityWindow, Row } from '../../../diff/fidelity/report/report.ts';
import { indexedTrace } from '../../../model/indexed-trace.ts';
import type { ScriptedConnection } from '../../scripted.ts';
import { eventsOf } from '../events.ts';
import { at, pass, say, skip, type ProbeVerdict } from '../probe.ts';
import type { Restored } from './restored.ts';

type Replay = Pick<Restored, 'connection' | 'answered'>;

/**
 * Warns of what a client that trusts the replay would get wrong. In v1, where load owes the entire
 * conversation, it fails for what did not come back; an agent of v2 may retain less.
 */
export function faithful(
  live: ScriptedConnection,
  { connection, answered }: Replay,
  sessionId: string,
): ProbeVerdict {
  const window = heldAgainst(live, { connection, answered }, sessionId);
  const spot = at(connection, answered);
  if (!window) return skip('There is no replay to compare.', spot);
  const { verdict, sentence, differences } = window;
  const isBroken = connection.version === 1 && owed(window).length > 0;
  const counted = differences.filter((one) => one.verdict === 'lossy' || one.verdict === 'corrupt');
  const mine = counted.flatMap(({ replayed }) => replayed?.seq ?? []);
  const theirs = counted.flatMap(({ live: said }) => said?.seq ?? []);
  const spots = [at(connection, answered, ...mine), at(live, ...theirs)];
  switch (verdict) {
    case 'equal':
      return pass('What was said live came back as it was.', spot);
    case 'cosmetic':
      return pass(`What was said live came back. ${sentence}`, spot);
    case 'undecidable':
    case 'not due':
      return skip(sentence, spot);
    case 'lossy':
      return say(isBroken ? 'fail' : 'warn', `${sentence}${duty(connection, isBroken)}`, ...spots);
    case 'corrupt':
      return say(isBroken ? 'fail' : 'warn', sentence, ...spots);
  }
}

function duty({ version }: ScriptedConnection, isBroken: boolean): string {
  if (isBroken) return ' The entire conversation is due.';
  return version === 2 ? ' In version 2 an agent may retain less than was said.' : '';
}

/** Undefined: nothing was restored. */
export function heldAgainst(
  live: ScriptedConnection,
  { connection: back, answered }: Replay,
  session: string,
): FidelityWindow | undefined {
  const sources = [live, back].map((one) => indexedTrace(eventsOf(one), one.trace));
  const { windows } = fidelityOf(sources, { session });
  return windows.find(
    ({ connection, requestSeq }) => connection === back.trace && requestSeq === answered.requestSeq,
  );
}

/** What was said live in each turn. */
export function turnsIn({ groups }: FidelityWindow): readonly (readonly Row[])[] {
  return groups
    .filter(({ at }) => at === 'turn')
    .map(({ rows }) => rows.flatMap((row) => (row.of !== 'aside' && row.live ? [row] : [])));
}

/** Prompts, tool calls and last answers that did not come back; of the rest agents keep less. */
function owed(window: FidelityWindow): readonly Row[] {
  return turnsIn(window).flatMap((rows) => {
    const answer = rows.findLast(({ of }) => of === 'agent');
    return rows.filter(
      (row) => row.mark === 'missing' && (row.of === 'user' || row.of === 'tool' || row === answer),
    );
  });
}
