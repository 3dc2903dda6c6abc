// The bundled agent over WebSocket and streamable HTTP, by the official SDK's server. That lets in
// whoever comes: what keeps web pages and other names of this machine out stands here.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  createNodeHttpHandler,
  createNodeWebSocketUpgradeHandler,
} from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { WebSocketServer } from 'ws';
import { IdleSockets } from '../lib/net/idle-sockets.ts';
import { hearUpgrades, isStranger, letBodyCome, STRANGER } from '../lib/net/own-request.ts';
import { openAgent, type Served } from './main.ts';
import type { BundledAgentOptions } from './misbehaviours.ts';
import { hooked } from './wire.ts';

export interface ListenPlace {
  /** Undefined: this machine alone. */
  readonly host: string | undefined;
  /** 0: any that is free. */
  readonly port: number;
}

const LISTEN_PATH = '/acp';
const LOOPBACK = '127.0.0.1';
/** At work, and of those that ask nothing. */
const MOST_SOCKETS = 64;
const MOST_MESSAGE = 64 * 1024 * 1024;

/** Serves until `stop`. `onListening`: with the URL for HTTP; the same with ws:// is for WebSocket. */
export async function listenAgent(
  options: BundledAgentOptions,
  { host = LOOPBACK, port }: ListenPlace,
  stop: AbortSignal,
  onListening: (url: string) => void = () => undefined,
): Promise<Served> {
  const agent = openAgent(options);
  if (!agent.ok) return agent;
  const acp = new AcpServer({
    createAgent: () => ({
      connect: (stream, how) => agent.serve((hooks) => hooked(stream, hooks), how),
    }),
  });
  const handle = createNodeHttpHandler(acp);
  const server = createServer();
  const room = new IdleSockets<Socket>(server, MOST_SOCKETS);
  const refusalOf = (request: IncomingMessage) => {
    const refusal = refusedFor(request, host);
    if (refusal !== undefined || room.busy < MOST_SOCKETS) return refusal;
    agent.log(REFUSALS[503]);
    return 503;
  };
  const hear = (request: IncomingMessage, answer: ServerResponse) => {
    const status = refusalOf(request);
    if (status !== undefined)
      return void answer.writeHead(status, { 'content-type': 'text/plain' }).end(REFUSALS[status]);
    room.letIn(request.socket, answer);
    letBodyCome(request, answer);
    return handle(request, answer);
  };
  // Node by itself would ask a stranger for the body.
  for (const event of ['request', 'checkContinue'] as const) server.on(event, hear);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_MESSAGE,
    perMessageDeflate: false,
  });
  const upgrade = createNodeWebSocketUpgradeHandler(acp, sockets);
  hearUpgrades(server, REFUSALS, refusalOf, (request, socket, head) => {
    room.letIn(request.socket);
    return upgrade(request, socket, head);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const message = `The agent cannot listen on ${host}:${port} (${code}). Give another with --listen.`;
    return { ok: false, message };
  }
  const at = server.address() as AddressInfo;
  const name = at.family === 'IPv6' ? `[${at.address}]` : at.address;
  const url = `http://${name}:${at.port}${LISTEN_PATH}`;
  agent.log(agent.words);
  agent.log(`listening at ${url} and ${url.replace('http', 'ws')}`);
  onListening(url);
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await acp.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { ok: true };
}

const REFUSALS = {
  403: STRANGER,
  404: `Not Found: ACP is at ${LISTEN_PATH}.`,
  503: `Service Unavailable: ${MOST_SOCKETS} sockets are at work, and this agent takes no more. End a connection.`,
} as const;

function refusedFor(request: IncomingMessage, host: string): 403 | 404 | undefined {
  if (isStranger(request, host)) return 403;
  return request.url?.split('?')[0] === LISTEN_PATH ? undefined : 404;
}
