// A value that changes at most four times a second, for figures people read.
const PAUSE_MS = 250;

export class ThrottledValue<T> {
  #shown: T;
  #drawn: T = $state.raw() as T;
  #next: T;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(first: T) {
    this.#shown = this.#drawn = this.#next = first;
  }

  readonly value: T = $derived(this.#drawn);

  /** Shown at once after a pause, else when the pause is over. */
  set(next: T): void {
    this.#next = next;
    if (this.#timer !== undefined) return;
    this.#shown = this.#drawn = next;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#next !== this.#shown) this.set(this.#next);
    }, PAUSE_MS);
  }
}
