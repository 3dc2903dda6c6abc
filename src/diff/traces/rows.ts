// Both lanes beside each other, row by row; what a row says is made when it is asked for.
import { jsonText } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { JsonChange } from './changes.ts';
import type { LaneEntry, DiffLane } from './lane.ts';
import type { Links, Move } from './binding.ts';
import type { Stretch } from '../../lib/align.ts';
import type {
  DiffRows,
  DiffRowSide,
  DiffSection,
  DiffView,
  FieldChange,
  RowMark,
} from './report/report.ts';
import { textChange } from '../../model/text-change.ts';
import { diffWords } from './report/words.ts';

/** A side as rows show it: `named` puts aliases in place of real values. */
export interface ShownSide {
  readonly lane: DiffLane;
  readonly named: (value: Json, key?: string) => Json;
}

/** A row as places in both lanes; -1: nothing on that side. */
export interface PlacedRow {
  readonly mark: RowMark;
  readonly a: number;
  readonly b: number;
  /** Where it is more than one entry of a side. */
  readonly joint?: Stretch | undefined;
}
export type RowPlaces = Omit<PlacedRow, 'mark'>;

const NO_ROW: PlacedRow = { mark: 'equal', a: -1, b: -1 };

export function rowEntries(a: DiffLane, b: DiffLane, { a: i, b: j, joint }: RowPlaces) {
  if (!joint) return [a.entry(i), b.entry(j)] as const;
  const { a0, a1, b0, b1 } = joint;
  return [a.joined(a0, a1), b.joined(b0, b1)] as const;
}

/** Shorter values are shown as they are, longer ones as a merge. */
const MERGED_FROM = 12;

export interface SectionedRows extends DiffRows {
  readonly sections: readonly DiffSection[];
  /** What stands on one side of a row; empty: nothing. */
  words(side: 'a' | 'b', row: number): string;
}

export function shownRows(
  view: DiffView,
  a: ShownSide,
  b: ShownSide,
  list: readonly PlacedRow[],
  changes: (row: RowPlaces) => readonly JsonChange[],
): SectionedRows {
  const { sections, ofRow } = sectionsOf(a.lane, b.lane, list);
  const section = (row: number) => ofRow[row] ?? 0;
  const sideOf = (shown: ShownSide, entry: LaneEntry): DiffRowSide => {
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
      words: diffWords(view, shown.lane, entry, shown.named),
    };
  };
  const fieldOf = ({ path, kind, before, after }: JsonChange): FieldChange => {
    const key = /(?<![\w$-])([\w$-]+)(?:\[\d+\])?$/.exec(path)?.[1] ?? '';
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
    mark: (row) => list[row]?.mark ?? 'equal',
    row(at) {
      const row = list[at] ?? NO_ROW;
      const { mark } = row;
      const [left, right] = rowEntries(a.lane, b.lane, row);
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
      const entry = rowEntries(a.lane, b.lane, list[at] ?? NO_ROW)[side === 'a' ? 0 : 1];
      return entry ? diffWords(view, lane, entry, named) : '';
    },
  };
}

function isLong(value: Json | undefined): value is string {
  return typeof value === 'string' && value.length >= MERGED_FROM;
}

export function shown(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/**
 * Rows in the order of both sides, or of the left one where that is crossed. Between two links, what goes on with the section before comes
 * first, of either side.
 */
export function stretchRows(
  a: DiffLane,
  b: DiffLane,
  links: Links,
  moved: readonly Move[],
  changed: ReadonlySet<number>,
): readonly PlacedRow[] {
  const rows: PlacedRow[] = [];
  const movedFrom = new Map(moved.map((stretch) => [stretch.a0, stretch]));
  const movedTo = new Map(moved.map((stretch) => [stretch.b0, stretch]));
  const pairedMark = (at: number) => (changed.has(at) ? 'changed' : 'equal');
  let [i, j] = [0, 0];
  const left = (until: number, section?: number) => {
    while (i < until && (section === undefined || a.section(i) === section)) {
      const stretch = movedFrom.get(i);
      if (stretch) {
        const mark = stretch.isFree ? pairedMark(i) : 'moved';
        rows.push({ ...stretchPlaces(stretch), mark });
      } else rows.push({ mark: 'missing', a: i, b: -1 });
      i = stretch ? stretch.a1 : i + 1;
    }
  };
  const right = (until: number, section?: number) => {
    while (j < until && (section === undefined || b.section(j) === section)) {
      const stretch = movedTo.get(j);
      if (!stretch) rows.push({ mark: 'extra', a: -1, b: j });
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
    rows.push({ mark: pairedMark(x), a: x, b: y, joint });
    [i, j] = joint ? [joint.a1, joint.b1] : [x + 1, y + 1];
  }
  both(links.a, links.b);
  return inLeftOrder(rows, a);
}

/** Rows in the order of the left side's frames, where its entries stand in another one. */
function inLeftOrder(rows: readonly PlacedRow[], left: DiffLane): readonly PlacedRow[] {
  if (!left.crossed) return rows;
  // What is only right stays behind what it stood behind.
  let last = -1;
  const places = rows.map((row) => {
    last = left.entry(row.a)?.first ?? last;
    return { row, first: last };
  });
  return places.sort((one, other) => one.first - other.first).map(({ row }) => row);
}

/** One entry of each side needs no stretch. */
export function stretchPlaces(stretch: Stretch): RowPlaces {
  const { a0, a1, b0, b1 } = stretch;
  const isOne = a1 - a0 === 1 && b1 - b0 === 1;
  return { a: a0, b: b0, joint: isOne ? undefined : stretch };
}

/** Sections of the left side; of what is only right, the left one that its own is paired with. */
function sectionsOf(a: DiffLane, b: DiffLane, rows: readonly PlacedRow[]) {
  const sections: DiffSection[] = [...a.sections];
  const partner = new Map<number, number>();
  for (const { a: i, b: j, mark } of rows) {
    if (i < 0 || j < 0 || mark === 'moved') continue;
    const right = b.section(j);
    if (!partner.has(right)) partner.set(right, a.section(i));
  }
  if (!partner.has(0)) partner.set(0, 0);
  const ofRow = rows.map(({ a: i, b: j, mark }) => {
    // A restore on the right holds what are turns on the left: its own stands in the one it has come to.
    if (i >= 0 && j >= 0 && mark !== 'moved') partner.set(b.section(j), a.section(i));
    if (i >= 0) return a.section(i);
    const right = b.section(j);
    const known = partner.get(right);
    if (known !== undefined) return known;
    partner.set(right, sections.length);
    const { name = '', words = '' } = b.sections[right] ?? {};
    return sections.push({ name: `${name}, right`, words }) - 1;
  });
  return { sections, ofRow };
}
