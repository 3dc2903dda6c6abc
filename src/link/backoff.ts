/** How long to wait before each further try: from 0.2 s, doubling, to 5 s. */
export class Backoff {
  #next = 200;

  take(): number {
    const wait = this.#next;
    this.#next = Math.min(this.#next * 2, 5000);
    return wait;
  }

  reset(): void {
    this.#next = 200;
  }
}
