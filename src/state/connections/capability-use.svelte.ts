// How often the capabilities of the connection looked at were made use of, read again as it grows.
import type { CapabilityUse } from '../../model/facts/capability-use.ts';
import type { App } from '../app.svelte.ts';
import { Paced } from '../paced.ts';

const PAUSE_MS = 1000;

export class CapabilityUses {
  readonly #app: App;
  readonly #paced = new Paced(() => this.#read(), PAUSE_MS);
  #uses = $state.raw<readonly CapabilityUse[]>([]);

  constructor(app: App) {
    this.#app = app;
  }

  of(by: CapabilityUse['by'], path: string): CapabilityUse | undefined {
    return this.#uses.find((use) => use.by === by && use.path === path);
  }

  /** Call when the trace has grown or is another. */
  sync(): void {
    this.#paced.poke();
  }

  async #read(): Promise<void> {
    const { current, engine } = this.#app;
    if (!current) return;
    const uses = await engine.sessions.capabilityUse(current.connection);
    if (current.connection === this.#app.current?.connection) this.#uses = uses;
  }
}
