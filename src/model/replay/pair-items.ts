// Which item of one conversation is which of another: by id, then by what they say, then by what
// they nearly say, always in order first; what has no partner in order may have one elsewhere.
import { align, nthWithNth, type Pair } from '../../lib/align.ts';
import { bare } from '../facts/message-text.ts';
import type { Extra } from './judge.ts';
import { isWithin, likeness } from './texts.ts';
import type { FieldValue, NormalFields, NormalItem } from './normal-form.ts';

/** Several on one side: a message was split or merged. */
export interface Pairing {
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly by: 'id' | 'content' | 'likeness' | 'none';
  /** Not where its neighbours are. Plans and terminals have no place to lose. */
  readonly moved: boolean;
}

export type Paired = Pick<NormalItem, 'kind' | 'id' | 'turn' | 'fields'>;
type Items = readonly Paired[];

/** Gaps with more to compare are paired in order only. */
const MOST_TRIED = 40_000;
const ALIKE = 0.5;

/** In the order of `a`, with what only `b` has where it stands there. Every item is in one pairing. */
export function pairItems(a: Items, b: Items): Pairing[] {
  const byId = idPairs(a, b);
  const tokens = tokensOf(a, b, byId);
  const taken = new Taken(a.length, b.length);
  const isById = new Map(byId);
  const inOrder = aligned(tokens, a, b);
  const pairings: Pairing[] = [];
  for (const [i, j] of inOrder) {
    taken.take([i], [j]);
    pairings.push({ a: [i], b: [j], by: isById.get(i) === j ? 'id' : 'content', moved: false });
  }
  // A message that came in several pieces has its pieces beside the one that has its id.
  const joined = pairings.map((pairing) => withPieces(pairing, a, b, taken));
  const elsewhere: Pairing[] = [];
  const alsoTake = ([i, j]: Pair, by: Pairing['by']) => {
    if (taken.a(i) || taken.b(j)) return;
    taken.take([i], [j]);
    elsewhere.push({ a: [i], b: [j], by, moved: hasPlace(a[i]) });
  };
  for (const pair of byId) alsoTake(pair, 'id');
  const near = gaps(inOrder, a.length, b.length).flatMap((gap) => alike(gap, a, b, taken));
  const [restA, restB] = [free(tokens.a, taken.aTaken, -1), free(tokens.b, taken.bTaken, -2)];
  for (const pair of nthWithNth(restA, restB)) alsoTake(pair, 'content');
  for (const pair of plansByTurn([...joined, ...near], a, b)) alsoTake(pair, 'likeness');
  return merged([...joined, ...near], elsewhere, a.length, b.length, taken);
}

function hasPlace(item: Paired | undefined): boolean {
  return item !== undefined && item.kind !== 'plan' && item.kind !== 'terminal';
}

/** Pairs of equal tokens in order, of what has a place. */
function aligned(
  tokens: { readonly a: readonly number[]; readonly b: readonly number[] },
  a: Items,
  b: Items,
): Pair[] {
  const places = (items: Items) => items.flatMap((item, at) => (hasPlace(item) ? [at] : []));
  const [inA, inB] = [places(a), places(b)];
  const pairs = align(
    inA.map((at) => tokens.a[at] ?? -1),
    inB.map((at) => tokens.b[at] ?? -2),
  );
  return pairs.map(([i, j]): Pair => [inA[i] ?? -1, inB[j] ?? -1]);
}

/** v1: a turn has one plan, and no id tells which; of several that v2 has, it is the last. */
function plansByTurn(pairings: readonly Pairing[], a: Items, b: Items): Pair[] {
  const plans = new Map<number, number[]>();
  a.forEach(({ kind, turn }, at) => {
    if (kind === 'plan') plans.set(turn, [...(plans.get(turn) ?? []), at]);
  });
  if (plans.size === 0) return [];
  const turns = new Map<number, number>();
  for (const {
    a: [i = -1],
    b: [j = -1],
  } of pairings) {
    const [mine, theirs] = [a[i], b[j]];
    if (mine && theirs) turns.set(theirs.turn, mine.turn);
  }
  return b.flatMap((item, j): Pair[] => {
    if (item.kind !== 'plan') return [];
    const known = plans.get(turns.get(item.turn) ?? -1) ?? [];
    const i = known.findLast((at) => item.id === undefined || a[at]?.id === undefined);
    return i === undefined ? [] : [[i, j]];
  });
}

class Taken {
  readonly aTaken: boolean[];
  readonly bTaken: boolean[];

  constructor(a: number, b: number) {
    this.aTaken = new Array<boolean>(a).fill(false);
    this.bTaken = new Array<boolean>(b).fill(false);
  }
  a(at: number): boolean {
    return this.aTaken[at] ?? true;
  }
  b(at: number): boolean {
    return this.bTaken[at] ?? true;
  }
  take(a: readonly number[], b: readonly number[]): void {
    for (const at of a) this.aTaken[at] = true;
    for (const at of b) this.bTaken[at] = true;
  }
}

function free(tokens: readonly number[], taken: readonly boolean[], none: number): number[] {
  return tokens.map((token, at) => (taken[at] ? none : token));
}

/** One id may name several pieces: the first with the first. */
function idPairs(a: Items, b: Items): Pair[] {
  const places = new Map<string, number[]>();
  const nameOf = ({ kind, id }: Paired) => (id === undefined ? undefined : `${kind} ${id}`);
  b.forEach((item, at) => {
    const name = nameOf(item);
    if (name !== undefined) places.set(name, [...(places.get(name) ?? []), at]);
  });
  return a.flatMap((item, at): Pair[] => {
    const name = nameOf(item);
    const other = name === undefined ? undefined : places.get(name)?.shift();
    return other === undefined ? [] : [[at, other]];
  });
}

function tokensOf(a: Items, b: Items, byId: readonly Pair[]) {
  const tokens = new Map<string, number>();
  const token = (key: string) => {
    const known = tokens.get(key) ?? tokens.size;
    tokens.set(key, known);
    return known;
  };
  const [inA, inB] = [new Array<number>(a.length), new Array<number>(b.length)];
  byId.forEach(([i, j], at) => {
    inA[i] = inB[j] = -1 - at;
  });
  a.forEach((item, at) => (inA[at] ??= token(contentKey(item))));
  b.forEach((item, at) => (inB[at] ??= token(contentKey(item))));
  return { a: inA, b: inB };
}

/** Of fields that are held against one replay after another. */
const keys = new WeakMap<NormalFields, string>();

/** What an item says, without what may differ in every connection. */
function contentKey({ kind, fields }: Paired): string {
  const known = keys.get(fields);
  if (known !== undefined) return known;
  const said = kind === 'tool' ? ['title', 'kind', 'rawInput'] : [...fields.keys()];
  const key = [kind, ...said.map((name) => `${name} ${valueKey(fields.get(name))}`)].join('\n');
  keys.set(fields, key);
  return key;
}

/** True if two items say the same, whatever their ids. */
export function saysSame(a: Paired, b: Paired): boolean {
  return contentKey(a) === contentKey(b);
}

function valueKey(value: FieldValue | undefined): string {
  switch (value?.type) {
    case undefined:
      return '';
    case 'text':
      return bare(value.text);
    case 'word':
      return value.word;
    case 'json':
      return JSON.stringify(value.value);
  }
}

export function itemText({ fields }: Pick<NormalItem, 'fields'>): string {
  const value = fields.get('text') ?? fields.get('title') ?? fields.get('command');
  return value?.type === 'text' ? value.text : '';
}

/** It has a piece elsewhere in the same replay: more of what that told under this id was said nowhere else. */
export function isFurtherPiece<I extends Pick<Paired, 'kind' | 'id'>>(
  item: I,
  replayed: readonly I[],
): boolean {
  const { kind, id } = item;
  return (
    id !== undefined && replayed.some((one) => one !== item && one.id === id && one.kind === kind)
  );
}

/**
 * What `judgeExtra` asks of an item of a replay that nothing live is held against. `asked`: tool calls
 * that asked for a permission live, and whether it was given.
 */
export function extraOf<I extends Paired>(
  item: I,
  replayed: readonly I[],
  asked: ReadonlyMap<string, boolean> | undefined,
): Extra {
  const { kind, id } = item;
  const text = itemText(item);
  const isSame = (one: I) =>
    one !== item && one.kind === kind && one.id === id && itemText(one) === text;
  const isAgain = isMessage(item) && text !== '' && replayed.some(isSame);
  const isGiven = kind === 'tool' && id !== undefined ? asked?.get(id) : undefined;
  const status = item.fields.get('status');
  const hasRun = status?.type === 'word' && status.word === 'completed';
  return {
    ...{ kind, text, isEmpty: item.fields.size === 0, isAgain },
    asked: isGiven === undefined ? undefined : hasRun && !isGiven ? 'refused' : 'asked',
  };
}

function isMessage({ kind }: Paired): boolean {
  return kind === 'user' || kind === 'agent' || kind === 'thought' || kind === 'peer';
}

/** Takes neighbours of its role on the side that says less, as long as they make up the other. */
function withPieces(pairing: Pairing, a: Items, b: Items, taken: Taken): Pairing {
  const [i = 0] = pairing.a;
  const [j = 0] = pairing.b;
  const [mine, theirs] = [a[i], b[j]];
  if (!mine || !theirs || !isMessage(mine) || itemText(mine) === itemText(theirs)) return pairing;
  const pieces = piecesOf(a, i, b[j], (at) => taken.a(at));
  if (pieces.length > 1) {
    taken.take(pieces, []);
    return { ...pairing, a: pieces };
  }
  const others = piecesOf(b, j, a[i], (at) => taken.b(at));
  if (others.length < 2) return pairing;
  taken.take([], others);
  return { ...pairing, b: others };
}

/** Far enough for a message that tool calls stand in. */
const REACH = 40;

function piecesOf(
  items: Items,
  from: number,
  whole: Paired | undefined,
  isTaken: (at: number) => boolean,
): number[] {
  const first = items[from];
  if (!first || !whole || !isMessage(whole)) return [];
  const wanted = bare(itemText(whole));
  let joined = bare(itemText(first));
  const pieces = [from];
  for (let at = from + 1; at < Math.min(items.length, from + REACH); at++) {
    if (joined.length >= wanted.length) break;
    const item = items[at];
    if (!item || item.kind !== whole.kind || isTaken(at)) continue;
    const next = joined + bare(itemText(item));
    if (next === joined) continue;
    if (!wanted.startsWith(next)) break;
    joined = next;
    pieces.push(at);
  }
  return joined === wanted ? pieces : [];
}

interface Gap {
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

function gaps(inOrder: readonly Pair[], a: number, b: number): Gap[] {
  const found: Gap[] = [];
  let [i, j] = [0, 0];
  for (const [ai, bi] of [...inOrder, [a, b] as const]) {
    if (ai > i && bi > j) found.push({ a: [i, ai], b: [j, bi] });
    [i, j] = [ai + 1, bi + 1];
  }
  return found;
}

/** What is left between two pairs: pieces of each other, or alike. */
function alike({ a: [a0, a1], b: [b0, b1] }: Gap, a: Items, b: Items, taken: Taken): Pairing[] {
  const left = range(a0, a1).filter((at) => !taken.a(at));
  const right = range(b0, b1).filter((at) => !taken.b(at));
  const isMany = left.length * right.length > MOST_TRIED;
  const found: Pairing[] = [];
  let from = 0;
  for (const i of left) {
    const item = a[i];
    if (!item || taken.a(i)) continue;
    const until = isMany ? Math.min(right.length, from + 8) : right.length;
    let best = -1;
    let most = ALIKE;
    for (let at = from; at < until; at++) {
      const j = right[at] ?? -1;
      const other = b[j];
      if (!other || taken.b(j) || other.kind !== item.kind || !hasPlace(item)) continue;
      const how = likenessOf(item, other);
      if (how <= most) continue;
      [best, most] = [at, how];
    }
    const j = right[best];
    if (j === undefined) continue;
    taken.take([i], [j]);
    found.push(withPieces({ a: [i], b: [j], by: 'likeness', moved: false }, a, b, taken));
    from = best + 1;
  }
  return found;
}

function likenessOf(one: Paired, other: Paired): number {
  const [a, b] = [itemText(one), itemText(other)];
  if (isMessage(one)) {
    const [x, y] = [bare(a), bare(b)];
    const [short, long] = x.length < y.length ? [x, y] : [y, x];
    const isPart = short !== '' && (isWithin(short, long) || long.startsWith(short));
    return isPart ? 1 : likeness(a, b);
  }
  const sameInput = valueKey(one.fields.get('rawInput')) === valueKey(other.fields.get('rawInput'));
  return sameInput && one.fields.has('rawInput') ? 1 : likeness(a, b);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

/** Everything in the order of `a`; what only `b` has comes behind what stands before it there. */
function merged(
  inOrder: readonly Pairing[],
  elsewhere: readonly Pairing[],
  a: number,
  b: number,
  taken: Taken,
): Pairing[] {
  const byA = new Map<number, Pairing>();
  for (const pairing of [...inOrder, ...elsewhere]) byA.set(pairing.a[0] ?? -1, pairing);
  const isElsewhere = new Set(elsewhere);
  const rows: Pairing[] = [];
  let j = 0;
  const extras = (until: number) => {
    for (; j < until; j++) if (!taken.b(j)) rows.push({ a: [], b: [j], by: 'none', moved: false });
  };
  for (let i = 0; i < a; i++) {
    const pairing = byA.get(i);
    if (!pairing) {
      if (!taken.a(i)) rows.push({ a: [i], b: [], by: 'none', moved: false });
      continue;
    }
    if (!isElsewhere.has(pairing)) extras(pairing.b[0] ?? j);
    rows.push(pairing);
  }
  extras(b);
  return rows;
}
