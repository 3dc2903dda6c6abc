// Where chunks differ: which chunk is which, and which stretches of them say the same text, cut
// elsewhere.
import { likeness } from '../../model/replay/texts.ts';
import { best, LEAST_ALIKE, MOST_CELLS } from './alike.ts';
import type { Links } from './binding.ts';
import { alignTokens, type Stretch } from '../../lib/align.ts';
import type { DiffLane } from './lane.ts';
import type { Tokens } from './tokens.ts';

/** One side of a comparison: what it says, and the words of it. */
export interface LaneSide {
  readonly lane: DiffLane;
  readonly tokens: Tokens;
}

/** Links units of chunks that say the same text together: chunk by chunk, where they are cut alike. */
export function linkRuns(
  a: LaneSide,
  b: LaneSide,
  unit: number,
  other: number,
  links: Links,
): void {
  const [a0, a1] = [a.tokens.begins.get(unit), a.tokens.begins.get(unit + 1)];
  const [b0, b1] = [b.tokens.begins.get(other), b.tokens.begins.get(other + 1)];
  if (!isCutAlike(a, b, { a0, a1, b0, b1 })) return links.join({ a0, a1, b0, b1 });
  for (let at = 0; at < a1 - a0; at++) links.pair(a0 + at, b0 + at);
}

function isCutAlike(a: LaneSide, b: LaneSide, { a0, a1, b0, b1 }: Stretch): boolean {
  if (a1 - a0 !== b1 - b0) return false;
  if (a1 - a0 === 1) return true;
  let isSame = true;
  for (let at = 0; at < a1 - a0 && isSame; at++)
    isSame = a.lane.chunk(a0 + at) === b.lane.chunk(b0 + at);
  if (isSame) return true;
  const [one, two] = tokensOf(a, b, { a0, a1, b0, b1 });
  return one.every((token, at) => token === two[at]);
}

function tokensOf(a: LaneSide, b: LaneSide, { a0, a1, b0, b1 }: Stretch): [Int32Array, Int32Array] {
  return [
    a.tokens.ofEntries(a0, a1, (at) => a.lane.chunk(at)),
    b.tokens.ofEntries(b0, b1, (at) => b.lane.chunk(at)),
  ];
}

/**
 * Links what is the same in a gap with chunks on both sides: entry by entry, unless too few of them
 * are; a message that is cut otherwise is then one change. True: it gave up somewhere.
 */
export async function linkChunks(
  a: LaneSide,
  b: LaneSide,
  gap: Stretch,
  links: Links,
  pause: () => Promise<void>,
): Promise<boolean> {
  const [left, right] = [countOf(a, gap.a0, gap.a1), countOf(b, gap.b0, gap.b1)];
  if (left === 0 || right === 0) return false;
  const [one, two] = tokensOf(a, b, gap);
  const { partner, ...found } = await alignTokens(one, two, pause);
  let { gaveUp } = found;
  let same = 0;
  partner.forEach((other, at) => {
    if (other >= 0 && a.lane.chunk(gap.a0 + at) !== undefined) same++;
  });
  const few = same * 2 < Math.min(left, right) && Math.max(left, right) > 1;
  if (few && joinAlike(a, b, gap, links)) {
    for (const rest of links.gaps(gap))
      if (await linkChunks(a, b, rest, links, pause)) gaveUp = true;
    return gaveUp;
  }
  partner.forEach((other, at) => {
    if (other >= 0) links.pair(gap.a0 + at, gap.b0 + other);
  });
  for (const rest of links.gaps(gap)) if (saysSameText(a, b, rest)) links.join(rest);
  return gaveUp;
}

function countOf({ lane }: LaneSide, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (lane.chunk(at) !== undefined) count++;
  return count;
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly weak: string;
  readonly text: string;
}

/** Messages of a gap that are alike and cut otherwise, each as one. True: there are such. */
function joinAlike(a: LaneSide, b: LaneSide, gap: Stretch, links: Links): boolean {
  const [left, right] = [runsOf(a, gap.a0, gap.a1), runsOf(b, gap.b0, gap.b1)];
  if (left.length * right.length > MOST_CELLS) return false;
  const found = best(left.length, right.length, (i, j) => {
    const [one, two] = [left[i], right[j]];
    if (!one || one.weak !== two?.weak || one.to - one.from + two.to - two.from < 3) return 0;
    const value = likeness(one.text, two.text);
    return value < LEAST_ALIKE ? 0 : value;
  });
  for (const [i, j] of found) {
    const [one, two] = [left[i], right[j]];
    if (one && two) links.join({ a0: one.from, a1: one.to, b0: two.from, b1: two.to });
  }
  return found.length > 0;
}

function runsOf({ lane, tokens }: LaneSide, from: number, to: number): Run[] {
  const runs: Run[] = [];
  for (let at = from; at < to;) {
    const unit = tokens.unitOf.get(at);
    const end = Math.min(to, tokens.begins.get(unit + 1));
    if (tokens.isRun(unit))
      runs.push({
        from: at,
        to: end,
        weak: lane.entry(at)?.weak ?? '',
        text: textOf({ lane, tokens }, at, end),
      });
    at = end;
  }
  return runs;
}

function textOf({ lane }: LaneSide, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) text += lane.chunk(at) ?? '';
  return text;
}

/** All of it chunks of one message on each side. */
function saysSameText(a: LaneSide, b: LaneSide, { a0, a1, b0, b1 }: Stretch): boolean {
  const [left, right] = [a.tokens.unitOf.get(a0), b.tokens.unitOf.get(b0)];
  const isWhole =
    a.tokens.isRun(left) &&
    b.tokens.isRun(right) &&
    a.tokens.unitOf.get(a1 - 1) === left &&
    b.tokens.unitOf.get(b1 - 1) === right;
  return (
    isWhole &&
    a.tokens.heads.get(left) === b.tokens.heads.get(right) &&
    textOf(a, a0, a1) === textOf(b, b0, b1)
  );
}
