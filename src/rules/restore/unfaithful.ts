// What a replay says of what was said live, and was never so: the comparison and the codes are those of
// the fidelity report (model/replay), so that what that calls corrupt is a finding.
import { RESTORES } from '../../acp/methods.ts';
import { movesOf } from '../../model/replay/moves.ts';
import type { Connection, Session } from '../connection.ts';
import { onAnswer } from '../listen.ts';
import { rulesOf, fail, judged, type RuleFault, type Outcome } from '../rule.ts';
import { historyItemWords } from './replay-compare.ts';
import { inGap, onWhole, replayOf, type Replay } from './replay.ts';
import { sidesOf } from './sides.ts';
import { faultsIn } from './untrue.ts';

/**
 * What stands elsewhere than it was said live, or than the first replay of all told it. Undefined:
 * nothing of it is known.
 */
function outOfOrder(
  session: Session,
  { window, history: { cold } }: Replay,
  connection: Connection,
): RuleFault[] | undefined {
  const found = [true, false].flatMap((live) => {
    const { known, replayed, pairings } = sidesOf(window, session, connection, live);
    const moves = movesOf(known, replayed, pairings);
    return pairings.flatMap(({ a: [i = -1], b: [j = -1], moved }) => {
      const [mine, theirs] = [known[i], replayed[j]];
      if (!mine || !theirs || (!live && mine.of.replay !== cold?.seq)) return [];
      const { verdict, why } = moved ? moves(i, j) : { verdict: 'equal', why: '' };
      return [{ of: mine.of, seq: theirs.seq, verdict, why }];
    });
  });
  if (found.length === 0) return undefined;
  const isUntrue = found.some(({ verdict }) => verdict === 'corrupt');
  const told = found.filter(({ verdict }) => verdict === (isUntrue ? 'corrupt' : 'lossy'));
  const [first] = told;
  if (first === undefined) return [];
  const rest = told.length > 1 ? `; and ${told.length - 1} more` : '';
  return [
    fail(`${historyItemWords(first.of, connection)} ${first.why}${rest}`, {
      ...(isUntrue ? {} : { severity: 'hint' }),
      seqs: told.map(({ seq }) => seq),
      session: session.id,
      method: 'session/update',
    }),
  ];
}

export const UNFAITHFUL = rulesOf({ side: 'agent' })({
  'replay/order': {
    severity: 'warning',
    clause: 'a replay keeps the order of the conversation',
    on: onWhole((replay, connection) => {
      const all = [...replay.window.branches.values()].map(({ session }) =>
        outOfOrder(session, replay, connection),
      );
      return all.some((one) => one !== undefined)
        ? judged(all.flatMap((one) => one ?? []))
        : undefined;
    }),
  },
  'replay/unfaithful': {
    severity: 'warning',
    clause: 'what a replay says was so: it says nothing of a message or tool call that never was',
    on: onAnswer<Outcome>(RESTORES, (step, connection) => {
      const window = replayOf(step)?.window;
      if (window === undefined || window.wish === 'none') return undefined;
      const gap = inGap(window, connection);
      if (gap !== undefined) return gap;
      const all = [...window.branches.values()].map((branch) => {
        const sides = sidesOf(window, branch.session, connection);
        return sides.told.room > 0 ? faultsIn(sides, branch, window, connection) : undefined;
      });
      const found = all.flatMap((one) => one ?? []);
      const faults = found.filter((one) => one.verdict === 'fail');
      if (faults.length > 0) return faults;
      if (found.length > 0) return found[0];
      return all.some((one) => one !== undefined) ? 'pass' : undefined;
    }),
  },
});
