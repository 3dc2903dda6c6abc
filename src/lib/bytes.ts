const NEWLINE = 0x0a;

/** All pieces in one, always a copy; `bytes`: where it is made. */
export function joined(
  pieces: readonly Uint8Array[],
  bytes = new Uint8Array(sizeOf(pieces)),
): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return at === bytes.length ? bytes : bytes.subarray(0, at);
}

/** Lines one below the other, each with its 0x0A; they have none themselves. */
export function joinedLines(lines: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeOf(lines) + lines.length).fill(NEWLINE);
  let at = 0;
  for (const line of lines) {
    bytes.set(line, at);
    at += line.length + 1;
  }
  return bytes;
}

/** What a piece takes beside its bytes: a million of one byte each are no megabyte. */
export const PIECE_COST = 128;

/** Bytes of all pieces. */
export function sizeOf(pieces: readonly Uint8Array[]): number {
  let size = 0;
  for (const { length } of pieces) size += length;
  return size;
}

/** Not every browser iterates a stream by itself. */
export async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Left early: the rest is not wanted, and its failing neither.
    reader.cancel().catch(() => undefined);
  }
}
