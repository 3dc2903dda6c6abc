// A map from text that never changes: setting gives another map, which shares almost everything with
// the one before. A tree over the bits of a hash, five at a time.

const BITS = 5;
const MASK = 31;

/** Keys of one hash follow each other. */
interface Entry<V> {
  readonly key: string;
  readonly hash: number;
  readonly value: V;
  readonly next: Entry<V> | undefined;
}
/** `slots` stand in the order of the set bits. */
interface Branch<V> {
  readonly bits: number;
  readonly slots: readonly (Entry<V> | Branch<V>)[];
}
type Slot<V> = Entry<V> | Branch<V>;

const NONE: Branch<never> = { bits: 0, slots: [] };

export class PersistentMap<V> {
  static readonly #EMPTY = new PersistentMap<never>(NONE);
  readonly #root: Branch<V>;

  private constructor(root: Branch<V>) {
    this.#root = root;
  }

  static empty<V>(): PersistentMap<V> {
    return PersistentMap.#EMPTY;
  }

  get(key: string): V | undefined {
    const hash = hashOf(key);
    let slot: Slot<V> | undefined = this.#root;
    for (let shift = 0; slot && 'slots' in slot; shift += BITS)
      slot = slot.slots[place(slot, 1 << ((hash >>> shift) & MASK))];
    for (; slot; slot = slot.next) if (slot.key === key) return slot.value;
    return undefined;
  }

  set(key: string, value: V): PersistentMap<V> {
    const entry = { key, hash: hashOf(key), value, next: undefined };
    return new PersistentMap(put(this.#root, 0, entry));
  }

  delete(key: string): PersistentMap<V> {
    if (this.get(key) === undefined) return this;
    return new PersistentMap(cut(this.#root, 0, key, hashOf(key)));
  }

  /** In no order that means anything. */
  values(): V[] {
    const found: V[] = [];
    collect(this.#root, found);
    return found;
  }
}

/** FNV-1a. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Where the slot of a bit stands; -1: there is none. */
function place({ bits }: Branch<unknown>, bit: number): number {
  return (bits & bit) === 0 ? -1 : ones(bits & (bit - 1));
}

function ones(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function put<V>(branch: Branch<V>, shift: number, entry: Entry<V>): Branch<V> {
  const bit = 1 << ((entry.hash >>> shift) & MASK);
  const at = place(branch, bit);
  const slots = [...branch.slots];
  if (at < 0) {
    slots.splice(ones(branch.bits & (bit - 1)), 0, entry);
    return { bits: branch.bits | bit, slots };
  }
  const slot = branch.slots[at];
  slots[at] = slot ? join(slot, shift + BITS, entry) : entry;
  return { bits: branch.bits, slots };
}

function join<V>(slot: Slot<V>, shift: number, entry: Entry<V>): Slot<V> {
  if ('slots' in slot) return put(slot, shift, entry);
  if (slot.hash === entry.hash) return { ...entry, next: without(slot, entry.key) };
  return put(put(NONE, shift, slot), shift, entry);
}

function without<V>(entry: Entry<V> | undefined, key: string): Entry<V> | undefined {
  if (!entry) return undefined;
  return entry.key === key ? entry.next : { ...entry, next: without(entry.next, key) };
}

/** The key is there. */
function cut<V>(branch: Branch<V>, shift: number, key: string, hash: number): Branch<V> {
  const bit = 1 << ((hash >>> shift) & MASK);
  const at = place(branch, bit);
  const slot = branch.slots[at];
  if (!slot) return branch;
  const slots = [...branch.slots];
  const rest = 'slots' in slot ? cut(slot, shift + BITS, key, hash) : without(slot, key);
  if (rest && !('slots' in rest && rest.bits === 0)) {
    slots[at] = rest;
    return { bits: branch.bits, slots };
  }
  slots.splice(at, 1);
  return { bits: branch.bits & ~bit, slots };
}

function collect<V>(branch: Branch<V>, found: V[]): void {
  for (const slot of branch.slots) {
    if ('slots' in slot) collect(slot, found);
    else
      for (let entry: Entry<V> | undefined = slot; entry; entry = entry.next)
        found.push(entry.value);
  }
}
