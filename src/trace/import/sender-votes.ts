// Finds the sender of each line of a log that does not name senders: from the message, and from the direction beside it,
// once enough lines have shown which way that points.
import { otherSide, type Side } from '../event.ts';
import type { Senders } from './format.ts';
import type { LineWay } from './line-prefix.ts';

/** Lines of one side that show a log of one direction, if the other side sent none. */
const ENOUGH = 2;

export class SenderVotes {
  readonly #senders: Senders;
  readonly #only: Side | undefined;
  /** Votes of messages that show their sender: above 0 if `out` is the client's way. */
  #votes = 0;
  readonly #sure: Record<Side, number> = { client: 0, agent: 0 };
  readonly #ways = new Set<LineWay>();
  #answers = 0;
  /** True if two connections were open at once, and nothing distinguishes their lines. */
  isMixed = false;

  /** `only`: the file has the lines of this side alone. */
  constructor(senders: Senders, only: Side | undefined) {
    this.#senders = senders;
    this.#only = only;
  }

  /** The side whose lines are all that came; undefined if both may have sent some. */
  get onlySide(): Side | undefined {
    if (this.#ways.size > 1) return undefined;
    const { client, agent } = this.#sure;
    if (agent === 0 && client >= ENOUGH) return 'client';
    return client === 0 && agent > 0 && this.#answers > 0 ? 'agent' : undefined;
  }

  next(text: string, way: LineWay | undefined): Side {
    const said = this.#senders.next(text);
    if (way) this.#ways.add(way);
    this.isMixed ||= said?.beginsBeside === true;
    if (said?.isSure) {
      this.#sure[said.side]++;
      if (said.isAnswer) this.#answers++;
    }
    if (said && way) this.#votes += (said.side === 'client') === (way === 'out') ? 1 : -1;
    if (this.#only && !said?.isSure) return this.#only;
    const isClient = way && (way === 'out') === this.#votes >= 0;
    return said?.side ?? (way && (isClient ? 'client' : otherSide('client'))) ?? 'agent';
  }
}
