// Both lanes beside each other, row by row; what a row says is made when it is asked for.
import type { Json } from '../../acp/message.ts';
import { jsonText } from '../../model/timeline/pins.ts';
import { int32, uint8 } from '../../lib/growable.ts';
import type { JsonChange } from './changes.ts';
import type { Entry, Lane } from './lane.ts';
import type { Links } from './binding.ts';
import type { Stretch } from '../../lib/align.ts';
import type {
  DiffRows,
  DiffRowSide,
  DiffSection,
  DiffView,
  FieldChange,
  RowMark,
} from './report/report.ts';
import { textChange } from '../text-change.ts';
import { wordsOf } from './report/words.ts';

/** A side as rows show it: `named` puts aliases in place of real values. */
export interface ShownSide {
  readonly lane: Lane;
  readonly named: (value: Json, key?: string) => Json;
}

const MARKS: readonly RowMark[] = ['equal', 'changed', 'missing', 'extra', 'moved'];

/** A row as places in both lanes; -1: nothing on that side. */
export interface RowPlaces {
  readonly a: number;
  readonly b: number;
  /** Where it is more than one entry of a side. */
  readonly joint: Stretch | undefined;
}

interface Row extends RowPlaces {
  readonly mark: RowMark;
}

/** Rows in columns: a hundred thousand of them are few objects. */
export class RowList {
  readonly #marks = uint8();
  readonly #a = int32();
  readonly #b = int32();
  readonly #joints = new Map<number, Stretch>();

  get length(): number {
    return this.#marks.length;
  }

  /** Rows of more than one entry of a side. */
  get joints(): ReadonlyMap<number, Stretch> {
    return this.#joints;
  }

  push(mark: RowMark, a: number, b: number, joint?: Stretch): void {
    if (joint) this.#joints.set(this.length, joint);
    this.#marks.push(MARKS.indexOf(mark));
    this.#a.push(a);
    this.#b.push(b);
  }

  mark(row: number): RowMark {
    return MARKS[this.#marks.get(row)] ?? 'equal';
  }
  a(row: number): number {
    return row < this.length ? this.#a.get(row) : -1;
  }
  b(row: number): number {
    return row < this.length ? this.#b.get(row) : -1;
  }

  at(row: number): Row {
    const joint = this.#joints.get(row);
    return { mark: this.mark(row), a: this.a(row), b: this.b(row), joint };
  }
}

/** The entries of a row. */
export function entriesOf(a: Lane, b: Lane, { a: i, b: j, joint }: RowPlaces) {
  if (!joint) return [a.entry(i), b.entry(j)] as const;
  const { a0, a1, b0, b1 } = joint;
  return [a.joined(a0, a1), b.joined(b0, b1)] as const;
}

/** Shorter values are shown as they are, longer ones as a merge. */
const MERGED_FROM = 12;

export interface ShownRows extends DiffRows {
  readonly sections: readonly DiffSection[];
  /** What stands on one side of a row; empty: nothing. */
  words(side: 'a' | 'b', row: number): string;
}

export function shownRows(
  view: DiffView,
  a: ShownSide,
  b: ShownSide,
  list: RowList,
  changes: (row: RowPlaces) => readonly JsonChange[],
): ShownRows {
  const { sections, ofRow } = sectionsOf(a.lane, b.lane, list);
  const section = (row: number) => ofRow[row] ?? 0;
  const sideOf = (shown: ShownSide, entry: Entry): DiffRowSide => {
    const { columns } = shown.lane.source.index;
    const { first, last, frames, spans, began } = entry;
    const from = began ?? first;
    return {
      seq: columns.seqOf(first),
      last: columns.seqOf(last),
      frames,
      at: columns.at.get(first),
      ...((spans || began !== undefined) &&
        last > from && { took: columns.at.get(last) - columns.at.get(from) }),
      words: wordsOf(view, shown.lane, entry, shown.named),
    };
  };
  const fieldOf = ({ path, kind, before, after }: JsonChange): FieldChange => {
    const key = /([\w$-]+)(?:\[\d+\])?$/.exec(path)?.[1] ?? '';
    const left = before === undefined ? undefined : a.named(before, key);
    const right = after === undefined ? undefined : b.named(after, key);
    return {
      path,
      kind,
      ...(left !== undefined && { before: shown(left) }),
      ...(right !== undefined && { after: shown(right) }),
      ...(isLong(left) && isLong(right) && { merge: () => textChange(left, right) }),
    };
  };
  return {
    sections,
    section,
    length: list.length,
    mark: (row) => list.mark(row),
    row(at) {
      const row = list.at(at);
      const { mark } = row;
      const [left, right] = entriesOf(a.lane, b.lane, row);
      const isOther = mark === 'changed' || mark === 'moved';
      return {
        mark,
        of: (left ?? right)?.of ?? '',
        section: section(at),
        ...(left && { a: sideOf(a, left) }),
        ...(right && { b: sideOf(b, right) }),
        fields: isOther ? changes(row).map(fieldOf) : [],
      };
    },
    words(side, at) {
      const { lane, named } = side === 'a' ? a : b;
      const entry = entriesOf(a.lane, b.lane, list.at(at))[side === 'a' ? 0 : 1];
      return entry ? wordsOf(view, lane, entry, named) : '';
    },
  };
}

function isLong(value: Json | undefined): value is string {
  return typeof value === 'string' && value.length >= MERGED_FROM;
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/**
 * Rows in the order of both sides. Between two links, what goes on with the section before comes
 * first, of either side.
 */
export function rowsOf(
  a: Lane,
  b: Lane,
  links: Links,
  moved: readonly Stretch[],
  changed: ReadonlySet<number>,
): RowList {
  const rows = new RowList();
  const movedFrom = new Map(moved.map((stretch) => [stretch.a0, stretch]));
  const movedTo = new Map(moved.map((stretch) => [stretch.b0, stretch]));
  let [i, j] = [0, 0];
  const left = (until: number, section?: number) => {
    while (i < until && (section === undefined || a.section(i) === section)) {
      const stretch = movedFrom.get(i);
      if (stretch) rows.push('moved', i, stretch.b0, jointOf(stretch));
      else rows.push('missing', i, -1);
      i = stretch ? stretch.a1 : i + 1;
    }
  };
  const right = (until: number, section?: number) => {
    while (j < until && (section === undefined || b.section(j) === section)) {
      const stretch = movedTo.get(j);
      if (!stretch) rows.push('extra', -1, j);
      j = stretch ? stretch.b1 : j + 1;
    }
  };
  const both = (x: number, y: number) => {
    left(x, i > 0 ? a.section(i - 1) : 0);
    right(y, j > 0 ? b.section(j - 1) : 0);
    left(x);
    right(y);
  };
  for (let x = 0; x < links.a; x++) {
    const y = links.partnerOf(x);
    if (y < 0) continue;
    both(x, y);
    const joint = links.jointAt(x);
    rows.push(changed.has(x) ? 'changed' : 'equal', x, y, joint);
    [i, j] = joint ? [joint.a1, joint.b1] : [x + 1, y + 1];
  }
  both(links.a, links.b);
  return rows;
}

/** Rows in the order of the left side's frames, where its entries stand in another one. */
export function inLeftOrder(rows: RowList, left: Lane): RowList {
  if (!left.crossed) return rows;
  // What is only right stays behind what it stood behind.
  let last = -1;
  const order = Array.from({ length: rows.length }, (_, row) => {
    if (rows.a(row) >= 0) last = left.entry(rows.a(row))?.first ?? last;
    return { row, first: last };
  }).sort((one, other) => one.first - other.first || one.row - other.row);
  const sorted = new RowList();
  for (const { row } of order) {
    const { mark, a, b, joint } = rows.at(row);
    sorted.push(mark, a, b, joint);
  }
  return sorted;
}

/** Undefined: one entry of each side needs no stretch. */
function jointOf(stretch: Stretch): Stretch | undefined {
  const { a0, a1, b0, b1 } = stretch;
  return a1 - a0 === 1 && b1 - b0 === 1 ? undefined : stretch;
}

/** Sections of the left side; of what is only right, the left one that its own is paired with. */
function sectionsOf(a: Lane, b: Lane, rows: RowList) {
  const sections: DiffSection[] = [...a.sections];
  const partner = new Map<number, number>();
  for (let row = 0; row < rows.length; row++) {
    const [i, j] = [rows.a(row), rows.b(row)];
    if (i < 0 || j < 0 || rows.mark(row) === 'moved') continue;
    const right = b.section(j);
    if (!partner.has(right)) partner.set(right, a.section(i));
  }
  if (!partner.has(0)) partner.set(0, 0);
  const ofRow = new Uint32Array(rows.length);
  for (let row = 0; row < rows.length; row++) {
    const [i, j] = [rows.a(row), rows.b(row)];
    const right = i < 0 ? b.section(j) : -1;
    let own = i < 0 ? partner.get(right) : a.section(i);
    if (own === undefined) {
      own = sections.length;
      const { name = '', words = '' } = b.sections[right] ?? {};
      sections.push({ name: `${name}, right`, words });
      partner.set(right, own);
    }
    ofRow[row] = own;
  }
  return { sections, ofRow };
}
