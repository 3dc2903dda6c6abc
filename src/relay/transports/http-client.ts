// Requests to one server, and to no other: redirects come back as what they are. Each answer comes
// with what the record says of it.
import { Agent, request, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { millis } from '../../lib/time.ts';
import type { Address } from './address.ts';
import { CookieJar } from './cookies.ts';
import { SlowError } from './fault.ts';
import { maskedHeaders } from './headers.ts';
import type { TransportFact } from './transport.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly message: IncomingMessage;
  /** `application/json`, without its parameters. */
  readonly type: string;
  readonly fact: Pick<TransportFact, 'method' | 'status' | 'request' | 'response' | 'ms'>;
}

interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
  /** How long until its status may take; undefined: any time. */
  readonly patience?: number;
}

export class HttpClient {
  readonly address: Address;
  readonly #jar = new CookieJar();
  readonly #agent: Agent;

  constructor(address: Address) {
    this.address = address;
    this.#agent = new (this.#isSecure ? SecureAgent : Agent)({ keepAlive: true });
  }

  /** Resolves with the head of the answer; its body waits. Rejects with what broke on the way. */
  ask({ method, headers, body, signal, patience }: HttpRequest): Promise<HttpAnswer> {
    const { url, headers: given } = this.address;
    const began = performance.now();
    const sent: [string, string][] = [
      ...given.map(({ name, value }): [string, string] => [name, value]),
      ...Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, value]],
      ),
    ];
    const cookie = this.#jar.header(url);
    if (cookie !== undefined) sent.push(['cookie', cookie]);
    if (body) sent.push(['content-length', String(body.length)]);
    return new Promise((resolve, reject) => {
      const asked = (this.#isSecure ? secureRequest : request)(url, {
        ...{ method, signal, agent: this.#agent },
        headers: Object.fromEntries(sent),
      });
      const timer =
        patience === undefined
          ? undefined
          : setTimeout(() => asked.destroy(new SlowError(patience)), patience);
      asked.once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      asked.once('response', (message) => {
        clearTimeout(timer);
        // What breaks from here on is heard where the body is read.
        asked.on('error', () => {});
        this.#jar.take(message.headers['set-cookie'] ?? [], url);
        const { statusCode: status = 0, rawHeaders } = message;
        resolve({
          status,
          message,
          type: (message.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
          fact: {
            method,
            status,
            request: maskedHeaders(sent.flat(), url),
            response: maskedHeaders(rawHeaders, url),
            ms: millis(performance.now() - began),
          },
        });
      });
      asked.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  get #isSecure(): boolean {
    return this.address.url.protocol === 'https:';
  }
}

/** So much of an answer that is no message is kept. */
export const MOST_WORDS = 2000;
const WORDS_MS = 2000;

/** The beginning of a body that is of no use: the rest is not read, and one that stalls not waited for. */
export async function beginningOf(body: IncomingMessage): Promise<string> {
  let text = '';
  const timer = setTimeout(() => body.destroy(), WORDS_MS);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      text += chunk.toString();
      if (text.length > MOST_WORDS) break;
    }
  } catch {
    // What came of it is all there is.
  }
  clearTimeout(timer);
  body.destroy();
  return text.slice(0, MOST_WORDS);
}
