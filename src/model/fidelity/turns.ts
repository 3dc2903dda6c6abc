// How the live turns ended, and where more may have been said than the traces hold.
import { FRAMES_MISSING, type LivePart } from './live-fold.ts';
import type { NormalItemKind } from '../replay/normal-form.ts';
import type { Numbered } from './normalize.ts';
import { OVER, type Ending, whyMore } from '../replay/judge.ts';

const NO_ENDS: Pick<LivePart, 'cuts' | 'cancels' | 'fails'> = { cuts: [], cancels: [], fails: [] };

export class ComparedTurns {
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
    const isIn = this.#within(item);
    const { cuts, cancels, declines } = this.#part;
    return {
      cut: cuts.some(isIn),
      cancelled: cancels.some(isIn),
      declined: declines.some(isIn),
    };
  }

  /** True if the turn of a live item ended, and not by a cancel or an error. */
  endedWell(item: Numbered): boolean {
    const isIn = this.#within(item);
    const { cuts, cancels, fails } = this.#part ?? NO_ENDS;
    return ![...cuts, ...cancels, ...fails].some(isIn);
  }

  #within({ turn }: Numbered): (number: number) => boolean {
    const from = this.#starts[turn] ?? 0;
    const to = this.#starts[turn + 1] ?? Number.POSITIVE_INFINITY;
    return (number) => number >= from && number < to;
  }

  /** Why more of a kind may have been said behind the item at this place (-1: before all) than is known. */
  unknownAfter(at: number, kind: NormalItemKind): string | undefined {
    const part = this.#part;
    if (!part) return undefined;
    if (part.gap) return FRAMES_MISSING;
    const [item, next] = [this.#live[at], this.#live[at + 1]];
    if (!item) return part.whole ? undefined : 'the traces do not begin with the session';
    const to = next?.from ?? Number.POSITIVE_INFINITY;
    if (part.joints.some((joint) => joint > item.from && joint <= to))
      return 'it may have been said on a connection between those that are known';
    const isLastOfTurn = next === undefined || next.turn !== item.turn;
    return isLastOfTurn ? whyMore(kind, this.endingOf(at)) : undefined;
  }
}
