// The page's end of the link: gets in, says hello, hands on what the relay says, and comes back by
// itself when the link is lost. It keeps no recorded events: where to go on is known by whoever
// stores them, who follows anew at every `welcome`.
import { assertNever } from '../lib/assert-never.ts';
import { formatBytes } from '../lib/format.ts';
import { utf8Size } from '../lib/utf8.ts';
import { checkHealth, fetchGiven, NO_KEY, STALE, tradeCode, type GivenFile } from './entry.ts';
import { decodeEvents, type EventsMessage } from './events.ts';
import {
  CLOSE_CODES,
  LINK_VERSION,
  MOST_COMMAND_BYTES,
  SUBPROTOCOL,
  type PageCommand,
  type RelayEvent,
} from './messages.ts';

/** How long to wait before each further try: from 0.2 s, doubling, to 5 s. */
class Backoff {
  #next = 200;

  take(): number {
    const wait = this.#next;
    this.#next = Math.min(this.#next * 2, 5000);
    return wait;
  }

  reset(): void {
    this.#next = 200;
  }
}

export type LinkStatus =
  | { readonly status: 'connecting' }
  | { readonly status: 'open' }
  /** Trying again at `retryAt`; both epoch ms. `why`: the relay's words, where it closed the link. */
  | {
      readonly status: 'lost';
      readonly since: number;
      readonly retryAt: number;
      readonly why?: string;
    }
  /** A new link is needed, or a reload: the sentence says which. */
  | { readonly status: 'refused'; readonly message: string };

export interface LinkHandlers {
  onStatus(status: LinkStatus): void;
  /** The token to keep for a reload; undefined: forget it. */
  onToken(token: string | undefined): void;
  /** A command gave this page a file: its bytes, or why they cannot be had. */
  onGiven(file: GivenFile, bytes: Blob | { readonly message: string }): void;
  /** `pong` is kept back. At `welcome` the status is `open`, and every connection must be followed. */
  onEvent(event: RelayEvent): void;
  onEvents(message: EventsMessage): void;
}

/** What we use of a browser's WebSocket. */
export interface Socket {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason?: string }) => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
}
export type SocketConstructor = new (url: string, protocols: string[]) => Socket;

interface LinkOptions {
  /** `http://127.0.0.1:7717` */
  readonly origin: string;
  readonly handlers: LinkHandlers;
  /** Where there is none built in. */
  readonly WebSocket?: SocketConstructor;
}

/** How often the relay is asked for a sign of life, and when it is gone without one. */
const PING_MS = 20_000;
const SILENCE_MS = 35_000;
const CONNECT_MS = 10_000;
/** After the relay refused what we said: we may say it again. */
const REFUSED_MS = 5_000;
/** After a wake-up, how long an answer may take. */
const WAKE_MS = 1_500;

/** Closings with a reason that a person should read. */
const TOLD: readonly number[] = [
  CLOSE_CODES.badMessage,
  CLOSE_CODES.helloTimeout,
  CLOSE_CODES.internal,
  CLOSE_CODES.unfinished,
];

type Timer = ReturnType<typeof setTimeout>;

export class LinkClient {
  readonly #options: LinkOptions;
  readonly #backoff = new Backoff();
  #token: string | undefined;
  #code: string | undefined;
  #socket: Socket | undefined;
  #open = false;
  #queue: PageCommand[] = [];
  #lostSince: number | undefined;
  #why: string | undefined;
  #retry: Timer | undefined;
  #ping: Timer | undefined;
  #silence: Timer | undefined;
  /** Counts tries; an answer to an older one is void. */
  #try = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Starts, or starts anew with a fresh link. The code wins; the token serves a reload. */
  enter(code: string | undefined, token: string | undefined): void {
    this.#reset();
    this.#code = code;
    this.#token = token;
    this.#lostSince = this.#why = undefined;
    this.#tell({ status: 'connecting' });
    void this.#connect();
  }

  /**
   * Sends it, or keeps it until the link is open. `follow` and `ack` are dropped instead: they
   * belong to one link, and are due again after `welcome`. One that is too large for the link is
   * answered with a problem, as the relay would answer it.
   */
  command(command: PageCommand): void {
    if (this.#open) {
      const text = commandText(command);
      if (text !== undefined) this.#socket?.send(text);
      else this.#options.handlers.onEvent(tooLarge(command));
    } else if (command.type !== 'follow' && command.type !== 'ack') this.#queue.push(command);
  }

  /** The machine or the tab woke up, or the network is back: look at once. */
  wake(): void {
    if (this.#lostSince !== undefined && this.#retry) {
      clearTimeout(this.#retry);
      void this.#connect();
    } else if (this.#open) {
      this.command({ type: 'ping' });
      this.#expect(WAKE_MS);
    }
  }

  close(): void {
    this.#reset();
    this.#queue = [];
  }

  async #connect(): Promise<void> {
    this.#retry = undefined;
    const current = ++this.#try;
    if (this.#code !== undefined) await this.#trade(this.#code, current);
    if (current !== this.#try || this.#code !== undefined) return;
    const token = this.#token;
    if (token === undefined) return this.#refuse(NO_KEY);
    const { origin } = this.#options;
    const make = this.#options.WebSocket ?? globalSocket();
    const socket = new make(origin.replace(/^http/, 'ws') + '/ws', [SUBPROTOCOL, `auth.${token}`]);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'hello', protocol: LINK_VERSION } satisfies PageCommand));
      this.#expect(SILENCE_MS);
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = ({ code, reason }) => void this.#lost(code, reason);
    socket.onerror = () => {};
    this.#socket = socket;
    this.#expect(CONNECT_MS);
  }

  async #trade(code: string, current: number): Promise<void> {
    const entry = await tradeCode(this.#options.origin, code);
    if (current !== this.#try) return;
    if (entry.ok) {
      this.#code = undefined;
      this.#token = entry.token;
      this.#options.handlers.onToken(entry.token);
      if (entry.file) void this.#given(entry.file, entry.token, code);
    } else if (entry.why === 'unreachable') this.#retryLater(this.#backoff.take());
    // A used link opened again in a tab that is let in already.
    else if (this.#token !== undefined) this.#code = undefined;
    else this.#refuse(entry.message);
  }

  async #given(file: GivenFile, token: string, code: string): Promise<void> {
    const { origin, handlers } = this.#options;
    handlers.onGiven(file, await fetchGiven(origin, token, code));
  }

  #receive(data: unknown): void {
    this.#expect(SILENCE_MS);
    const { handlers } = this.#options;
    if (data instanceof ArrayBuffer) {
      const message = decodeEvents(new Uint8Array(data));
      if (message) handlers.onEvents(message);
      return;
    }
    const event = JSON.parse(String(data)) as RelayEvent;
    if (event.type === 'pong') return;
    if (event.type === 'welcome') {
      if (event.protocol !== LINK_VERSION)
        return this.#refuse('The relay is of another version than this page. Reload the page.');
      this.#welcomed();
    }
    handlers.onEvent(event);
    if (event.type === 'welcome')
      for (const command of this.#queue.splice(0)) this.command(command);
  }

  #welcomed(): void {
    this.#open = true;
    this.#lostSince = undefined;
    this.#why = undefined;
    this.#backoff.reset();
    clearInterval(this.#ping);
    this.#ping = setInterval(() => this.command({ type: 'ping' }), PING_MS);
    this.#tell({ status: 'open' });
  }

  async #lost(code: number, reason = ''): Promise<void> {
    this.#reset();
    this.#lostSince ??= Date.now();
    if (TOLD.includes(code) && reason !== '') this.#why = reason;
    const wait = Math.max(this.#backoff.take(), code === CLOSE_CODES.badMessage ? REFUSED_MS : 0);
    this.#tellLost(this.#lostSince, wait);
    await this.#judge(wait, () => this.#retryLater(wait));
  }

  /** Asks whether the key holds: a socket tried with one that does not would be one more wrong key. */
  async #judge(wait: number | undefined, good: () => void): Promise<void> {
    const current = this.#try;
    const health = await checkHealth(this.#options.origin, this.#token ?? '');
    if (current !== this.#try) return;
    switch (health.state) {
      case 'good':
        return good();
      case 'unreachable':
        return this.#retryLater(wait ?? this.#backoff.take());
      case 'stale':
        this.#options.handlers.onToken(undefined);
        return this.#refuse(STALE);
      case 'refused':
        return this.#refuse(health.message);
      default:
        assertNever(health);
    }
  }

  #retryLater(wait: number): void {
    this.#tellLost((this.#lostSince ??= Date.now()), wait);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      const connect = () => void this.#connect();
      if (this.#token === undefined) connect();
      else void this.#judge(undefined, connect);
    }, wait);
  }

  #refuse(message: string): void {
    this.#reset();
    this.#code = undefined;
    this.#token = undefined;
    this.#queue = [];
    this.#tell({ status: 'refused', message });
  }

  /** Something must come within so long; silence is a dead link. */
  #expect(ms: number): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => void this.#lost(1006), ms);
  }

  /** Lets go of the socket and of all that waits. */
  #reset(): void {
    this.#try++;
    this.#open = false;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    clearInterval(this.#ping);
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #tellLost(since: number, wait: number): void {
    const why = this.#why;
    const retryAt = Date.now() + wait;
    this.#tell({ status: 'lost', since, retryAt, ...(why !== undefined && { why }) });
  }

  #tell(status: LinkStatus): void {
    this.#options.handlers.onStatus(status);
  }
}

/** Undefined: too large for the link. */
function commandText(command: PageCommand): string | undefined {
  try {
    const text = JSON.stringify(command);
    // No character takes more than three bytes for each unit of its text.
    if (text.length * 3 <= MOST_COMMAND_BYTES) return text;
    return utf8Size(text) <= MOST_COMMAND_BYTES ? text : undefined;
  } catch {
    // It is longer than any text may be.
    return undefined;
  }
}

function tooLarge(command: PageCommand): RelayEvent {
  const most = formatBytes(MOST_COMMAND_BYTES);
  const message = `This is over ${most}, the most that the link to the relay takes at once, so it was not sent. Send less.`;
  return {
    type: 'problem',
    ...('request' in command && { request: command.request }),
    ...('connection' in command && { connection: command.connection }),
    problem: { code: 'bad_message', message },
  };
}

function globalSocket(): SocketConstructor {
  const { WebSocket: found } = globalThis as { WebSocket?: SocketConstructor };
  if (!found) throw new Error('There is no WebSocket here: give one.');
  return found;
}
