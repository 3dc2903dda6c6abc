// Messages between sessions stand in the transcripts of both: which sessions of a tree told which of
// their ids. Made once for a tree, so that each of a thousand children can ask it.

interface Telling {
  readonly views?: readonly string[] | undefined;
}

export class ToldIds<S> {
  readonly #by = new Map<S, ReadonlySet<string>>();
  /** How many sessions told an id. */
  readonly #tellers = new Map<string, number>();

  constructor(all: Iterable<readonly [S, readonly Telling[]]>) {
    for (const [session, items] of all) {
      const told = new Set(items.flatMap(({ views = [] }) => views));
      this.#by.set(session, told);
      for (const id of told) this.#tellers.set(id, (this.#tellers.get(id) ?? 0) + 1);
    }
  }

  by(session: S, id: string): boolean {
    return this.#by.get(session)?.has(id) === true;
  }

  byOthers(session: S, id: string): boolean {
    return (this.#tellers.get(id) ?? 0) > (this.by(session, id) ? 1 : 0);
  }
}
