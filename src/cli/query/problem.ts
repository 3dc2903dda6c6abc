// What is wrong with a query or an assertion, and where, on stderr.
import { cellsOf } from '../../report/cells.ts';
import { oneLine } from '../../report/words.ts';

/** A sentence, and its place in UTF-16 units. */
interface PlacedProblem {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

/** The sentence, the text, and marks under the place of the mistake. */
export function tellProblem(text: string, { message, from, to }: PlacedProblem): void {
  const front = cellsOf(oneLine(text.slice(0, from)));
  const marks = '^'.repeat(Math.max(1, cellsOf(oneLine(text.slice(from, to)))));
  console.error(`${message}\n  ${oneLine(text)}\n  ${' '.repeat(front)}${marks}`);
}
