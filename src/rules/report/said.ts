// What the protocol itself says on a finding, for the reports.
import type { Rule } from '../rule.ts';
import { allOf, type Source } from '../source.ts';

/** All sentences of a rule, of every edition, each once, with the places where they stand. */
export function everySentence({ source }: Rule): readonly { said: string; places: Source[] }[] {
  const sentences = new Map<string, Source[]>();
  for (const one of allOf(source)) {
    const said = saidOf(one);
    sentences.set(said, [...(sentences.get(said) ?? []), one]);
  }
  return [...sentences].map(([said, places]) => ({ said, places }));
}

/** The sentence in words, also where no page says it. */
export function saidOf({ quote, follows }: Source): string {
  return quote === undefined
    ? `no sentence; it follows from ${follows ?? 'what it is'}`
    : `“${quote}”`;
}
