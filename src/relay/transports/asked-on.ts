// On which session's event stream an agent asked what: its answer names that session. An agent that asks
// without end is remembered as far as anybody answers.
import { createHash } from 'node:crypto';

const MOST_ASKED = 10_000;
/** A longer id is remembered by its hash. */
const MOST_ID = 64;

export class AskedOn {
  readonly #sessions = new Map<string, string>();

  /** `id`: as `idKey` says it. */
  note(id: string, session: string): void {
    const key = keyOf(id);
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_ASKED && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** Undefined: nothing was asked under this id, or long ago. */
  sessionOf(id: string): string | undefined {
    return this.#sessions.get(keyOf(id));
  }
}

function keyOf(id: string): string {
  // What is sliced from a line would hold all of it in memory.
  return id.length <= MOST_ID
    ? Buffer.from(id).toString()
    : createHash('sha256').update(id).digest('hex');
}
