// ACP over WebSocket: one message is one frame, kept byte-exact, whatever it holds. Nothing is
// answered or repaired in the agent's place.
import { WebSocket, type RawData } from 'ws';
import type { IncomingMessage } from 'node:http';
import { LINE_CAPS, type CappedLine } from '../../lib/capped-lines.ts';
import { millis } from '../../lib/time.ts';
import type { Problem } from '../../link/messages.ts';
import type { Via } from '../../trace/event.ts';
import type { Address } from './address.ts';
import { networkFault, statusFault, unreachable } from './fault.ts';
import { maskedHeaders } from './headers.ts';
import { beginningOf } from './http-client.ts';
import {
  cappedLine,
  MOST_UNSENT,
  type Ears,
  type Opened,
  type AgentTransport,
  type TransportFact,
} from './transport.ts';

const HANDSHAKE_MS = 10_000;
/** What `ws` says when that is over: it has no code. */
const SLOW = 'Opening handshake has timed out';
/** How long the other side may take to answer our leave. */
const LEAVE_MS = 2000;
/** Above the cap of a line, so that a longer one is kept like any that is too long to keep. */
const MOST_MESSAGE = 2 * LINE_CAPS.whole;

/** Resolves when the socket is open, or with why it is not. */
export async function openWebSocket(address: Address): Promise<Opened> {
  const { url, headers, shown } = address;
  const began = performance.now();
  const socket = new WebSocket(url, {
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    followRedirects: false,
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MOST_MESSAGE,
    perMessageDeflate: false,
    // What is not UTF-8 is recorded, not refused.
    skipUTF8Validation: true,
  });
  let answered: TransportFact | undefined;
  const factOf = ({ statusCode: status = 0, rawHeaders }: IncomingMessage) => ({
    ...({ step: 'answered', stream: 'socket', method: 'GET', status } as const),
    request: maskedHeaders(
      headers.flatMap(({ name, value }) => [name, value]),
      url,
    ),
    response: maskedHeaders(rawHeaders, url),
    ms: millis(performance.now() - began),
  });
  return new Promise((resolve) => {
    socket.once('upgrade', (answer) => (answered = factOf(answer)));
    socket.once('unexpected-response', (_, answer) => {
      const fact = factOf(answer);
      socket.on('error', () => {});
      void beginningOf(answer).then((body) => {
        socket.terminate();
        const { status, response } = fact;
        const problem = statusFault({ status, shown, location: response['location'], body });
        const told = { ...fact, problem, ...(body !== '' && { body }) };
        resolve({ ok: true, transport: new RefusedSocket(told, problem) });
      });
    });
    socket.once('error', (error) => {
      const isSlow = error.message === SLOW;
      const late = `${shown} did not open the WebSocket within ${HANDSHAKE_MS / 1000} s. Check that it speaks WebSocket, or try http://.`;
      resolve(unreachable(isSlow ? late : networkFault(error, address)));
    });
    socket.once('open', () => {
      // Nothing is read before somebody listens.
      socket.pause();
      resolve({ ok: true, transport: new SocketTransport(socket, address, answered) });
    });
  });
}

/** Its server answered, but opened no socket: that is told, and nothing else. */
class RefusedSocket implements AgentTransport {
  readonly #fact: TransportFact;
  readonly #problem: string;

  constructor(fact: TransportFact, problem: string) {
    this.#fact = fact;
    this.#problem = problem;
  }

  start(ears: Ears): void {
    ears.fact(this.#fact);
    ears.ended(this.#problem);
  }

  whyNot(): Problem {
    return { code: 'ended', message: this.#problem };
  }

  viaOf(): Via {
    return { stream: 'socket' };
  }

  send(): void {}
  pause(): void {}
  resume(): void {}
  end(): void {}
  drop(): void {}
}

class SocketTransport implements AgentTransport {
  readonly #socket: WebSocket;
  readonly #address: Address;
  readonly #answered: TransportFact | undefined;
  #isLeaving = false;

  constructor(socket: WebSocket, address: Address, answered: TransportFact | undefined) {
    this.#socket = socket;
    this.#address = address;
    this.#answered = answered;
  }

  start(ears: Ears): void {
    const socket = this.#socket;
    let fault: string | undefined;
    if (this.#answered) ears.fact(this.#answered);
    socket.on('message', (data, isBinary) =>
      ears.frame(lineOf(data), { stream: 'socket', ...(isBinary && { binary: true }) }),
    );
    socket.on('error', (error) => (fault = faultOf(error, this.#address)));
    socket.once('close', (code, bytes) => {
      const reason = bytes.toString();
      ears.fact({ step: 'closed', stream: 'socket', code, ...(reason !== '' && { reason }) });
      ears.ended(this.#isLeaving ? undefined : (fault ?? closeWords(code, reason)));
    });
    socket.resume();
  }

  whyNot(): Problem | undefined {
    const { readyState, bufferedAmount } = this.#socket;
    if (readyState !== WebSocket.OPEN || this.#isLeaving)
      return {
        code: 'ended',
        message: 'The WebSocket to the agent is closed, so nothing can be sent. Connect again.',
      };
    if (bufferedAmount <= MOST_UNSENT) return undefined;
    return {
      code: 'io',
      message: 'The agent does not read: 64 MB wait for it. Wait until it does, or end it.',
    };
  }

  viaOf(): Via {
    return { stream: 'socket' };
  }

  send(line: Uint8Array): void {
    this.#socket.send(line, { binary: false }, () => undefined);
  }

  pause(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  end(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#socket.close(1000);
    setTimeout(() => this.#socket.terminate(), LEAVE_MS).unref();
  }

  drop(): void {
    this.#isLeaving = true;
    this.#socket.terminate();
  }
}

function lineOf(data: RawData): CappedLine {
  if (Array.isArray(data)) return cappedLine(data);
  return cappedLine([data instanceof ArrayBuffer ? new Uint8Array(data) : data]);
}

function faultOf(error: Error, address: Address): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!code.startsWith('WS_ERR_')) return networkFault(error, address);
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
    return `The agent sent a message of more than ${MOST_MESSAGE >> 20} MiB, so the WebSocket was closed.`;
  return `The agent broke the WebSocket protocol (${error.message}), so it was closed.`;
}

function closeWords(code: number, reason: string): string {
  const said = reason === '' ? '' : `, ${JSON.stringify(reason)}`;
  if (code === 1006)
    return 'The connection to the agent broke: its WebSocket was not closed. Its server may have crashed, or something between them cut it.';
  return `The agent closed the WebSocket (${code === 1005 ? 'no code' : code}${said}).`;
}
