// From the items of a file to batches that can be stored: every byte goes along, also of lines that
// are no events. Those ride with the event before them, since only events have a place of their own.
import { joinedLines } from '../../lib/bytes.ts';
import type { EventBatch } from '../../storage/blocks.ts';
import { seq, type ConnectionId, type Seq } from '../../trace/event.ts';
import type { TraceItem } from '../../trace/read.ts';
import { Sequence } from '../traces/sequence.ts';

/** With what its lines say. */
export interface ReadBatch extends EventBatch {
  readonly items: readonly TraceItem[];
}

export class ImportUnits {
  readonly #connection: ConnectionId;
  readonly #sequence = new Sequence();
  #after: Seq = seq(0);
  #items: TraceItem[] = [];
  #seqs: Seq[] = [];
  #ends: number[] = [];
  /** Bytes gathered and not taken. */
  size = 0;
  #frames = 0;
  #odd = 0;
  #firstOdd: string | undefined;
  events = 0;
  #endsOdd = false;

  constructor(connection: ConnectionId) {
    this.#connection = connection;
  }

  /** Lines that are no events, what is wrong with the first, and whether the last one is such. */
  get odd():
    { readonly count: number; readonly first: string; readonly atEnd: boolean } | undefined {
    if (this.#firstOdd === undefined) return undefined;
    return { count: this.#odd, first: this.#firstOdd, atEnd: this.#endsOdd };
  }
  /** The newest event so far. */
  get last(): Seq {
    return this.#sequence.last;
  }

  add(item: TraceItem): void {
    this.#items.push(item);
    this.size += item.bytes.length + 1;
    const fault = this.#faultOf(item);
    this.#endsOdd = fault !== undefined;
    if (fault === undefined && 'event' in item) {
      this.#sequence.take(item.event, '');
      this.#seqs.push(item.event.seq);
      this.#ends.push(this.size);
      this.events++;
      if (item.event.type === 'frame') this.#frames++;
      return;
    }
    this.#odd++;
    this.#firstOdd ??= fault;
    if (this.#ends.length > 0) this.#ends[this.#ends.length - 1] = this.size;
  }

  /**
   * What was gathered. `isEnd`: lines that are no events, and have none before them in this batch,
   * get a place of their own, for nothing may be left behind. Otherwise they wait for an event.
   */
  take(isEnd: boolean): ReadBatch | undefined {
    if (this.size === 0 || (this.#seqs.length === 0 && !isEnd)) return undefined;
    const seqs = this.#seqs.length > 0 ? this.#seqs : [seq(this.#sequence.last + 1)];
    const ends = this.#ends.length > 0 ? this.#ends : [this.size];
    const batch = {
      connection: this.#connection,
      after: this.#after,
      items: this.#items,
      bytes: joinedLines(this.#items.map(({ bytes }) => bytes)),
      seqs,
      ends,
      frames: this.#frames,
    };
    this.#after = seqs.at(-1) ?? this.#after;
    this.#items = [];
    this.#seqs = [];
    this.#ends = [];
    this.size = 0;
    this.#frames = 0;
    return batch;
  }

  #faultOf(item: TraceItem): string | undefined {
    if ('problem' in item) return `line ${item.line}: ${item.problem}`;
    if (!this.#sequence.isRepeat(item.event)) return undefined;
    return `seq ${item.event.seq} stands after seq ${this.#sequence.last}`;
  }
}
