// The arithmetic of a list whose rows stand in stretches, some of which are closed: which row is the n-th that
// shows, and how many show before a row. One running sum per stretch; no entry per row.
import { uint32 } from '../../lib/growable.ts';
import { leading } from '../../lib/list-window.ts';

/** Of rows that nobody closes. */
export const NO_END = 0;
/** Of rows that belong to an owner if rows of that owner stand both before and after them. */
export const BETWEEN = 0xffffffff;

export class Stretches {
  /** The first row of each stretch, and whose it is. */
  readonly #start = uint32();
  readonly #owner = uint32();
  /** Rows that are hidden before each stretch. */
  readonly #before = uint32();
  readonly #closed = new Set<number>();
  #length = 0;

  /** All rows, hidden or not. */
  get length(): number {
    return this.#length;
  }
  /** Rows that show. */
  get shown(): number {
    return this.#length - this.#hiddenBefore(this.#start.length);
  }

  /** Appends a row of this owner. */
  push(owner: number): void {
    const last = this.#start.length - 1;
    const isBetween = last > 0 && owner !== BETWEEN && this.#owner.get(last) === BETWEEN;
    if (isBetween && this.#owner.get(last - 1) === owner && owner !== NO_END) this.#cut(last);
    else if (last < 0 || this.#owner.get(last) !== owner) {
      this.#before.push(this.#hiddenBefore(last + 1));
      this.#start.push(this.#length);
      this.#owner.push(owner);
    }
    this.#length++;
  }

  /** Forgets the rows from `length` on, but not which owners are closed. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
    this.#cut(leading(this.#start.length, (at) => this.#start.get(at) < length));
  }

  isClosed(owner: number): boolean {
    return this.#closed.has(owner);
  }
  close(owner: number, isClosed: boolean): void {
    if (isClosed) this.#closed.add(owner);
    else this.#closed.delete(owner);
  }
  /** Counts again what is hidden: once after any number of `close`. */
  settle(): void {
    for (let at = 0; at < this.#start.length; at++) this.#before.set(at, this.#hiddenBefore(at));
  }

  /** Whose the row is. */
  ownerOf(row: number): number {
    return this.#owner.get(this.#stretchOf(row));
  }
  /** True if the row is hidden. */
  isHidden(row: number): boolean {
    return this.#closed.has(this.ownerOf(row));
  }
  /** How many rows show before this one. */
  shownBefore(row: number): number {
    const at = this.#stretchOf(row);
    const start = this.#start.get(at);
    const shown = start - this.#before.get(at);
    return this.#closed.has(this.#owner.get(at)) ? shown : shown + row - start;
  }
  /** The row that is the n-th of those that show, from 0. */
  rowAt(shown: number): number {
    // A closed stretch begins where the one after it does: the last of these shows.
    const at = this.#start.length;
    const found = leading(at, (one) => this.#start.get(one) - this.#before.get(one) <= shown) - 1;
    return shown + this.#before.get(found);
  }

  /** Of this stretch on, or of all: rows hidden before it, from the sum before the stretch before it. */
  #hiddenBefore(at: number): number {
    if (at === 0) return 0;
    const start = this.#start.get(at - 1);
    const end = at < this.#start.length ? this.#start.get(at) : this.#length;
    const hidden = this.#closed.has(this.#owner.get(at - 1)) ? end - start : 0;
    return this.#before.get(at - 1) + hidden;
  }

  #stretchOf(row: number): number {
    return leading(this.#start.length, (at) => this.#start.get(at) <= row) - 1;
  }

  #cut(length: number): void {
    this.#start.truncate(length);
    this.#owner.truncate(length);
    this.#before.truncate(length);
  }
}
