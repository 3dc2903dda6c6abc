// What the page looks at: a look at each trace in memory that was shown. The page is told of the one
// it shows; the others catch up when they are looked at again.
import type { ConnectionId } from '../../trace/event.ts';
import type { Finder } from '../../model/query/find.ts';
import type { Look } from './look.ts';
import type { OpenTrace } from '../traces/open-trace.ts';

export class Looks {
  readonly #looks = new Map<ConnectionId, Look>();
  /** The one the page shows. */
  shown: ConnectionId | undefined;
  readonly #finder: Finder;
  readonly #changed: () => void;

  /** `changed`: what a look shows has become another by itself. */
  constructor(finder: Finder, changed: () => void) {
    this.#finder = finder;
    this.#changed = changed;
  }

  /** Made anew where the trace was let go of meanwhile. */
  async of(trace: OpenTrace): Promise<Look> {
    const { Look } = await import('./look.ts');
    const known = this.known(trace);
    if (known) return known;
    const look = new Look(trace, this.#finder, this.#changed);
    this.#looks.set(trace.connection, look);
    return look;
  }

  /** Undefined: nobody has looked at it yet. */
  known(trace: OpenTrace): Look | undefined {
    const known = this.#looks.get(trace.connection);
    return known?.trace === trace ? known : undefined;
  }

  /** Only of these: what is not in memory need not be looked at. */
  keep(connections: ReadonlySet<ConnectionId>): void {
    for (const connection of this.#looks.keys())
      if (!connections.has(connection)) this.#looks.delete(connection);
  }
}
