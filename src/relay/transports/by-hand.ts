// Requests and WebSocket messages as somebody makes them who tries what a server refuses. Nothing of
// them is recorded.
import { WebSocket, type RawData } from 'ws';
import type { HttpByHand, SocketByHand, SocketNews } from '../../drive/peer.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import type { Address } from './address.ts';
import { networkFault } from './fault.ts';
import { HttpClient } from './http-client.ts';

const PATIENCE_MS = 10_000;
const MOST_MESSAGE = 1024 * 1024;

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
      answer.message.on('error', () => undefined).resume();
      const header = (name: string) => {
        const value = answer.message.headers[name];
        return typeof value === 'string' ? value : undefined;
      };
      return { status: answer.status, header, end: () => gone.abort() };
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
      const heard: SocketNews[] = [];
      let wake = (): void => undefined;
      const hear = (news: SocketNews) => {
        heard.push(news);
        wake();
      };
      socket.on('message', (data: RawData) => hear({ text: (data as Buffer).toString('utf8') }));
      socket.on('close', (closed) => hear({ closed }));
      await new Promise<void>((resolve, reject) => {
        socket.once('open', resolve);
        socket.on('error', (error) => reject(new Error(networkFault(error, { url, ...address }))));
      });
      return {
        send: (data) => socket.send(data),
        async next(ms) {
          if (heard.length === 0)
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, ms);
              wake = () => {
                clearTimeout(timer);
                resolve();
              };
            });
          return heard.shift() ?? { silent: true };
        },
        end: () => socket.terminate(),
      };
    },
  };
}
