// Sets of what is chosen: they are replaced whole, so that whoever looks at one hears of it.

export function setOf<T>(all: Iterable<T>): ReadonlySet<T> {
  return new Set(all);
}

export function withOne<T>(set: ReadonlySet<T>, one: T): ReadonlySet<T> {
  return new Set([...set, one]);
}

/** Taken where it was left, left where it was taken. */
export function flipped<T>(set: ReadonlySet<T>, one: T): ReadonlySet<T> {
  return set.has(one) ? new Set([...set].filter((other) => other !== one)) : withOne(set, one);
}
