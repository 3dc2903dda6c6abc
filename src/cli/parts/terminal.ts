// The relay's own terminal, one key at a time: Enter asks for a fresh link, `y` approves the
// command that is being asked about once all of it was on the screen, Ctrl-C ends. What is printed has
// been made safe by its maker.
import type { ReadStream, WriteStream } from 'node:tty';
import type { ApprovalTerminal } from '../../relay/approval/approvals.ts';
import { QuestionPages } from './question-pages.ts';

/** Milliseconds: a key pressed sooner was meant for what stood there before. A page chooses when to
 * ask, and could put another question under a finger that is on its way to `y`. */
const ARMED_AFTER = 600;
/** To the beginning of the row of the cursor, and nothing in it. */
const CLEAR_ROW = '\r\u001b[K';

const NEXT_PAGE: ReadonlySet<string> = new Set([' ', '\r', '\n']);

interface TerminalKeys {
  onEnter(): void;
  onInterrupt(): void;
}

export class RelayTerminal implements ApprovalTerminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #keys: TerminalKeys;
  #answer: ((key: string) => void) | undefined;
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
    const output = this.#output;
    const pages = new QuestionPages(text, output);
    return new Promise((resolve) => {
      let shown = 0;
      const show = (before: string) => {
        output.write(`${before}${pages.words} `);
        shown = performance.now();
      };
      const done = (yes: boolean, word: string) => {
        this.#answer = undefined;
        signal.removeEventListener('abort', withdrawn);
        output.off('resize', resized);
        output.write(`${word}\n`);
        resolve(yes);
      };
      const withdrawn = () => done(false, 'withdrawn by the page');
      // Terminals change the rows above in different ways: the page is written again.
      const resized = () => {
        pages.resize(output);
        show('\n');
      };
      signal.addEventListener('abort', withdrawn, { once: true });
      output.on('resize', resized);
      this.#answer = (key) => {
        if (performance.now() - shown < ARMED_AFTER) return;
        const isYes = key === 'y' || key === 'Y';
        if (pages.isLast) return done(isYes, isYes ? 'yes' : 'no');
        if (key === 'n' || key === 'N') return done(false, 'no');
        if (!NEXT_PAGE.has(key)) return;
        pages.next();
        show(CLEAR_ROW);
      };
      show('\n');
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
    if (this.#answer) return this.#answer(key);
    if (key === '\r' || key === '\n') this.#keys.onEnter();
  }
}
