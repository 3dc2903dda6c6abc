// A question in pages that a terminal shows whole: what scrolled away before it was read was not agreed to.
import { count } from '../../lib/format.ts';
import { cellsOf } from '../../report/words.ts';

/** As a terminal says it; some say nothing, or 0. */
interface TerminalSize {
  readonly columns?: number;
  readonly rows?: number;
}

interface Row {
  readonly text: string;
  /** Place of its line in the question. */
  readonly line: number;
}

/** A row that continues a line begins further in than any line of a question, so that it reads as none. */
const INSIDE = '      ';
/** Cells: in fewer, rows continue at the edge. */
const LEAST_FOR_INSIDE = 24;

export class QuestionPages {
  readonly #lines: readonly string[];
  #rows: readonly Row[] = [];
  /** Rows that fit. */
  #height = 0;
  #columns = 0;
  /** The row that the page on the screen begins with. */
  #at = 0;

  constructor(text: string, size: TerminalSize) {
    this.#lines = text.split('\n');
    this.resize(size);
  }

  /** The page on the screen then begins with the line that it began with, whole. */
  resize({ columns = 0, rows = 0 }: TerminalSize): void {
    const from = this.#rows[this.#at]?.line ?? 0;
    this.#columns = columns > 0 ? columns : 80;
    this.#height = rows > 0 ? rows : 24;
    this.#rows = this.#lines.flatMap((text, line) =>
      rowsOf(text, this.#columns).map((row) => ({ text: row, line })),
    );
    this.#at = this.#rows.findIndex(({ line }) => line === from);
  }

  /** All rows up to the end of the question are on the screen, or were. */
  get isLast(): boolean {
    return this.#rows.length - this.#at <= this.#height;
  }

  /** The rows of the page. If there is room for two rows, every page except the last ends with a foot. */
  get words(): string {
    const rows = this.#rows.slice(this.#at, this.#end);
    const hasFoot = !this.isLast && this.#height > 1;
    return [...rows.map(({ text }) => text), ...(hasFoot ? [this.#foot] : [])].join('\n');
  }

  next(): void {
    this.#at = this.#end;
  }

  get #end(): number {
    return this.isLast ? this.#rows.length : this.#at + Math.max(1, this.#height - 1);
  }

  get #foot(): string {
    // The last page needs no foot.
    const rows = this.#rows.length - this.#end - this.#height;
    const left = 1 + Math.max(0, Math.ceil(rows / Math.max(1, this.#height - 1)));
    const feet = [
      `${count(left, 'page follows', 'pages follow')}. Space shows the next, n refuses.`,
      `${left} more: Space, or n`,
    ];
    return feet.find((foot) => foot.length < this.#columns) ?? '>';
  }
}

/**
 * None of them is as wide as the terminal, which then breaks none. A line that begins with a blank may hold words of
 * a page, and is broken at any letter, so that no blank of it is lost at the end of a row; any other at its blanks.
 */
function rowsOf(line: string, columns: number): readonly string[] {
  const most = Math.max(2, columns - 1);
  const isOurs = /^\S/.test(line);
  const inside = columns < LEAST_FOR_INSIDE || isOurs ? '' : INSIDE;
  const rows: string[] = [];
  let row = '';
  let cells = 0;
  for (const letter of line) {
    const width = widestOf(letter);
    if (cells + width > most) {
      const word = isOurs && letter !== ' ' ? (/(?<= )\S+$/.exec(row)?.[0] ?? '') : '';
      rows.push(row.slice(0, row.length - word.length));
      row = inside + word;
      cells = cellsOf(row);
      // The end of the row before stands for the blank.
      if (isOurs && letter === ' ') continue;
    }
    row += letter;
    cells += width;
  }
  return [...rows, row];
}

/** Cells of a letter in the terminal where it takes most: many draw letters of one cell in two. */
function widestOf(letter: string): number {
  const cells = cellsOf(letter);
  return letter > '\u007e' && cells === 1 ? 2 : cells;
}
