// ACP over streamable HTTP: each line of ours is a POST, what the agent says comes on event streams,
// one of the connection and one of each session. The SDK's client opens none for child sessions, so
// what they say never arrives there; here each session that is announced gets its own.
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  holdsMessages,
  idKey,
  eachMessage,
  parseMessage,
  type Message,
} from '../../acp/message.ts';
import { childIdOf, sessionOf, updateOf } from '../../acp/update.ts';
import { joined, PIECE_COST, sizeOf } from '../../lib/bytes.ts';
import { LINE_CAPS } from '../../lib/capped-lines.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import type { Problem } from '../../link/messages.ts';
import type { Seq, Via } from '../../trace/event.ts';
import type { Address } from './address.ts';
import { AskedOn } from './asked-on.ts';
import { EventStream } from './event-stream.ts';
import { IS_MCP, networkFault, NO_ACP, saysWords, statusFault } from './fault.ts';
import { HttpClient, MOST_WORDS, type HttpAnswer } from './http-client.ts';
import { SseParser } from '../../lib/net/sse.ts';
import {
  cappedLine,
  MOST_UNSENT,
  type Ears,
  type AgentTransport,
  type TransportFact,
} from './transport.ts';

const POST_MS = 60_000;
/** The first is answered by the agent itself, in its own time. */
const FIRST_MS = 120_000;
/** An answer that is begun goes on within this. */
const BODY_MS = 30_000;
const LEAVE_MS = 2000;
/** How long the streams may go on behind our leave. */
const LAST_MS = 500;
const LOOK_MS = 20;
/** More sessions at once than anybody drives. */
const MOST_STREAMS = 256;
const MOST_BODY = 2 * LINE_CAPS.whole;

const UNANSWERED = 'The connection ended before this was answered.';

/** Nothing is sent yet: the first line, `initialize`, opens the connection. */
export function openHttp(address: Address): {
  readonly ok: true;
  readonly transport: AgentTransport;
} {
  return { ok: true, transport: new HttpTransport(address) };
}

class HttpTransport implements AgentTransport {
  readonly #client: HttpClient;
  readonly #abort = new AbortController();
  readonly #streams = new Map<string | undefined, EventStream>();
  readonly #bodies = new Set<{ pause(): unknown; resume(): unknown }>();
  readonly #asked = new AskedOn();
  #ears: Ears | undefined;
  #connection: string | undefined;
  /** Lines go out one after the other: their order is the client's. */
  #queue: Promise<void> = Promise.resolve();
  #unsent = 0;
  /** Lines whose request has no status yet. */
  readonly #waiting = new Set<Seq>();
  #state: 'open' | 'leaving' | 'over' = 'open';
  #isPaused = false;
  /** One stream more was not opened. */
  #isFull = false;

  constructor(address: Address) {
    this.#client = new HttpClient(address);
    // Each request and each stream listens to it.
    setMaxListeners(Infinity, this.#abort.signal);
  }

  start(ears: Ears): void {
    this.#ears = ears;
  }

  whyNot(): Problem | undefined {
    if (this.#state !== 'open')
      return {
        code: 'ended',
        message: 'The connection to the agent has ended, so nothing can be sent. Connect again.',
      };
    if (this.#unsent <= MOST_UNSENT) return undefined;
    return {
      code: 'io',
      message: 'The agent takes no requests: 64 MB wait for it. Wait until it does, or end it.',
    };
  }

  viaOf(line: Uint8Array): Via {
    const message = parseMessage(decodeLossy(line));
    const isAnswer = message.kind === 'success' || message.kind === 'failure';
    const session = isAnswer ? this.#asked.sessionOf(idKey(message.id)) : sessionOf(message);
    return session ? { stream: 'post', session } : { stream: 'post' };
  }

  send(line: Uint8Array, of: Seq, { session }: Via): void {
    this.#unsent += line.length;
    this.#waiting.add(of);
    this.#queue = this.#queue.then(async () => {
      if (this.#state !== 'over') await this.#post(line, of, session);
      this.#waiting.delete(of);
      this.#unsent -= line.length;
    });
  }

  pause(): void {
    this.#isPaused = true;
    for (const body of this.#bodies) body.pause();
  }

  resume(): void {
    this.#isPaused = false;
    for (const body of this.#bodies) body.resume();
  }

  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'leaving';
    void this.#queue.then(() => this.#leave());
  }

  drop(): void {
    this.#over(undefined);
  }

  async #post(line: Uint8Array, of: Seq, session: string | undefined): Promise<void> {
    const isFirst = this.#connection === undefined;
    if (session !== undefined && !isFirst) await this.#stream(session);
    const where = { stream: 'post', method: 'POST', of, ...(session && { session }) } as const;
    let answer: HttpAnswer;
    try {
      answer = await this.#client.ask({
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...this.#names(isFirst ? undefined : session),
        },
        body: line,
        signal: this.#abort.signal,
        patience: isFirst ? FIRST_MS : POST_MS,
      });
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      const problem = networkFault(error as Error, this.#client.address);
      this.#waiting.delete(of);
      this.#ears?.fact({ ...where, step: 'failed', problem });
      return this.#over(problem);
    }
    this.#waiting.delete(of);
    const { status, type, fact } = answer;
    if (isFirst) this.#meet(answer);
    const isMet = this.#connection !== undefined;
    if (type === 'text/event-stream' && status === 200 && isMet) {
      this.#ears?.fact({ ...where, step: 'answered', ...fact });
      void this.#readEvents(answer, session);
      return isFirst ? this.#stream(undefined) : undefined;
    }
    const [body, broken] = await this.#bodyOf(answer);
    if (body === undefined) return;
    const message = body.length > 0 ? parseMessage(decodeLossy(body)) : undefined;
    const isMessage = message !== undefined && holdsMessages(message);
    const words = isMessage ? '' : wordsOf(body);
    const fault = this.#faultOf(answer, isFirst, words, isMessage, broken);
    // An answer that comes along says by itself what became of the request.
    const isAnswered =
      !fault?.isFinal && message !== undefined && holdsAnswerTo(message, body, line);
    this.#ears?.fact({
      ...{ ...where, step: 'answered', ...fact },
      ...(fault && !isAnswered && { problem: fault.problem }),
      ...(words !== '' && { body: words }),
    });
    if (isMessage) this.#hear([body], { stream: 'post', ...(session && { session }) }, false);
    if (fault?.isFinal) return this.#over(fault.problem);
    if (isFirst && isMet) await this.#stream(undefined);
  }

  /** What is wrong with an answer; `isFinal`: the connection is of no use any more. */
  #faultOf(
    { status, type, message, fact }: HttpAnswer,
    isFirst: boolean,
    body: string,
    isMessage: boolean,
    broken: string | undefined,
  ): { readonly problem: string; readonly isFinal: boolean } | undefined {
    const { shown } = this.#client.address;
    if (status >= 300 || status < 200) {
      const problem = statusFault({ status, shown, location: fact.response?.['location'], body });
      const isGone = status < 400 || [401, 403, 404, 410].includes(status);
      return { problem, isFinal: isGone || (isFirst && !isMessage) };
    }
    const isMcp = message.headers['mcp-session-id'] !== undefined;
    const other = !isFirst ? '' : isMcp ? IS_MCP : NO_ACP;
    // What a 202 begins to say changes nothing: the line is taken.
    if (!isMessage && broken !== undefined && status !== 202)
      return { problem: `${shown} ${broken}${saysWords(body)}`, isFinal: isFirst };
    if (!isMessage && (body !== '' || isFirst) && broken === undefined) {
      const what = body === '' ? 'nothing' : type === '' ? 'what has no type' : type;
      const problem = `${shown} answered ${what} instead of a message.${other}${saysWords(body)}`;
      return { problem, isFinal: isFirst };
    }
    if (!isFirst || message.headers['acp-connection-id'] !== undefined) return undefined;
    const problem = `${shown} answered initialize without the header Acp-Connection-Id, so nothing more can be asked.${other}`;
    return { problem, isFinal: true };
  }

  #meet({ message }: HttpAnswer): void {
    const id = message.headers['acp-connection-id'];
    if (typeof id === 'string' && id !== '') this.#connection = id;
  }

  #names(session: string | undefined): Readonly<Record<string, string | undefined>> {
    return { 'acp-connection-id': this.#connection, 'acp-session-id': session };
  }

  /** Resolves when the stream of a session (undefined: of the connection) is open, or cannot be. */
  async #stream(session: string | undefined): Promise<void> {
    const there = this.#streams.get(session);
    if (there) return there.ready;
    if (this.#state === 'over') return;
    if (this.#streams.size >= MOST_STREAMS) return this.#tooMany(session);
    const stream = new EventStream(
      this.#client,
      { session, headers: this.#names(session) },
      {
        event: ({ data }, via, cut) => this.#hear(data, via, cut),
        fact: (fact) => this.#ears?.fact(fact),
        reads: (body) => this.#reads(body),
        isWanted: () => this.#state === 'open',
        lost: (problem) => {
          this.#streams.delete(session);
          if (session === undefined) this.#over(problem);
        },
      },
      this.#abort.signal,
    );
    this.#streams.set(session, stream);
    return stream.ready;
  }

  /** Said once: whoever announces more than that announces a great many. */
  #tooMany(session: string | undefined): void {
    if (this.#isFull) return;
    this.#isFull = true;
    const problem = `${MOST_STREAMS} event streams are open, so none is opened for this session, nor for those after it: what they say is not here.`;
    const where = {
      stream: 'session',
      method: 'GET',
      ...(session !== undefined && { session }),
    } as const;
    this.#ears?.fact({ ...where, step: 'failed', problem });
  }

  #hear(data: readonly Uint8Array[], via: Via, cut: boolean): void {
    const isWhole = !cut && sizeOf(data) <= LINE_CAPS.whole;
    const text = isWhole ? decodeLossy(joined(data)) : '';
    const said = isWhole ? parseMessage(text) : undefined;
    const messages = () => (said ? eachMessage(said, () => text) : []);
    // Before it is told: whoever hears it may answer at once.
    for (const message of messages())
      if (message.kind === 'request' && via.session !== undefined)
        this.#asked.note(idKey(message.id), via.session);
    this.#ears?.frame(cappedLine(data), via, cut);
    for (const message of messages())
      for (const session of namedBy(message)) void this.#stream(session);
  }

  async #readEvents({ message }: HttpAnswer, session: string | undefined): Promise<void> {
    const parser = new SseParser();
    const done = this.#reads(message);
    const via: Via = { stream: 'post', ...(session && { session }) };
    message.on('data', (chunk: Uint8Array) => {
      for (const { data } of parser.push(chunk)) this.#hear(data, via, false);
      if (parser.held > MOST_BODY) message.destroy();
    });
    message.on('error', () => {});
    await new Promise<void>((resolve) => message.once('close', resolve));
    const rest = parser.end();
    if (rest && this.#state !== 'over') this.#hear(rest.data, via, true);
    done();
  }

  /** Undefined: we gave up meanwhile. With it: how it ended, where that is not its end. */
  async #bodyOf({
    message,
    type,
  }: HttpAnswer): Promise<[body?: Uint8Array, broken?: string | undefined]> {
    const chunks: Uint8Array[] = [];
    let held = 0;
    let broken: string | undefined;
    let timer: NodeJS.Timeout | undefined;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        broken = `did not end its answer within ${BODY_MS / 1000} s.`;
        message.destroy();
      }, BODY_MS);
    };
    wait();
    try {
      for await (const chunk of message as AsyncIterable<Uint8Array>) {
        wait();
        chunks.push(chunk);
        // Of a stream that is none of ours its beginning says enough.
        held += chunk.length + PIECE_COST;
        if (type === 'text/event-stream' || held > MOST_BODY) break;
      }
    } catch {
      if (this.#abort.signal.aborted) return [];
      broken ??= 'broke off in the middle of its answer.';
    } finally {
      clearTimeout(timer);
    }
    return [joined(chunks), broken];
  }

  #reads(body: { pause(): unknown; resume(): unknown }): () => void {
    this.#bodies.add(body);
    // Its first listener would let it flow.
    if (this.#isPaused) setImmediate(() => void (this.#isPaused && body.pause()));
    return () => void this.#bodies.delete(body);
  }

  async #leave(): Promise<void> {
    if (this.#state === 'over') return;
    const asked = this.#delete();
    if (asked) {
      const fact = await asked;
      if (fact) this.#ears?.fact(fact);
      // What was said before is still on its way, on sockets of its own.
      for (let waited = 0; waited < LAST_MS && this.#bodies.size > 0; waited += LOOK_MS)
        await delay(LOOK_MS);
    }
    this.#over(undefined);
  }

  /** Undefined: there is no connection to end. */
  #delete(): Promise<TransportFact | undefined> | undefined {
    if (this.#connection === undefined) return undefined;
    const asked = this.#client.ask({
      method: 'DELETE',
      headers: this.#names(undefined),
      signal: AbortSignal.timeout(LEAVE_MS),
    });
    return asked.then(
      ({ message, fact }) => {
        message.resume();
        return { step: 'answered', ...fact };
      },
      (error: Error) => ({
        ...{ step: 'failed', method: 'DELETE' },
        problem: networkFault(error, this.#client.address),
      }),
    );
  }

  #over(problem: string | undefined): void {
    if (this.#state === 'over') return;
    const isLeft = this.#state === 'leaving';
    this.#state = 'over';
    // A server that goes on is told, as far as it listens.
    const told = problem === undefined || isLeft ? undefined : this.#delete();
    this.#abort.abort();
    for (const of of this.#waiting)
      this.#ears?.fact({ step: 'failed', stream: 'post', method: 'POST', of, problem: UNANSWERED });
    void Promise.resolve(told).finally(() => this.#client.close());
    this.#ears?.ended(problem);
  }
}

/** Sessions that a message of the agent tells of for the first time, perhaps. */
function namedBy(message: Message): readonly string[] {
  const session = message.kind === 'success' ? sessionOf(message) : undefined;
  if (message.kind !== 'notification') return session === undefined ? [] : [session];
  const told = updateOf(message.params);
  const child = told?.variant === 'subagent_update' ? childIdOf(told.update) : undefined;
  return child === undefined ? [] : [child];
}

/** True if the body, whose message is known, answers the request that the line is. */
function holdsAnswerTo(message: Message, body: Uint8Array, line: Uint8Array): boolean {
  const asked = parseMessage(decodeLossy(line));
  if (asked.kind !== 'request') return false;
  for (const one of eachMessage(message, () => decodeLossy(body)))
    if ((one.kind === 'success' || one.kind === 'failure') && idKey(one.id) === idKey(asked.id))
      return true;
  return false;
}

function wordsOf(body: Uint8Array): string {
  return decodeLossy(body.subarray(0, MOST_WORDS));
}
