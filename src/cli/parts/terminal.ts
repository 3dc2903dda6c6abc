// The relay's own terminal, one key at a time: Enter asks for a fresh link, `y` approves the
// command that is being asked about, Ctrl-C ends. What is printed has been made safe by its maker.
import type { ReadStream, WriteStream } from 'node:tty';
import type { ApprovalTerminal } from '../../relay/approval/approvals.ts';

/** Milliseconds: a key pressed sooner was meant for what stood there before. A page chooses when to
 * ask, and could put another question under a finger that is on its way to `y`. */
const ARMED_AFTER = 600;

interface TerminalKeys {
  onEnter(): void;
  onInterrupt(): void;
}

export class RelayTerminal implements ApprovalTerminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #keys: TerminalKeys;
  #answer: ((yes: boolean) => void) | undefined;
  readonly #onData = (data: Buffer) => {
    for (const key of data.toString('latin1')) this.#press(key);
  };

  constructor(input: ReadStream, output: WriteStream, keys: TerminalKeys) {
    this.#input = input;
    this.#output = output;
    this.#keys = keys;
    input.setRawMode(true);
    input.on('data', this.#onData);
  }

  confirm(text: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    this.#output.write(`\n${text} `);
    return new Promise((resolve) => {
      const done = (yes: boolean, word: string) => {
        this.#answer = undefined;
        signal.removeEventListener('abort', withdrawn);
        this.#output.write(`${word}\n`);
        resolve(yes);
      };
      const shown = performance.now();
      const withdrawn = () => done(false, 'withdrawn by the page');
      signal.addEventListener('abort', withdrawn, { once: true });
      this.#answer = (yes) => {
        if (performance.now() - shown >= ARMED_AFTER) done(yes, yes ? 'yes' : 'no');
      };
    });
  }

  /** Gives the terminal back as it was. */
  close(): void {
    this.#input.off('data', this.#onData);
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  #press(key: string): void {
    if (key === '\u0003' || key === '\u0004') return this.#keys.onInterrupt();
    if (this.#answer) return this.#answer(key === 'y' || key === 'Y');
    if (key === '\r' || key === '\n') this.#keys.onEnter();
  }
}
