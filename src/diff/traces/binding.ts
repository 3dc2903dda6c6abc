// Which real value of one side is which of the other: what stands at the same place of paired entries
// is one thing, most votes first. Each gets one name, by first appearance.
import type { Pair, Stretch } from '../../lib/align.ts';
import { defined } from '../../lib/defined.ts';
import { grouped } from '../../lib/grouped.ts';
import type { Alias } from './report/report.ts';
import type { RealValues, Tokens } from './tokens.ts';
import { ALIAS_KINDS, type AliasKind } from '../../model/sessions/compare-terms.ts';

// What of one side belongs to what of the other: entries in pairs, and stretches of chunks that are
// told as one. All of them ascend on both sides.

/** What is the same on both sides, at places that cross those. */
export interface Move extends Stretch {
  /** It crosses only what it may cross on the wire: no order was broken. */
  readonly isFree: boolean;
}

/** The same from the other side. */
export function turned<S extends Stretch>(stretch: S): S {
  const { a0, a1, b0, b1 } = stretch;
  return { ...stretch, a0: b0, a1: b1, b0: a0, b1: a1 };
}

export class Links {
  /** How many entries each side has. */
  readonly a: number;
  readonly b: number;
  /** By entry of `a`: the entry of `b` that it is paired with, or where a stretch begins; -1: none. */
  readonly #partner: Int32Array;
  /** By its first entry of `a`. */
  readonly #joint = new Map<number, Stretch>();

  constructor(a: number, b: number) {
    this.a = a;
    this.b = b;
    this.#partner = new Int32Array(a).fill(-1);
  }

  pair(i: number, j: number): void {
    this.#partner[i] = j;
  }

  join(stretch: Stretch): void {
    this.#partner[stretch.a0] = stretch.b0;
    this.#joint.set(stretch.a0, stretch);
  }

  /** -1: none, or it stands inside of a stretch. */
  partnerOf(i: number): number {
    return this.#partner[i] ?? -1;
  }

  jointAt(i: number): Stretch | undefined {
    return this.#joint.size === 0 ? undefined : this.#joint.get(i);
  }

  /** The same from the other side. */
  turned(): Links {
    const links = new Links(this.b, this.a);
    this.#partner.forEach((other, at) => {
      if (other < 0) return;
      const joint = this.jointAt(at);
      if (joint) links.join(turned(joint));
      else links.pair(other, at);
    });
    return links;
  }

  /** What lies between links, from one entry of each side on; also where one side has nothing. */
  *between({ a0, a1, b0, b1 }: Stretch = this.#all): Generator<Stretch> {
    let [i, j] = [a0, b0];
    for (let at = a0; at < a1; at++) {
      const other = this.partnerOf(at);
      if (other < 0) continue;
      if (at > i || other > j) yield { a0: i, a1: at, b0: j, b1: other };
      const joint = this.jointAt(at);
      [i, j] = joint ? [joint.a1, joint.b1] : [at + 1, other + 1];
      at = i - 1;
    }
    if (a1 > i || b1 > j) yield { a0: i, a1, b0: j, b1 };
  }

  /** As `between`, where both sides have something. */
  gaps(within?: Stretch): Stretch[] {
    return [...this.between(within)].filter(({ a0, a1, b0, b1 }) => a1 > a0 && b1 > b0);
  }

  get #all(): Stretch {
    return { a0: 0, a1: this.a, b0: 0, b1: this.b };
  }
}

export interface AliasTable {
  readonly aliases: readonly Alias[];
  /** Names by number of the real value, on each side. */
  readonly a: readonly string[];
  readonly b: readonly string[];
}

const CERTAIN = 4;
const LIKELY = 1;

/** By what is linked, and moved. */
export function bind(a: Tokens, b: Tokens, links: Links, moved: readonly Stretch[]): AliasTable {
  const votes = new Map<number, number>();
  const width = b.values.reals.length + 1;
  const vote = (x: number, y: number, weight: number) => {
    if (a.values.kinds[x] !== b.values.kinds[y]) return;
    const key = x * width + y;
    votes.set(key, (votes.get(key) ?? 0) + weight);
  };
  const hold = (unit: number, other: number) => {
    if (a.wild.get(unit) !== b.wild.get(other)) {
      for (const [x, y] of inStep(a, b, unit, other)) vote(x, y, LIKELY);
      return;
    }
    const [from, begin] = [a.starts.get(unit), b.starts.get(other)];
    const size = a.starts.get(unit + 1) - from;
    for (let at = 0; at < size; at++)
      vote(a.found.get(from + at), b.found.get(begin + at), CERTAIN);
  };
  // Chunks of two messages are many pairs, which say as much as one of them.
  let [lastUnit, lastOther] = [-1, -1];
  for (let i = 0; i < links.a; i++) {
    const j = links.partnerOf(i);
    if (j < 0) continue;
    const [unit, other] = [a.unitOf.get(i), b.unitOf.get(j)];
    if (unit !== lastUnit || other !== lastOther) hold(unit, other);
    [lastUnit, lastOther] = [unit, other];
  }
  for (const { a0, b0 } of moved) hold(a.unitOf.get(a0), b.unitOf.get(b0));
  const partner = new Map<number, number>();
  const taken = new Set<number>();
  const join = (x: number, y: number) => {
    if (partner.has(x) || taken.has(y)) return;
    partner.set(x, y);
    taken.add(y);
  };
  // Whichever side is left, of as many votes the earliest on both sides win.
  const early = (key: number) => Math.floor(key / width) + (key % width);
  const ranked = [...votes].sort(
    ([one, more], [other, less]) => less - more || early(one) - early(other) || one - other,
  );
  for (const [key] of ranked) join(Math.floor(key / width), key % width);
  // What nothing pairs and is called the same is the same.
  a.values.reals.forEach((real, x) => {
    const y = b.values.find(a.values.kinds[x] ?? 'uuid', real);
    if (y !== undefined) join(x, y);
  });
  return named(a.values, b.values, partner, taken);
}

/** Values of each kind in the order in which they first stand in the units. */
function inStep(a: Tokens, b: Tokens, unit: number, other: number): Pair[] {
  const right = valuesIn(b, other);
  return [...valuesIn(a, unit)].flatMap(([kind, values]) => {
    const others = [...new Set(right.get(kind))];
    return [...new Set(values)].slice(0, others.length).map((x, at): Pair => [x, others[at] ?? 0]);
  });
}

function valuesIn({ values, found, starts }: Tokens, unit: number): Map<AliasKind, number[]> {
  const all = found.values().subarray(starts.get(unit), starts.get(unit + 1));
  return grouped(all, (value) => values.kinds[value] ?? 'uuid');
}

function named(
  a: RealValues,
  b: RealValues,
  partner: ReadonlyMap<number, number>,
  taken: ReadonlySet<number>,
): AliasTable {
  const counts = new Map<AliasKind, number>();
  const names: { readonly a: string[]; readonly b: string[] } = { a: [], b: [] };
  const aliases: Alias[] = [];
  const add = (kind: AliasKind, x = -1, y = -1) => {
    const nth = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, nth);
    const name = nameOf(kind, nth);
    if (x >= 0) names.a[x] = name;
    if (y >= 0) names.b[y] = name;
    const uses = { a: a.uses[x] ?? 0, b: b.uses[y] ?? 0 };
    aliases.push({ name, kind, ...defined({ a: a.reals[x], b: b.reals[y] }), uses });
  };
  a.kinds.forEach((kind, x) => add(kind, x, partner.get(x)));
  b.kinds.forEach((kind, y) => {
    if (!taken.has(y)) add(kind, undefined, y);
  });
  aliases.sort((one, other) => ALIAS_KINDS.indexOf(one.kind) - ALIAS_KINDS.indexOf(other.kind));
  return { aliases, ...names };
}

const STEMS: Readonly<Record<AliasKind, string>> = {
  session: 'S',
  request: 'R',
  tool: 'T',
  message: 'M',
  terminal: 'X',
  plan: 'P',
  uuid: 'U',
  folder: 'cwd',
  temp: 'tmp',
  home: '~',
  version: 'V',
  time: 't',
};

function nameOf(kind: AliasKind, nth: number): string {
  if (kind === 'time') return 't0';
  if (kind === 'home') return nth === 1 ? '~' : `~${nth}`;
  if (kind === 'folder' && nth === 1) return 'cwd';
  return `${STEMS[kind]}${nth}`;
}
