// Has the restores of the sessions in the rail compared, one session at a time. The verdicts come with the list of
// traces, and are stored with them.
import { untrack } from 'svelte';
import type { App } from '../app.svelte.ts';
import { runsIn, type RailRun, type RailSession } from './rail-tree.ts';

const PAUSE_MS = 500;

export class RunVerdicts {
  readonly #app: App;
  /** What each session held when it was compared last. */
  readonly #asked = new Map<string, string>();
  #waiting: readonly RailSession[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** Call in an effect, with the sessions that are drawn. */
  watch(sessions: readonly RailSession[]): () => void {
    this.#isEnded = false;
    this.#waiting = sessions.filter((one) => this.#isNew(one));
    untrack(() => this.#soon());
    return () => {
      this.#isEnded = true;
    };
  }

  /** Traces that nobody has read are not read for it. */
  #isNew({ sessionId, runs }: RailSession): boolean {
    const all = runsIn(runs);
    const restores = all.filter((run) => run.restore && run.restore.outcome !== 'open');
    if (restores.length === 0 || !all.some(({ trace }) => trace.facts)) return false;
    const asked = this.#asked.get(sessionId);
    if (asked !== undefined) return asked !== heldBy(all);
    return restores.some(({ restore }) => !restore?.judged);
  }

  #soon(): void {
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.#next(), PAUSE_MS);
  }

  async #next(): Promise<void> {
    const [session] = this.#waiting;
    if (session && !this.#isEnded) {
      const all = runsIn(session.runs);
      const trace = all.findLast((run) => run.trace.facts)?.trace;
      this.#asked.set(session.sessionId, heldBy(all));
      this.#waiting = this.#waiting.slice(1);
      if (trace)
        await this.#app.engine.fidelity.strips(trace.connection, session.sessionId).catch(() => []);
    }
    this.#timer = undefined;
    if (!this.#isEnded) this.#soon();
  }
}

/** The restores, and what was live: with either, verdicts may be others. */
function heldBy(runs: readonly RailRun[]): string {
  return JSON.stringify(
    runs.map(({ key, items, restore }) => [key, items, restore?.outcome, restore?.late]),
  );
}
