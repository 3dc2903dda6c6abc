// A restore of the saved session, held against the clauses on it: what the restore form and the rules
// read there too.
import { asSentence } from '../../../lib/sentence.ts';
import { countsOf, seenWords, type ClauseId } from '../../../model/restore/clauses.ts';
import type { Came } from '../../../model/restore/clauses/clause.ts';
import { judgeRestore } from '../../../model/restore/restore-judge.ts';
import { resultOf } from '../../answered.ts';
import { at, fail, say, type ProbeVerdict } from '../probe.ts';
import { answerWords } from '../words.ts';
import type { ProbeWorld } from '../world.ts';
import { isMessage, statesIn, type Restored } from './restored.ts';

/** What is wrong with it, each; none: it is as due. A result is due of what was saved. */
export function faultsOf(world: ProbeWorld, restored: Restored): ProbeVerdict[] {
  const { asked, connection, answered, history, late } = restored;
  const spot = at(connection, answered);
  if (resultOf(answered) === undefined) {
    const what =
      asked.wish === 'retained' ? 'resume from start' : `${asked.method} of the saved session`;
    return [fail(`${what} ${answerWords(answered)}; a result is due.`, spot)];
  }
  const { due, seen } = judgeRestore(asked, cameOf(restored));
  if (due !== false) return [];
  const frames: Partial<Record<ClauseId, readonly (typeof history)[number][]>> = {
    none: history,
    'in-time': late,
    state: history.slice(-1),
  };
  return seen.map((one) => {
    const seqs = (frames[one.clause] ?? []).map(({ seq }) => seq);
    // Tool calls and plans may be told to set the session up.
    const isMild = one.clause === 'none' && !history.some(isMessage);
    const told = say(
      isMild ? 'warn' : 'fail',
      asSentence(seenWords(one)),
      seqs.length > 0 ? at(connection, ...seqs) : undefined,
      spot,
    );
    return countsOf(one, 'v2-2026-08') === 'off' ? since(world, told) : told;
  });
}

function cameOf({ window, history, late }: Restored): Came {
  const state = statesIn(window).at(-1);
  const last = history.at(-1);
  return {
    ...{ code: undefined, problem: '', history: history.length, maybeLive: 0, late: late.length },
    ...{ known: true, begins: undefined, isKnown: true, gone: false },
    state: state?.state,
    historyAfterState: last !== undefined && state !== undefined && last.seq > state.seq,
    named: { isKnown: false, first: undefined, isThere: false },
    ...{ otherSession: undefined, refusedNext: false },
  };
}

/** What came with SDK 2.4.0: an agent of the August draft, which shows in its prompt answer, is warned. */
export function since(world: ProbeWorld, verdict: ProbeVerdict): ProbeVerdict {
  if (verdict.verdict !== 'fail' || !world.isAugust) return verdict;
  return {
    ...verdict,
    verdict: 'warn',
    why: `${verdict.why} (Due since SDK 2.4.0; this agent speaks the August draft.)`,
  };
}
