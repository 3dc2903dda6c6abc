// HTTP and WebSocket on 127.0.0.1: hands every request head to the guard, and what it lets pass to
// the page's files, one of four routes, or a new page. All that is said to a socket stands here, and
// nowhere else: hence its length.
import { pipeline } from 'node:stream/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { assertNever } from '../../lib/assert-never.ts';
import { lazy } from '../../lib/lazy.ts';
import { letBodyCome } from '../../lib/net/own-request.ts';
import { isFields } from '../../lib/shape.ts';
import { LINK_VERSION, MOST_COMMAND_BYTES, SUBPROTOCOL } from '../../link/messages.ts';
import { retireServiceWorker, type Files } from './files.ts';
import { giveFile, openGiven, type GivenPath } from './given-file.ts';
import { judgeRequest, type RequestHead, type Refusal, type RequestVerdict } from './guard.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { OPENED_CODE_MS, type AccessKeys } from './keys.ts';
import type { RoutePath } from './routes.ts';

const HOST = '127.0.0.1';
/** What one machine's browsers need beside their pages, and no more. */
const MOST_SOCKETS = 64;
const MOST_PAGES = 16;

interface ServerOptions {
  readonly port: number;
  readonly files: Files;
  readonly keys: AccessKeys;
  readonly version: string;
  readonly onPage: (socket: WebSocket, wire: Socket) => void;
  /** A request that failed by a fault of our own. */
  readonly onFault: (error: unknown) => void;
}

interface Listening {
  readonly port: number;
  /** An address with a fresh one-time code; the page that comes by it may read the file. */
  link(lifeMs?: number, file?: GivenPath): string;
  /** Says 1001 to every page and stops listening. */
  close(): Promise<void>;
}

type ListenResult =
  | { readonly ok: true; readonly listening: Listening }
  | { readonly ok: false; readonly code: string };

export async function listen(options: ServerOptions): Promise<ListenResult> {
  const { files, keys, version, onPage, onFault } = options;
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 2_000,
  });
  // Node would cut the rest off without a word; the guard refuses it.
  server.maxHeadersCount = 0;
  // Pages are let in by their key; of all others the one that was silent longest makes room, so that
  // nobody who opens sockets, and says little or nothing, keeps others out.
  const others = new Set<Socket>();
  const heardOf = (socket: Socket) => others.delete(socket) && others.add(socket);
  server.on('connection', (socket) => {
    others.add(socket);
    socket.once('close', () => others.delete(socket));
    const [silent] = others;
    if (others.size > MOST_SOCKETS) silent?.destroy();
  });
  let opened: WebSocketServer | undefined;
  // Loaded with the first request, which is for the page that will open a socket: to listen needs none.
  const pages = lazy(async () => {
    const { WebSocketServer } = await import('ws');
    opened = new WebSocketServer({
      noServer: true,
      maxPayload: MOST_COMMAND_BYTES,
      perMessageDeflate: false,
      handleProtocols: () => SUBPROTOCOL,
    });
    return opened;
  });

  const started = await bind(server, options.port);
  if (started !== undefined) return { ok: false, code: started };
  const { port } = server.address() as AddressInfo;
  const policy = {
    port,
    isFile: files.has,
    holds: (key, given) => keys.holds(key, given),
  } satisfies Parameters<typeof judgeRequest>[1];
  const link: Listening['link'] = (lifeMs, file) =>
    `http://${HOST}:${port}/#k=${keys.issueCode(lifeMs, file)}`;

  async function verdictOf(request: IncomingMessage, upgrade: boolean): Promise<RequestVerdict> {
    const { method = '', url: target = '', httpVersion: version, rawHeaders } = request;
    const head: RequestHead = { method, target, version, rawHeaders, upgrade };
    const verdict = judgeRequest(head, policy);
    if (!verdict.allowed && verdict.wrongKey) await keys.noteFailure(request.socket);
    return verdict;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const verdict = await verdictOf(request, false);
    if (!verdict.allowed) return refuse(response, verdict);
    letBodyCome(request, response);
    if (verdict.kind === 'service worker') return retireServiceWorker(response);
    if (verdict.kind === 'file') return files.serve(verdict.path, request, response);
    await route(verdict.path, request, response);
  }

  async function route(
    path: RoutePath,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    switch (path) {
      case '/api/health':
        return reply(response, 200, { version, protocol: LINK_VERSION });
      case '/api/link':
        return freshLink(request, response, keys, link);
      case '/api/file':
        return sendFile(request, response, keys);
      case '/api/code':
        return trade(request, response, keys);
      case '/ws':
        return; // upgrades alone reach it
      default:
        assertNever(path);
    }
  }

  const hear = (request: IncomingMessage, response: ServerResponse) => {
    heardOf(request.socket);
    pages().catch(onFault);
    answer(request, response).catch((error: unknown) => {
      onFault(error);
      if (!response.headersSent)
        reply(response, 500, { error: 'internal', message: 'The relay failed at this request.' });
      else response.destroy();
    });
  };
  // Node by itself would ask for the body before it is known who sends it.
  for (const event of ['request', 'checkContinue'] as const) server.on(event, hear);
  server.on('clientError', answerNoRequest);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      onFault(error);
      socket.destroy();
    });
  });

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const verdict = await verdictOf(request, true);
    const sockets = await pages();
    const fault = verdict.allowed ? upgradeFault(request, sockets.clients.size) : verdict;
    if (fault) {
      const { status, error, message, headers } = fault;
      socket.end(rawResponse(status, { error, message }, headers));
    } else if (!socket.destroyed) {
      others.delete(request.socket);
      sockets.handleUpgrade(request, socket, head, (page) => onPage(page, request.socket));
    }
  }

  return {
    ok: true,
    listening: {
      port,
      link,
      async close() {
        for (const page of opened?.clients ?? []) page.close(1001, 'The relay is shutting down.');
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        // Let the close frames out, then do not wait for a browser that is asleep.
        const force = setTimeout(() => {
          for (const page of opened?.clients ?? []) page.terminate();
          server.closeAllConnections();
        }, 200);
        server.closeIdleConnections();
        await closed;
        clearTimeout(force);
      },
    },
  };
}

/** The error code, undefined once it listens. */
function bind(server: Server, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    server.once('error', failed);
    server.listen(port, HOST, () => {
      server.off('error', failed);
      resolve(undefined);
    });
  });
}

function upgradeFault(request: IncomingMessage, pages: number): Refusal | undefined {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(/, ?/);
  if (!offered.includes(SUBPROTOCOL))
    return {
      allowed: false,
      status: 400,
      error: 'bad_request',
      message: `This relay speaks ${SUBPROTOCOL}. Reload the page to update it.`,
    };
  if (pages < MOST_PAGES) return undefined;
  return {
    allowed: false,
    status: 503,
    error: 'too_many_pages',
    message: `${MOST_PAGES} pages are open already. Close one.`,
  };
}

/** For a command of the person's; with `file`, the page that comes by it may read that. */
async function freshLink(
  request: IncomingMessage,
  response: ServerResponse,
  keys: AccessKeys,
  link: Listening['link'],
): Promise<void> {
  const body = await bodyOf(request, response);
  if (!body) return;
  const given = body['file'] === undefined ? undefined : await giveFile(body['file']);
  if (given?.ok === false)
    return reply(response, 400, { error: 'bad_file', message: given.message });
  const { file } = given ?? {};
  const proof = keys.answerTo((request.headers.authorization ?? '').replace(/^Bearer /, ''));
  const links = { url: link(undefined, file), opened: link(OPENED_CODE_MS, file) };
  reply(response, 200, { ...links, proof, ...(file && { file: file.name }) });
}

/** The bytes of the file that a page's link was made for. */
async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  keys: AccessKeys,
): Promise<void> {
  const body = await bodyOf(request, response);
  if (!body) return;
  const given = keys.takeFile(textOf(body['code']));
  if (!given) {
    await keys.noteFailure(request.socket);
    const message = 'No file was given to this page, or it was read already.';
    return reply(response, 404, { error: 'no_file', message });
  }
  const opened = await openGiven(given);
  if (!opened) {
    const message = `${given.name} is not there any more. Run acp-scope open again.`;
    return reply(response, 404, { error: 'no_file', message });
  }
  const { file, size } = opened;
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(size),
    'Cache-Control': 'no-store',
  });
  if (size === 0) return void (await file.close(), response.end());
  // Who has gone away meanwhile is no fault; the file closes with the stream.
  await pipeline(file.createReadStream({ end: size - 1 }), response).catch(() => undefined);
}

async function trade(
  request: IncomingMessage,
  response: ServerResponse,
  keys: AccessKeys,
): Promise<void> {
  const body = await bodyOf(request, response);
  if (!body) return;
  const result = keys.trade(textOf(body['code']));
  if (result.ok) {
    const { token, file } = result;
    const given = file && { name: file.name, frame: file.frame };
    return reply(response, 200, { token, file: given });
  }
  await keys.noteFailure(request.socket);
  const why = {
    code_used: 'This link was used already.',
    code_expired: 'This link has expired.',
    unauthorized: 'This link is not of the relay that runs now.',
  }[result.error];
  const fix = 'Press Enter in the terminal of the relay, or run "acp-scope open", for a new one.';
  return reply(response, 401, { error: result.error, message: `${why} ${fix}` });
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  const { status, error, message, headers } = refusal;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  reply(response, status, { error, message });
}

function reply(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { ...jsonHeaders(text) });
  response.end(text);
}

// Small JSON bodies of requests.

const MOST_BYTES = 64 * 1024;

type Fields = Readonly<Record<string, unknown>>;

type Body =
  | { readonly ok: true; readonly value: Fields }
  | {
      readonly ok: false;
      readonly status: number;
      readonly error: string;
      readonly message: string;
    };

/** Undefined: it is none, and that was answered. */
async function bodyOf(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Fields | undefined> {
  const body = await readJson(request);
  if (body.ok) return body.value;
  const { status, error, message } = body;
  return void reply(response, status, { error, message });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

async function readJson(request: IncomingMessage): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MOST_BYTES)
        return { ok: false, status: 413, error: 'too_large', message: 'The body is over 64 kB.' };
      chunks.push(chunk);
    }
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (isFields(value)) return { ok: true, value };
  } catch {
    // No JSON, or who sent it has gone, and nobody reads the same answer.
  }
  return { ok: false, status: 400, error: 'bad_request', message: 'The body is no JSON object.' };
}

// Answers on a bare socket, where there is no response object: a refused upgrade, and what is no
// request at all.

function jsonHeaders(text: string): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    'Cache-Control': 'no-store',
  };
}

function rawResponse(
  status: number,
  body: { readonly error: string; readonly message?: string },
  more: Readonly<Record<string, string>> = {},
): string {
  const text = JSON.stringify({ message: 'The request is malformed.', ...body });
  const headers = { ...jsonHeaders(text), Connection: 'close', ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} Refused`, ...lines, '', text].join('\r\n');
}

/** What came does not parse, or nothing came in time. */
export function answerNoRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // A browser opens sockets ahead of need, and takes what lies in one for the answer to the
  // request it sends there later. Closed without a word, it opens another.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' || !socket.writable) socket.destroy();
  else {
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
    socket.end(rawResponse(status, { error: 'bad_request' }));
  }
}
