// The smallest part of a trace that still fails, as it is looked for in the worker: one at a time.
import type { MinimiseProgress } from '../../drive/scenario/minimise/minimise.ts';
import type { MinimiseAsk, SmallestTrace, JudgedTrace } from '../../engine/runs/minimiser.ts';
import { count } from '../../lib/format.ts';
import type { App } from '../app.svelte.ts';
import { keptWith } from '../kept.svelte.ts';
import type { ConnectionId } from '../../trace/event.ts';

const LOOK_MS = 150;

class Smallest {
  readonly #app: App;
  #key = $state<string | undefined>();
  isBusy = $state(false);
  progress = $state.raw<MinimiseProgress | undefined>();
  /** A sentence: why there is none. */
  problem = $state.raw<string | undefined>();
  found = $state.raw<SmallestTrace | undefined>();
  #asked = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /** Whether what follows is about this. */
  isOf(ask: MinimiseAsk): boolean {
    return this.#key === keyOf(ask);
  }

  async look(ask: MinimiseAsk): Promise<void> {
    const { view } = this.#app;
    const asked = ++this.#asked;
    this.#key = keyOf(ask);
    this.isBusy = true;
    this.problem = this.found = this.progress = undefined;
    void this.#follow(asked);
    const answer = await this.#app.engine.minimise.minimise(ask);
    if (asked !== this.#asked) return;
    this.isBusy = false;
    if ('problem' in answer) this.problem = answer.problem;
    else {
      this.found = answer;
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
    if (this.found) await this.#app.show(this.found.connection, 'trace');
  }

  async #follow(asked: number): Promise<void> {
    while (asked === this.#asked && this.isBusy) {
      this.progress = (await this.#app.engine.minimise.progress()) ?? this.progress;
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

interface Asked {
  readonly connection: ConnectionId;
  readonly assertion: string;
  readonly judged: JudgedTrace;
}

export class TraceQuestion {
  readonly #app: App;
  #asked = $state.raw<Asked | undefined>();
  /** A sentence: why it cannot be asked. */
  problem = $state.raw<string | undefined>();
  text = $state('none(type:err)');

  constructor(app: App) {
    this.#app = app;
  }

  /** Of the trace looked at; undefined: it was not asked yet. */
  asked: Asked | undefined = $derived.by(() => {
    const asked = this.#asked;
    return asked?.connection === this.#app.current?.connection ? asked : undefined;
  });

  edit(text: string): void {
    this.text = text;
    this.problem = undefined;
  }

  async ask(): Promise<void> {
    const connection = this.#app.current?.connection;
    const assertion = this.text.trim();
    if (connection === undefined || assertion === '') return;
    const judged = await this.#app.engine.minimise.judge(connection, assertion);
    if (this.text.trim() !== assertion) return;
    this.problem = 'problem' in judged ? judged.problem : undefined;
    this.#asked = 'problem' in judged ? undefined : { connection, assertion, judged };
  }
}
