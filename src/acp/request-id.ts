// The id of a message as its exact token. JSON.parse loses it (1.0 becomes 1, 2^53+1 becomes 2^53),
// so it is cut out of the line itself, which JSON.parse has found to be sound before.
import { COMMA, QUOTE, skipSpace, skipString, skipValue } from '../lib/json-scan.ts';

/**
 * The token of the root's `id` key; of the last one if there are several, as JSON.parse takes it.
 * `text` is one JSON object, known to be sound and to have the key.
 */
export function rootIdToken(text: string): string {
  const first = text.indexOf('"id"');
  // Written once and without escapes, it can only be the root's.
  if (first >= 0 && text.indexOf('"id"', first + 4) < 0 && !text.includes('\\u')) {
    const start = skipSpace(text, text.indexOf(':', first + 4) + 1);
    return text.slice(start, skipValue(text, start));
  }
  return scanRoot(text);
}

function scanRoot(text: string): string {
  let token = '';
  let at = skipSpace(text, text.indexOf('{') + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = skipString(text, at);
    const isId = says(text, at, keyEnd, 'id');
    const start = skipSpace(text, text.indexOf(':', keyEnd) + 1);
    const end = skipValue(text, start);
    if (isId) token = text.slice(start, end);
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return token;
}

/** Whether the string literal at [start, end) says `word`, plain or escaped. */
function says(text: string, start: number, end: number, word: string): boolean {
  if (end - start === word.length + 2) return text.startsWith(word, start + 1);
  const longest = 6 * word.length + 2; // every letter as \uXXXX
  if (end - start > longest || !text.slice(start, end).includes('\\')) return false;
  return JSON.parse(text.slice(start, end)) === word;
}
