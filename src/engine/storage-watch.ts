// How the database does: how full it is, what is wrong, how many events wait for it.
import type { StorageProblem } from '../storage/problem.ts';
import type { StorageState } from './messages.ts';

/** Milliseconds between two questions to the browser. */
const ASK_EVERY = 5000;
const ASK_AFTER = 200;

/** Where trouble comes from: opening the database, writing to it, or what it is as a whole. */
type Source = 'open' | 'write' | 'store';

export class StorageWatch {
  /** Events received and not stored. */
  behind: () => number = () => 0;
  readonly #onChange: () => void;
  readonly #problems = new Map<Source, StorageProblem>();
  #estimate = { used: 0, quota: 0 };
  #asked = -Infinity;
  #asking: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  problem(source: Source, problem: StorageProblem | undefined): void {
    if (this.#problems.get(source)?.message === problem?.message) return;
    if (problem) this.#problems.set(source, problem);
    else this.#problems.delete(source);
    this.refresh();
  }

  /** Something was stored or deleted. The browser is asked a little later: it lags behind. */
  refresh(): void {
    this.#onChange();
    this.#asking ??= setTimeout(
      () => void this.#ask(),
      Math.max(ASK_AFTER, this.#asked + ASK_EVERY - performance.now()),
    );
  }

  async #ask(): Promise<void> {
    this.#asking = undefined;
    this.#asked = performance.now();
    this.#estimate = await storageEstimate();
    this.#onChange();
  }

  state(): StorageState {
    const [problem] = this.#problems.values();
    return {
      ...this.#estimate,
      behind: this.behind(),
      ...(problem && { problem: problem.message }),
    };
  }
}

/** What the browser says of its storage; zeros where it says nothing. */
async function storageEstimate(): Promise<Pick<StorageState, 'used' | 'quota'>> {
  try {
    const { usage = 0, quota = 0 } = await navigator.storage.estimate();
    return { used: usage, quota };
  } catch {
    return { used: 0, quota: 0 };
  }
}
