// Requests that were said to the live peer again and wait for its answer. They keep their recorded
// ids, as long as no other of that id waits.
import { idKey, type RequestId } from '../../acp/message.ts';
import type { RecordedFrame } from './recorded.ts';

export class OurRequests {
  readonly #open = new Map<string, RecordedFrame>();
  #fresh = 0;

  /** The id token under which it is to be said. */
  ask(frame: RecordedFrame, id: RequestId): string {
    const token = this.#open.has(idKey(id)) ? JSON.stringify(`again-${++this.#fresh}`) : id.token;
    this.#open.set(token === id.token ? idKey(id) : token, frame);
    return token;
  }

  /** What an answer ends; undefined: nothing waits under its id. */
  answered(id: RequestId): RecordedFrame | undefined {
    const frame = this.#open.get(idKey(id));
    if (frame) this.#open.delete(idKey(id));
    return frame;
  }

  /** In the order in which they were said. */
  get open(): readonly RecordedFrame[] {
    return [...this.#open.values()];
  }
}
