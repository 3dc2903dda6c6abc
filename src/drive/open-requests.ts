// The agent's requests that have no answer yet, as the frames tell. Ids may be reused, also while
// one is open: answers then go to the oldest.
import { idKey, type Request, type RequestId } from '../acp/message.ts';
import type { Seq } from '../trace/event.ts';

export interface Open {
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
  readonly #byId = new Map<string, Open[]>();

  add(seq: Seq, request: Request): Open {
    const open = { seq, request, sent: false, working: false, left: false, withdrawn: false };
    const key = idKey(request.id);
    const same = this.#byId.get(key);
    if (same) same.push(open);
    else this.#byId.set(key, [open]);
    return open;
  }

  answered(id: RequestId): void {
    const key = idKey(id);
    const same = this.#byId.get(key);
    same?.shift();
    if (same?.length === 0) this.#byId.delete(key);
  }

  /** Those without an answer on its way, oldest first. */
  waiting(): readonly Open[] {
    return [...this.#byId.values()]
      .flat()
      .filter(({ sent }) => !sent)
      .sort((a, b) => a.seq - b.seq);
  }

  /** Undefined also where an answer is on its way. */
  at(seq: Seq): Open | undefined {
    return this.waiting().find((open) => open.seq === seq);
  }

  /** What was on its way may be lost; frames will tell. */
  forgetSent(): void {
    for (const same of this.#byId.values()) for (const open of same) open.sent = false;
  }
}
