// One page's way through one recording: the next lines to send, and what flies unacknowledged.
import type { FileHandle } from 'node:fs/promises';
import type { Seq } from '../../trace/event.ts';
import { openRegular } from '../regular-file.ts';
import type { Recording } from './recording.ts';
import { locate, readBatch, readHeader, type Batch } from './spool-reader.ts';

export class Follow {
  readonly recording: Recording;
  readonly #after: Seq;
  #file: FileHandle | undefined;
  #offset: number | undefined;
  /** Read, but too big to send before all else is acknowledged. */
  #held: Batch | undefined;
  #flying: { readonly last: Seq; readonly bytes: number }[] = [];
  #closed = false;

  constructor(recording: Recording, after: Seq) {
    this.recording = recording;
    this.#after = after;
  }

  /** The next batch of at most `room` bytes, or any if nothing flies. Undefined: not now. */
  async next(room: number, nothingFlies: boolean): Promise<Batch | undefined> {
    const batch = this.#held ?? (await this.#read());
    if (this.#closed) return undefined;
    this.#held = batch;
    if (!batch || (batch.bytes.length > room && !nothingFlies)) return undefined;
    this.#held = undefined;
    this.#flying.push({ last: batch.last, bytes: batch.bytes.length });
    return batch;
  }

  /** Bytes this acknowledges. */
  ack(seq: Seq): number {
    let bytes = 0;
    while (this.#flying[0] && this.#flying[0].last <= seq)
      bytes += this.#flying.shift()?.bytes ?? 0;
    return bytes;
  }

  /** `unacknowledged`: bytes that fly no more. `closed`: the file is let go of. */
  close(): { readonly unacknowledged: number; readonly closed: Promise<void> } {
    this.#closed = true;
    const unacknowledged = this.#flying.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#flying = [];
    return { unacknowledged, closed: this.#letGo() };
  }

  async #letGo(): Promise<void> {
    // What was only read loses nothing if its close fails.
    await this.#file?.close().catch(() => undefined);
  }

  async #read(): Promise<Batch | undefined> {
    const { size } = this.recording.progress;
    if (this.#closed || size === 0 || this.#offset === size) return undefined;
    try {
      const file = (this.#file ??= await openRegular(this.recording.path));
      if (!file) return undefined;
      if (this.#closed) return void (await file.close());
      if (this.#offset === undefined) {
        const facts = await readHeader(file);
        if (typeof facts === 'string') return undefined;
        this.#offset = await locate(file, this.#after, facts.start, size);
      }
      const batch = await readBatch(file, this.#offset, size);
      if (batch) this.#offset += batch.bytes.length;
      return batch;
    } catch {
      // Closed meanwhile, or the file was removed under us: there is nothing more to send.
      return undefined;
    }
  }
}
