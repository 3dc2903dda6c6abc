// One connection of an editor over streamable HTTP: each request goes on as it comes and each answer goes
// back as it comes; what they carry is read from a copy and recorded.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { holdsMessages, parseMessage } from '../../acp/message.ts';
import { joined } from '../../lib/bytes.ts';
import { millis } from '../../lib/time.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import type { Seq, Side, Via } from '../../trace/event.ts';
import type { Recorder } from '../spool/recorder.ts';
import { passThrough, roomIn, type Room } from '../tap.ts';
import { networkFault } from '../transports/fault.ts';
import { maskedHeaders } from '../transports/headers.ts';
import { Repeats } from '../transports/repeats.ts';
import { SseParser } from '../../lib/net/sse.ts';
import { cappedLine, MOST_MESSAGE, type TransportFact } from '../transports/transport.ts';
import { backHead, goOn, headerIn, type Way } from './way.ts';

/** How long what is on its way behind a DELETE may take. */
const LAST_MS = 500;
/** An editor that is gone says nothing: without a stream or a request for so long, it is. */
const IDLE_MS = 5 * 60_000;
const MOST_WORDS = 2000;
const TOO_LONG = `A message is longer than ${MOST_MESSAGE >> 20} MiB: it passes, and is not recorded.`;
const IDLE = 'The editor had no stream open and asked nothing for five minutes.';

/** What is known of a request when its answer comes. */
interface Asked {
  readonly where: Pick<TransportFact, 'stream' | 'session' | 'method'> & Via;
  readonly head: readonly string[];
  readonly began: number;
  /** The frame that it carried. */
  of?: Seq;
}

export class TappedHttp {
  readonly #way: Way;
  readonly #recorder: Recorder;
  readonly #room: Room;
  readonly #streams = new Map<string, { readonly repeats: Repeats; read: number }>();
  /** Called with the id that the agent gives the connection, and once it has ended. */
  readonly #on: { readonly named: (id: string) => void; readonly over: () => void };
  #isNamed: boolean;
  #open = 0;
  #isOver = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(way: Way, isNamed: boolean, on: { named(id: string): void; over(): void }) {
    this.#way = way;
    this.#isNamed = isNamed;
    this.#on = on;
    this.#recorder = way.begin();
    this.#room = roomIn(this.#recorder);
  }

  take(request: IncomingMessage, answer: ServerResponse): void {
    const { address } = this.#way;
    const session = headerIn(request, 'acp-session-id');
    const method =
      request.method === 'GET' || request.method === 'DELETE' ? request.method : 'POST';
    const stream = method !== 'GET' ? 'post' : session === undefined ? 'connection' : 'session';
    const { asked: onward, head } = goOn(request, address);
    const asked: Asked = {
      where: { stream, method, ...(session !== undefined && { session }) },
      ...{ head, began: performance.now() },
    };
    clearTimeout(this.#idle);
    this.#open++;
    const body = new Body();
    const carried = (cut: boolean) => {
      if (body.isTooLong) this.#tell({ ...factOf(asked), step: 'failed', problem: TOO_LONG });
      const pieces = body.take();
      if (pieces.length === 0) return;
      this.#frame('client', pieces, { stream: 'post', ...(session && { session }) }, cut);
      asked.of = this.#recorder.last;
    };
    const take = (chunk: Uint8Array) => {
      body.push(chunk);
      return onward.write(chunk);
    };
    passThrough(request, onward, take, this.#room);
    request.once('end', () => {
      onward.end();
      carried(false);
    });
    answer.once('close', () => {
      carried(true);
      onward.destroy();
      if (--this.#open === 0) this.#rest();
    });
    onward.once('response', (message: IncomingMessage) => this.#answer(message, answer, asked));
    onward.on('error', (error) => {
      if (answer.headersSent || answer.destroyed) return void answer.destroy();
      const problem = networkFault(error, address);
      this.#tell({ ...factOf(asked), step: 'failed', problem });
      answer.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' }).end(problem);
    });
  }

  /** Ends its recording; `problem`: why, where nobody took leave. */
  end(problem?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#idle);
    const recorder = this.#recorder;
    recorder.exit(problem === undefined ? {} : { problem });
    this.#on.over();
    void recorder.close().then(() => this.#way.ended(recorder));
  }

  #answer(message: IncomingMessage, answer: ServerResponse, asked: Asked): void {
    const { statusCode = 0, statusMessage = '' } = message;
    answer.writeHead(statusCode, statusMessage, backHead(message));
    // A stream may have nothing to say for long: that it is open is said now.
    answer.flushHeaders();
    const fact: TransportFact = {
      ...{ ...factOf(asked), step: 'answered', status: statusCode },
      request: maskedHeaders(asked.head, this.#way.address.url),
      response: maskedHeaders(message.rawHeaders, this.#way.address.url),
      ms: millis(performance.now() - asked.began),
    };
    const id = headerIn(message, 'acp-connection-id');
    if (!this.#isNamed && id !== undefined) {
      this.#isNamed = true;
      this.#on.named(id);
    }
    const isStream = /^text\/event-stream\b/i.test(headerIn(message, 'content-type') ?? '');
    const read = isStream ? this.#events(asked, fact) : this.#body(asked, fact);
    const take = (chunk: Uint8Array) => {
      const hasRoom = answer.write(chunk);
      read.push(chunk);
      return hasRoom;
    };
    passThrough(message, answer, take, this.#room);
    message.once('close', () => {
      read.end(message.complete);
      if (message.complete) answer.end();
      else answer.destroy();
    });
    answer.once('close', () => void message.destroy());
    if (asked.where.method !== 'DELETE' || statusCode >= 300) return;
    setTimeout(() => this.end(), LAST_MS).unref();
  }

  /** An answer that is read to its end: a message, or words about one. */
  #body({ where: { session }, ...asked }: Asked, fact: TransportFact) {
    const body = new Body();
    return {
      push: (chunk: Uint8Array) => body.push(chunk),
      end: (isWhole: boolean) => {
        if (body.isTooLong) this.#tell({ ...fact, step: 'failed', problem: TOO_LONG });
        const bytes = joined(body.take());
        const isMessage = bytes.length > 0 && holdsMessages(parseMessage(decodeLossy(bytes)));
        const words = decodeLossy(bytes.subarray(0, MOST_WORDS));
        const of = asked.of === undefined ? {} : { of: asked.of };
        this.#tell({ ...fact, ...of, ...(bytes.length > 0 && !isMessage && { body: words }) });
        if (isMessage)
          this.#frame('agent', [bytes], { stream: 'post', ...(session && { session }) }, !isWhole);
      },
    };
  }

  #events({ where }: Asked, fact: TransportFact) {
    const { stream, session } = where;
    const key = JSON.stringify([stream, session]);
    const state = this.#streams.get(key) ?? { repeats: new Repeats(), read: 0 };
    this.#streams.set(key, state);
    state.repeats.opened();
    this.#tell(fact);
    const parser = new SseParser();
    const take = ({ data, id, event }: ReturnType<SseParser['push']>[number], cut: boolean) => {
      if (!cut && id !== undefined && state.repeats.has({ data, id }))
        return this.#tell({ ...where, step: 'repeated', id });
      const named = { ...(id !== undefined && { id }), ...(event !== undefined && { event }) };
      const via = { stream, ...(session && { session }), ...named, read: state.read };
      return this.#frame('agent', data, via, cut);
    };
    let isTooLong = false;
    return {
      push: (chunk: Uint8Array) => {
        if (isTooLong) return;
        state.read++;
        for (const event of parser.push(chunk)) take(event, false);
        isTooLong = parser.held > MOST_MESSAGE;
        if (!isTooLong) return;
        parser.drop();
        this.#tell({ ...where, step: 'failed', problem: TOO_LONG });
      },
      end: (isWhole: boolean) => {
        const rest = parser.end();
        if (rest) take(rest, true);
        this.#tell({ ...where, step: isWhole ? 'closed' : 'failed' });
      },
    };
  }

  #rest(): void {
    if (this.#isOver) return;
    if (this.#isNamed) this.#idle = setTimeout(() => this.end(IDLE), IDLE_MS).unref();
    else this.end('The agent gave this connection no Acp-Connection-Id.');
  }

  #tell(fact: TransportFact): void {
    if (!this.#isOver) this.#recorder.transport(fact);
  }

  #frame(from: Side, pieces: readonly Uint8Array[], via: Via, cut: boolean): void {
    if (this.#isOver) return;
    this.#recorder.framed(from, cappedLine(pieces), { via, ...(cut && { cut }) });
  }
}

/** A copy of what passes, as long as it may be kept: what passes has no end of its own. */
export class Body {
  readonly #most: number;
  #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(most = MOST_MESSAGE) {
    this.#most = most;
  }

  get isTooLong(): boolean {
    return this.#size > this.#most;
  }

  push(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.isTooLong) this.#pieces = [];
    else this.#pieces.push(chunk);
  }

  /** What was kept, given away; nothing of what is too long. */
  take(): readonly Uint8Array[] {
    this.#size = 0;
    return this.#pieces.splice(0);
  }
}

function factOf({ where, of }: Asked): Omit<TransportFact, 'step'> {
  return { ...where, ...(of !== undefined && { of }) };
}
