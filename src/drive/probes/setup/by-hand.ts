// Probes of what carries the lines: requests of HTTP and messages of a WebSocket that are made by hand,
// because no line can ask for them. Statuses are those of the RFD's draft and of the official SDK's server.
import { get, isArray, num } from '../../../acp/json.ts';
import { CODE } from '../../../acp/message.ts';
import { minus } from '../../../model/words.ts';
import { BudgetSpent } from '../../prompt-budget.ts';
import type { HttpByHand, NewsByHand, RequestByHand, SocketByHand } from '../../peer.ts';
import { inRfd, CannotAsk, fail, pass, warn, type ProbeVerdict } from '../probe.ts';
import { family, type Probe, type ProbeWorld } from '../world.ts';
import {
  CONNECTION_HEADER,
  HandConnection,
  initializeLine,
  JSON_TYPE,
  messageLine,
  lastEventId,
  reattach,
  reconnect,
  saidIn,
  SESSION_HEADER,
  STREAM,
  WrongStatus,
} from './streams.ts';

/** What is wrong in a request, and the status that is due. */
interface WrongRequest extends RequestByHand {
  readonly what: string;
  readonly due: number;
}

const LIST = messageLine({ id: 1, method: 'session/list', params: {} });

function wrongRequests(id: string, initialize: string): readonly WrongRequest[] {
  const known = { ...JSON_TYPE, [CONNECTION_HEADER]: id };
  const post = { method: 'POST', body: LIST } as const;
  const cancel = messageLine({ method: 'session/cancel', params: { sessionId: 'probe' } });
  return [
    { ...post, what: 'A request without Acp-Connection-Id', due: 400, headers: JSON_TYPE },
    {
      ...{ ...post, what: 'A request with an Acp-Connection-Id nobody was given', due: 404 },
      headers: { ...JSON_TYPE, [CONNECTION_HEADER]: 'acp-scope-probe' },
    },
    {
      ...{ ...post, what: 'A second initialize on the connection', due: 400 },
      ...{ headers: known, body: initialize },
    },
    {
      ...{ ...post, what: 'An Acp-Session-Id that is not the one of the params', due: 400 },
      ...{ headers: { ...known, [SESSION_HEADER]: 'another' }, body: cancel },
    },
    {
      ...{ ...post, what: 'A body of text/plain', due: 415 },
      headers: { ...known, 'content-type': 'text/plain' },
    },
    { ...post, what: 'A body that is no JSON', due: 400, headers: known, body: '{' },
    {
      ...{ method: 'GET', what: 'A stream asked for as application/json', due: 406 },
      headers: { [CONNECTION_HEADER]: id, accept: 'application/json' },
    },
    {
      ...{ method: 'DELETE', what: 'The end of a connection that nobody was given', due: 404 },
      headers: { [CONNECTION_HEADER]: 'acp-scope-probe' },
    },
  ];
}

async function headers(world: ProbeWorld, http: HttpByHand): Promise<ProbeVerdict> {
  const initialize = initializeLine(world);
  const { id } = await HandConnection.open(world, http);
  const known = { [CONNECTION_HEADER]: id };
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
    return pass(`${seen.length} requests got the expected status: ${statuses(seen)}.`);
  return warn(
    odd.map(({ what, due, status }) => `${what} got ${status}. Expected: ${due}.`).join(' '),
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
    return fail(`initialize as the first message got ${newsWords(met)}. Expected: its response.`);
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
          `A first message that is no initialize got ${newsWords(closed)}. Expected: a close with 1002.`,
        ]),
    ...(codeIn(batch) === CODE.invalidRequest
      ? []
      : [`An array of messages got ${newsWords(batch)}. Expected: −32600.`]),
    ...('silent' in binary
      ? []
      : [`A binary message got ${newsWords(binary)}; it is to be ignored.`]),
  ];
  if (odd.length > 0) return warn(odd.join(' '));
  return pass(
    'Without initialize the socket was closed with 1002, an array got −32600, and a binary message nothing.',
  );
}

function codeIn(news: NewsByHand): number | undefined {
  const said = saidIn(news);
  const message = isArray(said) ? said[0] : said;
  return num(get(message, 'error'), 'code');
}

function newsWords(news: NewsByHand): string {
  if ('closed' in news) return `a close with ${news.closed}`;
  if ('silent' in news) return 'nothing';
  const code = codeIn(news);
  return code === undefined ? 'an answer' : `the error ${minus(code)}`;
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
      if (error instanceof WrongStatus) return fail(error.message);
      if (error instanceof CannotAsk || error instanceof BudgetSpent) throw error;
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
  'http/reattach': {
    prompts: 1,
    sentence: 'A dropped event stream, opened again while its session works, repeats nothing.',
    run: over('http', 'HTTP', reattach),
  },
  'http/last-event-id': {
    sentence:
      'An event stream opened again with the last id it gave goes on behind that, and one with an unknown id is refused: noted where events have no ids.',
    run: over('http', 'HTTP', lastEventId),
  },
  'http/reconnect': {
    saved: 'reads',
    sentence: 'A new connection to the server restores what the last one had, which is ended.',
    run: over('http', 'HTTP', reconnect),
  },
  'ws/first': {
    sentence:
      'A first message that is no initialize closes the WebSocket with 1002; an array gets −32600, a binary message nothing.',
    run: over('socket', 'WebSocket', first),
  },
});
