// What several connections have in common: sessions outlive them. Traces that are checked together,
// and the connections a page holds, share one world.
import type { ConnectionId } from '../trace/event.ts';
import type { Facts } from './facts.ts';

/** A session as its agent stores it, whatever connection it is met on. */
export interface Stored extends Facts {
  readonly id: string;
}

export class World {
  readonly #sessions = new Map<string, Stored>();
  /** Connections checked in this world, in order. */
  readonly connections: ConnectionId[] = [];

  session(id: string): Stored {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const made: Stored = { id, facts: [] };
    this.#sessions.set(id, made);
    return made;
  }
}
