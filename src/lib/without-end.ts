/**
 * The text without the characters of `ends` at its end. A pattern such as `/\/+$/` looks for its end from each of
 * them anew: of a text full of them that takes the square of its length.
 */
export function withoutEnd(text: string, ends: string): string {
  let end = text.length;
  while (end > 0 && ends.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
