/** What a session is called: the same wherever it is met. `parent`: the chip of the session that owns it. */
export type ChipOf = (sessionId: string, parent?: string) => string;

/** Gives every session its chip: `S1` for the first it is asked of, and so on; `S1.1` for the first child of that. */
export class ChipBook {
  readonly #chips = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** Undefined: it was given none. */
  get(sessionId: string): string | undefined {
    return this.#chips.get(sessionId);
  }

  /** No other session has it. */
  isFree(chip: string): boolean {
    return !this.#taken.has(chip);
  }

  /** It was given before, or elsewhere; none after it is given a number up to this one. */
  learn(sessionId: string, chip: string): void {
    const [, before = '', number = '0'] = /^(.*?)(\d+)$/.exec(chip) ?? [];
    this.#counts.set(before, Math.max(this.#counts.get(before) ?? 0, Number(number)));
    this.#chips.set(sessionId, chip);
    this.#taken.add(chip);
  }

  readonly of: ChipOf = (sessionId, parent) => {
    const known = this.get(sessionId);
    if (known !== undefined) return known;
    const before = parent === undefined ? 'S' : placeBelow(parent);
    const chip = `${before}${(this.#counts.get(before) ?? 0) + 1}`;
    this.learn(sessionId, chip);
    return chip;
  };
}

/** From here on children of children are numbered beside their parents: a chain of them may be without end. */
const MOST_CHIP = 32;

function placeBelow(parent: string): string {
  return parent.length < MOST_CHIP ? `${parent}.` : parent.slice(0, parent.lastIndexOf('.') + 1);
}

/** One book a report, or a test. */
export const chipBook = (): ChipOf => new ChipBook().of;
