// A list that never changes: pushing or setting gives another list, which shares almost everything
// with the one before. A radix tree of 32, with the newest items in a leaf of their own. `immutable`
// weighs several times as much.

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

/** Inner nodes have `down`, leaves `items`; the other is empty. */
interface Node<T> {
  readonly down: readonly Node<T>[];
  readonly items: readonly T[];
}

const NOTHING: Node<never> = { down: [], items: [] };

export class PersistentList<T> {
  static readonly #EMPTY = new PersistentList<never>(0, 0, NOTHING, []);
  readonly length: number;
  readonly #height: number;
  readonly #root: Node<T>;
  readonly #tail: readonly T[];

  private constructor(length: number, height: number, root: Node<T>, tail: readonly T[]) {
    this.length = length;
    this.#height = height;
    this.#root = root;
    this.#tail = tail;
  }

  static empty<T>(): PersistentList<T> {
    return PersistentList.#EMPTY;
  }

  get(index: number): T | undefined {
    if (index < 0 || index >= this.length) return undefined;
    return this.#leaf(index)[index & MASK];
  }

  get last(): T | undefined {
    return this.#tail[this.#tail.length - 1];
  }

  push(item: T): PersistentList<T> {
    const { length } = this;
    if (this.#tail.length < WIDTH)
      return new PersistentList(length + 1, this.#height, this.#root, [...this.#tail, item]);
    const full: Node<T> = { down: [], items: this.#tail };
    const start = length - WIDTH;
    const isFull = start >>> BITS === 1 << (this.#height * BITS);
    const root = isFull
      ? { down: [this.#root, path(this.#height, full)], items: [] }
      : insert(this.#root, this.#height, start, full);
    return new PersistentList(length + 1, this.#height + (isFull ? 1 : 0), root, [item]);
  }

  /** The index must be there. */
  set(index: number, item: T): PersistentList<T> {
    const { length } = this;
    if (index >= length - this.#tail.length) {
      const tail = [...this.#tail];
      tail[index & MASK] = item;
      return new PersistentList(length, this.#height, this.#root, tail);
    }
    const root = replace(this.#root, this.#height, index, item);
    return new PersistentList(length, this.#height, root, this.#tail);
  }

  /** Without one item; costs as much as what stands behind it. */
  without(index: number): PersistentList<T> {
    const behind = this.slice(index + 1, this.length);
    return behind.reduce<PersistentList<T>>((list, item) => list.push(item), this.take(index));
  }

  /** The first so many. */
  take(count: number): PersistentList<T> {
    if (count >= this.length) return this;
    if (count <= 0) return PersistentList.empty();
    // What the new tail holds may stand in the tree as well, where nobody looks.
    const tail = this.#leaf(count - 1).slice(0, ((count - 1) & MASK) + 1);
    return new PersistentList(count, this.#height, this.#root, tail);
  }

  slice(from: number, to: number): T[] {
    const items: T[] = [];
    const end = Math.min(to, this.length);
    for (let start = from & ~MASK; start < end; start += WIDTH)
      items.push(...this.#leaf(start).slice(Math.max(0, from - start), end - start));
    return items;
  }

  /** Places of this list from `from` on that hold another item than `before` does, or none there. */
  changedSince(before: PersistentList<T>, from = 0): number[] {
    const changed: number[] = [];
    for (let start = from & ~MASK; start < this.length; start += WIDTH) {
      const now = this.#leaf(start);
      const then = start < before.length ? before.#leaf(start) : [];
      if (now === then && before.length >= Math.min(start + WIDTH, this.length)) continue;
      const end = Math.min(start + WIDTH, this.length);
      for (let at = Math.max(start, from); at < end; at++)
        if (at >= before.length || now[at & MASK] !== then[at & MASK]) changed.push(at);
    }
    return changed;
  }

  #leaf(index: number): readonly T[] {
    if (index >= this.length - this.#tail.length) return this.#tail;
    let node: Node<T> | undefined = this.#root;
    for (let level = this.#height; level > 0; level--)
      node = node?.down[(index >>> (level * BITS)) & MASK];
    return node?.items ?? [];
  }
}

/** A leaf as the first of a tree of this height. */
function path<T>(height: number, leaf: Node<T>): Node<T> {
  return height === 0 ? leaf : { down: [path(height - 1, leaf)], items: [] };
}

function insert<T>(node: Node<T>, height: number, start: number, leaf: Node<T>): Node<T> {
  if (height === 0) return leaf;
  const at = (start >>> (height * BITS)) & MASK;
  const below = node.down[at];
  const isFirst = (start & ((1 << (height * BITS)) - 1)) === 0;
  const down = node.down.slice(0, at);
  down.push(below && !isFirst ? insert(below, height - 1, start, leaf) : path(height - 1, leaf));
  return { down, items: [] };
}

function replace<T>(node: Node<T>, height: number, index: number, item: T): Node<T> {
  if (height === 0) {
    const items = [...node.items];
    items[index & MASK] = item;
    return { down: [], items };
  }
  const at = (index >>> (height * BITS)) & MASK;
  const below = node.down[at];
  if (!below) return node;
  const down = [...node.down];
  down[at] = replace(below, height - 1, index, item);
  return { down, items: [] };
}
