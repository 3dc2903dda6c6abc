// Places in a text that are put otherwise: all bytes between them stay as they are.
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import type { Book, SecretRule } from './book.ts';

/** [start, end) of the text becomes `put`. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly rule: SecretRule;
  readonly put: string;
}

/** In order and apart: those that overlap become one secret. */
export function withoutOverlap(text: string, hits: readonly Hit[], book: Book): Hit[] {
  const sorted = hits.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const out: Hit[] = [];
  for (const hit of sorted) {
    const last = out.at(-1);
    if (last === undefined || hit.start >= last.end) out.push(hit);
    else if (hit.end > last.end) {
      const { start, rule } = last;
      const put = book.pseudonym(text.slice(start, hit.end), rule);
      out[out.length - 1] = { start, end: hit.end, rule, put };
    }
  }
  return out;
}

/** `hits`: in order and apart. */
export function applied(text: string, hits: readonly Hit[]): string {
  let out = '';
  let done = 0;
  for (const { start, end, put } of hits) {
    out += text.slice(done, start) + put;
    done = end;
  }
  return out + text.slice(done);
}

/** Places in what a string literal at `start` says, as places in the text that it stands in. */
export function inLiteral(text: string, start: number, end: number, hits: readonly Hit[]): Hit[] {
  if (hits.length === 0) return [];
  const plain = !text.slice(start, end).includes('\\');
  let at = start + 1;
  let said = 0;
  const placeOf = (target: number) => {
    if (plain) return start + 1 + target;
    while (said < target) {
      if (text[at] !== '\\') at++;
      else at += text[at + 1] === 'u' ? 6 : 2;
      said++;
    }
    return at;
  };
  return hits.map((hit) => {
    const from = placeOf(hit.start);
    return {
      ...hit,
      start: from,
      end: placeOf(hit.end),
      put: JSON.stringify(hit.put).slice(1, -1),
    };
  });
}

/** Bytes as a text of one character each, which patterns read. */
export function byteText(base64: string): string | undefined {
  try {
    return atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
}

/** A base64 text whose bytes are put otherwise at these places, as one hit: it stays base64. */
export function encodedHit(base64: string, hits: readonly Hit[]): Hit[] {
  const bytes = byteText(base64);
  const [first] = hits;
  if (bytes === undefined || !first) return [];
  const put = hits.map((hit) => ({ ...hit, put: utf8Bytes(hit.put) }));
  return [{ start: 0, end: base64.length, rule: first.rule, put: btoa(applied(bytes, put)) }];
}

/** What bytes say as UTF-8, if they do; else as they are. */
export function textFrom(bytes: string): string {
  return decodeUtf8(Uint8Array.from(bytes, (char) => char.charCodeAt(0))) ?? bytes;
}

function utf8Bytes(text: string): string {
  return String.fromCharCode(...encodeUtf8(text));
}
