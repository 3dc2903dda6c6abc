// Whether the children of a session came back whole, as an agent that tells of a gap in their history says
// they did not.
import type { FrameRef } from '../../trace/event.ts';
import type { ChildrenBack } from '../replay/judge.ts';
import { worstFidelity } from './ledger.ts';
import type { Numbered } from './normalize.ts';
import type { ChildFidelity, ItemDifference } from './report/report.ts';
import { CONVERSATION } from './shortfall.ts';

/** Differences of what came back, and as it was said. */
const ALL_THERE: ReadonlySet<string> = new Set(['moved', 'lost id', 'split', 'merged']);

/**
 * Of their conversations: a setting that is not told again is no gap in their history. `isCut`: one of them was
 * cut off in its work; `replayed`: the items of all of them.
 */
export function childrenAre(
  children: readonly ChildFidelity[],
  isCut: boolean,
  replayed: readonly Numbered[],
): ChildrenBack {
  const nameOf = (ref: FrameRef | undefined) => `${ref?.connection} ${ref?.seq}`;
  const late = replayed.filter((item) => item.late && item.isAgain !== true);
  const behind = new Set(late.map(({ first }) => nameOf(first)));
  // What is told again behind the end was there, and what nobody said before it takes nothing away.
  const isThere = ({ kind, live, replayed: ref }: ItemDifference) =>
    ALL_THERE.has(kind) || (behind.has(nameOf(ref)) ? live === undefined : kind === 'late');
  const verdicts = children.flatMap(({ verdict, differences }) => [
    ...(verdict === 'undecidable' ? [verdict] : []),
    ...differences
      .filter((one) => CONVERSATION.has(one.of) && !isThere(one))
      .map((one) => one.verdict),
  ]);
  const worstOf = worstFidelity(verdicts);
  if (worstOf === 'lossy' || worstOf === 'corrupt') return 'short';
  return worstOf === 'undecidable' || isCut ? 'unknown' : 'whole';
}
