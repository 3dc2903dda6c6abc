// The aliases of a comparison by name, and the real values behind some of them.
import type { Alias } from '../diff/traces/report.ts';
import type { AliasGroup } from '../engine/diff-messages.ts';

export function aliasesByName(groups: readonly AliasGroup[]): ReadonlyMap<string, Alias> {
  const all = groups.flatMap(({ aliases }) => aliases);
  return new Map(all.map((alias) => [alias.name, alias]));
}

/** Of both sides, each once. */
export function realValues(aliases: readonly Alias[]): readonly string[] {
  const all = aliases.flatMap(({ a, b }) => [a, b]);
  return [...new Set(all)].filter((value) => value !== undefined);
}
