// Traces that are checked as one set, because sessions outlive their connections: their events are
// read in the order they came, whichever trace they are in.
import { World } from '../../rules/world.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { Check } from './check.ts';

export class CheckGroup {
  readonly world = new World();
  readonly #checks = new Map<ConnectionId, Check>();
  /** All members are in memory as far as they are stored: the order is known. */
  ready = false;

  get checks(): readonly Check[] {
    return [...this.#checks.values()];
  }
  get(connection: ConnectionId): Check | undefined {
    return this.#checks.get(connection);
  }

  add(check: Check): void {
    this.#checks.set(check.connection, check);
  }
  delete(connection: ConnectionId): void {
    this.#checks.delete(connection);
  }

  /** Reads on until the time is up or there is nothing more. False: nothing more. */
  work(isTimeUp: () => boolean): boolean {
    if (!this.ready) return false;
    do {
      let first: Check | undefined;
      let until = Infinity;
      for (const check of this.#checks.values()) {
        const { nextAt } = check;
        if (nextAt === undefined) continue;
        if (first === undefined || nextAt < (first.nextAt ?? Infinity)) {
          until = Math.min(until, first?.nextAt ?? Infinity);
          first = check;
        } else until = Math.min(until, nextAt);
      }
      if (first === undefined) return false;
      first.read(until, isTimeUp);
    } while (!isTimeUp());
    return true;
  }
}
