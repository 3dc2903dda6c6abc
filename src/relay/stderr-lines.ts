// The agent's stderr as lines, shown soon: what has no 0x0A yet (a prompt, a progress bar) is given
// out as `cut` after a moment, and what follows is a line of its own.
import { LineSplitter } from '../lib/lines.ts';

const PATIENCE_MS = 200;

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
    if (this.#lines.held > 0) this.#timer ??= setTimeout(() => this.#show(), PATIENCE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
    const rest = this.#lines.end();
    if (rest) this.#onLine(rest, true);
  }

  #show(): void {
    this.#timer = undefined;
    const rest = this.#lines.end();
    if (!rest) return;
    const whole = rest.length - unfinished(rest);
    if (whole > 0) this.#onLine(rest.subarray(0, whole), true);
    this.#lines.push(rest.subarray(whole));
  }
}

/** Bytes at the end that begin a UTF-8 character and do not finish it. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
