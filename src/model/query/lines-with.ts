// Which lines of a trace file may hold what is looked for: one pass over their bytes, without decoding
// or parsing those that cannot. Most lines are answered by their bytes alone.
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import type { TraceEvent } from '../../trace/event.ts';
import type { PathTest } from './path.ts';

/** What is looked for. Plain data, and patterns, which can be sent to a worker. */
export type Sought =
  | { readonly kind: 'pattern'; readonly pattern: RegExp }
  /** Of whatever case, as a person reads it or as JSON writes it. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly test: PathTest };

/** Lines of a trace file, each with its 0x0A. The bytes may be given away. */
export interface SearchedLines {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the 0x0A of each stands. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** Of each, what its bytes do not tell: see LOOK. */
  readonly look: Uint8Array<ArrayBuffer>;
}

/** Lines whose bytes may say something else than they show, and have to be looked at. */
export const LOOK = {
  never: 0,
  always: 1,
  /** The message has characters written as `\u`: for a path, which reads it. */
  paths: 2,
} as const;

/** `text`: the line of the event. */
export function lookOf(event: TraceEvent, text: string): number {
  const hasLine = event.type === 'frame' || event.type === 'stderr';
  if (!hasLine || 'base64' in event.line) return LOOK.always;
  if (!text.includes('\\u')) return LOOK.never;
  // A backslash behind a backslash is what the peer wrote, and says nothing of how the line was written.
  return /(?<!\\)(?:\\\\)*\\u/.test(text) ? LOOK.always : LOOK.paths;
}

/**
 * Tells of each line that may hold it, in order; `line` from 0. `text`: the line, to be looked at;
 * undefined: it surely holds it.
 */
export function linesWith(
  { bytes, ends, look }: SearchedLines,
  sought: Exclude<Sought, { readonly kind: 'pattern' }>,
  tell: (line: number, text: string | undefined) => void,
): void {
  const needle = needleOf(sought);
  const isSure = sought.kind === 'text' && needle !== '' && needle === sought.text;
  const start = (line: number) => (line === 0 ? 0 : (ends[line - 1] ?? 0) + 1);
  const textAt = (line: number) => decodeUtf8(bytes.subarray(start(line), ends[line])) ?? '';
  const mustLook = (line: number) => {
    const why = look[line];
    return why === LOOK.always || (why === LOOK.paths && sought.kind === 'path');
  };
  const next = needle === '' ? undefined : searcher(bytes, needle);
  /** `at`: the first place in the line where the needle stands. */
  const holdsIt = (line: number, at: number): boolean | undefined => {
    const own =
      isSure && !mustLook(line) ? ownText(bytes, start(line), ends[line] ?? 0) : undefined;
    if (own === undefined) return undefined;
    for (let one = at; one >= 0 && one < own.to; one = next?.(one + 1) ?? -1)
      if (isIn(bytes, one, needle.length, own)) return true;
    return false;
  };
  let found = next?.(0) ?? 0;
  for (let line = 0; line < ends.length; line++) {
    const end = ends[line] ?? 0;
    if (found >= 0 && found <= end) {
      const holds = holdsIt(line, found);
      if (holds !== false) tell(line, holds ? undefined : textAt(line));
      found = next?.(end) ?? end + 1;
    } else if (mustLook(line)) tell(line, textAt(line));
  }
}

/** The next place from one on where the needle stands, of whatever case; -1: there is none. */
function searcher(bytes: Uint8Array, needle: string): (from: number) => number {
  const lower = encodeUtf8(needle.toLowerCase());
  const upper = encodeUtf8(needle.toUpperCase());
  const { length } = lower;
  // How far the window may go on, by its last byte (Boyer, Moore, Horspool).
  const skip = new Uint32Array(256).fill(length);
  for (let i = 0; i < length - 1; i++) skip[lower[i] ?? 0] = skip[upper[i] ?? 0] = length - 1 - i;
  const [last, LAST] = [lower[length - 1], upper[length - 1]];
  return (from) => {
    for (let end = from + length - 1; end < bytes.length;) {
      const byte = bytes[end] ?? 0;
      if (byte === last || byte === LAST) {
        const begin = end - length + 1;
        let i = 0;
        while (i < length && (bytes[begin + i] === lower[i] || bytes[begin + i] === upper[i])) i++;
        if (i === length) return begin;
      }
      end += skip[byte] ?? length;
    }
    return -1;
  };
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What stands in a frame as we write it before the text of its line, and behind it. */
const [OWN_HEAD, OWN_AT, OWN_FROM, OWN_LINE, OWN_TAIL] = (
  ['{"type":"frame","seq":', ',"at":', ',"from":"', '","line":{"text":"', '"},"origin":"'] as const
).map(encodeUtf8) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
/** Behind the text stands no more than this. */
const LONGEST_TAIL = 64;

/** Where the text of a frame's line stands, in a line as we write it. */
function ownText(bytes: Uint8Array, start: number, end: number): Stretch | undefined {
  let at = behind(bytes, start, OWN_HEAD);
  if (at < 0) return undefined;
  at = pastNumber(bytes, at);
  const time = behind(bytes, at, OWN_AT);
  if (time > 0) at = pastNumber(bytes, time);
  at = behind(bytes, at, OWN_FROM);
  if (at < 0) return undefined;
  const from = behind(bytes, pastLetters(bytes, at), OWN_LINE);
  if (from < 0) return undefined;
  for (let to = end - OWN_TAIL.length; to >= Math.max(from, end - LONGEST_TAIL); to--)
    if (startsWith(bytes, to, OWN_TAIL)) return { from, to };
  return undefined;
}

/** The place behind these words; -1: they do not stand here. */
function behind(bytes: Uint8Array, at: number, words: Uint8Array): number {
  return startsWith(bytes, at, words) ? at + words.length : -1;
}

/** Digits, a point, signs and an `e`; the line itself ends it. */
function pastNumber(bytes: Uint8Array, at: number): number {
  for (let byte = bytes[at] ?? 0; ; byte = bytes[++at] ?? 0)
    if (!((byte >= 0x2b && byte <= 0x39 && byte !== 0x2c) || byte === 0x65)) return at;
}

function pastLetters(bytes: Uint8Array, at: number): number {
  for (let byte = bytes[at] ?? 0; byte >= 0x61 && byte <= 0x7a;) byte = bytes[++at] ?? 0;
  return at;
}

function startsWith(bytes: Uint8Array, at: number, words: Uint8Array): boolean {
  for (let i = 0; i < words.length; i++) if (bytes[at + i] !== words[i]) return false;
  return true;
}

const BACKSLASH = 0x5c;

/** Whether what stands here is part of that text, and no letter of it belongs to an escape. */
function isIn(bytes: Uint8Array, at: number, length: number, { from, to }: Stretch): boolean {
  if (at < from || at + length > to) return false;
  let before = at;
  while (bytes[before - 1] === BACKSLASH) before--;
  return (at - before) % 2 === 0;
}

/** What every line that is meant has in it, if not with `\u`: JSON has to write it as it is. */
function needleOf(sought: Exclude<Sought, { readonly kind: 'pattern' }>): string {
  if (sought.kind === 'text') return longest(sought.text.split(NOT_PLAIN));
  const { path, compare } = sought.test;
  const { operator, value } = compare ?? {};
  const text = typeof value === 'string' ? value : '';
  // `~` looks into objects and numbers too, which JSON may write in other ways: but for words.
  const parts =
    operator === '='
      ? text.split(NOT_PLAIN)
      : operator === '~'
        ? (text.match(/[A-Za-z]{2,}/g) ?? [])
        : [];
  const part = longest(parts);
  // The last name is the one that the fewest lines have.
  const name = path.findLast((step) => typeof step === 'string') ?? '';
  return part.length > 2 ? part : longest([part, ...name.split(NOT_PLAIN)]);
}

const NOT_PLAIN = /[^ !#-.0-[\]-~]+/;

function longest(parts: readonly string[]): string {
  return parts.reduce((best, part) => (part.length > best.length ? part : best), '');
}
