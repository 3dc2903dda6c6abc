// One page at the other end of a WebSocket: greets it, checks what it says, and sends it the
// recordings it follows, past then present, never more than the window unacknowledged. A page that
// is slow or asleep stops only its own reading of the spool.
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { encodeEvents } from '../link/events.ts';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CLOSE_CODES,
  MOST_COMMAND_BYTES,
  WINDOW_BYTES,
  type PageCommand,
  type RelayEvent,
} from '../link/messages.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';
import type { Agent } from './agents/agent.ts';
import type { LeftPrograms } from './agents/left-programs.ts';
import { parseCommand } from './command.ts';
import { lookAt } from './look.ts';
import { Follow } from './spool/follow.ts';
import type { Recording } from './spool/recording.ts';
import { BATCH_BYTES } from './spool/spool-reader.ts';
import type { UnfinishedMessages } from './unfinished.ts';

/** What only the relay can answer. */
export type RelayCommand = Exclude<
  PageCommand,
  { type: 'hello' | 'ping' | 'follow' | 'ack' | 'look' | 'left' }
>;

interface PageHandlers {
  /** It said hello. */
  readonly onHello: (page: PageLink) => void;
  readonly onCommand: (page: PageLink, command: RelayCommand) => void;
  /** Undefined: no such recording. */
  readonly recording: (connection: ConnectionId) => Recording | undefined;
  /** The page's database has everything up to `seq`. */
  readonly onAck: (page: PageLink, recording: Recording, seq: Seq) => void;
  readonly onClose: (page: PageLink) => void;
  /** Of all pages together. */
  readonly unfinished: UnfinishedMessages;
  /** What agents of this relay left running. */
  readonly left: LeftPrograms;
  /** Something of ours threw; what it was about has failed. */
  readonly onFault: (error: unknown) => void;
}

/** What a command names, so that it can be answered. */
interface About {
  readonly request?: number;
  readonly connection?: ConnectionId;
}

const HELLO_MS = 5_000;
/** Asked each 15 s, gone after 30 s without an answer. */
const PING_MS = 15_000;
/** Commands of a page that wait for their end. */
const MOST_UNDER_WAY = 1000;
/** After a small batch the next waits this long, so that a busy agent gives few messages. */
const GATHER_MS = 4;
const SMALL = 64 * 1024;
/** So many bytes of answers that a page does not read: what it says is not read either, until it does. */
const MOST_UNREAD = 1024 * 1024;
/** So many commands are read at once, and as many each second; a large one counts for each of its parts. */
const MOST_A_SECOND = 20_000;
const COMMAND_PART = 4096;
/** So many bytes of commands that are under way: no more is read, until some are done. */
const MOST_HELD = 2 * MOST_COMMAND_BYTES;
const LOOK_MS = 50;
/** A page that is sent away may close by itself for so long; one that is not read any more cannot. */
const LEAVE_MS = 2_000;
const UNREAD_LEAVE_MS = 200;
const BUSY = 'a thousand others of this page are under way';
const TOO_MUCH =
  'unfinished: too many large messages of pages wait for their end, and this one longest';
const BINARY = { ok: false, why: 'it is binary' } as const;

export class PageLink {
  readonly #socket: WebSocket;
  readonly #handlers: PageHandlers;
  readonly #makeRoom = () => this.#sendAway(CLOSE_CODES.unfinished, TOO_MUCH, UNREAD_LEAVE_MS);
  readonly #closing = new AbortController();
  readonly #follows = new Map<ConnectionId, { follow: Follow; unwatch: () => void }>();
  #greeted = false;
  #flying = 0;
  /** What was told while a long message is half sent: nothing may come into the middle of it. */
  #told: string[] | undefined;
  #pumping = false;
  #more = false;
  #answered = true;
  #underWay = 0;
  /** Bytes of the command that is taken now, and of those that are under way. */
  #now = 0;
  #heldBytes = 0;
  /** What was read of late, by its weight. */
  #read = 0;
  #readAt = performance.now();

  constructor(socket: WebSocket, wire: Socket, handlers: PageHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    const hello = setTimeout(
      () => this.#sendAway(CLOSE_CODES.helloTimeout, 'hello_timeout'),
      HELLO_MS,
    );
    const ping = setInterval(() => this.#ping(), PING_MS);
    // Behind the socket's own reader, so that a message that ends has been heard by then.
    let hasEnded = false;
    wire.on('data', ({ length }) => {
      if (!hasEnded) handlers.unfinished.grows(this.#makeRoom, length);
      hasEnded = false;
      this.#hold();
    });
    socket.on('message', (data: Buffer, isBinary) => {
      hasEnded = true;
      handlers.unfinished.ends(this.#makeRoom);
      this.#hold(data.length);
      // What is sent away is not heard any more.
      if (socket.readyState !== socket.OPEN) return;
      const said = isBinary ? BINARY : parseCommand(data.toString());
      if (!said.ok) return this.#refuse(said);
      if (said.command.type === 'hello') clearTimeout(hello);
      else if (!this.#greeted) return this.#refuse({ why: 'it came before a hello' });
      else if (this.#underWay >= MOST_UNDER_WAY && 'request' in said.command)
        return this.#refuse({ ...said.command, why: BUSY });
      this.#now = data.length;
      try {
        this.#take(said.command);
      } catch (error) {
        this.#failed(error, said.command);
      }
      this.#now = 0;
    });
    socket.on('pong', () => {
      this.#answered = true;
      this.#hold();
    });
    socket.on('ping', () => this.#hold());
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(hello);
      clearInterval(ping);
      this.#closing.abort();
      handlers.unfinished.ends(this.#makeRoom);
      for (const connection of [...this.#follows.keys()]) this.guard(this.unfollow(connection));
      handlers.onClose(this);
    });
  }

  /** Aborts when the page is gone. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  tell(event: RelayEvent): void {
    if (!this.#greeted || this.closed.aborted) return;
    const text = JSON.stringify(event);
    if (this.#told) this.#told.push(text);
    else this.#socket.send(text);
  }

  /** Resolves when it has taken what it was told, but for a little, or is gone. */
  async answer(event: RelayEvent): Promise<void> {
    this.tell(event);
    while (!this.closed.aborted && this.#unread > MOST_UNREAD) await delay(LOOK_MS);
  }

  /** A fault of ours fails the command it is about, and nothing else. */
  guard(work: Promise<void>, about?: About | PageCommand): void {
    this.#underWay++;
    const bytes = this.#now;
    this.#heldBytes += bytes;
    const done = work.catch((error: unknown) => this.#failed(error, about));
    void done.finally(() => {
      this.#underWay--;
      this.#heldBytes -= bytes;
    });
  }

  /** The agent of a page's run ends when the page is gone. */
  takesAlong(agent: Agent): void {
    const end = () => this.guard(agent.kill());
    if (this.closed.aborted) return end();
    this.closed.addEventListener('abort', end);
    void agent.ended.then(() => this.closed.removeEventListener('abort', end));
  }

  /** Lets go of the file, so that it can be removed. */
  async unfollow(connection: ConnectionId): Promise<void> {
    const entry = this.#follows.get(connection);
    if (!entry) return;
    this.#follows.delete(connection);
    entry.unwatch();
    const { unacknowledged, closed } = entry.follow.close();
    this.#flying -= unacknowledged;
    this.#pumpSoon();
    await closed;
  }

  /** A command that names what it is about is answered; any other closes the socket, and says why. */
  #refuse({ why, ...said }: About & { readonly why: string }): void {
    const about = this.#greeted ? namedIn(said) : undefined;
    if (!about) return this.#sendAway(CLOSE_CODES.badMessage, `bad_message: ${why}`);
    const message = `The relay cannot take this command: ${why}. Nothing was done.`;
    this.tell({ type: 'problem', ...about, problem: { code: 'bad_message', message } });
  }

  #failed(error: unknown, said: About | PageCommand = {}): void {
    this.#handlers.onFault(error);
    const about = namedIn(said);
    if (!about) return this.#sendAway(CLOSE_CODES.internal, 'a fault of the relay');
    const message = 'The relay failed at this, by a fault of its own. All else goes on.';
    this.tell({ type: 'problem', ...about, problem: { code: 'internal', message } });
  }

  #take(command: PageCommand): void {
    switch (command.type) {
      case 'hello':
        if (this.#greeted) return;
        this.#greeted = true;
        return this.#handlers.onHello(this);
      case 'ping':
        return this.tell({ type: 'pong' });
      case 'follow':
        return this.#follow(command.connection, command.after);
      case 'ack':
        return this.#ack(command.connection, command.seq);
      case 'look':
        return this.guard(this.#look(command.request, command.path), command);
      case 'left':
        return this.guard(this.#left(command), command);
      default:
        return this.#handlers.onCommand(this, command);
    }
  }

  #follow(connection: ConnectionId, after: Seq): void {
    const recording = this.#handlers.recording(connection);
    if (!recording) return this.tell({ type: 'gone', connection });
    this.guard(this.unfollow(connection));
    const follow = new Follow(recording, after);
    const unwatch = recording.watch(() => this.#pumpSoon());
    this.#follows.set(connection, { follow, unwatch });
    this.#handlers.onAck(this, recording, after);
    this.#pumpSoon();
  }

  async #look(request: number, path: string): Promise<void> {
    this.tell({ type: 'looked', request, is: await lookAt(path) });
  }

  async #left({ request, connection, end }: Extract<PageCommand, { type: 'left' }>): Promise<void> {
    const programs = await this.#handlers.left.of(connection, end);
    this.tell({ type: 'left', request, ...(programs && { programs }) });
  }

  #ack(connection: ConnectionId, seq: Seq): void {
    const follow = this.#follows.get(connection)?.follow;
    if (!follow) return;
    this.#flying -= follow.ack(seq);
    this.#handlers.onAck(this, follow.recording, seq);
    this.#pumpSoon();
  }

  #pumpSoon(): void {
    this.#more = true;
    if (!this.#pumping) this.guard(this.#pump());
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    while (this.#more && !this.closed.aborted) {
      this.#more = false;
      let sent = 0;
      // One batch of each in turn: a flood in one connection does not starve the others.
      for (const { follow } of [...this.#follows.values()]) sent += await this.#sendNext(follow);
      if (sent === 0) continue;
      this.#more = true;
      if (sent < SMALL) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
    this.#pumping = false;
  }

  async #sendNext(follow: Follow): Promise<number> {
    const room = WINDOW_BYTES - this.#flying;
    if (this.#flying > 0 && room < BATCH_BYTES) return 0;
    const batch = await follow.next(room, this.#flying === 0);
    if (!batch || this.closed.aborted) return 0;
    const { first, last, size, parts } = batch;
    this.#flying += size;
    let message: Uint8Array | undefined;
    for await (const part of parts) {
      // Read from the file no faster than the page takes it.
      if (message) await this.#sendPart(message);
      if (this.closed.aborted) return size;
      message = message
        ? part
        : encodeEvents({ connection: follow.recording.id, first, last }, part);
    }
    if (message) this.#socket.send(message);
    const told = this.#told ?? [];
    this.#told = undefined;
    for (const text of told) this.#socket.send(text);
    return size;
  }

  /** More of the same message follows. */
  #sendPart(part: Uint8Array): Promise<void> {
    this.#told ??= [];
    return new Promise((resolve) => {
      this.#socket.send(part, { fin: false }, () => resolve());
    });
  }

  #sendAway(code: number, why: string, ms = LEAVE_MS): void {
    const socket = this.#socket;
    socket.close(code, why);
    const timer = setTimeout(() => socket.terminate(), ms);
    socket.once('close', () => clearTimeout(timer));
  }

  /** What it says waits on its own side meanwhile: nothing is refused or lost, and others go on. */
  #hold(bytes = 0): void {
    const socket = this.#socket;
    this.#read += 1 + bytes / COMMAND_PART;
    if (socket.isPaused || !this.#isTooMuch(1)) return;
    socket.pause();
    const timer = setInterval(() => {
      if (!this.closed.aborted && this.#isTooMuch(0.5)) return;
      clearInterval(timer);
      socket.resume();
    }, LOOK_MS);
  }

  #isTooMuch(share: number): boolean {
    const now = performance.now();
    this.#read = Math.max(0, this.#read - ((now - this.#readAt) * MOST_A_SECOND) / 1000);
    this.#readAt = now;
    return (
      this.#handlers.unfinished.mustWait(this.#makeRoom) ||
      this.#unread > MOST_UNREAD * share ||
      this.#read > MOST_A_SECOND * share ||
      this.#heldBytes > MOST_HELD * share
    );
  }

  get #unread(): number {
    // What flies is bounded by its window.
    return this.#socket.bufferedAmount - this.#flying;
  }

  #ping(): void {
    if (!this.#answered) return this.#socket.terminate();
    this.#answered = false;
    this.#socket.ping();
  }
}

function namedIn(said: About | PageCommand): About | undefined {
  const { request, connection } = said as About;
  if (request !== undefined) return { request, ...(connection !== undefined && { connection }) };
  return connection === undefined ? undefined : { connection };
}
