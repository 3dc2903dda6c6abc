// Stepping over JSON in place, token by token: for text that JSON.parse has found sound. Nothing
// here recurses: nesting costs no stack.

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const BACKSLASH = 0x5c;

export function isOpen(code: number): boolean {
  return code === OPEN_BRACE || code === OPEN_BRACKET;
}

export function isClose(code: number): boolean {
  return code === CLOSE_BRACE || code === CLOSE_BRACKET;
}

export function isPunctuation(code: number): boolean {
  return code === COMMA || code === COLON || isClose(code) || isOpen(code);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The place of the next token, or the end of the text. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The place after the string literal that opens at `from`. Long strings are leapt over. */
export function skipString(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1);
  for (;;) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
}

/** The place after the token that begins at `from`: a string, one sign, or a number or word. */
export function skipToken(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code === QUOTE) return skipString(text, from);
  let at = from + 1;
  if (isPunctuation(code)) return at;
  while (at < text.length) {
    const next = text.charCodeAt(at);
    if (isPunctuation(next) || isSpace(next)) break;
    at++;
  }
  return at;
}

/** Of the object or array that opens at `from`: the place after it, and its direct children. */
export function skipContainer(text: string, from: number): { end: number; size: number } {
  let size = isClose(text.charCodeAt(skipSpace(text, from + 1))) ? 0 : 1;
  let depth = 0;
  let at = from;
  do {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    if (isOpen(code)) depth++;
    else if (isClose(code)) depth--;
    else if (code === COMMA && depth === 1) size++;
    at++;
  } while (depth > 0);
  return { end: at, size };
}

/** The place after the value that begins at `from`. */
export function skipValue(text: string, from: number): number {
  const opens = isOpen(text.charCodeAt(from));
  return opens ? skipContainer(text, from).end : skipToken(text, from);
}

/** True if values nest more than `most` deep: more than what recurses over them should be given. */
export function nestsDeeper(text: string, most: number): boolean {
  // Nested values need that many brackets: counting them is quick, and few texts have as many.
  if (text.length <= 2 * most || !hasMore(text, most)) return false;
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (isOpen(code) && ++depth > most) return true;
    if (isClose(code)) depth--;
    at = code === QUOTE ? skipString(text, at) : at + 1;
  }
  return false;
}

/** True if more than `most` objects and arrays begin in the text, those in its strings included. */
function hasMore(text: string, most: number): boolean {
  let found = 0;
  for (const sign of ['{', '['])
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1))
      if (++found > most) return true;
  return false;
}
