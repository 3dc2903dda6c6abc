// Where a person was in each trace, kept while another one is looked at.
import type { ConnectionId, Seq } from '../trace/event.ts';

export interface Place {
  readonly selected: Seq | undefined;
  /** The first frame on screen. */
  readonly top: Seq | undefined;
  readonly follow: boolean;
  readonly query: string;
}

export class Places {
  readonly #places = new Map<ConnectionId, Place>();

  keep(connection: ConnectionId, place: Place): void {
    this.#places.set(connection, place);
  }
  of(connection: ConnectionId): Place | undefined {
    return this.#places.get(connection);
  }
}
