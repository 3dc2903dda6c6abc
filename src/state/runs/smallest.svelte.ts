// The smallest part of a trace that still fails, as it is looked for in the worker: one at a time.
import type {
  MinimiseAsk,
  MinimiseProgress,
  SmallestTrace,
} from '../../engine/runs/minimise-messages.ts';
import { count } from '../../lib/format-count.ts';
import type { App } from '../app.svelte.ts';
import { keptWith } from '../kept.svelte.ts';

const LOOK_MS = 150;

class Smallest {
  readonly #app: App;
  #key = $state<string | undefined>();
  #isBusy = $state(false);
  #progress = $state.raw<MinimiseProgress | undefined>();
  #problem = $state.raw<string | undefined>();
  #found = $state.raw<SmallestTrace | undefined>();
  #asked = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /** Whether what follows is about this. */
  isOf(ask: MinimiseAsk): boolean {
    return this.#key === keyOf(ask);
  }
  get isBusy(): boolean {
    return this.#isBusy;
  }
  get progress(): MinimiseProgress | undefined {
    return this.#progress;
  }
  /** A sentence: why there is none. */
  get problem(): string | undefined {
    return this.#problem;
  }
  get found(): SmallestTrace | undefined {
    return this.#found;
  }

  async look(ask: MinimiseAsk): Promise<void> {
    const { view } = this.#app;
    const asked = ++this.#asked;
    this.#key = keyOf(ask);
    this.#isBusy = true;
    this.#problem = this.#found = this.#progress = undefined;
    void this.#follow(asked);
    const answer = await this.#app.engine.minimise.minimise(ask);
    if (asked !== this.#asked) return;
    this.#isBusy = false;
    if ('problem' in answer) this.#problem = answer.problem;
    else {
      this.#found = answer;
      if (this.#app.view === view) return;
      // A person is at work elsewhere.
      const run = () => void this.open();
      this.#app.tell('info', foundWords(answer), { label: 'Show', run });
    }
  }

  /** What is smallest so far is taken. */
  async stop(): Promise<void> {
    await this.#app.engine.minimise.stop();
  }

  async open(): Promise<void> {
    if (this.#found) await this.#app.show(this.#found.connection, 'trace');
  }

  async #follow(asked: number): Promise<void> {
    while (asked === this.#asked && this.#isBusy) {
      this.#progress = (await this.#app.engine.minimise.progress()) ?? this.#progress;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

export const smallestOf = keptWith((app) => new Smallest(app));

function keyOf({ traces, failing }: MinimiseAsk): string {
  return JSON.stringify([traces, failing]);
}

/** `What is left still fails, 7 of 12 frames. With any part less it no longer does.` */
export function foundWords({ frames, isMinimal }: SmallestTrace): string {
  const still = `What is left still fails, ${frames.left} of ${count(frames.of, 'frame')}`;
  return isMinimal
    ? `${still}. With any part less it no longer does.`
    : `${still}. Not everything was tried: it may get smaller.`;
}
