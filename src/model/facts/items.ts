// Where each message, tool call, terminal and plan of a session was first spoken of. Replay
// cursors name such ids, and pins stand on the frame where an id first appeared.
import type { ItemKind } from './variants.ts';

export class Items {
  readonly #byKind = new Map<ItemKind, Map<string, number>>();
  #first: number | undefined;
  #lastKind: ItemKind | undefined;
  #lastId = '';
  #lastIndex = 0;

  /** The event that first named this item: `index` itself if it is new. */
  of(kind: ItemKind, id: string, index: number): number {
    if (kind === this.#lastKind && id === this.#lastId) return this.#lastIndex;
    const known = this.#known(kind, id, index);
    this.#lastKind = kind;
    this.#lastId = id;
    this.#lastIndex = known;
    return known;
  }

  /** The first items under any of these ids: one id may name a message and its thought. */
  find(ids: readonly string[]): number[] {
    return [...this.#byKind.values()].flatMap((items) => ids.flatMap((id) => items.get(id) ?? []));
  }

  /** The event that spoke of the session's first item. */
  get first(): number | undefined {
    return this.#first;
  }

  /** Every item, with the event that first spoke of it; those of a kind in order. */
  all(): { readonly kind: ItemKind; readonly id: string; readonly index: number }[] {
    return [...this.#byKind].flatMap(([kind, items]) =>
      [...items].map(([id, index]) => ({ kind, id, index })),
    );
  }

  /** The event that spoke of the first item of this kind. */
  firstOf(kind: ItemKind): number | undefined {
    return this.#byKind.get(kind)?.values().next().value;
  }

  #known(kind: ItemKind, id: string, index: number): number {
    let items = this.#byKind.get(kind);
    if (items === undefined) this.#byKind.set(kind, (items = new Map<string, number>()));
    const known = items.get(id);
    if (known !== undefined) return known;
    items.set(id, index);
    this.#first ??= index;
    return index;
  }
}
