// The arithmetic of a very long list. Browsers cannot scroll over more than some 17 to 33 million
// device pixels, and 1,000,000 rows of 24 are 24 million: so the scrollbar runs over a capped
// spacer, while the true place in the list is kept beside it. Small movements of the scrollbar
// move the list by as much, large ones (the dragged thumb) to the place that belongs to them; when
// scrolling rests, the scrollbar is set to where the true place says it should be.

/** Rows of one height, except those in `tall`. All measures are CSS pixels. */
export interface Rows {
  readonly count: number;
  readonly height: number;
  /** Indexes of the rows of the other height, ascending. */
  readonly tall: readonly number[];
  readonly tallHeight: number;
}

/** How many places hold, of a list in which those that do come first. */
export function leading(length: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the tall rows come before the row. */
function tallBefore({ tall }: Rows, index: number): number {
  return leading(tall.length, (at) => (tall[at] ?? Infinity) < index);
}

/** Where the row begins; of `count`, where the list ends. */
export function offsetOf(rows: Rows, index: number): number {
  return index * rows.height + tallBefore(rows, index) * (rows.tallHeight - rows.height);
}

export function heightOf(rows: Rows): number {
  return offsetOf(rows, rows.count);
}

/** The row that covers this place; the first or last one where the place lies outside. */
export function rowAt(rows: Rows, y: number): number {
  return Math.max(0, leading(rows.count, (row) => offsetOf(rows, row) <= y) - 1);
}

/** The rows that cover the view, `from` inclusive, `to` exclusive, with some more on both sides. */
export function rowsIn(
  rows: Rows,
  y: number,
  view: number,
  more: number,
): { readonly from: number; readonly to: number } {
  if (rows.count === 0) return { from: 0, to: 0 };
  const from = Math.max(0, rowAt(rows, y) - more);
  return { from, to: Math.min(rows.count, rowAt(rows, y + view - 1) + 1 + more) };
}

/** Far below every browser's limit, also at a device pixel ratio of 2. */
export const SPACER_LIMIT = 6_000_000;

/** The list and the part of it on screen. */
export interface Extent {
  readonly content: number;
  readonly view: number;
}

/** `y`: the true place, from 0 to `lastY`. `top`: the scrollbar's, as the browser gave it. */
export interface ScrollPlace {
  readonly y: number;
  readonly top: number;
}

export function spacerHeight({ content }: Extent): number {
  return Math.min(content, SPACER_LIMIT);
}

/** The true place of the end of the list. */
export function lastY({ content, view }: Extent): number {
  return Math.max(0, content - view);
}

function lastTop(extent: Extent): number {
  return Math.max(0, spacerHeight(extent) - extent.view);
}

const clamp = (value: number, high: number) => Math.min(high, Math.max(0, value));

/** Near both ends the scrollbar moves as the list does, so that the ends are met exactly. */
const EXACT = 100_000;

/** Where the scrollbar belongs for a true place. */
export function topFor(extent: Extent, y: number): number {
  return between(clamp(y, lastY(extent)), lastY(extent), lastTop(extent));
}

/** The true place that belongs to a place of the scrollbar. */
function yFor(extent: Extent, top: number): number {
  return between(clamp(top, lastTop(extent)), lastTop(extent), lastY(extent));
}

/** From a line of one length to one of another: alike near both ends, stretched in between. */
function between(place: number, length: number, other: number): number {
  if (length === other) return place;
  const exact = Math.min(EXACT, length / 4, other / 4);
  if (place <= exact) return place;
  if (place >= length - exact) return other - (length - place);
  return exact + ((place - exact) / (length - 2 * exact)) * (other - 2 * exact);
}

/** The place after the browser moved the scrollbar to `top`. */
export function scrolled(extent: Extent, before: ScrollPlace, top: number): ScrollPlace {
  const end = lastY(extent);
  const endTop = lastTop(extent);
  if (endTop === 0) return { y: 0, top };
  // Without compression the scrollbar is the truth.
  if (end === endTop) return { y: clamp(top, end), top };
  const moved = top - before.top;
  const small = Math.abs(moved) <= 2 * extent.view;
  const y = small ? before.y + moved : yFor(extent, top);
  return { y: clamp(y, end), top };
}

/** Whether the scrollbar stands where more of the list lies, yet it cannot move that way. */
export function isStuck(extent: Extent, { y, top }: ScrollPlace): boolean {
  const atStart = top <= 0 && y > 0;
  const atEnd = top >= lastTop(extent) - 1 && y < lastY(extent) - 1;
  return atStart || atEnd;
}

/**
 * The place that shows the row wholly: unmoved if it is on screen, else as little as needed. `head`
 * covers the top now; `room` is left above a row that is brought in there.
 */
export function reveal(
  rows: Rows,
  extent: Extent,
  y: number,
  index: number,
  head = 0,
  room = head,
): number {
  const begin = offsetOf(rows, index);
  const end = offsetOf(rows, index + 1);
  if (begin - head < y) return clamp(begin - room, lastY(extent));
  if (end > y + extent.view) return clamp(end - extent.view, lastY(extent));
  return y;
}

/** The place that shows the row a third down. */
export function third(rows: Rows, extent: Extent, index: number): number {
  return clamp(offsetOf(rows, index) - Math.round(extent.view / 3), lastY(extent));
}
