// What a command that takes long is at, in the last line of a terminal: on stderr, so that what is printed stays as it
// is, and gone before anything else is said. Where stderr is no terminal nothing is told.
import { visibleLine } from '../../report/words.ts';

/** Milliseconds until it is told at all, and between two tellings. */
const PATIENCE = 1000;
const EVERY = 200;
const CLEAR = '\r\u001b[K';

let began: number | undefined;
let told = 0;

/** `words`: of one line, asked for where it is shown. */
export function progress(words: () => string, now = performance.now()): void {
  const { isTTY, columns } = process.stderr;
  if (!isTTY) return;
  // There are terminals that do not say how wide they are.
  const width = columns > 0 ? columns : 80;
  began ??= now;
  if (now - began < PATIENCE || (told > 0 && now - told < EVERY)) return;
  told = now;
  process.stderr.write(`${CLEAR}${visibleLine(words()).slice(0, width - 1)}`);
}

/** Takes the line away. */
export function endProgress(): void {
  if (told > 0) process.stderr.write(CLEAR);
  began = undefined;
  told = 0;
}
