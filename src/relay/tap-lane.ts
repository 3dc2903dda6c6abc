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
  #through: Interceptor | undefined;
  /** Lines that are intercepted; undefined: bytes pass. */
  #lines: LineSplitter | undefined;
  /** The line that had begun when the intercept came goes on as it began. */
  #isBegun = false;
  /** What is to cross, and not in the midst of a line that has begun. */
  #behind: (() => void)[] = [];

  constructor(side: Side, sink: Writable, recorder: Recorder) {
    this.#side = side;
    this.#sink = sink;
    this.#recorder = recorder;
  }

  /** From its next line on it goes through the intercept, whenever that is not idle. */
  intercept(through: Interceptor): void {
    this.#through = through;
  }

  /** What the side wrote; false: the other side reads slower. */
  take(chunk: Uint8Array): boolean {
    const through = this.#through;
    if (!through || (!this.#lines && through.isIdle && this.#behind.length === 0))
      return this.#pass(chunk);
    if (!this.#lines) {
      this.#lines = new LineSplitter();
      this.#isBegun = this.#copy.isInside;
    }
    return this.#takeLines(chunk, this.#lines, through);
  }

  /** A line crosses, as the intercept has it. */
  send(line: Uint8Array, origin: Origin, of: Seq | undefined): void {
    if (this.#copy.isInside) return void this.#behind.push(() => this.send(line, origin, of));
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
    const { begun, whole } = this.#copy.cut(chunk);
    if (begun) this.#recorder.framed(this.#side, begun);
    if (whole.length > 0) this.#recorder.lines(this.#side, whole);
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
      for (const send of this.#behind.splice(0)) send();
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
    for (const piece of pieces) this.#pass(piece);
  }
}
