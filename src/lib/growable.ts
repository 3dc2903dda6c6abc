// Columns of numbers that grow by appending: a million entries cost their bytes and no objects.

type Numbers = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

/** Entries that there is room for at first. */
const START = 64;

export abstract class Growable<A extends Numbers> {
  protected data: A;
  private count = 0;

  constructor(data: A) {
    this.data = data;
  }
  protected abstract make(length: number): A;

  get length(): number {
    return this.count;
  }

  push(value: number): void {
    if (this.count === this.data.length) this.#grow();
    this.data[this.count++] = value;
  }

  /** 0 past the end, as a column that nothing was written to. */
  abstract get(index: number): number;

  /** The entries so far, for scanning them all; not to be kept past the next push. */
  values(): A {
    return this.data.subarray(0, this.count) as A;
  }

  set(index: number, value: number): void {
    this.data[index] = value;
  }

  add(index: number, value: number): void {
    this.data[index] = this.get(index) + value;
  }

  /** Forgets the entries from `length` on. */
  truncate(length: number): void {
    this.count = Math.min(this.count, length);
  }

  /** All of these, in order. */
  append(values: A): void {
    while (this.data.length < this.count + values.length) this.#grow();
    this.data.set(values, this.count);
    this.count += values.length;
  }

  /** These alone, from here on; they must not change elsewhere. */
  take(values: A): void {
    this.data = values;
    this.count = values.length;
  }

  /** Half as much again: growing costs a constant per entry, and wastes a third at most. */
  #grow(): void {
    const bigger = this.make(Math.max(START, Math.ceil(this.data.length * 1.5)));
    bigger.set(this.data);
    this.data = bigger;
  }
}

// A class for each type, with a `get` of its own: one that met arrays of four types would be compiled
// for any, and reading a column of a million would take half as long again.

class Float64s extends Growable<Float64Array> {
  override get(index: number): number {
    return this.data[index] ?? 0;
  }
  protected override make(length: number): Float64Array {
    return new Float64Array(length);
  }
}
export function float64(): Growable<Float64Array> {
  return new Float64s(new Float64Array(START));
}

class Uint32s extends Growable<Uint32Array> {
  override get(index: number): number {
    return this.data[index] ?? 0;
  }
  protected override make(length: number): Uint32Array {
    return new Uint32Array(length);
  }
}
export function uint32(): Growable<Uint32Array> {
  return new Uint32s(new Uint32Array(START));
}

class Int32s extends Growable<Int32Array> {
  override get(index: number): number {
    return this.data[index] ?? 0;
  }
  protected override make(length: number): Int32Array {
    return new Int32Array(length);
  }
}
export function int32(): Growable<Int32Array> {
  return new Int32s(new Int32Array(START));
}

class Uint16s extends Growable<Uint16Array> {
  override get(index: number): number {
    return this.data[index] ?? 0;
  }
  protected override make(length: number): Uint16Array {
    return new Uint16Array(length);
  }
}
export function uint16(): Growable<Uint16Array> {
  return new Uint16s(new Uint16Array(START));
}

class Uint8s extends Growable<Uint8Array> {
  override get(index: number): number {
    return this.data[index] ?? 0;
  }
  protected override make(length: number): Uint8Array {
    return new Uint8Array(length);
  }
}
export function uint8(): Growable<Uint8Array> {
  return new Uint8s(new Uint8Array(START));
}
