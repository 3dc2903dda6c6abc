// The connections whose client we are. Each has one acting client, fed by its frames. It acts by
// itself only in the tab that leads, only when all past frames are known, and only where the person
// started the connection from this browser.
import type { ActingClient } from '../../drive/client.ts';
import type { Peer } from '../../drive/peer.ts';
import { DEFAULT_SETTINGS, ownName, type ClientSettings } from '../../drive/settings.ts';
import { lazy } from '../../lib/lazy.ts';
import { commandKey } from '../../lib/split-command.ts';
import type { PageCommand } from '../../link/messages.ts';
import type { Notebook } from '../../storage/store.ts';
import type { StoredDrive } from '../../storage/schema.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { Asks } from './asks.ts';
import type { KnownCommand, KnownLaunch } from '../messages.ts';
import type { TraceListener, OpenTrace } from '../traces/open-trace.ts';
import type { RelayCalls } from './relay-calls.ts';

interface Drive {
  readonly client: ActingClient;
  /** All frames the relay has are known. */
  current: boolean;
}

interface DrivingParts {
  readonly notebook: Notebook;
  readonly calls: RelayCalls;
  readonly asks: Asks;
  send(command: PageCommand): boolean;
  note(text: string): void;
  /** How a connection is driven changed: other tabs should know. */
  changed(connection: ConnectionId): void;
}

export class Driving {
  readonly #parts: DrivingParts;
  readonly #drives = new Map<ConnectionId, Drive>();
  readonly #chosen = new Map<ConnectionId, KnownCommand>();
  #acting: typeof ActingClient | undefined;
  /** To be awaited before the first `attach`. */
  readonly ready = lazy(async () => {
    this.#acting = (await import('../../drive/client.ts')).ActingClient;
  });
  version = '';
  #leads = false;

  constructor(parts: DrivingParts) {
    this.#parts = parts;
  }

  /** The product's version, as the relay says it. */
  name(version: string): void {
    this.version = version;
  }

  client(connection: ConnectionId): ActingClient | undefined {
    return this.#drives.get(connection)?.client;
  }

  /** Be the client of this connection. */
  attach(trace: OpenTrace): void {
    const { connection } = trace;
    if (this.#drives.has(connection)) return;
    if (!this.#acting) throw new Error('the acting client is not loaded');
    const client = new this.#acting(this.#peer(trace), DEFAULT_SETTINGS, {
      name: ownName(this.version),
      host: async (method, params) => {
        const { askedOfHost } = await import('./host-calls.ts');
        const asked = askedOfHost(method, params);
        if (!('call' in asked)) return { ok: false, error: asked };
        return this.#parts.calls.host(connection, asked.call);
      },
      note: (text) => this.#parts.note(text),
    });
    trace.listen((event, message) => this.#parts.asks.hear(connection, event, message));
    this.#drives.set(connection, { client, current: false });
    this.#apply(connection);
  }

  /** This browser started it so, or wants it so from now on. */
  async adopt(connection: ConnectionId, chosen: KnownCommand): Promise<void> {
    this.#chosen.set(connection, chosen);
    this.#apply(connection);
    await this.#parts.notebook.putDrive(stored(connection, chosen));
    this.#parts.changed(connection);
  }

  /** How it was started; undefined: not from this browser. */
  async how(connection: ConnectionId): Promise<KnownCommand | undefined> {
    return this.#chosen.get(connection) ?? this.recall(connection);
  }

  /** The same command, with all its values, as it was started in this tab. */
  whole(command: KnownLaunch): KnownLaunch | undefined {
    const key = commandKey(command);
    return [...this.#chosen.values()].findLast(
      ({ launch }) => !launch.withheld && commandKey(launch) === key,
    )?.launch;
  }

  /** What the database says of it, which another tab may have changed. */
  async recall(connection: ConnectionId): Promise<KnownCommand | undefined> {
    const found = await this.#parts.notebook.drive(connection);
    if (!found.ok || !found.value) return undefined;
    const { launch, settings } = found.value;
    // The launch never changes, and the database knows less of it than we may.
    const known = this.#chosen.get(connection)?.launch ?? launch;
    const chosen = { launch: known, settings: settingsOf(settings) };
    this.#chosen.set(connection, chosen);
    this.#apply(connection);
    return chosen;
  }

  async change(connection: ConnectionId, settings: ClientSettings): Promise<void> {
    const chosen = await this.how(connection);
    if (chosen) await this.adopt(connection, { ...chosen, settings });
    else this.client(connection)?.change(settings);
  }

  /** All frames the relay has are known. */
  current(connection: ConnectionId): void {
    const drive = this.#drives.get(connection);
    if (drive) drive.current = true;
    this.#parts.asks.settle(connection);
    this.#consider(connection);
  }

  /** The link is lost: frames may be missing. */
  pause(): void {
    this.#parts.asks.doubt();
    for (const drive of this.#drives.values()) {
      drive.current = false;
      drive.client.pause();
    }
  }

  /** This tab leads from now on, or no more. */
  lead(leads: boolean): void {
    this.#leads = leads;
    for (const connection of this.#drives.keys()) this.#consider(connection);
  }

  /** The relay has it no more. */
  leave(connection: ConnectionId): void {
    this.#parts.asks.end(connection, 'The connection has ended.');
    this.#drives.get(connection)?.client.pause();
    this.#drives.delete(connection);
  }

  #apply(connection: ConnectionId): void {
    const chosen = this.#chosen.get(connection);
    if (chosen) this.client(connection)?.change(chosen.settings);
    this.#consider(connection);
  }

  #consider(connection: ConnectionId): void {
    const drive = this.#drives.get(connection);
    if (drive?.current && this.#chosen.has(connection) && this.#leads) drive.client.act();
  }

  #peer(trace: OpenTrace): Peer {
    const { connection } = trace;
    return {
      send: (text, origin) =>
        void this.#parts.send({ type: 'send', connection, line: { text }, origin }),
      receive: (listener) => {
        const hear: TraceListener = (event, message) => {
          if (event.type === 'frame' && message) listener(event, message);
        };
        trace.retell(hear);
        return trace.listen(hear);
      },
      end: () => void this.#parts.send({ type: 'stop', connection, how: 'end' }),
    };
  }
}

function stored(connection: ConnectionId, { launch, settings }: KnownCommand): StoredDrive {
  return { connection, launch, settings: { ...settings } };
}

/** Stored settings may be of an older version: what they do not say has its default. */
export function settingsOf(stored: Readonly<Record<string, unknown>>): ClientSettings {
  const known = stored as Partial<ClientSettings>;
  const advertise = { ...DEFAULT_SETTINGS.advertise, ...known.advertise };
  return { ...DEFAULT_SETTINGS, ...known, advertise };
}
