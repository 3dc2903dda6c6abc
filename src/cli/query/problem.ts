// What is wrong with a query or an assertion, and where, on stderr.
import { cellsOf } from '../../report/cells.ts';
import { visibleLine } from '../../report/words.ts';

/** A sentence, and its place in UTF-16 units. */
interface PlacedProblem {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

/** The sentence, the text, and marks under the place of the mistake. */
export function tellProblem(text: string, { message, from, to }: PlacedProblem): void {
  const front = cellsOf(visibleLine(text.slice(0, from)));
  const marks = '^'.repeat(Math.max(1, cellsOf(visibleLine(text.slice(from, to)))));
  console.error(`${message}\n  ${visibleLine(text)}\n  ${' '.repeat(front)}${marks}`);
}
