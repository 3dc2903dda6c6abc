// Several comparisons with one first trace as one table: a row is an item of the first that is not the
// same everywhere, or one that only others have, which is one row where they say the same.
import { ROW_MARK_LOOKS } from '../../diff/traces/report/document.ts';
import type { DiffSection, RowMark, TraceDiffReport } from '../../diff/traces/report/report.ts';
import { rowLook } from './diff-look.ts';
import type { TableCell, TableRow } from './diff-messages.ts';
import type { ReportDocument } from '../../report/document.ts';
import { lines } from '../../report/words.ts';

/** Neither the first nor this one has it. */
const ABSENT = 5;
const NO_ROW = -1;
/** Each column has its own. */
const NO_ALIASES = new Map<string, never>();
/** Of a cell, so many fields are told. */
const MOST_FIELDS = 3;
/** So many rows between two pauses. */
const STRETCH = 500;
const CODES: Readonly<Record<RowMark, number>> = {
  equal: 0,
  changed: 1,
  missing: 2,
  extra: 3,
  moved: 4,
};

interface Item {
  /** How many items of the first stand before it. */
  readonly place: number;
  readonly inFirst: boolean;
  readonly section: number;
  /** Of each comparison: its row; -1: the same as the first. */
  readonly rows: Int32Array;
}

export class DiffTablePages {
  readonly sections: readonly DiffSection[];
  readonly #items: readonly Item[];
  readonly #reports: readonly TraceDiffReport[];

  constructor(
    reports: readonly TraceDiffReport[],
    items: readonly Item[],
    sections: readonly DiffSection[],
  ) {
    this.#reports = reports;
    this.#items = items;
    this.sections = sections;
  }

  get length(): number {
    return this.#items.length;
  }

  rowSections(): Uint32Array {
    return Uint32Array.from(this.#items, ({ section }) => section);
  }

  marks(): Uint8Array {
    const width = this.#reports.length;
    const marks = new Uint8Array(this.#items.length * width);
    this.#items.forEach(({ rows, inFirst }, at) => {
      rows.forEach((row, column) => {
        const mark = this.#reports[column]?.rows.mark(row) ?? 'equal';
        marks[at * width + column] = row >= 0 ? CODES[mark] : inFirst ? 0 : ABSENT;
      });
    });
    return marks;
  }

  row(at: number): TableRow {
    const { rows = new Int32Array(), inFirst = false } = this.#items[at] ?? {};
    const column = rows.findIndex((row) => row >= 0);
    const any = this.#reports[column]?.rows.row(rows[column] ?? 0);
    return {
      of: any?.of ?? '',
      ...(inFirst && any?.a && { first: any.a }),
      cells: [...rows].map((row, of) => (row < 0 ? undefined : this.#cell(of, row))),
    };
  }

  #cell(column: number, row: number): TableCell | undefined {
    const shown = this.#reports[column]?.rows.row(row);
    if (!shown) return undefined;
    const { mark, b, change, fields } = rowLook(shown, NO_ALIASES);
    return {
      ...{ row, mark },
      ...(b && { side: b }),
      ...(change && { change }),
      fields: fields.slice(0, MOST_FIELDS),
      differing: fields.length,
    };
  }
}

/** `reports`: each of the same first trace, made with the same options. */
export async function tableOf(
  reports: readonly TraceDiffReport[],
  pause: () => Promise<void>,
): Promise<DiffTablePages> {
  const made = new Maker(reports.length);
  for (const report of reports) made.know(report);
  for (const [column, report] of reports.entries()) {
    let place = 0;
    for (let row = 0; row < report.rows.length; row++) {
      if (row % STRETCH === 0) await pause();
      const mark = report.rows.mark(row);
      if (mark === 'extra') made.add(column, report, row, place);
      else if (mark === 'equal') place++;
      else made.differs(column, report, row, place++);
    }
  }
  return new DiffTablePages(reports, made.items(), made.sections);
}

class Maker {
  readonly sections: DiffSection[] = [];
  readonly #width: number;
  readonly #sectionAt = new Map<string, number>();
  readonly #first = new Map<number, Item>();
  readonly #added = new Map<string, Item>();
  /** How often each comparison said the same, so that each time is a row. */
  readonly #said = new Map<string, number>();

  constructor(width: number) {
    this.#width = width;
  }

  differs(column: number, report: TraceDiffReport, row: number, place: number): void {
    const known = this.#first.get(place);
    const item = known ?? this.#item(place, true, this.#section(report, row));
    item.rows[column] = row;
    if (!known) this.#first.set(place, item);
  }

  add(column: number, report: TraceDiffReport, row: number, place: number): void {
    const section = this.#section(report, row);
    const { of, b } = report.rows.row(row);
    // Times differ between any two.
    const words = report.view === 'timing' ? '' : unnumbered(b?.words ?? '');
    const said = `${section} ${of} ${words}`;
    const nth = this.#said.get(`${column} ${said}`) ?? 0;
    this.#said.set(`${column} ${said}`, nth + 1);
    const key = `${nth} ${said}`;
    const known = this.#added.get(key);
    const item = known ?? this.#item(place, false, section);
    item.rows[column] = row;
    if (!known) this.#added.set(key, item);
  }

  /** What only others have stands before what it came before. */
  items(): Item[] {
    return [...this.#added.values(), ...this.#first.values()].sort(
      (one, other) =>
        one.place - other.place ||
        Number(one.inFirst) - Number(other.inFirst) ||
        one.section - other.section,
    );
  }

  #item(place: number, inFirst: boolean, section: number): Item {
    return { place, inFirst, section, rows: new Int32Array(this.#width).fill(NO_ROW) };
  }

  /** Those of the first come first, in its order. */
  know({ sections }: TraceDiffReport): void {
    for (const section of sections) {
      const key = keyOf(section);
      if (!this.#sectionAt.has(key)) this.#sectionAt.set(key, this.sections.push(section) - 1);
    }
  }

  #section({ rows, sections }: TraceDiffReport, row: number): number {
    const section = sections[rows.section(row)];
    return (section && this.#sectionAt.get(keyOf(section))) ?? 0;
  }
}

function keyOf({ name, words }: DiffSection): string {
  return `${name} ${words}`;
}

/** The same thing may have another number in another comparison. */
function unnumbered(words: string): string {
  return words.replace(/(?<![\p{L}\p{N}_])([A-Z]|cwd|tmp|~)\d+(?![\p{L}\p{N}_])/gu, '$1');
}

// A table of what differs from the first trace, to take along: in columns, or as Markdown.

const MOST_ROWS = 500;
const WIDEST = 48;

/** `names`: of the first, then of the others. */
export function tableDocument(table: DiffTablePages, names: readonly string[]): ReportDocument {
  const shown = Math.min(table.length, MOST_ROWS);
  return {
    name: 'acp-scope diff',
    title: `Against ${names[0]}`,
    untitled: true,
    blocks: [
      {
        kind: 'table',
        heads: ['#', ...names].map((name) => ({ name, most: WIDEST })),
        rows: Array.from({ length: shown }, (_, at) => lineOf(table.row(at))),
      },
      ...(table.length > shown ? [lines(`and ${table.length - shown} more.`)] : []),
    ],
    suites: [],
  };
}

function lineOf({ first, of, cells }: TableRow): string[] {
  return [
    first && first.seq > 0 ? `#${first.seq}` : '',
    first?.words ?? '–',
    ...cells.map((cell) => cellWords(cell, of, first !== undefined)),
  ];
}

function cellWords(cell: TableCell | undefined, of: string, inFirst: boolean): string {
  if (!cell) return inFirst ? '=' : '–';
  const { mark, side, fields, differing } = cell;
  const { sign } = ROW_MARK_LOOKS[mark];
  if (mark === 'missing') return `${sign} nothing`;
  if (mark !== 'changed') return `${sign} ${side?.words ?? of}`;
  const told = fields.map(
    ({ path, after }) => `${path.replace(/^\$\.?/, '')} ${after ?? 'nothing'}`,
  );
  const more = differing > fields.length ? [`${differing - fields.length} more`] : [];
  return `${sign} ${[...told, ...more].join('; ')}`;
}
