// Bytes and text, without loss or not at all.

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Undefined where the bytes are not UTF-8. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** For showing only: what is not UTF-8 becomes U+FFFD. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Bytes that a text is measured by at a time. */
const ROOM = new Uint8Array(1 << 15);

/** The bytes of `encodeUtf8(text)`, which are not made: at 240 characters a quarter of what counting them costs. */
export function utf8Size(text: string): number {
  let { read, written } = encoder.encodeInto(text, ROOM);
  let size = written;
  for (let at = read; at < text.length; at += read) {
    // Cut where only ASCII would fill the room, so never within a pair of surrogates.
    ({ read, written } = encoder.encodeInto(text.slice(at, at + ROOM.length), ROOM));
    size += written;
  }
  return size;
}

// btoa wants a string of bytes; in pieces, because an argument list has a limit.
const PIECE = 0x8000;

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += PIECE)
    binary += String.fromCharCode(...bytes.subarray(i, i + PIECE));
  return btoa(binary);
}

/** Undefined where the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  // Uint8Array.from goes through an iterator, which takes several times as long.
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** The same of a long text, in pieces; `pause`: whoever waits has a turn. */
export async function fromLongBase64(
  text: string,
  pause: () => Promise<void>,
): Promise<readonly Uint8Array<ArrayBuffer>[] | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let rest = '';
  for (let from = 0; from < text.length; from += 8 * PIECE) {
    const signs = rest + text.slice(from, from + 8 * PIECE).replace(/\s+/g, '');
    // Four signs are three bytes.
    const whole = from + 8 * PIECE < text.length ? signs.length - (signs.length % 4) : signs.length;
    const bytes = fromBase64(signs.slice(0, whole));
    if (!bytes) return undefined;
    pieces.push(bytes);
    rest = signs.slice(whole);
    await pause();
  }
  return pieces;
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
