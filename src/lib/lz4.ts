// Bytes as an LZ4 block (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md): the browser's own
// compression is asynchronous and slower than the disk, and blocks are read where nothing can be awaited.

/** Places of four bytes that are remembered. */
const HASH_BITS = 15;
const LEAST_MATCH = 4;
/** How far back a match may lie. */
const FARTHEST = 0xffff;
/** The format wants the last match to begin so far before the end, and so many bytes behind it as they are. */
const LAST_MATCH = 12;
const LAST_LITERALS = 5;
/** A length from here on goes on in bytes of its own, the last of which is less than 255. */
const LONG = 15;
const FULL = 255;
/** After so many misses it looks at every second place only, and so on: what cannot be compressed costs little. */
const PATIENCE = 6;
/** Fewer bytes than these are copied faster one by one. */
const WORTH_A_CALL = 32;

const table = new Int32Array(1 << HASH_BITS);
/** Blocks of bytes are made in it, and copied out of it: they are a fraction of the room that they might need. */
const ROOM = new Uint8Array(1 << 19);

/** Of a block that is damaged. */
export const OTHER_BYTES = 'it holds other bytes than were written';

/** At most a two-hundred-and-fiftieth longer than `from`. */
export function compress(from: Uint8Array): Uint8Array<ArrayBuffer> {
  const words = new DataView(from.buffer, from.byteOffset, from.length);
  const word = (at: number) => words.getUint32(at, true);
  const hash = (of: number) => Math.imul(of, 0x9e3779b1) >>> (32 - HASH_BITS);
  const most = from.length + Math.ceil(from.length / FULL) + LAST_MATCH;
  const to = most <= ROOM.length ? ROOM : new Uint8Array(most);
  let end = 0;
  let done = 0;
  let misses = 0;
  const long = (length: number) => {
    let rest = length - LONG;
    if (rest < 0) return;
    for (; rest >= FULL; rest -= FULL) to[end++] = FULL;
    to[end++] = rest;
  };
  const literals = (until: number, token: number) => {
    const length = until - done;
    to[end++] = (Math.min(length, LONG) << 4) | token;
    long(length);
    if (length >= WORTH_A_CALL) {
      to.set(from.subarray(done, until), end);
      end += length;
    } else while (done < until) to[end++] = from[done++] ?? 0;
    done = until;
  };
  table.fill(-1);
  for (let at = 0; at < from.length - LAST_MATCH;) {
    const here = word(at);
    const slot = hash(here);
    let match = table[slot] ?? -1;
    table[slot] = at;
    if (match < 0 || at - match > FARTHEST || word(match) !== here) {
      at += 1 + (misses++ >> PATIENCE);
      continue;
    }
    misses = 0;
    while (at > done && match > 0 && from[at - 1] === from[match - 1]) {
      at--;
      match--;
    }
    const rest = from.length - LAST_LITERALS - at;
    let length = LEAST_MATCH;
    while (length + 4 <= rest && word(at + length) === word(match + length)) length += 4;
    while (length < rest && from[at + length] === from[match + length]) length++;
    literals(at, Math.min(length - LEAST_MATCH, LONG));
    to[end++] = (at - match) & 0xff;
    to[end++] = (at - match) >> 8;
    long(length - LEAST_MATCH);
    done = at += length;
    table[hash(word(at - 2))] = at - 2;
  }
  literals(from.length, 0);
  return to.slice(0, end);
}

/** The `size` bytes that were compressed, at the beginning of the room. Throws where these are no such block. */
export function decompress(
  from: Uint8Array,
  size: number,
  room = new ArrayBuffer(size),
): Uint8Array<ArrayBuffer> {
  const to = new Uint8Array(room, 0, size);
  let at = 0;
  let end = 0;
  const length = (token: number) => {
    if (token < LONG) return token;
    let all = token;
    let more: number;
    do all += more = from[at++] ?? 0;
    while (more === FULL);
    return all;
  };
  while (at < from.length) {
    const token = from[at++] ?? 0;
    const literal = length(token >> 4);
    if (at + literal > from.length || end + literal > size) break;
    if (literal >= WORTH_A_CALL) {
      to.set(from.subarray(at, (at += literal)), end);
      end += literal;
    } else for (const until = at + literal; at < until;) to[end++] = from[at++] ?? 0;
    if (at === from.length && end === size) return to;
    const back = (from[at++] ?? 0) | ((from[at++] ?? 0) << 8);
    const match = length(token & LONG) + LEAST_MATCH;
    if (back === 0 || back > end || end + match > size) break;
    const start = end - back;
    if (match > WORTH_A_CALL && back >= match) to.copyWithin(end, start, start + match);
    else for (let i = 0; i < match; i++) to[end + i] = to[start + i] ?? 0;
    end += match;
  }
  throw new Error(OTHER_BYTES);
}
