// Which entries of two lanes belong together: those that say the same, then those that say the same
// of something that began otherwise, then what is of one kind and most alike between them.
import { jsonText } from '../../acp/json.ts';
import { alike, callOf, candidate } from './alike.ts';
import { linkChunks, linkRuns, type LaneSide } from './chunk-links.ts';
import type { DiffLane } from './lane.ts';
import { Links, turned, type Move } from './binding.ts';
import { alignTokens, type Stretch } from '../../lib/align.ts';
import type { Tokens } from './tokens.ts';
import { isUnordered } from './wire-order.ts';

export interface Pairings {
  readonly links: Links;
  readonly moved: readonly Move[];
  readonly gaveUp: boolean;
  readonly unrelated: boolean;
}

/** Of what the shorter side says, the part that both must say for the rest to be worth pairing. */
const LEAST_COMMON = 0.05;
/** What says less is always paired. */
const SHORT = 50;
/** Units of both sides between two pairs that are firm, of which all that is no firm pair is thought over. */
const MOST_DOUBT = 400;
/** Gaps between two pauses. */
const SLICE = 50;

/**
 * Where several ways are as short, the same one is taken whichever of the two is left: what is missing
 * from the one side is extra from the other.
 */
export async function pairingsOf(
  a: LaneSide,
  b: LaneSide,
  pause: () => Promise<void>,
): Promise<Pairings> {
  if (!isAfter(a.lane, b.lane)) return pairings(a, b, pause);
  const { links, moved, ...rest } = await pairings(b, a, pause);
  return { ...rest, links: links.turned(), moved: moved.map(turned) };
}

/** Any order will do that is the same from both sides. */
function isAfter(a: DiffLane, b: DiffLane): boolean {
  if (a.length !== b.length) return a.length > b.length;
  for (let at = 0; at < a.length; at++) {
    const [left, right] = [textAt(a, at), textAt(b, at)];
    if (left !== right) return left > right;
  }
  return false;
}

function textAt(lane: DiffLane, at: number): string {
  const entry = lane.entry(at);
  return entry ? jsonText(lane.read(entry)) : '';
}

async function pairings(a: LaneSide, b: LaneSide, pause: () => Promise<void>): Promise<Pairings> {
  const links = new Links(a.lane.length, b.lane.length);
  // Whoever holds one thing against one other wants to see what differs in it.
  if (a.lane.length === 1 && b.lane.length === 1) {
    links.pair(0, 0);
    return { links, moved: [], gaveUp: false, unrelated: false };
  }
  const unrelated = isUnrelated(a.tokens, b.tokens);
  let gaveUp = await linkUnits(a, b, !unrelated, links, pause);
  if (unrelated) return { links, moved: [], gaveUp, unrelated };
  let done = 0;
  for (const gap of links.gaps()) {
    if (done++ % SLICE === 0) await pause();
    if (await linkChunks(a, b, gap, links, pause)) gaveUp = true;
  }
  const free = { a: freeOf(links, 'a'), b: freeOf(links, 'b') };
  const passes = passingIn(a.lane, links);
  const moved = movedOf(a, b, free, passes);
  for (const { a0, a1, b0, b1 } of links.gaps()) {
    if (done++ % SLICE === 0) await pause();
    for (const [i, j] of alike(candidates(a, a0, a1, free.a), candidates(b, b0, b1, free.b))) {
      links.pair(i, j);
      free.a[i] = free.b[j] = 0;
    }
  }
  moved.push(...elsewhere(a, b, free));
  return { links, moved: await movesOf(passes, moved, pause), gaveUp, unrelated };
}

/** Whether what is moved stands at its place nevertheless, beside others that do. */
type Passes = (stretch: Stretch, kept?: readonly Stretch[]) => boolean;

/**
 * Where a client's frame stands depends on what the agent sent after it, of which a side may lack
 * some: what was moved across such a frame alone is at its place.
 */
function passingIn({ source, entry }: DiffLane, links: Links): Passes {
  const { columns } = source.index;
  const mayPass = (at: number, other: number) => {
    const [one, two] = [entry(at), entry(other)];
    return one !== undefined && two !== undefined && isUnordered(columns, one.first, two.first);
  };
  return ({ a0, a1, b0 }, kept = []) => {
    for (let at = a1; at < links.a; at++) {
      const other = links.partnerOf(at);
      if (other > b0) break;
      if (other >= 0 && !mayPass(a0, at)) return false;
    }
    for (let at = a0 - 1; at >= 0; at--) {
      const other = links.partnerOf(at);
      if (other >= 0 && other < b0) break;
      if (other >= 0 && !mayPass(a0, at)) return false;
    }
    return kept.every((other) => other.a0 < a0 === other.b0 < b0 || mayPass(a0, other.a0));
  };
}

async function movesOf(
  passes: Passes,
  moved: readonly Stretch[],
  pause: () => Promise<void>,
): Promise<Move[]> {
  const kept: Stretch[] = [];
  const moves: Move[] = [];
  for (const stretch of moved) {
    if (moves.length % SLICE === 0) await pause();
    const isFree = passes(stretch, kept);
    if (isFree) kept.push(stretch);
    moves.push({ ...stretch, isFree });
  }
  return moves;
}

/** Links what says the same; `all`: also of what began otherwise. True: it gave up somewhere. */
async function linkUnits(
  a: LaneSide,
  b: LaneSide,
  all: boolean,
  links: Links,
  pause: () => Promise<void>,
): Promise<boolean> {
  const [one, other] = [a.tokens, b.tokens];
  const strong = await alignTokens(one.strong.values(), other.strong.values(), pause);
  const { partner } = strong;
  let { gaveUp } = strong;
  if (all) {
    const isFirm = firmIn(one.strong.values(), other.strong.values(), Int32Array.from(partner));
    const fill = async ({ a0, a1, b0, b1 }: Stretch) => {
      const [left, right] = [one.wild.values(), other.wild.values()];
      const found = await alignTokens(left.subarray(a0, a1), right.subarray(b0, b1), pause);
      gaveUp ||= found.gaveUp;
      return found.partner.map((j) => (j < 0 ? j : b0 + j));
    };
    for (const gap of gapsOf(partner, other.length)) partner.set(await fill(gap), gap.a0);
    for (const doubt of gapsOf(partner, other.length, isFirm)) {
      if (doubt.a1 - doubt.a0 + doubt.b1 - doubt.b0 > MOST_DOUBT) continue;
      const found = await fill(doubt);
      const paired = (all: Int32Array) => all.reduce((sum, j) => sum + (j < 0 ? 0 : 1), 0);
      if (paired(found) > paired(partner.subarray(doubt.a0, doubt.a1)))
        partner.set(found, doubt.a0);
    }
  }
  partner.forEach((two, unit) => {
    if (two < 0) return;
    if (one.isRun(unit)) linkRuns(a, b, unit, two, links);
    else links.pair(one.begins.get(unit), other.begins.get(two));
  });
  return gaveUp;
}

/**
 * Pairs that no other could take the place of: of what says the same and began the same, and stands once
 * on each side. What stands there more often was paired with the first as well as with the right one.
 */
function firmIn(a: Int32Array, b: Int32Array, strong: Int32Array): (unit: number) => boolean {
  const most = mostOf(a, b);
  const [inA, inB] = [a, b].map((tokens) => {
    const times = new Uint8Array(most + 1);
    for (const token of tokens) times[token] = Math.min(2, (times[token] ?? 0) + 1);
    return times;
  });
  return (unit) => {
    const token = a[unit] ?? -1;
    return (strong[unit] ?? -1) >= 0 && inA?.[token] === 1 && inB?.[token] === 1;
  };
}

/** What lies between pairs, or those of them, and has something on both sides. */
function gapsOf(
  partner: Int32Array,
  length: number,
  counts: (unit: number) => boolean = () => true,
): Stretch[] {
  const gaps: Stretch[] = [];
  let [a0, b0] = [0, 0];
  for (let a1 = 0; a1 <= partner.length; a1++) {
    const b1 = a1 === partner.length ? length : (partner[a1] ?? -1);
    if (b1 < 0 || (a1 < partner.length && !counts(a1))) continue;
    if (a1 > a0 && b1 > b0) gaps.push({ a0, a1, b0, b1 });
    [a0, b0] = [a1 + 1, b1 + 1];
  }
  return gaps;
}

const mostOf = (...all: readonly Int32Array[]) =>
  all.reduce((top, tokens) => tokens.reduce((x, y) => Math.max(x, y), top), 0);

/** Of all that either says, next to nothing is said by both. What is said again counts once. */
function isUnrelated(a: Tokens, b: Tokens): boolean {
  const [left, right] = [a.wild.values(), b.wild.values()];
  const most = mostOf(left, right);
  const saidBy = new Uint8Array(most + 1);
  const entries = new Uint32Array(most + 1);
  for (const [tokens, side, who] of [
    [a, left, 1],
    [b, right, 2],
  ] as const)
    side.forEach((token, unit) => {
      saidBy[token] = (saidBy[token] ?? 0) | who;
      entries[token] = tokens.begins.get(unit + 1) - tokens.begins.get(unit);
    });
  const counts = [0, 0, 0, 0];
  saidBy.forEach((who, token) => {
    counts[who] = (counts[who] ?? 0) + (entries[token] ?? 0);
  });
  const [, onlyA = 0, onlyB = 0, both = 0] = counts;
  const fewer = Math.min(onlyA, onlyB) + both;
  return fewer >= SHORT && both < fewer * LEAST_COMMON;
}

/** 1 for entries of a side that belong to nothing yet. */
interface Free {
  readonly a: Uint8Array;
  readonly b: Uint8Array;
}

function freeOf(links: Links, side: 'a' | 'b'): Uint8Array {
  const free = new Uint8Array(links[side]);
  for (const { a0, a1, b0, b1 } of links.between())
    if (side === 'a') free.fill(1, a0, a1);
    else free.fill(1, b0, b1);
  return free;
}

function candidates({ lane, tokens }: LaneSide, from: number, to: number, free: Uint8Array) {
  const said = tokens.ofEntries(from, to, (at) => lane.chunk(at));
  return [...said].flatMap((token, i) =>
    free[from + i] === 1 ? (candidate(lane, from + i, token) ?? []) : [],
  );
}

/** What is left a few times and says the same is only looked at where it may stand at its place. */
const FEW = 8;

/** What is left once on each side and says the same, or stands at its place; no longer free then. */
function movedOf(a: LaneSide, b: LaneSide, free: Free, passes: Passes): Stretch[] {
  const left = ({ lane, tokens }: LaneSide, isFree: Uint8Array) => {
    const units = new Map<number, number[]>();
    for (let unit = 0; unit < tokens.length; unit++) {
      const [from, to] = [tokens.begins.get(unit), tokens.begins.get(unit + 1)];
      if (isFree[from] !== 1 || isFree.subarray(from, to).includes(0)) continue;
      if (to - from === 1 && lane.entry(from)?.movable !== true) continue;
      const token = tokens.strong.get(unit);
      const known = units.get(token);
      if (known) known.push(unit);
      else units.set(token, [unit]);
    }
    return units;
  };
  const stretch = (unit: number, other: number): Stretch => ({
    ...{ a0: a.tokens.begins.get(unit), a1: a.tokens.begins.get(unit + 1) },
    ...{ b0: b.tokens.begins.get(other), b1: b.tokens.begins.get(other + 1) },
  });
  const inB = left(b, free.b);
  const moved: Stretch[] = [];
  for (const [token, units] of left(a, free.a)) {
    const others = inB.get(token) ?? [];
    const isOne = units.length === 1 && others.length === 1;
    if (!isOne && Math.max(units.length, others.length) > FEW) continue;
    for (const unit of units) {
      const at = others.findIndex((other) => isOne || passes(stretch(unit, other)));
      const [other] = at < 0 ? [] : others.splice(at, 1);
      if (other === undefined) continue;
      const found = stretch(unit, other);
      moved.push(found);
      free.a.fill(0, found.a0, found.a1);
      free.b.fill(0, found.b0, found.b1);
    }
  }
  return moved;
}

/**
 * What is left once on each side of a kind that is no mere text, or of one tool call: the same thing,
 * changed and moved.
 */
function elsewhere(a: LaneSide, b: LaneSide, free: Free): Stretch[] {
  const left = ({ lane }: LaneSide, isFree: Uint8Array) => {
    const places = new Map<string, number>();
    isFree.forEach((one, at) => {
      const entry = one === 1 ? lane.entry(at) : undefined;
      if (!entry?.movable) return;
      const name = entry.loose ? callOf(lane, entry) : '';
      if (name === undefined) return;
      const key = entry.weak + name;
      places.set(key, places.has(key) ? -1 : at);
    });
    return places;
  };
  const inB = left(b, free.b);
  const found: Stretch[] = [];
  for (const [weak, i] of left(a, free.a)) {
    const j = inB.get(weak) ?? -1;
    if (i >= 0 && j >= 0) found.push({ a0: i, a1: i + 1, b0: j, b1: j + 1 });
  }
  return found;
}
