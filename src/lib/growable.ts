// Columns of numbers that grow by appending: a million entries cost their bytes and no objects.

type Numbers = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

export class Growable<A extends Numbers> {
  #data: A;
  #length = 0;
  readonly #make: (length: number) => A;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#data = make(64);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#data.length) this.#grow();
    this.#data[this.#length++] = value;
  }

  /** 0 past the end, as a column that nothing was written to. */
  get(index: number): number {
    return this.#data[index] ?? 0;
  }

  /** The entries so far, for scanning them all; not to be kept past the next push. */
  values(): A {
    return this.#data.subarray(0, this.#length) as A;
  }

  set(index: number, value: number): void {
    this.#data[index] = value;
  }

  add(index: number, value: number): void {
    this.#data[index] = this.get(index) + value;
  }

  /** Forgets the entries from `length` on. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  /** All of these, in order. */
  append(values: A): void {
    while (this.#data.length < this.#length + values.length) this.#grow();
    this.#data.set(values, this.#length);
    this.#length += values.length;
  }

  /** Half as much again: growing costs a constant per entry, and wastes a third at most. */
  #grow(): void {
    const bigger = this.#make(Math.ceil(this.#data.length * 1.5));
    bigger.set(this.#data);
    this.#data = bigger;
  }
}

export function float64(): Growable<Float64Array> {
  return new Growable((length) => new Float64Array(length));
}
export function uint32(): Growable<Uint32Array> {
  return new Growable((length) => new Uint32Array(length));
}
export function int32(): Growable<Int32Array> {
  return new Growable((length) => new Int32Array(length));
}
export function uint8(): Growable<Uint8Array> {
  return new Growable((length) => new Uint8Array(length));
}
