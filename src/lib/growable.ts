// Columns of numbers that grow by appending: a million entries cost their bytes and no objects.

type Whole = Uint32Array | Uint16Array | Uint8Array;
type Numbers = Float64Array | Int32Array | Whole;

/** Entries that there is room for at first. */
const START = 64;

export abstract class Growable<A extends Numbers> {
  protected data: A;
  protected count = 0;

  constructor(data: A) {
    this.data = data;
  }
  protected abstract make(length: number): A;

  get length(): number {
    return this.count;
  }

  abstract push(value: number): void;

  /** 0 past the end, as a column that nothing was written to. */
  abstract get(index: number): number;

  abstract set(index: number, value: number): void;

  /** The entries so far, for scanning them all; not to be kept past the next push. */
  values(): A {
    return this.data.subarray(0, this.count) as A;
  }

  add(index: number, value: number): void {
    this.set(index, this.get(index) + value);
  }

  /** Forgets the entries from `length` on. */
  truncate(length: number): void {
    this.count = Math.min(this.count, length);
  }

  /** All of these, in order. */
  append(values: A): void {
    while (this.data.length < this.count + values.length) this.grow();
    this.data.set(values, this.count);
    this.count += values.length;
  }

  /** These alone, from here on; they must not change elsewhere. */
  take(values: A): void {
    this.data = values;
    this.count = values.length;
  }

  /** Half as much again: growing costs a constant per entry, and wastes a third at most. */
  protected grow(): void {
    const bigger = this.make(Math.max(START, Math.ceil(this.data.length * 1.5)));
    bigger.set(this.data);
    this.data = bigger;
  }
}

// A class for each type, with a `get`, `set` and `push` of its own: one that met arrays of five types would be
// compiled for any, and taking a million events into their columns would take more than twice as long.

class Float64s extends Growable<Float64Array> {
  override get(index: number): number {
    return this.data[index] ?? 0;
  }
  override set(index: number, value: number): void {
    this.data[index] = value;
  }
  override push(value: number): void {
    if (this.count === this.data.length) this.grow();
    this.data[this.count++] = value;
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
  override set(index: number, value: number): void {
    this.data[index] = value;
  }
  override push(value: number): void {
    if (this.count === this.data.length) this.grow();
    this.data[this.count++] = value;
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
  override set(index: number, value: number): void {
    this.data[index] = value;
  }
  override push(value: number): void {
    if (this.count === this.data.length) this.grow();
    this.data[this.count++] = value;
  }
  protected override make(length: number): Int32Array {
    return new Int32Array(length);
  }
}
export function int32(): Growable<Int32Array> {
  return new Int32s(new Int32Array(START));
}

class Uint8s extends Growable<Uint8Array> {
  override get(index: number): number {
    return this.data[index] ?? 0;
  }
  override set(index: number, value: number): void {
    this.data[index] = value;
  }
  override push(value: number): void {
    if (this.count === this.data.length) this.grow();
    this.data[this.count++] = value;
  }
  protected override make(length: number): Uint8Array {
    return new Uint8Array(length);
  }
}
export function uint8(): Growable<Uint8Array> {
  return new Uint8s(new Uint8Array(START));
}

/** Numbers from 0 on, in as many bytes as the largest of them takes: most columns never hold one over 255. */
class Narrow extends Growable<Whole> {
  #most = 0xff;

  override get(index: number): number {
    return this.data[index] ?? 0;
  }
  override set(index: number, value: number): void {
    if (value > this.#most) this.#widen(value);
    this.data[index] = value;
  }
  override push(value: number): void {
    if (this.count === this.data.length) this.grow();
    this.set(this.count++, value);
  }
  override append(values: Whole): void {
    for (const value of values) this.push(value);
  }
  override take(values: Whole): void {
    super.take(values);
    this.#most = mostIn(values);
  }
  protected override make(length: number): Whole {
    if (this.#most <= 0xff) return new Uint8Array(length);
    return this.#most <= 0xffff ? new Uint16Array(length) : new Uint32Array(length);
  }
  #widen(value: number): void {
    this.#most = value <= 0xffff ? 0xffff : 0xffffffff;
    const wider = this.make(this.data.length);
    wider.set(this.data);
    this.data = wider;
  }
}
export function narrow(): Growable<Whole> {
  return new Narrow(new Uint8Array(START));
}

function mostIn({ BYTES_PER_ELEMENT: bytes }: Whole): number {
  return 2 ** (8 * bytes) - 1;
}
