// Keys that stand twice in one object: JSON.parse takes the last and says nothing.
import {
  COLON,
  COMMA,
  OPEN_BRACE,
  QUOTE,
  isClose,
  isOpen,
  skipSpace,
  skipToken,
} from '../../../lib/json-scan.ts';

export interface DoubledKey {
  readonly key: string;
  /** Where the later one stands, in UTF-16 units. */
  readonly at: number;
}

/** Of a text that is JSON. */
export function doubledKeys(text: string): readonly DoubledKey[] {
  const found: DoubledKey[] = [];
  /** The keys of what is open; undefined: an array. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const code = text.charCodeAt(at);
    if (isOpen(code)) open.push(code === OPEN_BRACE ? new Set() : undefined);
    else if (isClose(code)) open.pop();
    if (code !== QUOTE) {
      at = code === COMMA || code === COLON ? at + 1 : skipToken(text, at);
      continue;
    }
    const end = skipToken(text, at);
    if (text.charCodeAt(skipSpace(text, end)) === COLON) {
      const key = JSON.parse(text.slice(at, end)) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) found.push({ key, at });
      keys?.add(key);
    }
    at = end;
  }
  return found;
}
