// One comparison at a time, in the worker: what is asked for, what it is at, and how it ended.
import type { EngineApi } from '../../engine/api.ts';

const SAY_AFTER = 2000;
const LOOK_AGAIN = 400;

type Answer<L> = L | { readonly problem: string } | undefined;

export class DiffRun<A, L extends object> {
  readonly #diffs: Pick<EngineApi['diff'], 'progress'>;
  readonly #ask: (ask: A) => Promise<Answer<L>>;
  #busy = $state(false);
  #cancelled = $state(false);
  #problem = $state.raw<string | undefined>();
  #doing = $state.raw<string | undefined>();
  #asked = 0;

  constructor(diffs: Pick<EngineApi['diff'], 'progress'>, ask: (ask: A) => Promise<Answer<L>>) {
    this.#diffs = diffs;
    this.#ask = ask;
  }

  get isBusy(): boolean {
    return this.#busy;
  }
  get isCancelled(): boolean {
    return this.#cancelled;
  }
  /** A sentence: why it could not be compared. */
  get problem(): string | undefined {
    return this.#problem;
  }
  /** What it is at; undefined while it has not taken long. */
  get doing(): string | undefined {
    return this.#doing;
  }

  /** Undefined: nothing to compare, or another was asked for, or it has no answer. */
  async load(ask: A | undefined): Promise<L | undefined> {
    const asked = ++this.#asked;
    this.#problem = undefined;
    this.#doing = undefined;
    this.#cancelled = false;
    this.#busy = ask !== undefined;
    if (ask === undefined) return undefined;
    void this.#sayWhatItDoes(asked);
    const answer = await this.#ask(ask);
    if (asked !== this.#asked) return undefined;
    this.#busy = false;
    this.#doing = undefined;
    if (!answer) this.#cancelled = true;
    else if ('problem' in answer) this.#problem = answer.problem;
    else return answer;
    return undefined;
  }

  async #sayWhatItDoes(asked: number): Promise<void> {
    for (let wait = SAY_AFTER; ; wait = LOOK_AGAIN) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (asked !== this.#asked || !this.#busy) return;
      const doing = await this.#diffs.progress();
      if (asked === this.#asked && this.#busy) this.#doing = doing;
    }
  }
}
