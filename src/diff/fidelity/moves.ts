// What it means that an item came elsewhere than it was said: nothing between unrelated updates, a
// lost order beside messages, and an untruth where it is another turn.
import type { NormalItem } from './normal-form.ts';
import type { Pairing } from './pair-items.ts';

export interface Moved {
  readonly verdict: 'cosmetic' | 'lossy' | 'corrupt';
  readonly why: string;
}

export class Moves {
  readonly #live: readonly NormalItem[];
  readonly #replayed: readonly NormalItem[];
  /** Turns of the replay as turns of the live part. */
  readonly #turns = new Map<number, number>();

  constructor(
    live: readonly NormalItem[],
    replayed: readonly NormalItem[],
    pairings: readonly Pairing[],
  ) {
    this.#live = live;
    this.#replayed = replayed;
    for (const {
      a: [i = -1],
      b: [j = -1],
      moved,
    } of pairings) {
      const [mine, theirs] = [live[i], replayed[j]];
      if (mine?.kind === 'user' && theirs && !moved) this.#turns.set(theirs.turn, mine.turn);
    }
  }

  of(i: number, j: number): Moved {
    const [mine, theirs] = [this.#live[i], this.#replayed[j]];
    if (!mine || !theirs || mine.kind === 'plan' || mine.kind === 'terminal')
      return { verdict: 'cosmetic', why: 'stands elsewhere among unrelated updates' };
    const turn = this.#turns.get(theirs.turn);
    if (turn !== undefined && turn !== mine.turn)
      return { verdict: 'corrupt', why: `stands in turn ${turn}, was in turn ${mine.turn}` };
    const before = spokenBefore(this.#live, i);
    const after = spokenBefore(this.#replayed, j);
    if (mine.kind === 'user' || mine.kind === 'agent')
      return before === after
        ? { verdict: 'lossy', why: 'stands elsewhere among the tool calls of its turn' }
        : { verdict: 'corrupt', why: 'stands elsewhere among the messages of its turn' };
    return before === after
      ? { verdict: 'cosmetic', why: 'stands elsewhere among unrelated updates' }
      : { verdict: 'lossy', why: 'stands elsewhere among the messages of its turn' };
  }
}

/** Messages of the same turn that stand before it. */
function spokenBefore(items: readonly NormalItem[], at: number): number {
  let count = 0;
  for (let i = at - 1; i >= 0 && items[i]?.turn === items[at]?.turn; i--)
    if (items[i]?.kind === 'user' || items[i]?.kind === 'agent') count++;
  return count;
}
