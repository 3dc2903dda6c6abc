// What waits to be appended to a file, in its order, as the chunks it is written in. An entry waits
// until all of it is written, so that at any time it is known which are in the file and which not.
import { TextBlock, type Quoting } from './text-block.ts';

/** What is appended as a whole. */
export interface Entry {
  /** A text; or bytes piece by piece, from the first on at each call. */
  readonly content: string | Quoting | (() => Iterable<Uint8Array>);
  /** Of content that is no text: the bytes of memory it takes while it waits, roughly. */
  readonly size?: number;
  /** The events it stands for; none where `first` is past `last`. */
  readonly first: number;
  readonly last: number;
}

/** An entry that waits. `size`: the memory it takes, in bytes, roughly. */
interface WaitingEntry {
  readonly first: number;
  readonly last: number;
  readonly size: number;
  readonly parts: () => Iterable<Uint8Array>;
}

/** Several that wait: the first event of the first and of the last of them, and their bytes. */
interface Waiting {
  readonly first: number;
  readonly last: number;
  readonly size: number;
  readonly parts: Iterable<Uint8Array>;
}

/** What is being written, and how many of its bytes are. */
interface PartialWrite {
  readonly bytes: Uint8Array;
  at: number;
}

/** Where a written entry ends in the file, and its last event. */
export interface End {
  readonly size: number;
  readonly last: number;
}

/** Ends that are remembered. */
const MOST_ENDS = 16;
/** What a text takes beside its bytes. */
const BESIDE = 32;
const NOTHING = new Uint8Array();

let waitingInAll = 0;

export class Entries {
  readonly #queue: (TextBlock | WaitingEntry)[] = [];
  #length = 0;
  #waiting = 0;
  /** Sizes of those that are no text. */
  readonly #long: number[] = [];
  #chunk: PartialWrite | undefined;
  #parts: Iterator<Uint8Array, void> | undefined;
  #ends: readonly End[] = [];

  /** Bytes of text that wait in this process. */
  static get waitingInAll(): number {
    return waitingInAll;
  }

  get length(): number {
    return this.#length;
  }

  /** Roughly the bytes that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The same without the longest that is no text: it alone may be past every bound. */
  get waitingBeside(): number {
    return this.#long.length === 0 ? this.#waiting : this.#waiting - Math.max(...this.#long);
  }

  /** Of the last entries in the file, the last one last. */
  get ends(): readonly End[] {
    return this.#ends;
  }

  *[Symbol.iterator](): Generator<WaitingEntry> {
    for (const item of this.#queue)
      if (!(item instanceof TextBlock)) yield item;
      else
        for (const { bytes, ...events } of item)
          // A copy: the memory is used again once it is written.
          yield { ...events, size: bytes.length + BESIDE, parts: () => [Buffer.from(bytes)] };
  }

  /** Those that stand for events after this one, of so many bytes or alone; undefined: none does. */
  after(event: number, most: number): Waiting | undefined {
    const held: WaitingEntry[] = [];
    let size = 0;
    for (const entry of this) {
      if (entry.first <= event || entry.first > entry.last) continue;
      if (size > 0 && size + entry.size > most) break;
      held.push(entry);
      size += entry.size;
    }
    const [oldest, newest] = [held[0], held.at(-1)];
    if (!oldest || !newest) return undefined;
    // Only one that is alone may be long.
    const parts =
      oldest === newest
        ? oldest.parts()
        : [Buffer.concat(held.flatMap((entry) => [...entry.parts()]))];
    return { first: oldest.first, last: newest.first, size, parts };
  }

  push({ content, first, last, size = 0 }: Entry): void {
    this.#length++;
    if (typeof content === 'function') {
      this.#queue.push({ first, last, size, parts: content });
      this.#long.push(size);
      this.#waiting += size;
    } else {
      this.#countTexts(1, this.#add(content, first, last), 1);
    }
  }

  /** What is to be written next, or further. */
  chunk(): PartialWrite {
    return (this.#chunk ??= { bytes: this.#next(), at: 0 });
  }

  /** The chunk is written, up to this size of the file. */
  written(size: number): void {
    this.#chunk = undefined;
    const [head] = this.#queue;
    if (head instanceof TextBlock) this.#drop(head, head.length, size);
    else if (head && !this.#parts) this.#dropLong(head, size);
  }

  /** Of a chunk that is written in part, up to this size of the file: lets go of what is there whole. */
  settle(size: number): void {
    const [head] = this.#queue;
    const chunk = this.#chunk;
    if (!chunk || !(head instanceof TextBlock)) return;
    const { count, bytes } = head.wholeIn(chunk.at);
    const at = chunk.at - bytes;
    this.#drop(head, count, size - at);
    this.#chunk = { bytes: chunk.bytes.subarray(bytes), at };
  }

  /** The file begins anew, with this text, which stands for no event, and with what is not wholly written. */
  restart(text: string, last: number): void {
    // The opening of the file before is of no use.
    const [head] = this.#queue;
    if (head instanceof TextBlock && head.isOpening) this.#drop(head, 1, 0);
    const opening = TextBlock.of(text, last + 1, last);
    this.#countTexts(1, opening.size, 1);
    opening.close();
    this.#queue.unshift(opening);
    this.#length++;
    this.#chunk = undefined;
    this.#parts = undefined;
    this.#ends = [];
  }

  clear(): void {
    for (const item of this.#queue.splice(0))
      if (item instanceof TextBlock) this.#countTexts(item.length, item.close().length, -1);
    this.#length = 0;
  }

  /** The bytes it took. */
  #add(text: string | Quoting, first: number, last: number): number {
    const end = this.#queue.at(-1);
    const before = end instanceof TextBlock ? end : undefined;
    const size = before?.add(text, first, last);
    if (size !== undefined) return size;
    const block = TextBlock.of(text, first, last, before);
    this.#queue.push(block);
    return block.size;
  }

  #next(): Uint8Array {
    const [head] = this.#queue;
    if (!head) return NOTHING;
    if (head instanceof TextBlock) return head.close();
    this.#parts ??= head.parts()[Symbol.iterator]();
    const { value, done } = this.#parts.next();
    if (!done) return value;
    this.#parts = undefined;
    return NOTHING;
  }

  /** The first of its entries are in the file, and the last of them ends at `size`. */
  #drop(block: TextBlock, count: number, size: number): void {
    const { bytes: all, newest } = block.drop(count, MOST_ENDS);
    this.#length -= count;
    this.#countTexts(count, all, -1);
    const ends: End[] = [];
    for (const { bytes, last } of newest.reverse()) {
      ends.unshift({ size, last });
      size -= bytes.length;
    }
    this.#remember(ends);
    if (block.length > 0) return;
    this.#queue.shift();
    block.release();
  }

  #dropLong({ last, size: memory }: WaitingEntry, size: number): void {
    this.#queue.shift();
    this.#length--;
    this.#waiting -= memory;
    this.#long.shift();
    this.#remember([{ size, last }]);
  }

  #remember(ends: readonly End[]): void {
    this.#ends = [...this.#ends, ...ends].slice(-MOST_ENDS);
  }

  #countTexts(count: number, bytes: number, sign: 1 | -1): void {
    const size = sign * (bytes + count * BESIDE);
    this.#waiting += size;
    waitingInAll += size;
  }
}
