/** With a capital where it begins with a word: a name of the protocol, or one set as code, stays as it is. */
export const capitalised = (clause: string): string =>
  clause.replace(/^[a-z]+(?=[\s,;:])/, (word) => word.slice(0, 1).toUpperCase() + word.slice(1));

/** A sentence as it goes on behind a colon. */
export const lowered = (sentence: string): string =>
  sentence.slice(0, 1).toLowerCase() + sentence.slice(1);

/** A clause as a sentence: with a capital, and a full stop where it has no mark at its end. */
export function asSentence(clause: string): string {
  const text = clause.slice(0, 1).toUpperCase() + clause.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * The text without the characters of `ends` at its end. A pattern such as `/\/+$/` looks for its end from each of
 * them anew: of a text full of them that takes the square of its length.
 */
export function withoutEnd(text: string, ends: string): string {
  let end = text.length;
  while (end > 0 && ends.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
