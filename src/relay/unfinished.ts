// Messages of pages that have begun and not ended: what came of them lies in memory until they end. One page
// cannot fill it, all together could.
import { MOST_COMMAND_BYTES } from '../link/messages.ts';

/** Of all pages together: the longest has room beside others. */
const MOST = 1.5 * MOST_COMMAND_BYTES;
/** A page may always begin so much, so that what is short waits for nobody. */
const SMALL = 1024 * 1024;

export class UnfinishedMessages {
  /** By who sends it, the oldest first: how to send that away, and the bytes that came. */
  readonly #begun = new Map<() => void, number>();
  #total = 0;
  #leaving: (() => void) | undefined;

  /** `sendAway` stands for the page. */
  grows(sendAway: () => void, bytes: number): void {
    this.#begun.set(sendAway, (this.#begun.get(sendAway) ?? 0) + bytes);
    this.#total += bytes;
    this.#makeRoom();
  }

  /** It has ended, or its page is gone. */
  ends(sendAway: () => void): void {
    this.#total -= this.#begun.get(sendAway) ?? 0;
    this.#begun.delete(sendAway);
    if (this.#leaving === sendAway) this.#leaving = undefined;
    this.#makeRoom();
  }

  /** Whether the rest of this page's message must wait on its own side. */
  mustWait(sendAway: () => void): boolean {
    const isOver = this.#total > MOST || this.#leaving === sendAway;
    return isOver && (this.#begun.get(sendAway) ?? 0) > SMALL;
  }

  /** One goes at a time: the message that was begun first, as who is at work with one ends it soon. */
  #makeRoom(): void {
    if (this.#total <= MOST || this.#leaving) return;
    for (const [sendAway, bytes] of this.#begun) {
      if (bytes <= SMALL) continue;
      this.#leaving = sendAway;
      return sendAway();
    }
  }
}
