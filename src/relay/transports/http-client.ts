// Requests to one server, and to no other: redirects come back as what they are. Each answer comes
// with what the record says of it.
import { Agent, request, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { millis } from '../../lib/time.ts';
import type { Address } from './address.ts';
import { CookieJar } from './cookies.ts';
import { maskedHeaders } from './headers.ts';
import type { TransportFact } from './transport.ts';

export interface Answer {
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
  ask({ method, headers, body, signal, patience }: HttpRequest): Promise<Answer> {
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

/** No status came in time. */
class SlowError extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms / 1000} s`);
  }
}
