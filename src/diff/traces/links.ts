// What of one side belongs to what of the other: entries in pairs, and stretches of chunks that are
// told as one. All of them ascend on both sides.

/** Entries from `a0` to before `a1` of the one, and from `b0` to before `b1` of the other side. */
export interface Stretch {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

/** The same from the other side. */
export function turned({ a0, a1, b0, b1 }: Stretch): Stretch {
  return { a0: b0, a1: b1, b0: a0, b1: a1 };
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
