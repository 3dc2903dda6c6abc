// The id of a message as its exact token. JSON.parse loses it (1.0 becomes 1, 2^53+1 becomes 2^53),
// so it is cut out of the line itself, which JSON.parse has found to be sound before.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;

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

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The place after the string literal that opens at `from`. */
function skipString(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1);
  for (;;) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
}

/** The place after the value that begins at `from`. Depth is counted, so nesting costs no stack. */
function skipValue(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code === QUOTE) return skipString(text, from);
  if (code !== OPEN_BRACE && code !== OPEN_BRACKET) return skipWord(text, from);
  let depth = 0;
  let at = from;
  do {
    const here = text.charCodeAt(at);
    if (here === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    if (here === OPEN_BRACE || here === OPEN_BRACKET) depth++;
    else if (here === CLOSE_BRACE || here === CLOSE_BRACKET) depth--;
    at++;
  } while (depth > 0);
  return at;
}

/** A number, true, false or null: up to what may follow it. */
function skipWord(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || isSpace(code)) break;
    at++;
  }
  return at;
}
