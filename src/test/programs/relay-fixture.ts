// A real relay on a free port with folders of its own, raw requests to it, and a page without a
// browser: the link's own client, storing events in an array.
import { newIntercept } from '../../cli/parts/intercept-file.ts';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { LinkClient, type LinkStatus, type SocketConstructor } from '../../link/client.ts';
import type { GivenFile } from '../../link/entry.ts';
import type { InterceptCall, Launch, PageCommand, RelayEvent } from '../../link/messages.ts';
import { startRelay, type RunningRelay, type StartRelayOptions } from '../../relay/start-relay.ts';
import { seq, type ConnectionId, type Seq, type TraceEvent } from '../../trace/event.ts';
import { isUnreadable, parseEvent } from '../../trace/format.ts';
import { lineText } from '../../trace/line.ts';

export interface Folders {
  readonly root: string;
  readonly state: string;
  readonly dist: string;
  /** Where agents run. */
  readonly work: string;
}

export function makeFolders(): Folders {
  const root = mkdtempSync(join(tmpdir(), 'acp-scope-'));
  const folders = {
    root,
    state: join(root, 'state'),
    dist: join(root, 'dist'),
    work: join(root, 'work'),
  };
  mkdirSync(join(folders.dist, 'assets'), { recursive: true });
  mkdirSync(folders.work);
  writeFileSync(join(folders.dist, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(folders.dist, 'assets', 'app-1234.js'), 'export {}');
  return folders;
}

export async function startTestRelay(folders: Folders, more: Partial<StartRelayOptions> = {}) {
  const result = await startRelay({
    port: 0,
    dist: folders.dist,
    version: '0.0.0',
    state: folders.state,
    command: ['acp-scope'],
    bundled: [process.execPath, 'bundled-agent'],
    intercept: () => Promise.resolve(newIntercept),
    ...more,
  });
  if (!result.ok) throw new Error(result.message);
  const missing = result.relay.holdPage();
  if (missing !== undefined) throw new Error(missing);
  return result.relay;
}

export function removeFolders({ root }: Folders): void {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}

/** The answer as text: whole, or all that came before a moment's silence. */
export function rawRequest(port: number, text: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk;
      if (isWhole(answer)) socket.destroy();
    });
    socket.setTimeout(1500, () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

/** `more`: header lines. */
export function getFrom({ port }: RunningRelay, target: string, more = ''): Promise<string> {
  return rawRequest(port, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${more}\r\n`);
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)\r/im.exec(answer.slice(0, end + 2))?.[1];
  return end >= 0 && length !== undefined && answer.length >= end + 4 + Number(length);
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}

/** A page: what it was told, and the events it stored of each connection it follows. */
export class TestPage {
  readonly told: RelayEvent[] = [];
  readonly statuses: LinkStatus[] = [];
  readonly events = new Map<ConnectionId, TraceEvent[]>();
  /** False: events are taken and never acknowledged. */
  acks = true;
  token: string | undefined;
  /** What a command gave it to open. */
  given:
    { readonly file: GivenFile; readonly bytes: Blob | { readonly message: string } } | undefined;
  readonly client: LinkClient;
  /** Breaks its link behind so many messages that came in. */
  breaksAfter = Infinity;
  #socket: WebSocket | undefined;
  #wake: (() => void)[] = [];
  #request = 1000;

  constructor(port: number) {
    this.client = new LinkClient({
      origin: `http://127.0.0.1:${port}`,
      WebSocket: originSocket(port, (socket) => {
        this.#socket = socket;
        socket.on('message', () => {
          if (--this.breaksAfter === 0) socket.terminate();
        });
      }),
      handlers: {
        onStatus: (status) => this.#note(() => this.statuses.push(status)),
        onToken: (token) => this.#note(() => (this.token = token)),
        onGiven: (file, bytes) => this.#note(() => (this.given = { file, bytes })),
        onEvent: (event) => this.#note(() => this.#take(event)),
        onEvents: ({ connection, last, bytes }) =>
          this.#note(() => {
            this.#store(connection, bytes);
            if (this.acks) this.client.command({ type: 'ack', connection, seq: last });
          }),
      },
    });
  }

  get status(): LinkStatus | undefined {
    return this.statuses.at(-1);
  }

  /** Takes nothing from its socket, so that all on its way waits in the relay; until `read`. */
  stall(): void {
    this.#socket?.pause();
  }
  read(): void {
    this.#socket?.resume();
  }

  command(command: PageCommand): void {
    this.client.command(command);
  }

  /** Resolves with what `find` finds, looking again at everything that happens. */
  async until<T>(find: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  told1<T extends RelayEvent['type']>(type: T): Promise<Extract<RelayEvent, { type: T }>> {
    const is = (event: RelayEvent): event is Extract<RelayEvent, { type: T }> =>
      event.type === type;
    return this.until(() => this.told.findLast(is));
  }

  async start(
    launch: Launch,
    more: { withPage?: true; rules?: string } = {},
  ): Promise<ConnectionId> {
    const request = this.#request++;
    this.command({ type: 'start', request, launch, ...more });
    return this.until(() => {
      for (const event of this.told) {
        if (!('request' in event) || event.request !== request) continue;
        if (event.type === 'started') return event.connection;
        if (event.type === 'problem') throw new Error(event.problem.message);
      }
      return undefined;
    });
  }

  /** Asks it of the intercept; the number of the request. */
  intercept(connection: ConnectionId, call: InterceptCall): number {
    const request = this.#request++;
    this.command({ type: 'intercept', request, connection, call });
    return request;
  }

  /** Follows it from what is stored. */
  follow(connection: ConnectionId): void {
    const stored = this.events.get(connection) ?? [];
    this.events.set(connection, stored);
    this.command({ type: 'follow', connection, after: stored.at(-1)?.seq ?? (0 as Seq) });
  }

  /** All events, once the last of them is the end. */
  ended(connection: ConnectionId): Promise<readonly TraceEvent[]> {
    return this.until(() => {
      const events = this.events.get(connection);
      return events?.at(-1)?.type === 'exit' ? events : undefined;
    });
  }

  #take(event: RelayEvent): void {
    this.told.push(event);
    if (event.type === 'welcome')
      for (const connection of this.events.keys()) this.follow(connection);
  }

  #store(connection: ConnectionId, bytes: Uint8Array): void {
    const stored = this.events.get(connection);
    for (const text of Buffer.from(bytes).toString('utf8').split('\n').slice(0, -1)) {
      const event = parseEvent(text);
      if (isUnreadable(event)) throw new Error(event.problem);
      if (event.seq > (stored?.at(-1)?.seq ?? seq(0))) stored?.push(event);
    }
  }

  #note(happen: () => unknown): void {
    happen();
    for (const wake of this.#wake.splice(0)) wake();
  }
}

/** The relays and pages of one test, in folders of their own: `close` ends them all. */
export class RelayTest {
  readonly folders = makeFolders();
  readonly #relays: RunningRelay[] = [];
  readonly #pages: TestPage[] = [];

  async relay(more: Partial<StartRelayOptions> = {}): Promise<RunningRelay> {
    const started = await startTestRelay(this.folders, { trustPage: true, ...more });
    this.#relays.push(started);
    return started;
  }

  /** A page that entered with the key of `url`. */
  async page(of: RunningRelay, url = of.url('printed')): Promise<TestPage> {
    const made = new TestPage(of.port);
    this.#pages.push(made);
    made.client.enter(url.split('#k=')[1], undefined);
    await made.told1('welcome');
    return made;
  }

  launch(script: string, more: Partial<Launch> = {}): Launch {
    const argv = [process.execPath, '-e', script];
    return { name: 'test', argv, cwd: this.folders.work, env: {}, roots: [], ...more };
  }

  /** The names of the recordings on disk. */
  spooled(): string[] {
    return readdirSync(join(this.folders.state, 'spool'));
  }

  async close(): Promise<void> {
    for (const page of this.#pages) page.client.close();
    await Promise.all(this.#relays.map((relay) => relay.close()));
    removeFolders(this.folders);
  }
}

/** An agent that says what it hears. */
export const ECHO = `process.stdin.on('data', (chunk) => process.stdout.write(chunk))`;

/** The lines of a recording. */
export function texts(events: readonly TraceEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'frame' ? [lineText(event.line)] : []));
}

/** A browser adds the page's origin; Node does not. */
function originSocket(port: number, made: (socket: WebSocket) => void): SocketConstructor {
  const Made = class extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { origin: `http://127.0.0.1:${port}` });
      made(this);
    }
  };
  return Made as unknown as SocketConstructor;
}

/** The token of a page that entered by the printed address. */
export async function tokenOf(running: RunningRelay): Promise<string> {
  const page = new TestPage(running.port);
  page.client.enter(running.url('printed').split('#k=')[1], undefined);
  const found = await page.until(() => page.token);
  page.client.close();
  return found;
}
