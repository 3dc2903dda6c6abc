/** Items by their key, both in the order in which they come. */
export function grouped<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** What stands in a list more than once. */
export function twiceIn(values: readonly (string | undefined)[]): readonly string[] {
  const [seen, twice] = [new Set<string>(), new Set<string>()];
  for (const value of values) if (value !== undefined) (seen.has(value) ? twice : seen).add(value);
  return [...twice];
}
