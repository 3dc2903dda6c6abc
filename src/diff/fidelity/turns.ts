// How the live turns ended, and where more may have been said than the traces hold.
import type { LivePart } from './live-fold.ts';
import type { NormalItemKind, NormalItem } from '../../model/replay/normal-form.ts';
import type { Numbered } from './normalize.ts';
import type { Pairing } from '../../model/replay/pair-items.ts';
import type { Ending } from '../../model/replay/judge.ts';

const OVER: Ending = { cut: false, cancelled: false };

export class Turns {
  readonly #live: readonly Numbered[];
  readonly #part: LivePart | undefined;
  /** Of each turn, the number of its first frame. */
  readonly #starts: number[] = [];

  constructor(live: readonly Numbered[], part: LivePart | undefined) {
    this.#live = live;
    this.#part = part;
    for (const { turn, from } of live) this.#starts[turn] ??= from;
  }

  /** Of the turn that the item at this place belongs to. */
  endingOf(at: number): Ending {
    const item = this.#live[at];
    if (!item || !this.#part) return OVER;
    const from = this.#starts[item.turn] ?? 0;
    const to = this.#starts[item.turn + 1] ?? Number.POSITIVE_INFINITY;
    const isIn = (number: number) => number >= from && number < to;
    return { cut: this.#part.cuts.some(isIn), cancelled: this.#part.cancels.some(isIn) };
  }

  /** Why more of a kind may have been said behind the item at this place (-1: before all) than is known. */
  unknownAfter(at: number, kind: NormalItemKind): string | undefined {
    const part = this.#part;
    if (!part) return undefined;
    if (part.gap) return 'a trace says that frames are missing';
    const [item, next] = [this.#live[at], this.#live[at + 1]];
    if (!item) return part.whole ? undefined : 'the traces do not begin with the session';
    const to = next?.from ?? Number.POSITIVE_INFINITY;
    if (part.joints.some((joint) => joint > item.from && joint <= to))
      return 'it may have been said on a connection between those that are known';
    const { cut, cancelled } = this.endingOf(at);
    const isLastOfTurn = next === undefined || next.turn !== item.turn;
    return kind !== 'user' && isLastOfTurn && (cut || cancelled)
      ? `its live turn was ${cut ? 'cut' : 'cancelled'}`
      : undefined;
  }
}

// What it means that an item came elsewhere than it was said: nothing between unrelated updates, a
// lost order beside messages, and an untruth where it is another turn.

export interface Moved {
  readonly verdict: 'cosmetic' | 'lossy' | 'corrupt';
  readonly why: string;
}

/** By the places of a live item and of its replay. */
export function movesOf(
  live: readonly NormalItem[],
  replayed: readonly NormalItem[],
  pairings: readonly Pairing[],
): (i: number, j: number) => Moved {
  /** Turns of the replay as turns of the live part. */
  const turns = new Map<number, number>();
  for (const { a, b, moved } of pairings) {
    const [mine, theirs] = [live[a[0] ?? -1], replayed[b[0] ?? -1]];
    if (mine?.kind === 'user' && theirs && !moved) turns.set(theirs.turn, mine.turn);
  }
  return (i, j) => {
    const [mine, theirs] = [live[i], replayed[j]];
    if (!mine || !theirs || mine.kind === 'plan' || mine.kind === 'terminal') return UNRELATED;
    const turn = turns.get(theirs.turn);
    if (turn !== undefined && turn !== mine.turn)
      return { verdict: 'corrupt', why: `stands in turn ${turn}, was in turn ${mine.turn}` };
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
function spokenBefore(items: readonly NormalItem[], at: number): number {
  let count = 0;
  for (let i = at - 1; i >= 0 && items[i]?.turn === items[at]?.turn; i--)
    if (items[i]?.kind === 'user' || items[i]?.kind === 'agent') count++;
  return count;
}
