// The agent's stderr as lines, shown soon: what has no 0x0A yet (a prompt, a progress bar) is given
// out as `cut` after a moment, and what follows is a line of its own.
import { LineSplitter } from '../../lib/lines.ts';
import { unfinishedTail } from '../spool/utf8-tail.ts';

const PATIENCE_MS = 200;
/** More than this is not held back: it is given out in parts. */
const MOST = 1024 * 1024;

export class StderrLines {
  readonly #onLine: (line: Uint8Array, cut: boolean) => void;
  readonly #lines = new LineSplitter();
  #timer: NodeJS.Timeout | undefined;

  constructor(onLine: (line: Uint8Array, cut: boolean) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    const lines = this.#lines.push(chunk);
    for (const line of lines) this.#onLine(line, false);
    if (lines.length > 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    if (this.#lines.held > MOST) this.#show();
    else if (this.#lines.held > 0) this.#timer ??= setTimeout(() => this.#show(), PATIENCE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
    const rest = this.#lines.end();
    if (rest) this.#onLine(rest, true);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rest = this.#lines.end();
    if (!rest) return;
    const whole = rest.length - unfinishedTail(rest);
    if (whole > 0) this.#onLine(rest.subarray(0, whole), true);
    this.#lines.push(rest.subarray(whole));
  }
}
