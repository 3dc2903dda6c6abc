// Probes of what carries the lines: requests of HTTP and messages of a WebSocket that are made by hand,
// because no line can ask for them. Statuses are those of the RFD's draft and of the official SDK's server.
import { initializeParams } from '../../../acp/capabilities.ts';
import { get, isArray, num } from '../../../acp/json.ts';
import { CODE, type Json } from '../../../acp/message.ts';
import type { HttpByHand, RequestByHand, SocketByHand, SocketNews } from '../../peer.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { inRfd } from '../pages.ts';
import { CannotAsk, fail, pass, warn, type ProbeVerdict } from '../probe.ts';
import { family, type Probe, type ProbeWorld } from '../world.ts';

const JSON_TYPE = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const STREAM = { accept: 'text/event-stream' };
const CONNECTION = 'acp-connection-id';
const SESSION = 'acp-session-id';

/** What is wrong in a request, and the status that is due. */
interface WrongRequest extends RequestByHand {
  readonly what: string;
  readonly due: number;
}

const line = (message: Readonly<Record<string, Json>>) =>
  JSON.stringify({ jsonrpc: '2.0', ...message });
const LIST = line({ id: 1, method: 'session/list', params: {} });

function initializeLine({ version, settings }: ProbeWorld): string {
  const params = initializeParams(version, DEFAULT_SETTINGS.advertise, settings.name);
  return line({ id: 0, method: 'initialize', params });
}

function wrongRequests(id: string, initialize: string): readonly WrongRequest[] {
  const known = { ...JSON_TYPE, [CONNECTION]: id };
  const post = { method: 'POST', body: LIST } as const;
  const cancel = line({ method: 'session/cancel', params: { sessionId: 'probe' } });
  return [
    { ...post, what: 'A request without Acp-Connection-Id', due: 400, headers: JSON_TYPE },
    {
      ...{ ...post, what: 'A request with an Acp-Connection-Id nobody was given', due: 404 },
      headers: { ...JSON_TYPE, [CONNECTION]: 'acp-scope-probe' },
    },
    {
      ...{ ...post, what: 'A second initialize on the connection', due: 400 },
      ...{ headers: known, body: initialize },
    },
    {
      ...{ ...post, what: 'An Acp-Session-Id that is not the one of the params', due: 400 },
      ...{ headers: { ...known, [SESSION]: 'another' }, body: cancel },
    },
    {
      ...{ ...post, what: 'A body of text/plain', due: 415 },
      headers: { ...known, 'content-type': 'text/plain' },
    },
    { ...post, what: 'A body that is no JSON', due: 400, headers: known, body: '{' },
    {
      ...{ method: 'GET', what: 'A stream asked for as application/json', due: 406 },
      headers: { [CONNECTION]: id, accept: 'application/json' },
    },
    {
      ...{ method: 'DELETE', what: 'The end of a connection that nobody was given', due: 404 },
      headers: { [CONNECTION]: 'acp-scope-probe' },
    },
  ];
}

async function headers(world: ProbeWorld, http: HttpByHand): Promise<ProbeVerdict> {
  const initialize = initializeLine(world);
  const met = await http.ask({ method: 'POST', headers: JSON_TYPE, body: initialize });
  const id = met.header(CONNECTION);
  if (met.status !== 200 || id === undefined)
    return fail(
      `initialize by POST got ${met.status}${id === undefined ? ' without Acp-Connection-Id' : ''}; 200 with that header is due.`,
    );
  const known = { [CONNECTION]: id };
  const seen: { what: string; due: number; status: number }[] = [];
  for (const { what, due, ...request } of wrongRequests(id, initialize)) {
    const answer = await http.ask(request);
    seen.push({ what, due, status: answer.status });
    answer.end();
  }
  const reader = await http.ask({ method: 'GET', headers: { ...STREAM, ...known } });
  const second = await http.ask({ method: 'GET', headers: { ...STREAM, ...known } });
  seen.push({ what: 'A second reader of a stream', due: 409, status: second.status });
  second.end();
  reader.end();
  const left = await http.ask({ method: 'DELETE', headers: known });
  left.end();
  seen.push({ what: 'The end of the connection', due: 202, status: left.status });
  const odd = seen.filter(({ due, status }) => status !== due);
  if (odd.length === 0)
    return pass(`${seen.length} requests got the status that is due: ${statuses(seen)}.`);
  return warn(
    odd.map(({ what, due, status }) => `${what} got ${status}; ${due} is due.`).join(' '),
  );
}

function statuses(seen: readonly { readonly status: number }[]): string {
  return [...new Set(seen.map(({ status }) => status))].sort().join(', ');
}

async function first(world: ProbeWorld, socket: SocketByHand): Promise<ProbeVerdict> {
  const { patience, quiet } = world.settings;
  const early = await socket.open();
  early.send(LIST);
  const closed = await early.next(patience);
  early.end();
  const open = await socket.open();
  open.send(initializeLine(world));
  const met = await open.next(patience);
  if (!('text' in met)) {
    open.end();
    return fail(`initialize as the first message got ${newsWords(met)}; its answer is due.`);
  }
  open.send(`[${LIST}]`);
  const batch = await open.next(patience);
  open.send(new TextEncoder().encode(LIST));
  const binary = await open.next(quiet);
  open.end();
  const odd = [
    ...('closed' in closed && closed.closed === 1002
      ? []
      : [
          `A first message that is no initialize got ${newsWords(closed)}; a close with 1002 is due.`,
        ]),
    ...(codeIn(batch) === CODE.invalidRequest
      ? []
      : [`An array of messages got ${newsWords(batch)}; −32600 is due.`]),
    ...('silent' in binary
      ? []
      : [`A binary message got ${newsWords(binary)}; it is to be ignored.`]),
  ];
  if (odd.length > 0) return warn(odd.join(' '));
  return pass(
    'Without initialize the socket was closed with 1002, an array got −32600, and a binary message nothing.',
  );
}

function codeIn(news: SocketNews): number | undefined {
  if (!('text' in news)) return undefined;
  const said = parsed(news.text);
  const message = isArray(said) ? said[0] : said;
  return num(get(message, 'error'), 'code');
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function newsWords(news: SocketNews): string {
  if ('closed' in news) return `a close with ${news.closed}`;
  if ('silent' in news) return 'nothing';
  const code = codeIn(news);
  return code === undefined ? 'an answer' : `the error ${String(code).replace('-', '−')}`;
}

/** Asked only where the agent is reached by this transport, from the command line. */
function over<T extends 'http' | 'socket'>(
  transport: T,
  words: string,
  ask: (
    world: ProbeWorld,
    door: T extends 'http' ? HttpByHand : SocketByHand,
  ) => Promise<ProbeVerdict>,
): Probe['run'] {
  return async (world) => {
    const { byHand } = world.settings.launcher;
    if (byHand?.transport !== transport)
      throw new CannotAsk(
        `Only an agent reached by ${words} from the command line can be asked: acp-scope probe -- URL.`,
      );
    try {
      return await ask(world, byHand as T extends 'http' ? HttpByHand : SocketByHand);
    } catch (error) {
      throw new CannotAsk(error instanceof Error ? error.message : String(error));
    }
  };
}

export const BY_HAND: readonly Probe[] = family({
  versions: [1, 2],
  source: inRfd('streamable-http-websocket-transport'),
})({
  'http/headers': {
    sentence: 'Missing or wrong headers are refused with the status each has.',
    run: over('http', 'HTTP', headers),
  },
  'ws/first': {
    sentence:
      'A first message that is no initialize closes the WebSocket with 1002; an array gets −32600, a binary message nothing.',
    run: over('socket', 'WebSocket', first),
  },
});
