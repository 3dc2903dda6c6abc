// One event stream of an HTTP connection: opened, read, and opened again where it breaks, behind
// the last event that named itself. What that repeats is told and not given twice.
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Via } from '../../trace/event.ts';
import { networkFault, saysWords, statusFault } from './fault.ts';
import { beginningOf, type HttpAnswer, type HttpClient } from './http-client.ts';
import { Repeats } from './repeats.ts';
import { SseParser, type SseEvent } from '../../lib/net/sse.ts';
import { MOST_MESSAGE, type TransportFact } from './transport.ts';

interface StreamHandlers {
  /** `cut`: the stream ended in its middle. */
  event(event: SseEvent, via: Via, cut: boolean): void;
  fact(fact: TransportFact): void;
  /** A body is read from now on. Returns what to call when it has ended. */
  reads(body: IncomingMessage): () => void;
  /** Whether one that ends is missed. */
  isWanted(): boolean;
  /** It will not be opened again; `problem`: why. */
  lost(problem: string): void;
}

interface StreamPlace {
  /** Undefined: the connection's own stream. */
  readonly session: string | undefined;
  /** Headers that name connection and session. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const MOST_TRIES = 5;
/** One that stood so long was no failure to open it. */
const STOOD_MS = 1000;
/** A server may send the head of a stream with its first event alone: lines go out meanwhile. */
const READY_MS = 5000;
const RETRY_MS = 250;
const MOST_RETRY_MS = 10_000;
const HEAD_MS = 30_000;

export class EventStream {
  /** Resolves when the first try to open it has an answer, or takes long. */
  readonly ready: Promise<void>;
  readonly #client: HttpClient;
  readonly #place: StreamPlace;
  readonly #handlers: StreamHandlers;
  readonly #signal: AbortSignal;
  readonly #where: Pick<TransportFact, 'stream' | 'session'> & { readonly method: 'GET' };
  readonly #repeats = new Repeats();
  #read = 0;
  /** Events that came to their end. */
  #whole = 0;
  /** When the last of them was. */
  #opened = Infinity;
  #lastId: string | undefined;
  #retry = RETRY_MS;

  constructor(
    client: HttpClient,
    place: StreamPlace,
    handlers: StreamHandlers,
    signal: AbortSignal,
  ) {
    this.#client = client;
    this.#place = place;
    this.#handlers = handlers;
    this.#signal = signal;
    const { session } = place;
    this.#where = {
      stream: session === undefined ? 'connection' : 'session',
      method: 'GET',
      ...(session !== undefined && { session }),
    };
    let opened: () => void = () => undefined;
    this.ready = new Promise((resolve) => (opened = resolve));
    setTimeout(opened, READY_MS).unref();
    void this.#run(opened);
  }

  async #run(opened: () => void): Promise<void> {
    for (let tries = 1; !this.#signal.aborted; tries++) {
      const whole = this.#whole;
      this.#opened = Infinity;
      const problem = await this.#once(opened);
      opened();
      if (this.#signal.aborted || !this.#handlers.isWanted()) return;
      if (this.#whole > whole || performance.now() - this.#opened >= STOOD_MS) tries = 1;
      if (problem?.isFinal || tries >= MOST_TRIES)
        return this.#handlers.lost(
          problem?.message ??
            `The event stream of ${this.#client.address.shown} ended ${MOST_TRIES} times before an event was whole. The log of its server may tell why.`,
        );
      const wait = Math.min(this.#retry * 2 ** (tries - 1), MOST_RETRY_MS);
      await delay(wait, undefined, { signal: this.#signal, ref: false }).catch(() => undefined);
    }
  }

  /** Opens and reads it once. `isFinal`: to open it again is of no use. */
  async #once(
    opened: () => void,
  ): Promise<{ readonly message: string; readonly isFinal: boolean } | undefined> {
    const { fact } = this.#handlers;
    const where = this.#where;
    this.#repeats.opened();
    let answer: HttpAnswer;
    try {
      answer = await this.#client.ask({
        method: 'GET',
        headers: {
          accept: 'text/event-stream',
          'last-event-id': headerText(this.#lastId),
          ...this.#place.headers,
        },
        signal: this.#signal,
        patience: HEAD_MS,
      });
    } catch (error) {
      if (this.#signal.aborted) return undefined;
      const problem = networkFault(error as Error, this.#client.address);
      fact({ ...where, step: 'failed', problem });
      return { message: problem, isFinal: false };
    }
    const { status, type, message } = answer;
    if (status !== 200 || type !== 'text/event-stream') {
      const body = await beginningOf(message);
      const { shown } = this.#client.address;
      const location = answer.fact.response?.['location'];
      const problem =
        status === 200
          ? `${shown} answered ${type === '' ? 'no type' : type} instead of an event stream.${saysWords(body)}`
          : statusFault({ status, shown, location, body, isStream: true });
      fact({ ...where, step: 'answered', ...answer.fact, problem, ...(body !== '' && { body }) });
      return { message: problem, isFinal: status !== 409 && status < 500 };
    }
    fact({ ...where, step: 'answered', ...answer.fact });
    this.#opened = performance.now();
    opened();
    const broken = await this.#readAll(message);
    if (this.#signal.aborted) return undefined;
    if (!this.#handlers.isWanted()) return void fact({ ...where, step: 'closed' });
    const next = !this.#lastId
      ? 'Its events had no ids, so what was on its way may be lost.'
      : `It is opened again behind event ${this.#lastId}.`;
    const step = broken === undefined ? 'closed' : 'failed';
    const problem = broken === undefined ? next : `${broken} ${next}`;
    fact({ ...where, step, ...(this.#lastId && { id: this.#lastId }), problem });
    return undefined;
  }

  /** Resolves when the body has ended; with a sentence, where it broke. */
  #readAll(body: IncomingMessage): Promise<string | undefined> {
    const parser = new SseParser();
    const done = this.#handlers.reads(body);
    return new Promise((resolve) => {
      let broken: string | undefined;
      body.on('data', (chunk: Uint8Array) => {
        this.#read++;
        for (const event of parser.push(chunk)) this.#take(event, false);
        this.#lastId = parser.lastId ?? this.#lastId;
        if (parser.retry !== undefined) this.#retry = parser.retry;
        if (parser.held <= MOST_MESSAGE) return;
        broken = `An event was longer than ${MOST_MESSAGE >> 20} MiB, so the stream was given up.`;
        body.destroy();
      });
      body.on('error', (error) => (broken ??= networkFault(error, this.#client.address)));
      body.once('close', () => {
        const rest = parser.end();
        if (rest && !this.#signal.aborted) this.#take(rest, true);
        done();
        resolve(broken);
      });
    });
  }

  #take(event: SseEvent, cut: boolean): void {
    const { stream = 'connection', session } = this.#where;
    const { id, event: name } = event;
    if (!cut) this.#whole++;
    if (id !== undefined && !cut && this.#repeats.has(event)) {
      this.#handlers.fact({ ...this.#where, step: 'repeated', id });
      return;
    }
    this.#handlers.event(
      event,
      {
        stream,
        ...(session !== undefined && { session }),
        ...(id !== undefined && { id }),
        ...(name !== undefined && { event: name }),
        read: this.#read,
      },
      cut,
    );
  }
}

/** A header holds bytes, one a letter; a server takes an id back by an empty one. */
function headerText(id: string | undefined): string | undefined {
  return id ? Buffer.from(id).toString('latin1') : undefined;
}
