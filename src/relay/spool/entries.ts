// What waits to be appended to a file, in its order, as the chunks it is written in. An entry waits
// until all of it is written, so that at any time it is known which are in the file and which not.

/** What is appended as a whole. */
export interface Entry {
  /** A text; or bytes piece by piece, from the first on at each call. */
  readonly content: string | (() => Iterable<Uint8Array>);
  /** Bytes of memory it takes while it waits, roughly. */
  readonly size: number;
  /** The events it stands for; none where `first` is past `last`. */
  readonly first: number;
  readonly last: number;
}

/** What is being written: the first `entries` that wait, or, if that is 0, a part of the first. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly entries: number;
  /** So many of the bytes are written. */
  at: number;
}

/** Where a written entry ends in the file, and its last event. */
export interface End {
  readonly size: number;
  readonly last: number;
}

/** Characters of one chunk, roughly. */
const BATCH = 1024 * 1024;
/** Ends that are remembered. */
const MOST_ENDS = 16;
const NOTHING = new Uint8Array();

let waitingInAll = 0;

export class Entries {
  readonly #queue: Entry[] = [];
  #waiting = 0;
  /** Sizes of those that are no text. */
  readonly #long: number[] = [];
  #chunk: Chunk | undefined;
  #parts: Iterator<Uint8Array, void> | undefined;
  #ends: readonly End[] = [];

  /** Bytes of text that wait in this process. */
  static get waitingInAll(): number {
    return waitingInAll;
  }

  get length(): number {
    return this.#queue.length;
  }

  /** Roughly the bytes that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The same without the longest that is no text: it alone may be past every bound. */
  get waitingBeside(): number {
    return this.#waiting - Math.max(0, ...this.#long);
  }

  /** Of the last entries in the file, the last one last. */
  get ends(): readonly End[] {
    return this.#ends;
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#queue.values();
  }

  push(entry: Entry): void {
    this.#queue.push(entry);
    if (typeof entry.content !== 'string') this.#long.push(entry.size);
    this.#count(entry, 1);
  }

  /** What is to be written next, or further. */
  chunk(): Chunk {
    return (this.#chunk ??= this.#next());
  }

  /** The chunk is written, up to this size of the file. */
  written(size: number): void {
    const count = this.#chunk?.entries ?? 0;
    this.#chunk = undefined;
    this.#drop(count, size);
  }

  /** Of a chunk that is written in part, up to this size of the file: lets go of what is there whole. */
  settle(size: number): void {
    const chunk = this.#chunk;
    if (!chunk) return;
    let [count, end] = [0, 0];
    for (const { content } of this.#queue.slice(0, chunk.entries)) {
      const next = end + Buffer.byteLength(content as string);
      if (next > chunk.at) break;
      [count, end] = [count + 1, next];
    }
    const [entries, at] = [chunk.entries - count, chunk.at - end];
    this.#drop(count, size - at);
    this.#chunk = { bytes: chunk.bytes.subarray(end), entries, at };
  }

  /** The file begins anew, with this, and with what is not wholly written. */
  restart(opening: Entry): void {
    // An opening stands for no event: that of the file before is of no use.
    const [head] = this.#queue;
    if (head && head.first > head.last) this.#queue.shift();
    this.#queue.unshift(opening);
    this.#chunk = undefined;
    this.#parts = undefined;
    this.#ends = [];
  }

  clear(): void {
    for (const entry of this.#queue.splice(0)) this.#count(entry, -1);
  }

  #next(): Chunk {
    const head = this.#queue[0]?.content;
    if (typeof head === 'function') {
      this.#parts ??= head()[Symbol.iterator]();
      const { value, done } = this.#parts.next();
      if (!done) return { bytes: value, entries: 0, at: 0 };
      this.#parts = undefined;
      return { bytes: NOTHING, entries: 1, at: 0 };
    }
    const texts: string[] = [];
    let length = 0;
    for (const { content } of this.#queue) {
      if (typeof content !== 'string' || length >= BATCH) break;
      texts.push(content);
      length += content.length;
    }
    return { bytes: Buffer.from(texts.join('')), entries: texts.length, at: 0 };
  }

  /** The first entries are in the file, and the last of them ends at `size`. */
  #drop(count: number, size: number): void {
    const done = this.#queue.splice(0, count);
    for (const entry of done) {
      this.#count(entry, -1);
      if (typeof entry.content !== 'string') this.#long.shift();
    }
    const ends: End[] = [];
    for (const { content, last } of done.slice(-MOST_ENDS).reverse()) {
      ends.unshift({ size, last });
      if (typeof content === 'string') size -= Buffer.byteLength(content);
    }
    this.#ends = [...this.#ends, ...ends].slice(-MOST_ENDS);
  }

  #count({ content, size }: Entry, sign: 1 | -1): void {
    this.#waiting += sign * size;
    if (typeof content === 'string') waitingInAll += sign * size;
  }
}
