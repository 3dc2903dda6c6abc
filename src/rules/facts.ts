// Slots for facts that some rules need and the connection does not keep: a fold beside its rules
// declares one, and every connection, session or stored session holds its own value of it.

/** Whatever can hold facts. */
export interface Facts {
  readonly facts: unknown[];
}

export interface Fact<S extends Facts, T> {
  /** The value, made when first asked for. */
  of(scope: S): T;
}

let slots = 0;

/** A fact of connections, sessions or stored sessions; `make` gives what it begins as. */
export function fact<S extends Facts, T>(make: () => T): Fact<S, T> {
  const slot = slots++;
  return {
    of({ facts }) {
      const held = facts[slot];
      if (held !== undefined) return held as T;
      const made = make();
      facts[slot] = made;
      return made;
    },
  };
}
