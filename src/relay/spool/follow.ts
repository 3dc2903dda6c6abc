// One page's way through one recording: the next lines to send, and what flies unacknowledged. They
// come from the file; while the disk refuses, what waits for it comes after that out of the memory.
import type { FileHandle } from 'node:fs/promises';
import { seq, type Seq } from '../../trace/event.ts';
import { openRegular } from '../regular-file.ts';
import { DISK } from './disk.ts';
import type { Recording } from './recording.ts';
import { locateLine, readBatch, readHeader, type SpoolBatch } from './spool-reader.ts';

export class Follow {
  readonly recording: Recording;
  /** The newest that was sent, or that the page had. */
  #sent: Seq;
  #file: FileHandle | undefined;
  #offset: number | undefined;
  /** Read, but too big to send before all else is acknowledged. */
  #held: SpoolBatch | undefined;
  #flying: { readonly last: Seq; readonly bytes: number }[] = [];
  #closed = false;

  constructor(recording: Recording, after: Seq) {
    this.recording = recording;
    this.#sent = after;
  }

  /** The next batch of at most `room` bytes, or any if nothing flies. Undefined: not now. */
  async next(room: number, nothingFlies: boolean): Promise<SpoolBatch | undefined> {
    const batch = this.#held ?? (await this.#read());
    if (this.#closed) return undefined;
    this.#held = batch;
    if (!batch || (batch.size > room && !nothingFlies)) return undefined;
    this.#held = undefined;
    this.#sent = seq(Math.max(this.#sent, batch.last));
    this.#flying.push({ last: batch.last, bytes: batch.size });
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

  async #read(): Promise<SpoolBatch | undefined> {
    if (this.#closed) return undefined;
    try {
      const { progress, owned } = this.recording;
      const batch = (await this.#readFile(progress.size)) ?? (await this.#readOther());
      return batch ?? owned?.agent.recorder.held(this.#sent);
    } catch {
      // Closed meanwhile, or the file was removed under us: there is nothing more to send.
      return undefined;
    }
  }

  async #readFile(size: number): Promise<SpoolBatch | undefined> {
    if (size === 0 || this.#offset === size) return undefined;
    const file = (this.#file ??= await openRegular(this.recording.path));
    if (!file) return undefined;
    if (this.#closed) return void (await file.close());
    if (this.#offset === undefined) {
      const facts = await readHeader(file);
      if (typeof facts === 'string') return undefined;
      this.#offset = await locateLine(file, this.#sent, facts.start, size);
    }
    const batch = await readBatch(file, this.#offset, size);
    if (batch) this.#offset += batch.size;
    return batch;
  }

  /** The file that is open may be one that was removed: then what it still has, and then the new one. */
  async #readOther(): Promise<SpoolBatch | undefined> {
    const [file, { size }] = [this.#file, this.recording.progress];
    if (!file || this.#offset === size) return undefined;
    const [mine, named] = [file.fd, this.recording.path].map((it) => DISK.identity(it));
    const here = await named?.catch(() => undefined);
    if ((await mine) === here) return undefined;
    const rest = await this.#readFile((await file.stat()).size);
    if (rest || here === undefined) return rest;
    this.#file = undefined;
    this.#offset = undefined;
    await file.close();
    return this.#readFile(size);
  }
}
