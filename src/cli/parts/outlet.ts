// One direction of a connection that has two writers: the peer, whose bytes may be cut anywhere, and
// us, who write whole lines. Ours never come into the middle of one of the peer's.
import type { Writable } from 'node:stream';

export class Outlet {
  readonly #sink: Writable;
  readonly #lines: string[] = [];
  #isWhole = true;
  #isDead = false;

  constructor(sink: Writable) {
    this.#sink = sink;
    // A reader that closed early: what is for it is read on, and lost with it.
    sink.on('error', () => (this.#isDead = true));
    sink.on('close', () => (this.#isDead = true));
  }

  /** The peer's bytes, as they are. */
  pass(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#write(bytes);
    this.#isWhole = bytes[bytes.length - 1] === 0x0a;
    if (this.#isWhole) for (const line of this.#lines.splice(0)) this.line(line);
  }

  /** A line of ours, without its 0x0A: now, or when the peer's has ended. */
  line(line: string): void {
    if (this.#isWhole) this.#write(Buffer.from(`${line}\n`, 'utf8'));
    else this.#lines.push(line);
  }

  /** Resolves when the reader has room, or is gone. */
  async drained(): Promise<void> {
    const sink = this.#sink;
    if (this.#isDead || !sink.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const events = ['drain', 'close', 'error'];
      const done = () => {
        for (const event of events) sink.off(event, done);
        resolve();
      };
      for (const event of events) sink.once(event, done);
    });
  }

  end(): void {
    this.#sink.end();
  }

  #write(bytes: Uint8Array): void {
    if (!this.#isDead && this.#sink.writable) this.#sink.write(bytes);
  }
}
