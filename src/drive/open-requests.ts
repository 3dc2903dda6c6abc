// The agent's requests that have no answer yet, as the frames tell. Ids may be reused, also while
// one is open: answers then go to the oldest.
import type { Request, RequestId } from '../acp/message.ts';
import { Exchanges } from '../model/facts/exchanges.ts';
import type { Seq } from '../trace/event.ts';

export interface Open {
  readonly from: 'agent';
  readonly seq: Seq;
  readonly request: Request;
  /** An answer is on its way, and has not come back as a frame. */
  sent: boolean;
  /** What it asks is being done. */
  working: boolean;
  /** Left open on purpose. */
  left: boolean;
  /** Cancelled by who asked, or with its turn: due is an answer that says so. */
  withdrawn: boolean;
}

export class OpenRequests {
  readonly #exchanges = new Exchanges<Open>();

  add(seq: Seq, request: Request): Open {
    const state = { sent: false, working: false, left: false, withdrawn: false };
    const open: Open = { from: 'agent', seq, request, ...state };
    this.#exchanges.ask(open);
    return open;
  }

  answered(id: RequestId): void {
    this.#exchanges.answer('client', id);
  }

  /** Those without an answer on its way, oldest first. */
  waiting(): readonly Open[] {
    return [...this.#exchanges.of('agent')]
      .filter(({ sent }) => !sent)
      .sort((a, b) => a.seq - b.seq);
  }

  /** Undefined also where an answer is on its way. */
  at(seq: Seq): Open | undefined {
    return this.waiting().find((open) => open.seq === seq);
  }

  /** What was on its way may be lost; frames will tell. */
  forgetSent(): void {
    for (const open of this.#exchanges.of('agent')) open.sent = false;
  }
}
