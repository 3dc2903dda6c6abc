// A tap between an editor and an agent that are joined by URL: it listens in the place of the agent, and
// each connection of an editor goes on to the agent as it comes, and has a recording of its own. Programs
// are let in, and no web page.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { IdleSockets } from '../../lib/net/idle-sockets.ts';
import { hearUpgrades, isStranger, letBodyCome, STRANGER } from '../../lib/net/own-request.ts';
import type { Recorder } from '../spool/recorder.ts';
import { TappedHttp } from './tapped-http.ts';
import { tapSocket } from './tapped-socket.ts';
import { headerIn, type Way } from './way.ts';

export interface TapPlace {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

const MOST_SOCKETS = 256;
const MOST_IDLE = 64;
const HEAD_MS = 10_000;
/** Each has a recording of its own: an editor that makes up an id for every request shall not fill the disk. */
const MOST_CONNECTIONS = 256;
const STOPPED = 'The tap was ended while this connection was open.';

interface TapNews {
  /** The URL for HTTP; the same with ws:// is for WebSocket. */
  readonly listening: (url: string) => void;
  /** `words`: the response; `count`: how many requests got it by now. None of them is recorded. */
  readonly refused: (words: string, count: number) => void;
}

/** Serves until `stop`. */
export async function tapUrl(
  given: Way,
  { host, port }: TapPlace,
  stop: AbortSignal,
  on: TapNews,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }> {
  const { pathname } = given.address.url;
  const open = new Set<Recorder>();
  let closed: () => void = () => undefined;
  const way: Way = {
    address: given.address,
    begin() {
      const recorder = given.begin();
      open.add(recorder);
      return recorder;
    },
    ended(recorder) {
      given.ended(recorder);
      open.delete(recorder);
      closed();
    },
  };
  const connections = new Map<string, TappedHttp>();
  const taps = new Set<TappedHttp>();
  const drops = new Set<() => void>();
  /** Undefined: there are too many. */
  const tappedOf = (request: IncomingMessage): TappedHttp | undefined => {
    const id = headerIn(request, 'acp-connection-id');
    const known = id === undefined ? undefined : connections.get(id);
    if (known || taps.size >= MOST_CONNECTIONS) return known;
    let name = id;
    const tapped: TappedHttp = new TappedHttp(way, id !== undefined, {
      named: (given) => void connections.set((name = given), tapped),
      over() {
        taps.delete(tapped);
        if (name !== undefined) connections.delete(name);
      },
    });
    taps.add(tapped);
    if (id !== undefined) connections.set(id, tapped);
    return tapped;
  };
  const refused = new Map<Refusal, number>();
  const refuse = (status: Refusal) => {
    const count = (refused.get(status) ?? 0) + 1;
    refused.set(status, count);
    on.refused(REFUSALS[status], count);
    return status;
  };
  const strange = (request: IncomingMessage) => {
    const refusal = refusalOf(request, host, pathname);
    return refusal && refuse(refusal);
  };
  const server = createServer();
  const hear = (request: IncomingMessage, answer: ServerResponse) => {
    const refusal = strange(request);
    const tapped = refusal === undefined ? tappedOf(request) : undefined;
    if (tapped) {
      sockets.letIn(request.socket, answer);
      letBodyCome(request, answer);
      return tapped.take(request, answer);
    }
    const status = refusal ?? refuse(503);
    answer.writeHead(status, { 'content-type': 'text/plain' }).end(REFUSALS[status]);
  };
  // Node by itself would ask a stranger for the body.
  for (const event of ['request', 'checkContinue'] as const) server.on(event, hear);
  // An agent may take its time, and so may the body of a request.
  server.requestTimeout = 0;
  server.maxConnections = MOST_SOCKETS;
  server.headersTimeout = HEAD_MS;
  const sockets = new IdleSockets<Socket>(server, MOST_IDLE);
  hearUpgrades(server, REFUSALS, strange, (request, socket, head) => {
    sockets.letIn(request.socket);
    const drop = tapSocket(request, socket, head, way);
    drops.add(drop);
    socket.once('close', () => drops.delete(drop));
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const message = `The tap cannot listen on ${host}:${port} (${code}). Give another with --listen.`;
    return { ok: false, message };
  }
  const at = server.address() as AddressInfo;
  on.listening(
    `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}${pathname}`,
  );
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
  for (const tapped of [...taps]) tapped.end(STOPPED);
  for (const drop of drops) drop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  while (open.size > 0) await new Promise<void>((resolve) => (closed = resolve));
  return { ok: true };
}

const REFUSALS = {
  403: STRANGER,
  404: 'Not Found: the tap has the path of the URL that it stands for.',
  405: 'Method Not Allowed: ACP is GET, POST and DELETE.',
  503: `Service Unavailable: the tap records at most ${MOST_CONNECTIONS} connections at once. End one with DELETE, or wait five minutes.`,
} as const;
type Refusal = keyof typeof REFUSALS;

function refusalOf(request: IncomingMessage, host: string, path: string): Refusal | undefined {
  const { url = '', method = '' } = request;
  if (isStranger(request, host)) return 403;
  if (url.split('?')[0] !== path) return 404;
  return ['GET', 'POST', 'DELETE'].includes(method) ? undefined : 405;
}
