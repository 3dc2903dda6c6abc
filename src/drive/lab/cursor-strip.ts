// The replays of a cursor test under each other, item by item, as sequences are aligned: a column is an
// item of the replay from the start, and each row says which of them came.
import { itemsIn, type CursorReplay, type CursorReplays } from './cursor-algebra.ts';
import { isSameItem, type ReplayedItem } from '../replayed-items.ts';

/** `other`: it came, saying something else or under another id. `extra`: the start does not have it. */
type StripMark = 'present' | 'absent' | 'other' | 'extra';

export interface StripCell {
  readonly mark: StripMark;
  /** Whether it must be there. */
  readonly due: boolean;
}

interface StripRow {
  /** `start`, or the cursor. */
  readonly name: string;
  readonly trace: string;
  readonly rejected: string | undefined;
  /** One a column; none where it was rejected. */
  readonly cells: readonly StripCell[];
}

export interface CursorStrip {
  readonly columns: readonly ReplayedItem[];
  readonly rows: readonly StripRow[];
}

interface Wanted {
  readonly name: string;
  readonly replay: CursorReplay;
  /** Id of the first item due; undefined: all are. */
  readonly from: string | undefined;
}

interface Column {
  readonly item: ReplayedItem;
  readonly isExtra: boolean;
}

export function stripOf({ start, cursors, end }: CursorReplays): CursorStrip {
  const wanted: Wanted[] = [
    { name: 'start', replay: start, from: undefined },
    ...cursors.flatMap(({ cursor, names, first, again }) => [
      { name: cursor, replay: first, from: names },
      ...(isSameReplay(first, again)
        ? []
        : [{ name: `${cursor} again`, replay: again, from: names }]),
    ]),
    { name: 'start again', replay: end, from: undefined },
  ];
  let columns: readonly Column[] = (itemsIn(start) ?? []).map((item) => ({ item, isExtra: false }));
  for (const { replay } of wanted) columns = widened(columns, itemsIn(replay) ?? []);
  return {
    columns: columns.map(({ item }) => item),
    rows: wanted.map((row) => rowOf(row, columns)),
  };
}

function isSameReplay(a: CursorReplay, b: CursorReplay): boolean {
  const [one, two] = [itemsIn(a), itemsIn(b)];
  if (one === undefined || two === undefined) return one === two;
  return one.length === two.length && one.every((item, i) => isSameAs(item, two[i]));
}

function isSameAs(item: ReplayedItem, other: ReplayedItem | undefined): boolean {
  return other !== undefined && isSameItem(item, other);
}

/** With a column for each item that has none, behind that of the item before it. */
function widened(columns: readonly Column[], items: readonly ReplayedItem[]): readonly Column[] {
  const places = placesOf(columns, items);
  const made = [...columns];
  let added = 0;
  let last = -1;
  for (const [i, item] of items.entries()) {
    const place = places[i];
    if (place === undefined) {
      made.splice(last + 1, 0, { item, isExtra: true });
      last++;
      added++;
    } else last = Math.max(last, place + added);
  }
  return made;
}

/** The column of each item: by all it is, then by its id, then by what it says; each column once. */
function placesOf(
  columns: readonly Column[],
  items: readonly ReplayedItem[],
): (number | undefined)[] {
  const taken = new Set<number>();
  const places: (number | undefined)[] = items.map(() => undefined);
  const passes: ((a: ReplayedItem, b: ReplayedItem) => boolean)[] = [
    isSameItem,
    (a, b) => a.id !== undefined && a.id === b.id && a.kind === b.kind,
    (a, b) => a.kind === b.kind && a.digest === b.digest,
  ];
  for (const fits of passes)
    for (const [i, item] of items.entries()) {
      if (places[i] !== undefined) continue;
      const place = columns.findIndex((column, at) => !taken.has(at) && fits(item, column.item));
      if (place < 0) continue;
      taken.add(place);
      places[i] = place;
    }
  return places;
}

function rowOf({ name, replay, from }: Wanted, columns: readonly Column[]): StripRow {
  const { trace } = replay;
  const items = itemsIn(replay);
  if (items === undefined)
    return { name, trace, rejected: 'rejected' in replay ? replay.rejected : '', cells: [] };
  const came = new Map<number, ReplayedItem>();
  const places = placesOf(columns, items);
  for (const [i, item] of items.entries()) {
    const place = places[i];
    if (place !== undefined) came.set(place, item);
  }
  const first = from === undefined ? 0 : columns.findIndex(({ item }) => item.id === from);
  const cells = columns.map(({ item, isExtra }, at): StripCell => {
    const due = !isExtra && first >= 0 && at >= first;
    const here = came.get(at);
    if (here === undefined) return { mark: 'absent', due };
    return { mark: isExtra ? 'extra' : isSameItem(here, item) ? 'present' : 'other', due };
  });
  return { name, trace, rejected: undefined, cells };
}

// A row of the cursor strip as characters, one a column.

export const STRIP_LEGEND =
  '■ came, as due; □ due, but missing; · not due; ▲ came, but not due; ≠ came differently; + not in the replay from the start';

export function stripSign({ mark, due }: StripCell): string {
  switch (mark) {
    case 'present':
      return due ? '■' : '▲';
    case 'absent':
      return due ? '□' : '·';
    case 'other':
      return '≠';
    case 'extra':
      return '+';
  }
}

export function stripText(cells: readonly StripCell[]): string {
  return cells.map(stripSign).join('');
}
