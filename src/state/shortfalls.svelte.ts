// Of restores that are as due so far: what of the history did not come back, each asked once for
// what has come.
import type { RestoreResult } from '../model/restore-results.ts';
import { heldOf, type Held } from '../model/restore-held.ts';
import { hasReplay } from '../model/restore-variant.ts';
import type { Shortfall } from '../model/restore-verdict.ts';
import type { App } from './app.svelte.ts';
import { fidelityWord } from './fidelity-word.ts';

export class Shortfalls {
  readonly #app: App;
  readonly #asked = new Set<string>();
  #known = $state.raw<ReadonlyMap<string, Shortfall | undefined>>(new Map());

  constructor(app: App) {
    this.#app = app;
  }

  /** Until it was compared, nobody calls it as due. */
  heldOf(result: RestoreResult): Held {
    const held = heldOf(result, this.of(result));
    const isOpen = isCompared(result) && !this.#known.has(keyOf(result));
    return isOpen ? { ...held, mark: 'dim' } : held;
  }

  of(result: RestoreResult): Shortfall | undefined {
    return this.#known.get(keyOf(result));
  }

  async ask(results: readonly RestoreResult[]): Promise<void> {
    const asked = results.filter((result) => isCompared(result) && !this.#asked.has(keyOf(result)));
    if (asked.length === 0) return;
    for (const result of asked) this.#asked.add(keyOf(result));
    const found = await Promise.all(
      asked.map(async (result) => {
        const { connection, window } = result;
        const told = await fidelityWord(this.#app, connection, window.request);
        return [keyOf(result), told?.shortfall] as const;
      }),
    );
    this.#known = new Map([...this.#known, ...found]);
  }
}

function isCompared({ due, window }: RestoreResult): boolean {
  return due === true && hasReplay(window);
}

function keyOf({ connection, window }: RestoreResult): string {
  return `${connection} ${window.request} ${window.outcome} ${window.updates} ${window.late}`;
}
