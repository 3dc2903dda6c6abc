// Which session a chip means: the same one in every trace and after every reload. A chip is given
// once and kept with the traces that name the session. Those of a run of ours, and those that stand
// in an opened file alone, are counted within it, so that `S2` of today is not S26 for a test that ran.
import { ChipBook, type ChipOf } from '../../model/facts/chips.ts';
import type { StoredTrace } from '../../storage/schema.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { Catalog } from '../library/catalog.ts';

/** Of connections that a person made. */
const PAGE = '';

export class SessionChips {
  readonly #catalog: Pick<Catalog, 'all' | 'groupOf' | 'get' | 'patch'>;
  readonly #books = new Map<string, ChipBook>();
  /** To the sessions of each trace, also where that is not stored yet: of thousands each is added to the same. */
  readonly #given = new Map<ConnectionId, Map<string, string>>();
  /** What is stored with the next turn. */
  readonly #fresh = new Set<ConnectionId>();
  /** What was learned from each trace. */
  readonly #learned = new Map<ConnectionId, StoredTrace['chips']>();

  constructor(catalog: Pick<Catalog, 'all' | 'groupOf' | 'get' | 'patch'>) {
    this.#catalog = catalog;
  }

  /** For the sessions of this trace. */
  of(connection: ConnectionId): ChipOf {
    return (sessionId, parent) => {
      this.#learn();
      const book = this.#book(this.#scope(connection));
      const elsewhere = book.get(sessionId) ?? this.#elsewhere(sessionId);
      if (elsewhere !== undefined && book.isFree(elsewhere)) book.learn(sessionId, elsewhere);
      const chip = book.of(sessionId, parent);
      this.#keep(connection, sessionId, chip);
      return chip;
    };
  }

  #scope(connection: ConnectionId, trace = this.#catalog.get(connection)): string {
    const group = this.#catalog.groupOf(connection);
    if (group !== undefined) return group.id;
    return trace?.mode === 'file' ? connection : PAGE;
  }

  #book(scope: string): ChipBook {
    const book = this.#books.get(scope) ?? new ChipBook();
    this.#books.set(scope, book);
    return book;
  }

  #elsewhere(sessionId: string): string | undefined {
    const books = [this.#book(PAGE), ...this.#books.values()];
    return books.find((book) => book.get(sessionId) !== undefined)?.get(sessionId);
  }

  #learn(): void {
    for (const trace of this.#catalog.all()) {
      const { connection, chips } = trace;
      if (chips === undefined || this.#learned.get(connection) === chips) continue;
      this.#learned.set(connection, chips);
      const book = this.#book(this.#scope(connection, trace));
      for (const [sessionId, chip] of Object.entries(chips))
        if (book.get(sessionId) === undefined) book.learn(sessionId, chip);
    }
  }

  #keep(connection: ConnectionId, sessionId: string, chip: string): void {
    const given =
      this.#given.get(connection) ??
      new Map(Object.entries(this.#catalog.get(connection)?.chips ?? {}));
    this.#given.set(connection, given);
    if (given.get(sessionId) === chip) return;
    given.set(sessionId, chip);
    if (this.#fresh.size === 0) queueMicrotask(() => this.#store());
    this.#fresh.add(connection);
  }

  #store(): void {
    for (const connection of this.#fresh) {
      const chips = Object.fromEntries(this.#given.get(connection) ?? []);
      // They are in the books.
      this.#learned.set(connection, chips);
      void this.#catalog.patch(connection, { chips });
    }
    this.#fresh.clear();
  }
}
