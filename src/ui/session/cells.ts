// Where the cells of a strip are, in pixels: the same for every row of a session.
import type { Scale } from '../../state/session/hub-rows.ts';

/** From this width on a cell has its glyph, and from this one on an edge of its own. */
export const GLYPH = 16;
export const EDGED = 7;
const WIDEST = 26;

export interface CellLayout {
  /** Width of a cell, its space to the next one included. */
  readonly cell: number;
  /** Left edge of the item at a place; a turn begins after a gap. */
  readonly left: (at: number) => number;
  /** The item at a distance from the left edge of the strip. */
  readonly itemAt: (x: number) => number;
}

export function cellLayout({ room, turns }: Scale, width: number): CellLayout {
  const begins = turns.filter((at) => at > 0);
  const wished = Math.min(WIDEST, width / Math.max(1, room));
  const gap = wished >= GLYPH ? 10 : wished >= EDGED ? 4 : 1;
  const gaps = Math.min(gap * begins.length, width / 4);
  const cell = Math.min(WIDEST, Math.max(0, width - gaps) / Math.max(1, room));
  const left = (at: number) =>
    at * cell + (begins.filter((one) => one <= at).length * gaps) / Math.max(1, begins.length);
  return {
    cell,
    left,
    itemAt(x) {
      let at = 0;
      while (at + 1 < room && left(at + 1) <= x) at++;
      return at;
    },
  };
}
