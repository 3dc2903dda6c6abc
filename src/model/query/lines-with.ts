// Which lines of a trace file may hold what is looked for: one pass over their bytes, without parsing
// those that cannot. Most lines are answered by their bytes alone.
import { decodeUtf8 } from '../../lib/utf8.ts';
import type { PathTest } from './path.ts';

/** What is looked for. Plain data, and patterns, which can be sent to a worker. */
export type Sought =
  | { readonly kind: 'pattern'; readonly pattern: RegExp }
  /** Of whatever case, as a person reads it or as JSON writes it. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly test: PathTest };

/** A character a byte, so that places in text are places in bytes. */
const ONE_A_BYTE = new TextDecoder('latin1');

/** A frame as we write it: from where its line's text begins, nothing but that text comes before its end. */
const OWN = /\{"type":"frame","seq":\d+,(?:"at":[\d.e+-]+,)?"from":"[a-z]+","line":\{"text":"/y;
const OWN_END = '"},"origin":';
/** The line of anything else may be said otherwise than in its bytes. */
const HAS_LINE = ['{"type":"frame"', '{"type":"stderr"'];

/**
 * Tells of each line that may hold it, in order; `line` from 0. `text`: the line, to be looked at;
 * undefined: it surely holds it.
 */
export function linesWith(
  bytes: Uint8Array,
  sought: Exclude<Sought, { readonly kind: 'pattern' }>,
  tell: (line: number, text: string | undefined) => void,
): void {
  const content = ONE_A_BYTE.decode(bytes);
  const needle = needleOf(sought);
  // What is written with `\u` or in base64 may be anything; so may what has no line of its own.
  const pattern = new RegExp(`${needle.replace(/[^\w ]/g, '\\$&')}|\\\\u|"base64"`, 'gi');
  const isSure = sought.kind === 'text' && needle !== '' && needle === sought.text;
  const lineAt = (from: number, to: number) => decodeUtf8(bytes.subarray(from, to)) ?? '';
  let found = -1;
  let line = 0;
  for (let start = 0; start < content.length; line++) {
    const end = content.indexOf('\n', start);
    const to = end < 0 ? content.length : end;
    if (found < start) {
      pattern.lastIndex = start;
      found = pattern.exec(content)?.index ?? Infinity;
    }
    if (found < to) {
      const own = isSure ? ownText(content, start, to) : undefined;
      if (own === undefined) tell(line, lineAt(start, to));
      else {
        const sure = sureIn(content, pattern, needle.length, found, own);
        if (sure === 'found') tell(line, undefined);
        else if (sure === 'unknown') tell(line, lineAt(start, to));
      }
    } else if (!HAS_LINE.some((head) => content.startsWith(head, start)))
      tell(line, lineAt(start, to));
    start = to + 1;
  }
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where the text of a frame's line stands, in a line of ours. */
function ownText(content: string, start: number, end: number): Stretch | undefined {
  OWN.lastIndex = start;
  if (!OWN.test(content)) return undefined;
  const from = OWN.lastIndex;
  const to = content.lastIndexOf(OWN_END, end);
  return to < from ? undefined : { from, to };
}

/** Whether a text of plain letters stands in the text of a line; `first`: the first match in the line. */
function sureIn(
  content: string,
  pattern: RegExp,
  length: number,
  first: number,
  { from, to }: Stretch,
): 'found' | 'absent' | 'unknown' {
  let at = first;
  while (at < to) {
    let before = at;
    while (content[before - 1] === '\\') before--;
    // A backslash behind a backslash is what the peer wrote, and says nothing of how we wrote it; a
    // letter behind one is no letter.
    const isEscaped = (at - before) % 2 === 1;
    if (content[at] === '\\') {
      if (!isEscaped) return 'unknown';
    } else if (!isEscaped && at >= from && at + length <= to) return 'found';
    pattern.lastIndex = at + 1;
    at = pattern.exec(content)?.index ?? Infinity;
  }
  return 'absent';
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
  const names = path.flatMap((step) => (typeof step === 'string' ? step.split(NOT_PLAIN) : []));
  return longest([...parts, ...names]);
}

const NOT_PLAIN = /[^ !#-.0-[\]-~]+/;

function longest(parts: readonly string[]): string {
  return parts.reduce((best, part) => (part.length > best.length ? part : best), '');
}
