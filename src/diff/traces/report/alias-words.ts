// Aliases in few words: of a few each, of many how many.
import { count } from '../../../lib/format-count.ts';
import { oneLine } from '../../../model/words.ts';
import { ALIAS_WORDS, type AliasKind } from '../../../model/sessions/compare-terms.ts';
import type { Alias } from './report.ts';

/** More of one kind are counted. */
const MOST = 2;
const LONGEST = 28;

/** `S1 ses_e03f… | ses_9d11…`, `T1–T22 22 tool calls`. Those alike on both sides are left out. */
export function aliasWords(aliases: readonly Alias[]): string[] {
  const kinds = grouped(aliases);
  return [...kinds].flatMap(([kind, all]) => {
    const told = all.filter(({ a, b }) => a !== b);
    const [first, last] = [all[0], all.at(-1)];
    if (!first || !last || told.length === 0) return [];
    if (kind === 'time') return [`${first.name} ${count(first.uses.a + first.uses.b, 'time')}`];
    if (all.length <= MOST)
      return told.map(({ name, a, b }) => `${name} ${short(a)} | ${short(b)}`);
    return [`${first.name}–${last.name} ${count(all.length, ...ALIAS_WORDS[kind])}`];
  });
}

function grouped(aliases: readonly Alias[]): Map<AliasKind, Alias[]> {
  const kinds = new Map<AliasKind, Alias[]>();
  for (const alias of aliases) {
    const known = kinds.get(alias.kind);
    if (known) known.push(alias);
    else kinds.set(alias.kind, [alias]);
  }
  return kinds;
}

function short(real: string | undefined): string {
  return real === undefined ? '–' : oneLine(real, LONGEST);
}
