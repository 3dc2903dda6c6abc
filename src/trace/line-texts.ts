// Lines as text, many at once: to begin a decoding costs as much as to read a line.
import { decodeUtf8 } from '../lib/utf8.ts';

/** Lines decoded at once, where they stand one below the other in memory. */
const STRIDE = 64;

/** Of each line what `decodeUtf8` says. */
export function decodeLines(lines: readonly Uint8Array[]): readonly (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  for (let from = 0; from < lines.length;) {
    const to = followingEnd(lines, from);
    const all = decodeTogether(lines.slice(from, to));
    for (let at = from; at < to; at++)
      texts.push(all ? all[at - from] : decodeUtf8(lines[at] ?? new Uint8Array()));
    from = to;
  }
  return texts;
}

/** Up to where each line stands behind the one before and its 0x0A. */
function followingEnd(lines: readonly Uint8Array[], from: number): number {
  let to = from + 1;
  for (; to < lines.length && to - from < STRIDE; to++) {
    const [before, next] = [lines[to - 1], lines[to]];
    if (!before || next?.buffer !== before.buffer) break;
    if (next.byteOffset !== before.byteOffset + before.length + 1) break;
  }
  return to;
}

/** Undefined: one of them is not UTF-8, or between them stands something else than a 0x0A. */
function decodeTogether(lines: readonly Uint8Array[]): readonly string[] | undefined {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return undefined;
  const end = last.byteOffset + last.length;
  const text = decodeUtf8(new Uint8Array(first.buffer, first.byteOffset, end - first.byteOffset));
  const texts = text?.split('\n');
  return texts?.length === lines.length ? texts : undefined;
}
