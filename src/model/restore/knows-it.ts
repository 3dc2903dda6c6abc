// Whether an answer shows that the agent knows what was said before. Words decide, not meaning.

export type Knowledge = 'knows' | 'forgot' | 'unsure';

/** Shorter words are in every answer. */
const SHORTEST = 4;

/**
 * `expects`: what was said. Knows: half of its longer words, or more, are in the answer; forgot:
 * none is. Unsure where there is nothing to compare.
 */
export function knowsIt(answer: string, expects: string): Knowledge {
  const words = [...new Set(wordsOf(expects))];
  if (words.length === 0 || answer.trim() === '') return 'unsure';
  const said = new Set(wordsOf(answer));
  const found = words.filter((word) => said.has(word)).length;
  if (found === 0) return 'forgot';
  return found * 2 >= words.length ? 'knows' : 'unsure';
}

/** Whether any answer could show it: it has a word that is not in every answer. */
export function canBeTold(expects: string): boolean {
  return wordsOf(expects).length > 0;
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => word.length >= SHORTEST,
  );
}
