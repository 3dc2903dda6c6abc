// What the protocol itself says on a finding, for the reports.
import type { EditionId } from '../../acp/editions/edition.ts';
import { RULES } from '../registry.ts';
import type { Rule } from '../rule.ts';
import { allOf, sourceIn, type Source } from '../source.ts';

const SOURCES: ReadonlyMap<string, Source> = new Map(RULES.map(({ id, source }) => [id, source]));

/** The sentence that a rule rests on in an edition. Undefined: none says it, or there is no such rule. */
export function quoteOf(rule: string, edition: EditionId): string | undefined {
  const source = SOURCES.get(rule);
  return source && sourceIn(source, edition).quote;
}

/** The same in words, also where no sentence says it. */
export function saidOf(rule: string, edition: EditionId): string {
  const source = SOURCES.get(rule);
  return source === undefined
    ? 'nothing that this version knows'
    : wordsOf(sourceIn(source, edition));
}

/** All sentences of a rule, of every edition, each once, with the places where they stand. */
export function everySentence({ source }: Rule): readonly { said: string; places: Source[] }[] {
  const sentences = new Map<string, Source[]>();
  for (const one of allOf(source)) {
    const said = wordsOf(one);
    sentences.set(said, [...(sentences.get(said) ?? []), one]);
  }
  return [...sentences].map(([said, places]) => ({ said, places }));
}

function wordsOf({ quote, follows }: Source): string {
  return quote === undefined
    ? `no sentence; it follows from ${follows ?? 'what it is'}`
    : `“${quote}”`;
}
