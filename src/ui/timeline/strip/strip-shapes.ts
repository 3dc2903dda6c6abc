// The drawing of the density strip as paths: one path a colour, not an element a bar.
import type { LaneBlock, Lanes } from '../../../model/timeline/lanes.ts';
import type { DensityView } from '../../../model/timeline/density.ts';
import { formatSpan } from '../../../lib/format-time.ts';
import { bucketAt } from '../../../state/timeline/density.svelte.ts';

export const BUCKET_PX = 4;
/** The marks of findings, 6 px wide, from where each begins: octagon, triangle, ring. */
const FINDING_SHAPES = {
  error: { x: 2, y: 0, d: 'h2l2 2v2l-2 2h-2l-2-2v-2z' },
  warning: { x: 3, y: 0, d: 'l3 6h-6z' },
  hint: { x: 1, y: 3, d: 'a2 2 0 1 0 4 0a2 2 0 1 0-4 0' },
} as const;
const MARK_SHAPE = 'h6v8l-3-2.5l-3 2.5z';
export type MarkedSeverity = keyof typeof FINDING_SHAPES;
export const MARKED: readonly MarkedSeverity[] = ['hint', 'warning', 'error'];

/** Heights of the parts, from the top: tape, bars, ticks of the client, time. */
interface StripRows {
  readonly base: number;
  readonly bar: number;
  readonly tick: number;
}

/** Bars above the base line, logarithmic. */
export function bars(
  counts: Uint32Array,
  { base, bar }: Pick<StripRows, 'base' | 'bar'>,
  most: number,
): string {
  let path = '';
  const full = Math.log(1 + most);
  for (const [i, count] of counts.entries()) {
    if (count === 0) continue;
    const height = 2 + ((bar - 2) * Math.log(1 + count)) / full;
    path += `M${i * BUCKET_PX + 2} ${base}v-${height.toFixed(1)}`;
  }
  return path;
}

/** Lines at `y` over the buckets with frames; `only` picks the buckets. */
export function textLines(
  counts: Uint32Array,
  y: number,
  only: (bucket: number) => boolean,
): string {
  let path = '';
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === 0 || !only(i)) continue;
    const from = i;
    while ((counts[i + 1] ?? 0) > 0 && only(i + 1)) i++;
    path += `M${from * BUCKET_PX} ${y}h${(i + 1 - from) * BUCKET_PX - 1}`;
  }
  return path;
}

/** Ticks below the base line. */
export function ticks(
  counts: Uint32Array,
  { base, tick }: Pick<StripRows, 'base' | 'tick'>,
): string {
  let path = '';
  for (const [i, count] of counts.entries())
    if (count > 0) path += `M${i * BUCKET_PX + 2} ${base + 1}v${tick}`;
  return path;
}

interface TimeTick {
  readonly x: number;
  readonly label?: string;
}

const NICE = [1, 2, 5];
const TICK_PX = 50;
const LABEL_PX = 64;
/** From a label to the next tick: the label's own room. */
const BARE_PX = 36;
/** Of a label, from its tick. */
const [LETTER_PX, BEFORE_PX] = [6.6, 3];

/** The least round number of milliseconds that is no less. */
export function niceStep(least: number): number {
  for (let unit = 1; ; unit *= 10)
    for (const step of NICE) {
      // Above ten seconds time goes by sixties.
      const value = unit * step >= 20_000 ? sixties(least) : unit * step;
      if (value >= least) return value;
    }
}

function sixties(least: number): number {
  const steps = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200].map(
    (seconds) => seconds * 1000,
  );
  return steps.find((step) => step >= least) ?? Math.ceil(least / 86_400_000) * 86_400_000;
}

function label(at: number, step: number): string {
  if (at === 0) return '0 s';
  if (step >= 1000) return at < 60_000 ? `${Math.round(at / 1000)} s` : formatSpan(at);
  return `${Math.round(at) / 1000} s`;
}

/** Where round times begin. Buckets of folded silence have none, and no label runs into them or out of sight. */
export function timeTicks({ starts, silences, to }: DensityView): TimeTick[] {
  const silent = (bucket: number) =>
    silences.some((fold) => fold.bucket <= bucket && bucket < fold.bucket + fold.buckets);
  const plain = Array.from(starts.keys()).find((bucket) => !silent(bucket)) ?? 0;
  const perBucket = (starts[plain + 1] ?? to) - (starts[plain] ?? 0);
  const step = niceStep(Math.max(1, (perBucket * TICK_PX) / BUCKET_PX));
  /** Where the room for a label at `x` ends. */
  const roomEnd = (x: number) =>
    silences.reduce(
      (end, { bucket }) => (bucket * BUCKET_PX >= x ? Math.min(end, bucket * BUCKET_PX) : end),
      starts.length * BUCKET_PX,
    );
  const found: TimeTick[] = [];
  let labelled = -Infinity;
  for (let i = 0; i < starts.length; i++) {
    const at = Math.ceil(((starts[i] ?? 0) - 1e-6) / step) * step;
    const end = starts[i + 1] ?? to;
    if (silent(i) || at >= end) continue;
    const begin = starts[i] ?? 0;
    const x = (i + (at - begin) / Math.max(1e-9, end - begin)) * BUCKET_PX;
    const words = label(at, step);
    const fits = x + BEFORE_PX + words.length * LETTER_PX <= roomEnd(x);
    if (fits && x - labelled >= LABEL_PX) {
      found.push({ x, label: words });
      labelled = x;
    } else if (x - (found.at(-1)?.x ?? -Infinity) >= BARE_PX) found.push({ x });
  }
  return found;
}

/** The marks of one severity, with their tops at `y`: of those that would touch the first, and a line on from it. */
export function findingMarks(
  findings: DensityView['findings'],
  severity: MarkedSeverity,
  y: number,
): string {
  const { x: dx, y: dy, d } = FINDING_SHAPES[severity];
  let path = '';
  let before = -Infinity;
  for (const { bucket, worst } of findings) {
    if (worst !== severity) continue;
    const x = bucket * BUCKET_PX - 1;
    path += bucket - before > 1 ? `M${x + dx} ${y + dy}${d}` : `M${x - 1} ${y + 2}h4v2h-4z`;
    before = bucket;
  }
  return path;
}

/** Lines from top to base where nothing ran. */
export function sleepMarks(
  sleeps: DensityView['sleeps'],
  { base }: Pick<StripRows, 'base'>,
): string {
  return sleeps.map(({ bucket }) => `M${bucket * BUCKET_PX + 2} 0v${base}`).join('');
}

/** A person's marks, as the bookmarks they are in rows, with their tops at `y`. */
export function markShapes(marks: DensityView['marks'], y: number): string {
  return marks.map((bucket) => `M${bucket * BUCKET_PX - 1} ${y}${MARK_SHAPE}`).join('');
}

/** The sign of a start, an end or a crash of the agent, around `x` with its top at `y`: play, stop, octagon. */
export function endShape(kind: Lanes['ends'][number]['kind'], x: number, y: number): string {
  if (kind === 'crash') return `M${x - 2} ${y}h4l3 3v4l-3 3h-4l-3-3v-4z`;
  return kind === 'start' ? `M${x - 3} ${y}v8l7-4z` : `M${x - 3} ${y}h6v6h-6z`;
}

/** A block and its label, in pixels from the left. */
export interface PlacedBlock {
  readonly block: LaneBlock;
  readonly x: number;
  readonly width: number;
  /** Absent: there is no room for one. */
  readonly label?: { readonly x: number; readonly room: number; readonly hasWords: boolean };
}

const MIN_BLOCK_PX = 3;
/** A question always has room for its sign. */
const ASK_PX = 16;
const SIGN_PX = 16;
/** The first words of a prompt; a sign with the kind of a tool call. */
const WORDS_PX = { prompt: 30, tool: 40 } as const;
const PAD_PX = 3;

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Where the blocks of a lane are drawn. A label is in its block if it has room there, else after it; it is over
 * no other label, no question, and not over the edge.
 */
export function placedBlocks(blocks: readonly LaneBlock[], buckets: number): PlacedBlock[] {
  const end = buckets * BUCKET_PX;
  const nextOf = (i: number, isAsk: boolean): number => {
    const next = blocks.slice(i + 1).find(({ kind }) => (kind === 'ask') === isAsk);
    return next ? next.from * BUCKET_PX : end;
  };
  const drawn = blocks.map((block, i) => {
    const isAsk = block.kind === 'ask';
    const x = block.from * BUCKET_PX;
    const wide = Math.max(MIN_BLOCK_PX, (block.to - block.from + 1) * BUCKET_PX - 1);
    const next = nextOf(i, isAsk);
    return { block, x, next, width: isAsk ? Math.max(wide, Math.min(ASK_PX, next - x)) : wide };
  });
  const asks = drawn.filter(({ block }) => block.kind === 'ask');
  return drawn.map(({ block, x, width, next }) => {
    if (block.kind === 'ask') {
      const isLabelled = Math.min(width, next - x) >= ASK_PX;
      return {
        block,
        x,
        width,
        ...(isLabelled && { label: { x: x + 1, room: 14, hasWords: false } }),
      };
    }
    const isPrompt = block.kind === 'prompt';
    // Nothing else is drawn after a prompt: its words may go on.
    const limit = isPrompt ? next : Math.min(x + width, next);
    const inside = { from: x + PAD_PX + 1, to: limit - PAD_PX };
    const after = { from: x + width + PAD_PX, to: next - PAD_PX };
    const least = isPrompt ? WORDS_PX.prompt : SIGN_PX;
    const place = [inside, after]
      .map((stretch) => longestFree(stretch, asks))
      .find(({ from, to }) => to - from >= least);
    if (!place) return { block, x, width };
    const room = place.to - place.from;
    const hasWords = room >= WORDS_PX[block.kind] && (block.words ?? '') !== '';
    return { block, x, width, label: { x: place.from, room, hasWords } };
  });
}

/** The longest part of a stretch that no question is drawn over. */
function longestFree(
  { from, to }: Stretch,
  asks: readonly { readonly x: number; readonly width: number }[],
): Stretch {
  let longest = { from, to: from };
  let begin = from;
  for (const { x, width } of [...asks, { x: to + 1, width: 0 }]) {
    const until = Math.min(to, x - 1);
    if (until - begin > longest.to - longest.from) longest = { from: begin, to: until };
    begin = Math.max(begin, x + width + 1);
  }
  return longest;
}

const MIN_BAR_PX = 2;

/** A bar on the time that the strip shows, drawn `width` pixels wide. Undefined: it is at another time. */
export function barIn(
  facts: Pick<DensityView, 'starts' | 'from' | 'to'>,
  { from, to }: Stretch,
  width: number,
): { readonly x: number; readonly width: number } | undefined {
  if (!(from <= facts.to && to >= facts.from)) return undefined;
  const place = (time: number) => (bucketAt(facts, time) * width) / facts.starts.length;
  const begin = place(Math.max(from, facts.from));
  const wide = Math.max(MIN_BAR_PX, place(Math.min(to, facts.to)) - begin);
  return { x: Math.min(begin, width - wide), width: wide };
}
