// Rules that a clause of the restore (model/restore/clauses) or the comparison of the replay with the live session
// (model/fidelity) decides: each of them turns the faults found there into findings.
import type { ReplayFault, ReplayRule } from '../../model/replay/faults.ts';
import { onReplay, type Listener } from '../listen.ts';
import {
  fail,
  judged,
  undecidable,
  type Outcome,
  type RuleFault,
  type Undecided,
} from '../rule.ts';

function outcomeOf({ verdict, seen, due, severity, ...more }: ReplayFault): RuleFault | Undecided {
  const { seqs, session, method, pointer } = more;
  const place = { seqs, session, method, ...(pointer !== undefined && { pointer }) };
  if (verdict === 'undecidable') return undecidable(seen, due ?? '', place);
  return fail(seen, { ...place, ...(severity && { severity }), ...(due !== undefined && { due }) });
}

/** Judges each restore that ended by the faults found of this rule. */
export function byComparison(rule: ReplayRule): Listener<Outcome> {
  return onReplay(({ replay }) =>
    replay.judged.has(rule)
      ? judged(replay.faults.filter((one) => one.rule === rule).map(outcomeOf))
      : undefined,
  );
}
