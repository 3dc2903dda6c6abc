// Bytes as they come, of which the last so many are kept.

export class TailBytes {
  readonly #cap: number;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #joined: Uint8Array | undefined;

  constructor(cap: number) {
    this.#cap = cap;
  }

  push(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece.length > this.#cap ? piece.subarray(-this.#cap) : piece);
    this.#size += this.#pieces.at(-1)?.length ?? 0;
    this.#joined = undefined;
    // Cut at twice the cap, so that each byte is copied about once.
    if (this.#size > 2 * this.#cap) this.#keep(this.bytes());
  }

  reset(bytes: Uint8Array): void {
    this.#keep(bytes.length > this.#cap ? bytes.subarray(-this.#cap) : bytes);
  }

  /** The last bytes, at most the cap. Do not change them. */
  bytes(): Uint8Array {
    if (this.#joined) return this.#joined;
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    this.#joined = all.slice(Math.max(0, at - this.#cap));
    return this.#joined;
  }

  #keep(bytes: Uint8Array): void {
    this.#pieces = [bytes];
    this.#size = bytes.length;
    this.#joined = bytes;
  }
}
