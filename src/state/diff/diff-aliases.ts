// The aliases of a comparison by name, and the real values behind some of them.
import type { Alias } from '../../diff/traces/report/report.ts';

export function aliasesByName(aliases: readonly Alias[]): ReadonlyMap<string, Alias> {
  return new Map(aliases.map((alias) => [alias.name, alias]));
}

/** Of both sides, each once. */
export function realValues(aliases: readonly Alias[]): readonly string[] {
  const all = aliases.flatMap(({ a, b }) => [a, b]);
  return [...new Set(all)].filter((value) => value !== undefined);
}
