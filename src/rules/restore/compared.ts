// Rules that a clause of the restore (model/restore/clauses) or the comparison of the replay with the live session
// (model/fidelity) decides: each of them turns the faults found there into findings.
import { RESTORES } from '../../acp/methods.ts';
import { REPLAY_SEVERITY, type ReplayFault, type ReplayRule } from '../../model/replay/faults.ts';
import { askedOf, isAbout, sentencesOf, type Clause } from '../../model/restore/clauses/clause.ts';
import { offeredOn } from '../init/handshake.ts';
import { onReplay, onRequest, type Listener } from '../listen.ts';
import {
  fail,
  judged,
  undecidable,
  type Outcome,
  type RuleFault,
  type Undecided,
} from '../rule.ts';

function outcomeOf({ verdict, seen, due, severity, ...more }: ReplayFault): RuleFault | Undecided {
  const { seqs, session, method, pointer, missing } = more;
  const place = { seqs, session, method, ...(pointer !== undefined && { pointer }) };
  if (verdict === 'undecidable') return undecidable(seen, due ?? '', place);
  return fail(seen, {
    ...place,
    ...(missing && { missing }),
    ...(severity && { severity }),
    ...(due !== undefined && { due }),
  });
}

/** Returns the severity and the judge of a rule that a clause or the comparison decides. */
export function replayRule(rule: ReplayRule) {
  return { severity: REPLAY_SEVERITY[rule], on: byComparison(rule) };
}

/** Judges each restore that ended by the faults found of this rule. */
export function byComparison(rule: ReplayRule): Listener<Outcome> {
  return onReplay(({ replay }) =>
    replay.judged.has(rule)
      ? judged(replay.faults.filter((one) => one.rule === rule).map(outcomeOf))
      : undefined,
  );
}

/** Judges each restore request by what its clause says of it; `pointer`: to what the clause is about. */
export function byRequest(clause: Clause, pointer: string): Listener<Outcome> {
  return onRequest(RESTORES, ({ method, params }, connection) => {
    const { version } = connection;
    if (version === undefined) return undefined;
    const asked = askedOf(method, version, params, offeredOn(connection));
    if (!isAbout(clause, asked)) return undefined;
    const broken = sentencesOf(clause, asked).filter(({ tone }) => tone === 'breaks');
    return judged(
      broken.map(({ text, severity }) =>
        fail(text.replace(/\.$/, ''), { pointer, ...(severity && { severity }) }),
      ),
    );
  });
}
