// JSON as it stands in a line, read in place: literal tokens, every key in its order, also where
// JSON.parse would round a number, drop a repeated key or reorder one that looks like an index.
// Only for text that JSON.parse has found sound. Nothing here recurses: nesting costs no stack.
import {
  COLON,
  COMMA,
  isClose,
  isOpen,
  OPEN_BRACE,
  QUOTE,
  skipContainer,
  skipSpace,
  skipString,
  skipToken,
} from './json-scan.ts';

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

/** Long values of a text by where they start: stepping over each of them again would take long. */
export type LongSpans = ReadonlyMap<number, JsonSpan>;

/** Characters of a long value. */
const LONG = 1 << 16;

/** All values of more than `least` characters, inner ones before those they stand in. */
export function longSpans(text: string, least = LONG): readonly JsonSpan[] {
  const found: JsonSpan[] = [];
  const around: { readonly start: number; size: number }[] = [];
  let end = 0;
  for (let at = skipSpace(text, 0); at < text.length; at = end) {
    const code = text.charCodeAt(at);
    end = code === QUOTE ? skipString(text, at) : at + 1;
    if (code === QUOTE && end - at > least) found.push({ kind: 'string', start: at, end, size: 0 });
    else if (isOpen(code)) {
      const isEmpty = isClose(text.charCodeAt(skipSpace(text, end)));
      around.push({ start: at, size: isEmpty ? 0 : 1 });
    } else if (code === COMMA) {
      const inside = around.at(-1);
      if (inside) inside.size++;
    } else if (isClose(code)) {
      const { start, size } = around.pop() ?? { start: at, size: 0 };
      if (end - start > least) found.push({ kind: containerKind(text, start), start, end, size });
    }
  }
  return found;
}

/** The whole value of the text. */
export function rootSpan(text: string, long?: LongSpans): JsonSpan {
  return spanAt(text, skipSpace(text, 0), long);
}

/** Direct children in the order of the text; nothing for a scalar. */
export function* jsonEntries(text: string, span: JsonSpan, long?: LongSpans): Generator<JsonEntry> {
  if (span.size === 0) return;
  let at = skipSpace(text, span.start + 1);
  for (let index = 0; index < span.size; index++) {
    let key: string | undefined;
    if (span.kind === 'object') {
      const keyEnd = skipString(text, at);
      key = stringAt(text, at, keyEnd);
      at = skipSpace(text, text.indexOf(':', keyEnd) + 1);
    }
    const child = spanAt(text, at, long);
    yield { ...child, key, index };
    at = skipSpace(text, skipSpace(text, child.end) + 1);
  }
}

/**
 * What the string literal at [start, end) says; of one of more than `most` characters, what about so many of
 * them say: an escape or a pair of surrogates that the cut would part is left out.
 */
export function stringAt(text: string, start: number, end: number, most = Infinity): string {
  const isCut = end - start - 2 > most;
  const inner = text.slice(start + 1, isCut ? start + 1 + most : end - 1);
  const whole = isCut ? withoutPart(inner) : inner;
  const said = whole.includes('\\') ? (JSON.parse(`"${whole}"`) as string) : whole;
  return isCut && /[\ud800-\udbff]$/.test(said) ? said.slice(0, -1) : said;
}

/** The inside of a literal without the part of an escape that it ends with. */
function withoutPart(inner: string): string {
  const slash = inner.lastIndexOf('\\');
  let before = slash;
  while (inner[before] === '\\') before--;
  const isEscape = (slash - before) % 2 === 1;
  const length = inner[slash + 1] === 'u' ? 6 : 2;
  return isEscape && slash + length > inner.length ? inner.slice(0, slash) : inner;
}

/** The same JSON without the white space between its tokens; every token stays as written. */
export function compactJson(text: string): string {
  let out = '';
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const end = skipToken(text, at);
    out += text.slice(at, end);
    at = skipSpace(text, end);
  }
  return out;
}

/** The same JSON on indented lines; every token stays as written. */
export function prettyJson(text: string, step = '  '): string {
  let out = '';
  let depth = 0;
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const end = skipToken(text, at);
    const next = skipSpace(text, end);
    if (isOpen(code)) {
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

function spanAt(text: string, start: number, long?: LongSpans): JsonSpan {
  const known = long?.get(start);
  if (known) return known;
  const code = text.charCodeAt(start);
  if (isOpen(code))
    return { kind: containerKind(text, start), start, ...skipContainer(text, start) };
  return { kind: scalarKind(code), start, end: skipToken(text, start), size: 0 };
}

function containerKind(text: string, start: number): 'object' | 'array' {
  return text.charCodeAt(start) === OPEN_BRACE ? 'object' : 'array';
}

function scalarKind(first: number): JsonKind {
  if (first === QUOTE) return 'string';
  if (first === 0x6e) return 'null';
  return first === 0x74 || first === 0x66 ? 'boolean' : 'number';
}
