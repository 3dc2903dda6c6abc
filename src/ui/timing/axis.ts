// Time drawn from left to right: what happens by its length, stretches in which nobody waits at a fixed width.
import type { TimeStretch } from '../../model/performance/spent.ts';
import { niceStep } from '../timeline/strip/strip-shapes.ts';

/** What is drawn of a stretch that is folded. */
const GAP_PX = 28;
const TICK_PX = 90;

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly width: number;
  readonly folded: boolean;
}

export interface TimeAxis {
  readonly x: (time: number) => number;
  readonly timeAt: (x: number) => number;
  readonly gaps: readonly { readonly x: number; readonly width: number; readonly length: number }[];
  readonly ticks: readonly { readonly x: number; readonly at: number }[];
}

/** `idle`: ascending, none in another. */
export function timeAxis(
  from: number,
  to: number,
  idle: readonly TimeStretch[],
  width: number,
): TimeAxis {
  const pieces = piecesOf(from, to, foldedIn(from, to, idle, width), width);
  const at = (holds: (piece: Piece) => boolean) => pieces.findLast(holds) ?? pieces[0];
  const x = (time: number): number => {
    const piece = at((one) => one.from <= time);
    if (!piece) return 0;
    const span = piece.to - piece.from;
    const part = span > 0 ? (time - piece.from) / span : 0;
    return piece.x + Math.max(0, Math.min(1, part)) * piece.width;
  };
  const timeAt = (place: number): number => {
    const piece = at((one) => one.x <= place);
    if (!piece) return from;
    const part = piece.width > 0 ? (place - piece.x) / piece.width : 0;
    return piece.from + Math.max(0, Math.min(1, part)) * (piece.to - piece.from);
  };
  const gaps = pieces.filter(({ folded }) => folded);
  return {
    x,
    timeAt,
    gaps: gaps.map((gap) => ({ x: gap.x, width: gap.width, length: gap.to - gap.from })),
    ticks: ticksOf(pieces),
  };
}

/** Those that are longer than they would be drawn, the longest, on half of the width at most. */
function foldedIn(
  from: number,
  to: number,
  idle: readonly TimeStretch[],
  width: number,
): TimeStretch[] {
  const inside = idle.flatMap((one) => {
    const cut = { from: Math.max(from, one.from), to: Math.min(to, one.to) };
    return cut.to > cut.from ? [cut] : [];
  });
  const most = Math.floor(width / 2 / GAP_PX);
  const longest = inside.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, most);
  const busy = to - from - longest.reduce((sum, one) => sum + one.to - one.from, 0);
  const perPx = Math.max(busy, 1) / Math.max(1, width - longest.length * GAP_PX);
  return longest
    .filter((one) => one.to - one.from > GAP_PX * perPx)
    .sort((a, b) => a.from - b.from);
}

function piecesOf(
  from: number,
  to: number,
  folded: readonly TimeStretch[],
  width: number,
): Piece[] {
  const pieces: Piece[] = [];
  const busy = to - from - folded.reduce((sum, one) => sum + one.to - one.from, 0);
  const perMilli = (width - folded.length * GAP_PX) / Math.max(busy, 0.001);
  let [time, x] = [from, 0];
  const piece = (until: number, wide: number, isFolded: boolean): void => {
    pieces.push({ from: time, to: until, x, width: wide, folded: isFolded });
    time = until;
    x += wide;
  };
  for (const gap of folded) {
    piece(gap.from, (gap.from - time) * perMilli, false);
    piece(gap.to, GAP_PX, true);
  }
  piece(to, (to - time) * perMilli, false);
  return pieces;
}

function ticksOf(pieces: readonly Piece[]): TimeAxis['ticks'] {
  const open = pieces.filter(({ folded }) => !folded);
  const wide = open.reduce((sum, { width }) => sum + width, 0);
  const busy = open.reduce((sum, { from, to }) => sum + to - from, 0);
  if (wide <= 0 || busy <= 0) return [];
  const step = niceStep((busy / wide) * TICK_PX);
  const ticks: { x: number; at: number }[] = [];
  for (const { from, to, x, width } of open) {
    if (width < 1) continue;
    for (let n = Math.ceil(from / step); n * step <= to; n++) {
      const at = n * step;
      const place = x + ((at - from) / (to - from)) * width;
      if (place - (ticks.at(-1)?.x ?? -Infinity) >= TICK_PX * 0.8) ticks.push({ x: place, at });
      if (ticks.length > 100) return ticks;
    }
  }
  return ticks;
}
