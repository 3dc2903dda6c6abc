// One direction of a tap: its bytes go on as they came and are copied into the recording; or, while it
// is intercepted, line by line, as the intercept lets them cross.
import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { CappedLines, LINE_CAPS } from '../lib/capped-lines.ts';
import { LineSplitter } from '../lib/lines.ts';
import type { Origin, Seq, Side } from '../trace/event.ts';
import type { Interceptor } from './intercept.ts';
import type { Recorder } from './spool/recorder.ts';

const NEWLINE = 0x0a;
const LINE_FEED = new Uint8Array([NEWLINE]);
const TOO_LONG =
  'A line of more than 128 MiB came, which is not held back: everything passes as it is from there on.';

export class TapLane {
  readonly #side: Side;
  readonly #sink: Writable;
  readonly #recorder: Recorder;
  readonly #copy = new CappedLines(() => createHash('sha256'));
  /** Lines that are intercepted; undefined: bytes pass. */
  #lines: LineSplitter | undefined;
  #through: Interceptor | undefined;
  /** The line that had begun when the intercept came goes on as it began. */
  #isBegun = false;

  constructor(side: Side, sink: Writable, recorder: Recorder) {
    this.#side = side;
    this.#sink = sink;
    this.#recorder = recorder;
  }

  /** From its next line on it goes through the intercept, until that is idle. */
  intercept(through: Interceptor): void {
    this.#through = through;
    if (this.#lines) return;
    this.#lines = new LineSplitter();
    this.#isBegun = this.#copy.isInside;
  }

  /** What the side wrote; false: the other side reads slower. */
  take(chunk: Uint8Array): boolean {
    return this.#lines && this.#through
      ? this.#takeLines(chunk, this.#lines, this.#through)
      : this.#pass(chunk);
  }

  /** A line crosses, as the intercept has it. */
  send(line: Uint8Array, origin: Origin, of: Seq | undefined): void {
    const sink = this.#sink;
    sink.cork();
    sink.write(line);
    sink.write(LINE_FEED);
    // At once: what comes next may be the end of the stream.
    sink.uncork();
    this.#recorder.frame(this.#side, line, origin, of === undefined ? undefined : { of });
  }

  /** Undefined: more may be read. */
  room(): Promise<void> | undefined {
    return this.#through?.room(this.#side);
  }

  /** The side writes no more: what is left of it goes on and is recorded. */
  async end(): Promise<void> {
    if (this.#through) await this.#through.ended(this.#side);
    this.#leave();
    const rest = this.#copy.end();
    if (rest) this.#recorder.framed(this.#side, rest, { cut: true });
  }

  #pass(chunk: Uint8Array): boolean {
    const hasRoom = this.#sink.write(chunk);
    for (const line of this.#copy.push(chunk)) this.#recorder.framed(this.#side, line);
    return hasRoom;
  }

  #takeLines(chunk: Uint8Array, lines: LineSplitter, through: Interceptor): boolean {
    let rest = chunk;
    if (this.#isBegun) {
      const end = chunk.indexOf(NEWLINE) + 1;
      if (end === 0) return this.#pass(chunk);
      this.#pass(chunk.subarray(0, end));
      rest = chunk.subarray(end);
      this.#isBegun = false;
    }
    for (const line of lines.push(rest)) through.take(this.#side, line, 'peer');
    if (lines.held > LINE_CAPS.whole) through.off(TOO_LONG);
    if (through.isIdle) this.#leave();
    return !this.#sink.writableNeedDrain;
  }

  /** Bytes pass again, first those of a line that has begun. */
  #leave(): void {
    const pieces = this.#lines?.take() ?? [];
    this.#lines = undefined;
    this.#through = undefined;
    for (const piece of pieces) this.#pass(piece);
  }
}
