// How we act as the client of a running connection, read once and changed while it runs.
import type { ClientSettings } from '../../drive/settings.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';

export class LiveSettings {
  readonly #engine: App['engine'];
  #of: ConnectionId | undefined;
  /** Undefined until they are known. */
  now = $state.raw<ClientSettings | undefined>();

  constructor({ engine }: Pick<App, 'engine'>) {
    this.#engine = engine;
  }

  async read(connection: ConnectionId): Promise<void> {
    this.#of = connection;
    const found = await this.#engine.connections.settings(connection);
    if (connection === this.#of) this.now = found;
  }

  choose(change: Partial<ClientSettings>): void {
    if (this.#of === undefined || !this.now) return;
    this.now = { ...this.now, ...change };
    void this.#engine.connections.setSettings(this.#of, this.now);
  }
}
