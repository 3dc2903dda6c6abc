// Numbers for what tokens are made of, the same on both sides. What it was made of is not kept, only
// 64 bits of it, mixed with numbers of this comparison alone: nobody can write a trace in which two
// texts meet. An open table of numbers: a Map of as many would cost an object for each.

const SMALLEST = 1 << 12;

export class TokenBook {
  readonly seeds = [random(), random()] as const;
  /** Two halves for each number, in the order of numbers. */
  #halves = new Int32Array(SMALLEST);
  /** Numbers plus one, by their halves; 0 is free. At most half of them are taken. */
  #slots = new Int32Array(SMALLEST);
  #size = 0;

  of(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    let slot = (high ^ Math.imul(low, SPREAD)) & mask;
    for (let taken = this.#slots[slot] ?? 0; taken > 0; taken = this.#slots[slot] ?? 0) {
      const at = (taken - 1) * 2;
      if (this.#halves[at] === high && this.#halves[at + 1] === low) return taken - 1;
      slot = (slot + 1) & mask;
    }
    const number = this.#size++;
    this.#slots[slot] = number + 1;
    this.#halves[number * 2] = high;
    this.#halves[number * 2 + 1] = low;
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    return number;
  }

  #grow(): void {
    const length = this.#slots.length * 4;
    const halves = new Int32Array(length);
    halves.set(this.#halves);
    this.#halves = halves;
    this.#slots = new Int32Array(length);
    for (let number = 0; number < this.#size; number++) {
      const low = halves[number * 2 + 1] ?? 0;
      let slot = ((halves[number * 2] ?? 0) ^ Math.imul(low, SPREAD)) & (length - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (length - 1);
      this.#slots[slot] = number + 1;
    }
  }
}

const SPREAD = 0x9e3779b1;

function random(): number {
  return Math.trunc(Math.random() * 2 ** 32) | 0;
}
