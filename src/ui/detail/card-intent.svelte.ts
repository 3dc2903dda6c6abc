// When the card of a field opens and closes: after a rest of the pointer on its key, or by a key
// press, which keeps it open and lets it follow the focus.

const REST = 300;
/** The way from the key to the card. */
const GRACE = 200;

interface Shown {
  /** Of the row. */
  readonly id: string;
  readonly by: 'pointer' | 'key';
}

export class CardIntent {
  #shown = $state.raw<Shown | undefined>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get shown(): Shown | undefined {
    return this.#shown;
  }

  /** The pointer came onto the key of a row. */
  over(id: string): void {
    if (this.#shown?.by === 'key') return;
    this.stay();
    if (this.#shown?.id !== id) this.#after(REST, { id, by: 'pointer' });
  }

  /** The pointer left the key, or the card. */
  out(): void {
    if (this.#shown?.by === 'key') return;
    this.stay();
    if (this.#shown) this.#after(GRACE, undefined);
  }

  /** The pointer is in the card. */
  stay(): void {
    clearTimeout(this.#timer);
  }

  toggle(id: string): void {
    this.stay();
    const again = this.#shown?.by === 'key' && this.#shown.id === id;
    this.#shown = again ? undefined : { id, by: 'key' };
  }

  /** The focus went to another row. */
  follow(id: string): void {
    if (this.#shown?.by === 'key' && this.#shown.id !== id) this.#shown = { id, by: 'key' };
  }

  close(): void {
    this.stay();
    this.#shown = undefined;
  }

  #after(wait: number, shown: Shown | undefined): void {
    this.#timer = setTimeout(() => (this.#shown = shown), wait);
  }
}
