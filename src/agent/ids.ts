// Ids and chance that repeat: ids follow from the session's id, what a turn does from its prompt.
import { createHash } from 'node:crypto';

/** An id that follows from what it is made of: 16 hexadecimal digits after the prefix. */
export function idOf(prefix: string, ...of: readonly (string | number)[]): string {
  return `${prefix}_${digest(of).toString('hex').slice(0, 16)}`;
}

/** The next number, at least 0 and below 1. */
export type Random = () => number;

/** A row of numbers that is the same for the same origin (mulberry32). */
export function randomFrom(...of: readonly (string | number)[]): Random {
  let state = digest(of).readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function digest(of: readonly (string | number)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(of)).digest();
}
