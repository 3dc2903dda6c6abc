// What it means that an item came elsewhere than it was said: nothing between unrelated updates, a
// lost order beside messages, and an untruth where it is another turn.
import type { Paired, Pairing } from './pair-items.ts';

export interface Moved {
  readonly verdict: 'cosmetic' | 'lossy' | 'corrupt';
  readonly why: string;
}

/** By the places of a live item and of its replay. */
export function movesOf(
  live: readonly Paired[],
  replayed: readonly Paired[],
  pairings: readonly Pairing[],
): (i: number, j: number) => Moved {
  /** Turns of the replay as turns of the live part. */
  const turns = new Map<number, number>();
  const prompts: (readonly [i: number, j: number])[] = [];
  for (const {
    a: [i = -1],
    b: [j = -1],
    moved,
  } of pairings) {
    const [mine, theirs] = [live[i], replayed[j]];
    if (mine?.kind !== 'user' || !theirs || moved) continue;
    turns.set(theirs.turn, mine.turn);
    prompts.push([i, j]);
  }
  return (i, j) => {
    const [mine, theirs] = [live[i], replayed[j]];
    if (!mine || !theirs || mine.kind === 'plan' || mine.kind === 'terminal') return UNRELATED;
    const turn = turns.get(theirs.turn);
    if (turn !== undefined && turn !== mine.turn)
      return { verdict: 'corrupt', why: `stands in turn ${turn}, was in turn ${mine.turn}` };
    if (mine.kind === 'user' && prompts.some((other) => i < other[0] !== j < other[1]))
      return { verdict: 'corrupt', why: 'stands elsewhere among the prompts' };
    const isSame = spokenBefore(live, i) === spokenBefore(replayed, j);
    const isSpoken = mine.kind === 'user' || mine.kind === 'agent';
    if (isSame && !isSpoken) return UNRELATED;
    if (isSame)
      return { verdict: 'lossy', why: 'stands elsewhere among the tool calls of its turn' };
    const verdict = isSpoken ? 'corrupt' : 'lossy';
    return { verdict, why: 'stands elsewhere among the messages of its turn' };
  };
}

const UNRELATED: Moved = {
  verdict: 'cosmetic',
  why: 'stands elsewhere among unrelated updates',
};

/** Messages of the same turn that stand before it. */
function spokenBefore(items: readonly Paired[], at: number): number {
  let count = 0;
  for (let i = at - 1; i >= 0 && items[i]?.turn === items[at]?.turn; i--)
    if (items[i]?.kind === 'user' || items[i]?.kind === 'agent') count++;
  return count;
}
