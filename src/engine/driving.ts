// The connections whose client we are. Each has one acting client, fed by its frames. It acts by
// itself only in the tab that leads, only when all past frames are known, and only where the person
// started the connection from this browser.
import { ActingClient } from '../drive/client.ts';
import type { Peer } from '../drive/peer.ts';
import { DEFAULT_SETTINGS, type ClientSettings } from '../drive/settings.ts';
import type { ConnectionInfo, Launch, PageCommand } from '../link/messages.ts';
import type { Notebook } from '../storage/store.ts';
import type { StoredDrive } from '../storage/schema.ts';
import type { ConnectionId } from '../trace/event.ts';
import { hostCall } from './host-calls.ts';
import type { OpenTrace } from './open-trace.ts';
import type { RelayCalls } from './relay-calls.ts';

interface Drive {
  readonly client: ActingClient;
  /** How it was started; undefined: not from this browser. */
  launch: Launch | undefined;
  /** All frames the relay has are known. */
  current: boolean;
}

export interface DrivingParts {
  readonly notebook: Notebook;
  readonly calls: RelayCalls;
  send(command: PageCommand): boolean;
  note(text: string): void;
  /** How a connection is driven changed: other tabs should know. */
  changed(connection: ConnectionId): void;
}

export class Driving {
  readonly #parts: DrivingParts;
  readonly #drives = new Map<ConnectionId, Drive>();
  #version = '';
  #leads = false;

  constructor(parts: DrivingParts) {
    this.#parts = parts;
  }

  /** The product's version, as the relay says it. */
  name(version: string): void {
    this.#version = version;
  }

  client(connection: ConnectionId): ActingClient | undefined {
    return this.#drives.get(connection)?.client;
  }

  /** Listens to a trace from its first event on. */
  attach(trace: OpenTrace): void {
    const { connection } = trace;
    const client = new ActingClient(this.#peer(trace), DEFAULT_SETTINGS, {
      name: { name: 'acp-scope', title: 'ACP Scope', version: this.#version },
      host: async (method, params) => {
        const asked = hostCall(method, params);
        if (!('call' in asked)) return { ok: false, error: asked };
        return this.#parts.calls.host(connection, asked.call);
      },
      note: (text) => this.#parts.note(text),
    });
    this.#drives.set(connection, { client, launch: undefined, current: false });
  }

  /** This browser started it so. */
  async adopt(connection: ConnectionId, launch: Launch, settings: ClientSettings): Promise<void> {
    this.#choose(connection, launch, settings);
    await this.#parts.notebook.putDrive(storedDrive(connection, launch, settings));
    this.#parts.changed(connection);
  }

  /** What the database says of how it is driven. */
  async recall(connection: ConnectionId): Promise<void> {
    const stored = await this.#parts.notebook.drive(connection);
    if (!stored.ok || !stored.value) return;
    this.#choose(connection, stored.value.launch, settingsOf(stored.value.settings));
  }

  async change(connection: ConnectionId, settings: ClientSettings): Promise<void> {
    const launch = this.#drives.get(connection)?.launch;
    if (launch) await this.adopt(connection, launch, settings);
    else this.client(connection)?.change(settings);
  }

  /** How to start it again. */
  launchOf(info: ConnectionInfo): Launch {
    const { name, argv, cwd } = info;
    return this.#drives.get(info.id)?.launch ?? { name, argv, cwd, env: {}, roots: [] };
  }

  /** All frames the relay has are known. */
  current(connection: ConnectionId): void {
    const drive = this.#drives.get(connection);
    if (drive) drive.current = true;
    this.#consider(connection);
  }

  /** The link is lost: frames may be missing. */
  pause(): void {
    for (const drive of this.#drives.values()) {
      drive.current = false;
      drive.client.pause();
    }
  }

  /** This tab leads from now on. */
  lead(): void {
    this.#leads = true;
    for (const connection of this.#drives.keys()) this.#consider(connection);
  }

  leave(connection: ConnectionId): void {
    this.#drives.get(connection)?.client.pause();
    this.#drives.delete(connection);
  }

  #choose(connection: ConnectionId, launch: Launch, settings: ClientSettings): void {
    const drive = this.#drives.get(connection);
    if (!drive) return;
    drive.launch = launch;
    drive.client.change(settings);
    this.#consider(connection);
  }

  #consider(connection: ConnectionId): void {
    const drive = this.#drives.get(connection);
    if (drive?.current && drive.launch && this.#leads) drive.client.act();
  }

  #peer(trace: OpenTrace): Peer {
    const { connection } = trace;
    return {
      send: (text, origin) =>
        void this.#parts.send({ type: 'send', connection, line: { text }, origin }),
      receive: (listener) =>
        trace.listen((event, message) => {
          if (event.type === 'frame' && message) listener(event, message);
        }),
      end: () => void this.#parts.send({ type: 'stop', connection, how: 'end' }),
    };
  }
}

function storedDrive(
  connection: ConnectionId,
  launch: Launch,
  settings: ClientSettings,
): StoredDrive {
  return { connection, launch, settings: { ...settings } };
}

/** Stored settings may be of an older version: what they do not say has its default. */
export function settingsOf(stored: Readonly<Record<string, unknown>>): ClientSettings {
  const known = stored as Partial<ClientSettings>;
  const advertise = { ...DEFAULT_SETTINGS.advertise, ...known.advertise };
  return { ...DEFAULT_SETTINGS, ...known, advertise };
}
