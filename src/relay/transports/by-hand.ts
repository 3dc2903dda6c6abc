// Requests and WebSocket messages as somebody makes them who tries what a server refuses. Nothing of
// them is recorded.
import { WebSocket, type RawData } from 'ws';
import type { HttpByHand, NewsByHand, SocketByHand } from '../../drive/peer.ts';
import { joined } from '../../lib/bytes.ts';
import { decodeLossy, encodeUtf8 } from '../../lib/utf8.ts';
import type { Address } from './address.ts';
import { networkFault } from './fault.ts';
import { HttpClient } from './http-client.ts';
import { SseParser } from '../../lib/net/sse.ts';

const PATIENCE_MS = 10_000;
const MOST_MESSAGE = 1024 * 1024;

/** What came, to be asked for one by one. */
class Heard {
  readonly #news: NewsByHand[] = [];
  #wake = (): void => undefined;

  hear(news: NewsByHand): void {
    this.#news.push(news);
    this.#wake();
  }

  async next(ms: number): Promise<NewsByHand> {
    if (this.#news.length === 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    return this.#news.shift() ?? { silent: true };
  }
}

/** How an agent at this URL is asked by hand. */
export function byHand(address: Address): HttpByHand | SocketByHand {
  return address.url.protocol.startsWith('http') ? httpByHand(address) : socketByHand(address);
}

function httpByHand(address: Address): HttpByHand {
  const client = new HttpClient(address);
  return {
    transport: 'http',
    async ask({ method, headers, body }) {
      const gone = new AbortController();
      const answer = await client
        .ask({
          ...{ method, headers, signal: gone.signal, patience: PATIENCE_MS },
          ...(body !== undefined && { body: encodeUtf8(body) }),
        })
        .catch((error: unknown) => {
          throw new Error(networkFault(error as Error, address));
        });
      const { message, status } = answer;
      const heard = new Heard();
      const events = new SseParser();
      message.on('error', () => undefined);
      message.on('close', () => heard.hear({ closed: status }));
      message.on('data', (chunk: Uint8Array) => {
        if (answer.type !== 'text/event-stream') return;
        for (const { data, id } of events.push(chunk))
          heard.hear({ text: decodeLossy(joined(data)), ...(id !== undefined && { id }) });
        if (events.held > MOST_MESSAGE) gone.abort();
      });
      const header = (name: string) => {
        const value = message.headers[name];
        return typeof value === 'string' ? value : undefined;
      };
      return { status, header, next: (ms) => heard.next(ms), end: () => gone.abort() };
    },
  };
}

function socketByHand({ url, headers, ...address }: Address): SocketByHand {
  return {
    transport: 'socket',
    async open() {
      const socket = new WebSocket(url, {
        headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
        ...{ followRedirects: false, handshakeTimeout: PATIENCE_MS, maxPayload: MOST_MESSAGE },
      });
      const heard = new Heard();
      socket.on('message', (data: RawData) =>
        heard.hear({ text: (data as Buffer).toString('utf8') }),
      );
      socket.on('close', (closed) => heard.hear({ closed }));
      await new Promise<void>((resolve, reject) => {
        socket.once('open', resolve);
        socket.on('error', (error) => reject(new Error(networkFault(error, { url, ...address }))));
      });
      return {
        send: (data) => socket.send(data),
        next: (ms) => heard.next(ms),
        end: () => socket.terminate(),
      };
    },
  };
}
