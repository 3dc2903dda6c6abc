// JSON as it stands in a line, read in place: literal tokens, every key in its order, also where
// JSON.parse would round a number, drop a repeated key or reorder one that looks like an index.
// Only for text that JSON.parse has found sound. Nothing here recurses: nesting costs no stack.

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** One value in the text, at [start, end). */
export interface JsonSpan {
  readonly kind: JsonKind;
  readonly start: number;
  readonly end: number;
  /** Direct children, of an object or an array; else 0. */
  readonly size: number;
}

export interface JsonEntry extends JsonSpan {
  /** What the key says; undefined in an array. */
  readonly key: string | undefined;
  readonly index: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The whole value of the text. */
export function rootSpan(text: string): JsonSpan {
  return spanAt(text, skipSpace(text, 0));
}

/** Direct children in the order of the text; nothing for a scalar. */
export function* entriesOf(text: string, span: JsonSpan): Generator<JsonEntry> {
  if (span.size === 0) return;
  let at = skipSpace(text, span.start + 1);
  for (let index = 0; index < span.size; index++) {
    let key: string | undefined;
    if (span.kind === 'object') {
      const keyEnd = skipString(text, at);
      key = stringAt(text, at, keyEnd);
      at = skipSpace(text, text.indexOf(':', keyEnd) + 1);
    }
    const child = spanAt(text, at);
    yield { ...child, key, index };
    at = skipSpace(text, skipSpace(text, child.end) + 1);
  }
}

/** What the string literal at [start, end) says. */
export function stringAt(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inner;
}

/** The same JSON without the white space between its tokens; every token stays as written. */
export function compactJson(text: string): string {
  let out = '';
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const end = tokenEnd(text, at);
    out += text.slice(at, end);
    at = skipSpace(text, end);
  }
  return out;
}

/** The same JSON on indented lines; every token stays as written.  */
export function prettyJson(text: string, step = '  '): string {
  let out = '';
  let depth = 0;
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const end = tokenEnd(text, at);
    const next = skipSpace(text, end);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      const empty = isClose(text.charCodeAt(next));
      if (empty) {
        out += text[at] + (text[next] ?? '');
        at = skipSpace(text, next + 1);
        continue;
      }
      depth++;
      out += text[at] + '\n' + step.repeat(depth);
    } else if (isClose(code)) {
      depth--;
      out += '\n' + step.repeat(depth) + text[at];
    } else if (code === COMMA) {
      out += ',\n' + step.repeat(depth);
    } else if (code === COLON) {
      out += ': ';
    } else {
      out += text.slice(at, end);
    }
    at = next;
  }
  return out;
}

function spanAt(text: string, start: number): JsonSpan {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return { kind: 'string', start, end: skipString(text, start), size: 0 };
  if (code === OPEN_BRACE || code === OPEN_BRACKET) return containerAt(text, start);
  const end = skipWord(text, start);
  const kind = code === 0x74 || code === 0x66 ? 'boolean' : code === 0x6e ? 'null' : 'number';
  return { kind, start, end, size: 0 };
}

function containerAt(text: string, start: number): JsonSpan {
  const kind = text.charCodeAt(start) === OPEN_BRACE ? 'object' : 'array';
  let size = isClose(text.charCodeAt(skipSpace(text, start + 1))) ? 0 : 1;
  let depth = 0;
  let at = start;
  do {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (isClose(code)) depth--;
    else if (code === COMMA && depth === 1) size++;
    at++;
  } while (depth > 0);
  return { kind, start, end: at, size };
}

function tokenEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return skipString(text, at);
  return isPunctuation(code) ? at + 1 : skipWord(text, at);
}

/** The place after the string literal that opens at `from`. Long strings are leapt over. */
function skipString(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1);
  for (;;) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
}

function skipWord(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isPunctuation(code) || isSpace(code)) break;
    at++;
  }
  return at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isClose(code: number): boolean {
  return code === CLOSE_BRACE || code === CLOSE_BRACKET;
}

function isPunctuation(code: number): boolean {
  return (
    code === COMMA ||
    code === COLON ||
    isClose(code) ||
    code === OPEN_BRACE ||
    code === OPEN_BRACKET
  );
}
