// Letters of replay cursors: A, B, … in the order the cursors of a session were first sent, on
// whichever of its connections, one a distinct value. A later send never changes them.

interface Sent {
  /** When its connection began, in wall time: it may be known only later. */
  readonly began: () => number;
  readonly at: number;
  wall?: number;
}

/** One a page. */
export class PinBook {
  /** By session and value. */
  readonly #sent = new Map<string, Map<string, Sent>>();
  /** As last asked for, by session. */
  readonly #letters = new Map<string, ReadonlyMap<string, string>>();

  /** `at`: since `began`, in milliseconds. */
  sent(sessionId: string, value: string, began: () => number, at: number): void {
    const values = this.#sent.get(sessionId) ?? new Map<string, Sent>();
    this.#sent.set(sessionId, values);
    const sent: Sent = { began, at };
    const before = values.get(value);
    if (before && wallOf(before) <= wallOf(sent)) return;
    values.set(value, sent);
    this.#letters.delete(sessionId);
  }

  /** By value. */
  letters(sessionId: string): ReadonlyMap<string, string> {
    const known = this.#letters.get(sessionId);
    if (known) return known;
    const sent = [...(this.#sent.get(sessionId) ?? [])];
    const values = sent.map(([value, one]) => ({ value, wall: wallOf(one) }));
    values.sort((a, b) => a.wall - b.wall);
    const letters = new Map(values.map(({ value }, i) => [value, letterOf(i)]));
    this.#letters.set(sessionId, letters);
    return letters;
  }
}

function wallOf(sent: Sent): number {
  return (sent.wall ??= sent.began() + sent.at);
}

/** A … Z, AA, AB, … */
export function letterOf(number: number): string {
  const letter = String.fromCharCode(65 + (number % 26));
  return number < 26 ? letter : letterOf(Math.floor(number / 26) - 1) + letter;
}
