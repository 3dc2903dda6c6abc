// The events of a trace as the bytes of their lines, compressed in blocks and read when they are asked
// for: a million take some tens of megabytes, and as objects more than half a gigabyte.
import { joinedLines } from '../lib/bytes.ts';
import { uint32 } from '../lib/growable.ts';
import { leading } from '../lib/list-window.ts';
import { compress, decompress } from '../lib/lz4.ts';
import { decodeUtf8 } from '../lib/utf8.ts';
import type { TraceEvent } from './event.ts';
import { frameTextIn, isUnreadable, parseEvent } from './format.ts';

/** Bytes of lines that are compressed together; one line may be longer. As texts, larger ones cost ten times as much. */
const BLOCK = 64 * 1024;
/** Blocks whose lines stay at hand as texts: for who reads in order, and looks back a little. */
const AT_HAND = 8;

interface Block {
  readonly bytes: Uint8Array;
  /** Of its lines, each with its 0x0A. */
  readonly size: number;
}

export class PackedEvents {
  readonly #blocks: Block[] = [];
  /** Blocks are made whole in it, one after the other. */
  #room = new ArrayBuffer(2 * BLOCK);
  /** The place of the first line of each block. */
  readonly #firsts = uint32();
  readonly #texts = new Map<number, readonly string[]>();
  /** Those of the block that was read last, and their places. */
  #lines: readonly string[] = [];
  #begin = 0;
  #end = 0;
  /** Lines of no block yet. */
  #open: Uint8Array[] = [];
  #size = 0;
  #packed = 0;

  get length(): number {
    return this.#packed + this.#open.length;
  }

  /** The line of an event, without its 0x0A. The bytes must not change until it is packed. */
  add(line: Uint8Array): void {
    this.#open.push(line);
    this.#size += line.length + 1;
    if (this.#size >= BLOCK) this.#pack();
  }

  /** The event at a place from 0; throws where none stands. */
  at(place: number): TraceEvent {
    const event = parseEvent(this.#line(place));
    if (isUnreadable(event)) throw new Error(`No event stands at ${place}: ${event.problem}`);
    return event;
  }

  /** As `frameTextIn` its line. */
  textAt(place: number): string | undefined {
    return frameTextIn(this.#line(place));
  }

  #line(place: number): string {
    if (place >= this.#packed) this.#pack();
    if (place < this.#begin || place >= this.#end) this.#goTo(place);
    return this.#lines[place - this.#begin] ?? '';
  }

  /** To the block in which a place lies. */
  #goTo(place: number): void {
    const block = leading(this.#blocks.length, (at) => this.#firsts.get(at) <= place) - 1;
    this.#lines = this.#linesOf(block);
    this.#begin = this.#firsts.get(block);
    this.#end = block + 1 < this.#blocks.length ? this.#firsts.get(block + 1) : this.#packed;
  }

  #pack(): void {
    if (this.#open.length === 0) return;
    const bytes = joinedLines(this.#open);
    this.#firsts.push(this.#packed);
    this.#blocks.push({ bytes: compress(bytes), size: bytes.length });
    this.#packed += this.#open.length;
    this.#open = [];
    this.#size = 0;
  }

  #linesOf(at: number): readonly string[] {
    const known = this.#texts.get(at);
    if (known) return known;
    const block = this.#blocks[at];
    if (block && block.size > this.#room.byteLength) this.#room = new ArrayBuffer(block.size);
    const bytes = block && decompress(block.bytes, block.size, this.#room);
    const lines = bytes && decodeUtf8(bytes)?.split('\n');
    if (this.#texts.size >= AT_HAND) this.#texts.delete(this.#texts.keys().next().value ?? at);
    this.#texts.set(at, lines ?? []);
    return lines ?? [];
  }
}
