// Headers as a trace holds them. Only what is known to be harmless is written out; of all else a
// reader learns that it was there.
import { isPlainHeader } from '../../lib/secrets/names.ts';
import type { Headers } from '../../trace/event.ts';
import { MASK, shownUrl, urlOf } from './address.ts';

/** So much of the id of a connection tells it from others, and lets nobody in. */
const ID_LETTERS = 8;
const MOST_HEADERS = 64;
const MOST_VALUE = 512;

/** `raw`: names and values in turn, as Node gives them. `base`: what a Location is relative to. */
export function maskedHeaders(raw: readonly string[], base: URL): Headers {
  // A name may be that of a property which every object has.
  const masked = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length && at < 2 * MOST_HEADERS; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    const value = maskedValue(name, raw[at + 1] ?? '', base).slice(0, MOST_VALUE);
    const before = masked.get(name);
    masked.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(masked);
}

function maskedValue(name: string, value: string, base: URL): string {
  if (isPlainHeader(name)) return value;
  switch (name) {
    case 'acp-connection-id':
      return value.length > ID_LETTERS ? value.slice(0, ID_LETTERS) + MASK : MASK;
    case 'location': {
      const url = urlOf(value, base);
      return url ? shownUrl(url) : MASK;
    }
    case 'cookie':
    case 'set-cookie':
      return value
        .split(name === 'cookie' ? /;\s*/ : /;.*$/s)
        .filter((part) => part !== '')
        .map((part) => `${part.split('=')[0]}=${MASK}`)
        .join('; ');
    case 'www-authenticate':
      return `${value.split(' ')[0]} ${MASK}`;
    default:
      return MASK;
  }
}
