// A job that is asked for more often than it is worth doing: done at once, one at a time, and
// again after a pause if it was asked for meanwhile.
export class Throttled {
  readonly #job: () => Promise<void>;
  readonly #pause: number;
  #busy = false;
  #again = false;

  constructor(job: () => Promise<void>, pauseMs: number) {
    this.#job = job;
    this.#pause = pauseMs;
  }

  poke(): void {
    if (this.#busy) this.#again = true;
    else void this.#run();
  }

  async #run(): Promise<void> {
    this.#busy = true;
    this.#again = false;
    try {
      await this.#job();
    } finally {
      setTimeout(() => {
        this.#busy = false;
        if (this.#again) void this.#run();
      }, this.#pause);
    }
  }
}
