// The tap between a client of ours and an agent by URL: what crosses it is what crosses without it, and
// its record is that of the client.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import {
  agentIn,
  factsOf,
  framesOf,
  listen,
  listeningAgent,
  reach,
} from '../../test/programs/remote.ts';
import { until } from '../../test/programs/until.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { connectionId, type TraceEvent } from '../../trace/event.ts';
import { lineBytes, lineText } from '../../trace/line.ts';
import { Recorder } from '../spool/recorder.ts';
import { addressOf } from '../transports/address.ts';
import { tapUrl } from './tap-url.ts';

/** A tap for this URL: where it stands for HTTP, and what its recordings hold. */
async function tapped(url: string, headers: Readonly<Record<string, string>> = {}) {
  const read = addressOf(
    url,
    Object.entries(headers).map(([name, value]) => ({ name, value })),
  );
  if (!read.ok) throw new Error(read.message);
  const { address } = read;
  const folder = mkdtempSync(join(tmpdir(), 'acp-scope-tap-url-'));
  let count = 0;
  const recorders: Recorder[] = [];
  const begin = () => {
    const recorder = new Recorder({
      path: join(folder, `${++count}.acptrace.jsonl`),
      ...{ connection: connectionId(`c${count}`), tool: 'test', name: 'x', mode: 'tap' },
      ...{ argv: [address.shown], cwd: '/' },
    });
    recorder.start({ argv: [address.shown], cwd: '/' });
    recorders.push(recorder);
    return recorder;
  };
  const stop = new AbortController();
  const refused: number[] = [];
  let served: Promise<unknown> = Promise.resolve();
  onTestFinished(async () => {
    stop.abort();
    await served;
  });
  const at = await new Promise<string>((resolve) => {
    const way = { address, begin, ended: () => undefined };
    const on = {
      listening: resolve,
      refused: (_: string, count: number) => void refused.push(count),
    };
    served = tapUrl(way, { host: '127.0.0.1', port: 0 }, stop.signal, on);
  });
  const text = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  const events = (nth = 1): readonly TraceEvent[] => {
    const name = `${nth}.acptrace.jsonl`;
    if (!readdirSync(folder).includes(name)) return [];
    const lines = readFileSync(join(folder, name), 'utf8').split('\n').slice(1, -1);
    return lines.map((line) => JSON.parse(line) as TraceEvent);
  };
  const ended = () => until(() => expect(events().at(-1)?.type).toBe('exit'));
  return { at, events, text, ended, stop, refused };
}

const HELLO = '{"jsonrpc":"2.0","id":0,"method":"initialize"}';

/** An agent over HTTP: initialize is answered, and what is posted comes back on the connection's stream. */
async function httpAgent(): Promise<{ url: string; asked: string[][] }> {
  const asked: string[][] = [];
  let say: (text: string) => void = () => undefined;
  const server = createServer((question, answer) => {
    asked.push(question.rawHeaders);
    let body = '';
    question.on('data', (data: Buffer) => (body += data.toString()));
    question.on('end', () => {
      if (question.method === 'GET') {
        answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        say = (text) => void answer.write(`id: 7\nevent: message\ndata: ${text}\n\n`);
        return;
      }
      const isFirst = question.headers['acp-connection-id'] === undefined;
      if (isFirst && question.method === 'POST') {
        const head = { 'content-type': 'application/json', 'acp-connection-id': 'geheim-1234567' };
        answer.writeHead(200, { ...head, 'set-cookie': 'a=geheim; Path=/' });
        return answer.end('{"jsonrpc":"2.0","id":0,"result":{"é":1.0}}');
      }
      answer.writeHead(202).end();
      if (question.method === 'POST') say(body);
    });
  });
  return { url: `http://127.0.0.1:${await listen(server)}/acp`, asked };
}

test('over HTTP both records hold the same frames by the same streams, and neither a secret', async () => {
  const { url, asked } = await httpAgent();
  const tap = await tapped(url, { Authorization: 'Bearer geheim' });
  const { reached, events, text } = await reach(tap.at, ['X-Mine: geheim']);
  const agent = agentIn(reached);
  const lines = ['{"jsonrpc":"2.0","id":0,"method":"initialize"}', '{"id":1,"method":"a","n":1.0}'];
  agent.send(Buffer.from(lines[0] ?? ''), 'script');
  await until(() => expect(framesOf(events())).toHaveLength(2));
  agent.send(Buffer.from(lines[1] ?? ''), 'script');
  await until(() => expect(framesOf(events())).toHaveLength(4));
  agent.end();
  await agent.ended;
  await tap.ended();
  const seen = (all: readonly TraceEvent[]) =>
    framesOf(all).map(({ from, line, via }) => [from, lineText(line), via]);
  expect(seen(tap.events())).toEqual(seen(events()));
  expect(factsOf(tap.events()).map(({ method, status, step }) => [method, status, step])).toEqual(
    expect.arrayContaining([
      ['POST', 200, 'answered'],
      ['GET', 200, 'answered'],
      ['POST', 202, 'answered'],
      ['DELETE', 202, 'answered'],
    ]),
  );
  expect(asked.flat()).toEqual(expect.arrayContaining(['Bearer geheim', 'geheim']));
  expect(tap.text() + text()).not.toMatch(/geheim(?!-1…)/);
});

test('over WebSocket bytes pass as they came, fragments, binary and what is no UTF-8, and the close too', async () => {
  const server = createServer();
  const sockets = new WebSocketServer({ server, skipUTF8Validation: true });
  const heard: Uint8Array[] = [];
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      heard.push(data);
      socket.send(Buffer.from([0xff, 0x22]), { binary: false });
      socket.send('{"a"', { fin: false });
      socket.send(':1}', { fin: true });
      socket.send(Buffer.from([1, 2]));
      if (heard.length === 2) socket.close(4001, 'enough');
    });
  });
  const tap = await tapped(`ws://127.0.0.1:${await listen(server)}/acp`);
  const { reached, events, lines } = await reach(tap.at.replace('http', 'ws'));
  const agent = agentIn(reached);
  const sent = [Buffer.from('{"id":1,\r\n"x":1.0}'), Buffer.alloc(200_000, 'y')];
  for (const line of sent) agent.send(line, 'script');
  await agent.ended;
  await tap.ended();
  expect(heard.map((one) => Buffer.from(one).toString('latin1'))).toEqual(
    sent.map((one) => one.toString('latin1')),
  );
  expect(lines).toHaveLength(6);
  const seen = (all: readonly TraceEvent[]) =>
    framesOf(all).map(({ from, line, via }) => [from, [...lineBytes(line)].length, line, via]);
  const [ours, theirs] = [seen(tap.events()), seen(events())];
  for (const from of ['client', 'agent'])
    expect(ours.filter(([side]) => side === from)).toEqual(
      theirs.filter(([side]) => side === from),
    );
  expect(factsOf(tap.events()).at(-1)).toMatchObject({
    step: 'closed',
    code: 4001,
    reason: 'enough',
  });
});

function statusOf(
  url: string,
  method: string,
  headers: Record<string, string> | readonly string[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (answer) => {
      let text = '';
      answer.on('data', (data: Buffer) => (text += data.toString()));
      answer.on('end', () => resolve(`${answer.statusCode} ${text}`));
      // A stream has no end.
      if (answer.headers['content-type'] === 'text/event-stream') resolve(`${answer.statusCode}`);
    });
    asked.on('error', reject).end(/^P/.test(method) ? '{}' : undefined);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM = { accept: 'text/event-stream' };
const NAMED = { 'acp-connection-id': 'c-1' };

test('T-22: web pages and foreign names are not let in to a tap by URL, and leave no recording', async () => {
  const { url, asked } = await httpAgent();
  const tap = await tapped(url, { Authorization: 'Bearer geheim' });
  const { host } = new URL(tap.at);
  const site = (value: string) => ({ 'sec-fetch-site': value });
  /** Requests of a page in a browser, an old one too; each would be let in without its first header. */
  const pages: readonly (readonly [string, Record<string, string> | readonly string[]])[] = [
    ['POST', { origin: 'https://evil.example', ...JSON_TYPE }],
    ['POST', { origin: 'null', ...JSON_TYPE }],
    ['POST', { host: 'rebind.test', ...JSON_TYPE }],
    // A name of ours before it makes it none.
    ['POST', ['Host', host, 'Host', 'rebind.test', 'Content-Type', 'application/json']],
    ...['cross-site', 'same-site', 'same-origin', 'odd'].map(
      (value) => ['GET', { ...site(value), ...STREAM, ...NAMED }] as const,
    ),
    ['POST', { ...site('cross-site'), ...JSON_TYPE }],
    [
      'GET',
      ['Host', host, 'Acp-Connection-Id', 'c', 'Sec-Fetch-Site', 'none', 'Sec-Fetch-Site', 'x'],
    ],
  ];
  /** Requests that any page may send, which no header of a browser shows. */
  const simple: readonly (readonly [string, Record<string, string>])[] = [
    ['GET', { accept: 'image/avif,image/webp,*/*' }],
    ['GET', STREAM],
    ['GET', { ...site('none'), 'sec-fetch-mode': 'navigate', accept: 'text/html' }],
    ['GET', { authorization: 'Basic YTpi' }],
    ['HEAD', {}],
    ['POST', {}],
    ['POST', { 'content-type': 'text/plain;charset=UTF-8' }],
    ['POST', { 'content-type': 'text/plain; application/json' }],
    ['POST', { 'content-type': ' Multipart/Form-Data; boundary=application/json' }],
    ['POST', { 'content-type': 'application/x-www-form-urlencoded' }],
  ];
  for (const [method, headers] of [...pages, ...simple])
    expect([method, headers, await statusOf(tap.at, method, headers)]).toEqual([
      method,
      headers,
      expect.stringMatching(/^403/),
    ]);
  expect(await statusOf(tap.at.replace('/acp', '/other'), 'POST', JSON_TYPE)).toMatch(/^404/);
  expect(await statusOf(tap.at, 'PUT', {})).toMatch(/^405/);
  const socket = new WebSocket(tap.at.replace('http', 'ws'), { origin: 'http://127.0.0.1' });
  const refused = await new Promise<string>((resolve) =>
    socket.on('error', ({ message }) => resolve(message)),
  );
  expect(refused).toMatch(/403/);
  expect([asked, tap.text()]).toEqual([[], '']);
  // Each is told of, counted by its answer.
  const strangers = pages.length + simple.length;
  expect(tap.refused).toEqual([...Array(strangers).keys(), 0, 0, strangers].map((at) => at + 1));
});

test('T-22: what a program sends is let in, also one that is built on a browser', async () => {
  const { url, asked } = await httpAgent();
  const tap = await tapped(url);
  const none = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'no-cors' };
  for (const headers of [JSON_TYPE, { ...JSON_TYPE, ...none }, { ...NAMED, ...none }, NAMED])
    expect(await statusOf(tap.at, 'POST', headers)).toMatch(/^20/);
  expect(await statusOf(tap.at, 'DELETE', NAMED)).toMatch(/^202/);
  expect(asked).toHaveLength(5);
  expect(tap.refused).toEqual([]);
});

test.each(['http', 'ws'] as const)(
  'T-22: the client of the official SDK gets through a tap by URL over %s',
  async (way) => {
    const tap = await tapped(await listeningAgent());
    const at = tap.at.replace('http', way);
    const { readable, writable } =
      way === 'http' ? createHttpStream(at) : createWebSocketStream(at, { WebSocket });
    const writer = writable.getWriter();
    const reader = readable.getReader();
    const said = async (id: number) => {
      for (;;) {
        const { value } = await reader.read();
        if (value && 'id' in value && value.id === id && !('method' in value)) return value;
      }
    };
    const params = { protocolVersion: 1, clientCapabilities: {} };
    await writer.write({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    expect(await said(0)).toHaveProperty('result.protocolVersion', 1);
    const session = { cwd: tmpdir(), mcpServers: [] };
    await writer.write({ jsonrpc: '2.0', id: 1, method: 'session/new', params: session });
    expect(await said(1)).toHaveProperty('result.sessionId');
    await writer.close();
    await reader.cancel();
    await tap.ended();
    expect(tap.refused).toEqual([]);
    expect(framesOf(tap.events()).filter(({ from }) => from === 'agent').length).toBeGreaterThan(1);
  },
);

test('an editor that makes up an id for every request is refused where there are too many, and told why', async () => {
  const { url } = await httpAgent();
  const { at, text } = await tapped(url);
  const ask = (id: number) =>
    fetch(at, { method: 'POST', body: '{}', headers: { 'acp-connection-id': `made-up-${id}` } });
  for (let i = 0; i < 256; i++) expect((await ask(i)).status).toBe(202);
  const refused = await ask(256);
  expect(refused.status).toBe(503);
  expect(await refused.text()).toMatch(/at most 256 connections at once\. End one with DELETE/);
  expect((await ask(7)).status).toBe(202);
  await until(() => expect(text().match(/"type":"start"/g)).toHaveLength(256));
});

test('an agent that is not there is told to the editor and to the record in a sentence', async () => {
  const free = createServer();
  const port = await listen(free);
  await new Promise((resolve) => free.close(resolve));
  const tap = await tapped(`http://127.0.0.1:${port}/acp`);
  expect(await statusOf(tap.at, 'POST', JSON_TYPE)).toMatch(/^502 Nothing listens at http/);
  await tap.ended();
  expect(tap.events()).toMatchObject([
    { type: 'start' },
    { type: 'frame', from: 'client' },
    { type: 'transport', step: 'failed', problem: /Nothing listens/ },
    { type: 'exit', problem: /no Acp-Connection-Id/ },
  ]);
});

test('a connection that is open when the tap ends has an end that says so', async () => {
  const { url } = await httpAgent();
  const tap = await tapped(url);
  await statusOf(tap.at, 'POST', JSON_TYPE);
  tap.stop.abort();
  await tap.ended();
  expect(tap.events().at(-1)).toMatchObject({ problem: /The tap was ended while/ });
});

test('T-16: sockets that ask nothing keep no editor out of the tap, and one that is at work stays', async () => {
  const { url } = await httpAgent();
  const { at } = await tapped(url);
  const { reached, events } = await reach(at);
  const agent = agentIn(reached);
  agent.send(encodeUtf8(HELLO), 'script');
  const heads = () => factsOf(events()).map(({ status }) => status);
  await until(() => expect(heads()).toEqual([200, 200]));
  const idle: Socket[] = [];
  onTestFinished(() => idle.forEach((socket) => socket.destroy()));
  for (let count = 0; count < 300; count++) {
    const socket = connect(Number(new URL(at).port), '127.0.0.1').on('error', () => undefined);
    socket.write('POST /acp HTTP/1.1\r\nHo');
    idle.push(socket);
    await once(socket, 'connect');
  }
  agent.send(encodeUtf8('{"jsonrpc":"2.0","method":"_more"}'), 'script');
  await until(() => expect(heads()).toHaveLength(3));
  expect(factsOf(events()).filter(({ problem }) => problem !== undefined)).toEqual([]);
  agent.end();
  expect(await agent.ended).toEqual({});
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(at, { method: 'POST', headers, body: HELLO })).status).toBe(200);
});
