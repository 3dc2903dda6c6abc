// Both lanes beside each other, row by row; what a row says is made when it is asked for.
import type { Json } from '../../acp/message.ts';
import { jsonText } from '../../model/pins.ts';
import type { Pair } from '../align.ts';
import type { JsonChange } from './changes.ts';
import type { Entry, Lane } from './lane.ts';
import type {
  DiffRow,
  DiffRows,
  DiffRowSide,
  DiffSection,
  DiffView,
  FieldChange,
  RowMark,
} from './report.ts';
import { mergeOf } from './text-merge.ts';
import { wordsOf } from './words.ts';

/** A side as rows show it: `named` puts aliases in place of real values. */
export interface ShownSide {
  readonly lane: Lane;
  readonly named: (value: Json, key?: string) => Json;
}

interface Row {
  readonly mark: RowMark;
  /** -1: nothing on that side. */
  readonly a: number;
  readonly b: number;
}

/** Shorter values are shown as they are, longer ones as a merge. */
const MERGED_FROM = 12;

export class Rows implements DiffRows {
  readonly list: readonly Row[];
  readonly sections: readonly DiffSection[];
  readonly #sections: readonly number[];
  readonly #view: DiffView;
  readonly #a: ShownSide;
  readonly #b: ShownSide;
  readonly #changes: (row: number) => readonly JsonChange[];

  constructor(
    view: DiffView,
    a: ShownSide,
    b: ShownSide,
    list: readonly Row[],
    changes: (row: number) => readonly JsonChange[],
  ) {
    this.#view = view;
    this.#a = a;
    this.#b = b;
    this.list = list;
    this.#changes = changes;
    const found = sectionsOf(a.lane, b.lane, list);
    this.sections = found.sections;
    this.#sections = found.ofRow;
  }

  get length(): number {
    return this.list.length;
  }
  mark(row: number): RowMark {
    return this.list[row]?.mark ?? 'equal';
  }
  section(row: number): number {
    return this.#sections[row] ?? 0;
  }

  row(row: number): DiffRow {
    const { mark, a, b } = this.list[row] ?? { mark: 'equal', a: -1, b: -1 };
    const [left, right] = [this.#a.lane.entries[a], this.#b.lane.entries[b]];
    return {
      mark,
      of: (left ?? right)?.of ?? '',
      section: this.section(row),
      ...(left && { a: this.#side(this.#a, left) }),
      ...(right && { b: this.#side(this.#b, right) }),
      fields:
        mark === 'changed' || mark === 'moved'
          ? this.#changes(row).map((change) => this.#field(change))
          : [],
    };
  }

  words(side: 'a' | 'b', at: number): string {
    const shown = side === 'a' ? this.#a : this.#b;
    const entry = shown.lane.entries[at];
    return entry ? wordsOf(this.#view, shown.lane, entry, shown.named) : '';
  }

  #side(shown: ShownSide, entry: Entry): DiffRowSide {
    const { columns } = shown.lane.source.index;
    const { first, last, frames, spans, began } = entry;
    const from = began ?? first;
    const at = columns.at.get(first);
    return {
      seq: columns.seqOf(first),
      last: columns.seqOf(last),
      frames,
      at,
      ...((spans || began !== undefined) &&
        last > from && { took: columns.at.get(last) - columns.at.get(from) }),
      words: wordsOf(this.#view, shown.lane, entry, shown.named),
    };
  }

  #field({ path, kind, before, after }: JsonChange): FieldChange {
    const key = /([\w$-]+)(?:\[\d+\])?$/.exec(path)?.[1] ?? '';
    const left = before === undefined ? undefined : this.#a.named(before, key);
    const right = after === undefined ? undefined : this.#b.named(after, key);
    const isLong = (value: Json | undefined) =>
      typeof value === 'string' && value.length >= MERGED_FROM;
    return {
      path,
      kind,
      ...(left !== undefined && { before: shown(left) }),
      ...(right !== undefined && { after: shown(right) }),
      ...(typeof left === 'string' &&
        typeof right === 'string' &&
        isLong(left) &&
        isLong(right) && {
          merge: mergeOf(left, right),
        }),
    };
  }
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/**
 * Rows in the order of both sides. Between two pairs, what goes on with the section before comes
 * first, of either side.
 */
export function rowsOf(
  a: readonly Entry[],
  b: readonly Entry[],
  pairs: readonly Pair[],
  moved: readonly Pair[],
  isEqual: (i: number, j: number) => boolean,
): Row[] {
  const rows: Row[] = [];
  const movedTo = new Map(moved);
  const movedHere = new Set(movedTo.values());
  let [i, j] = [0, 0];
  const left = (until: number, section?: number) => {
    for (; i < until && (section === undefined || a[i]?.section === section); i++) {
      const to = movedTo.get(i);
      rows.push(
        to === undefined ? { mark: 'missing', a: i, b: -1 } : { mark: 'moved', a: i, b: to },
      );
    }
  };
  const right = (until: number, section?: number) => {
    for (; j < until && (section === undefined || b[j]?.section === section); j++)
      if (!movedHere.has(j)) rows.push({ mark: 'extra', a: -1, b: j });
  };
  for (const [x, y] of [...pairs, [a.length, b.length] as const]) {
    left(x, a[i - 1]?.section ?? 0);
    right(y, b[j - 1]?.section ?? 0);
    left(x);
    right(y);
    if (x < a.length && y < b.length)
      rows.push({ mark: isEqual(x, y) ? 'equal' : 'changed', a: x, b: y });
    [i, j] = [x + 1, y + 1];
  }
  return rows;
}

/** Sections of the left side; of what is only right, the left one that its own is paired with. */
function sectionsOf(a: Lane, b: Lane, rows: readonly Row[]) {
  const sections: DiffSection[] = [...a.sections];
  const partner = new Map<number, number>();
  for (const { a: i, b: j, mark } of rows) {
    const [left, right] = [a.entries[i]?.section, b.entries[j]?.section];
    if (left === undefined || right === undefined || mark === 'moved') continue;
    if (!partner.has(right)) partner.set(right, left);
  }
  if (!partner.has(0)) partner.set(0, 0);
  const ofRow = rows.map(({ a: i, b: j }) => {
    const left = a.entries[i]?.section;
    if (left !== undefined) return left;
    const right = b.entries[j]?.section ?? 0;
    const known = partner.get(right);
    if (known !== undefined) return known;
    const own = sections.length;
    const { name = '', words = '' } = b.sections[right] ?? {};
    sections.push({ name: `${name}, right`, words });
    partner.set(right, own);
    return own;
  });
  return { sections, ofRow };
}
