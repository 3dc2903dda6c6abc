// The bundled agent where it listens, by the official SDK's server, driven by the commands.
import { once } from 'node:events';
import { existsSync, readFileSync, mkdtempSync } from 'node:fs';
import { createServer, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { checkTrace } from '../rules/check-trace.ts';
import { World } from '../rules/connection.ts';
import { listeningAt } from '../test/programs/listening.ts';
import { factsOf, framesOf, listen, listeningAgent } from '../test/programs/remote.ts';
import { until } from '../test/programs/until.ts';
import { TraceIndex } from '../model/trace-index.ts';
import { connectionId, type TraceEvent } from '../trace/event.ts';
import { lineText } from '../trace/line.ts';
import { agent } from './agent.ts';
import { lab } from './lab.ts';
import { probe } from './probe.ts';
import { record } from './record.ts';
import { tap } from './tap.ts';

function fresh(): string {
  return join(mkdtempSync(join(tmpdir(), 'acp-scope-transports-')), 'run.acptrace.jsonl');
}

function eventsOf(path: string): readonly TraceEvent[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => JSON.parse(line) as TraceEvent);
}

function methodsOf(path: string): readonly string[] {
  return framesOf(eventsOf(path)).flatMap(({ line }) => {
    const { method } = JSON.parse(lineText(line)) as { method?: string };
    return method === undefined ? [] : [method];
  });
}

const WAYS = [
  [1, 'ws'],
  [2, 'ws'],
  [1, 'http'],
  [2, 'http'],
] as const;

test.each(WAYS)(
  'record drives the agent in version %i over %s, children and all',
  async (version, way) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const url = (await listeningAgent()).replace('http', way);
    const out = fresh();
    const args = [
      '--out',
      out,
      '--protocol',
      String(version),
      '--prompt',
      'delegate',
      '--subagents',
    ];
    expect(await record.run([...args, '--', url])).toBe(0);
    expect(methodsOf(out)).toEqual(
      expect.arrayContaining(['initialize', 'session/new', 'session/prompt', 'session/update']),
    );
    const frames = framesOf(eventsOf(out));
    const streams = new Set(frames.map(({ via }) => via?.stream));
    expect([...streams]).toEqual(way === 'ws' ? ['socket'] : ['post', 'connection', 'session']);
    const sessions = frames.map(({ line }) => /"sessionId":"(sess_\w+)"/.exec(lineText(line))?.[1]);
    expect(new Set(sessions.filter((id) => id !== undefined)).size).toBeGreaterThan(1);
    // The official server and our own client keep the rules of the transport.
    const { findings } = checkTrace(eventsOf(out), { world: new World(), passes: true });
    const ofTransport = findings.filter(({ rule }) => /^(?:http|ws)\//.test(rule));
    expect(ofTransport.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(ofTransport.length).toBeGreaterThan(0);
  },
);

/** A tap for this URL, into `out`, until it is ended. */
async function tapping(url: string, out: string) {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  said.mockClear();
  const before = new Set(process.listeners('SIGTERM'));
  const ended = tap.run(['--listen', '0', '--out', out, '--', url]);
  const place = () => /stands at (http:\S+)/.exec(said.mock.calls.flat().join('\n'))?.[1];
  await until(() => expect(place()).toBeDefined());
  const [end] = process.listeners('SIGTERM').filter((listener) => !before.has(listener));
  const stop = () => {
    end?.('SIGTERM');
    return ended;
  };
  return { url: place() ?? '', stop };
}

test.each([
  [1, 'ws'],
  [2, 'http'],
] as const)(
  'a tap by URL between the client and the agent of version %i over %s records what both said',
  async (version, way) => {
    const out = fresh();
    const there = fresh();
    const tapped = await tapping(await listeningAgent(), there);
    const args = ['--out', out, '--protocol', String(version), '--prompt', 'quick'];
    expect(await record.run([...args, '--', tapped.url.replace('http', way)])).toBe(0);
    expect(await tapped.stop()).toBe(0);
    const byStream = (path: string) => {
      const streams: Record<string, string[]> = {};
      for (const { from, line, via } of framesOf(eventsOf(path)))
        (streams[`${from} ${via?.stream} ${via?.session}`] ??= []).push(lineText(line));
      return streams;
    };
    expect(byStream(there)).toEqual(byStream(out));
    expect(methodsOf(there)).toContain('session/prompt');
    expect(eventsOf(there).at(-1)).toMatchObject({ type: 'exit' });
  },
);

const NO_TAPS: readonly (readonly [string[], RegExp])[] = [
  [['--', 'ws://127.0.0.1:1/'], /give --listen PORT/],
  [['--header', 'A: b', '--', 'node'], /give --listen PORT/],
  [['--listen', 'x', '--', 'ws://127.0.0.1:1/'], /no place/],
  [['--listen', '0', '--', 'node'], /for an agent with a URL/],
  [['--listen', '0', '--intercept', 'x.json', '--', 'ws://127.0.0.1:1/'], /Leave out one/],
  [['--listen', '0.0.0.0:0', '--header', 'A: b', '--', 'ws://127.0.0.1:1/'], /every machine/],
];

test.each(NO_TAPS)('T-22: tap %j is refused', async (args, words) => {
  await expect(tap.run(args)).rejects.toThrow(words);
});

test.runIf(process.platform === 'linux')(
  'T-22: a tap that is told a port listens for this machine alone',
  async () => {
    const { url, stop } = await tapping(await listeningAgent(), fresh());
    expect(listeningAt(Number(new URL(url).port))).toEqual(['0100007F']);
    await stop();
  },
);

test('T-22: a page that asks a tap all day is reported a few times, and in no recording', async () => {
  const out = fresh();
  const { url, stop } = await tapping(await listeningAgent(), out);
  for (let count = 0; count < 25; count++) expect((await fetch(url)).status).toBe(403);
  const said = vi
    .mocked(console.error)
    .mock.calls.flat()
    .filter((line) => /refused/.test(String(line)));
  expect(said.map((line) => /\((\d+) so far\)/.exec(String(line))?.[1])).toEqual(['1', '10']);
  expect(await stop()).toBe(0);
  expect(existsSync(out)).toBe(false);
});

function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject).end('{}');
  });
}

test('web pages and foreign names are not let in to an agent that listens, by HTTP or WebSocket', async () => {
  const url = await listeningAgent();
  const json = { 'content-type': 'application/json' };
  expect(await statusOf(url, json)).toBe(400);
  expect(await statusOf(url, { ...json, origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf(url, { ...json, origin: 'null' })).toBe(403);
  expect(await statusOf(url, { ...json, host: 'rebind.test' })).toBe(403);
  expect(await statusOf(url, { ...json, 'sec-fetch-site': 'same-site' })).toBe(403);
  expect(await statusOf(url, { 'content-type': 'text/plain' })).toBe(403);
  expect(await statusOf(url.replace('/acp', '/other'), json)).toBe(404);
  const socket = new WebSocket(url.replace('http', 'ws'), { origin: 'http://127.0.0.1' });
  const refused = await new Promise<string>((resolve) =>
    socket.on('error', ({ message }) => resolve(message)),
  );
  expect(refused).toMatch(/403/);
});

test('sockets that ask nothing keep nobody out of an agent that listens; past those at work it says that it is full, before it asks for a body', async () => {
  const url = new URL(await listeningAgent());
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  const opened = async (text: string) => {
    const socket = connect(Number(url.port), '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  for (let count = 0; count < 100; count++) await opened('POST /acp HTTP/1.1\r\nHo');
  const head = `POST /acp HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 9\r\nExpect: 100-continue\r\n`;
  const said = async (text: string) => String((await once(await opened(text), 'data'))[0]);
  for (let count = 0; count < 64; count++)
    expect(await said(`${head}Content-Type: application/json\r\n\r\n`)).toContain(' 100 ');
  expect(await said(`${head}Content-Type: application/json\r\n\r\n`)).toMatch(
    / 503 [^]*64 sockets are at work/,
  );
  expect(await said(`${head}Origin: http://evil.example\r\n\r\n`)).toContain(' 403 ');
});

test('a permission is answered under the session on whose stream it was asked for', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const out = fresh();
  expect(await record.run(['--out', out, '--', await listeningAgent()])).toBe(0);
  expect(methodsOf(out)).toContain('session/request_permission');
  const refused = factsOf(eventsOf(out)).filter(({ status = 0 }) => status >= 300);
  expect(refused).toEqual([]);
});

const PLACES: readonly (readonly [string[], RegExp])[] = [
  [['--listen', 'x'], /--listen x is no place/],
  [['--listen', '99999'], /no place/],
  [['--listen', '0', '--misbehave', 'stdout-noise'], /a fault of stdout/],
  [['--listen', '0', '--login'], /leave out --listen/],
];

test.each(PLACES)('agent %j is refused', async (args, words) => {
  await expect(agent.run(args)).rejects.toThrow(words);
});

test('a header without a URL, and a URL that is none, are mistakes of the command line', async () => {
  const out = ['--out', fresh()];
  await expect(record.run([...out, '--header', 'A: b', '--', 'node'])).rejects.toThrow(/for a URL/);
  await expect(
    record.run([...out, '--header', 'A: ${GEHEIM}', '--', 'ws://127.0.0.1/']),
  ).rejects.toThrow(/names the variable GEHEIM, which is not set/);
  await expect(record.run([...out, '--', 'ws://a:b@127.0.0.1/'])).rejects.toThrow(/a password/);
  await expect(record.run([...out, '--', 'ws://127.0.0.1:1/'])).rejects.toThrow(/Nothing listens/);
  await expect(record.run([...out, '--', 'http://127.0.0.1:1/'])).rejects.toThrow(
    'Nothing listens at http://127.0.0.1:1/. Start the agent there, or check the port.',
  );
});

/** An agent of HTTP that answers what comes behind the handshake like this. Its URL. */
async function answering(refuse: (answer: ServerResponse) => void, stream = 200): Promise<string> {
  const server = createServer((asked, answer) => {
    if (asked.method === 'GET') {
      answer.writeHead(stream, {
        'content-type': stream === 200 ? 'text/event-stream' : 'text/plain',
      });
      return void (stream === 200 ? answer.flushHeaders() : answer.end('POST only'));
    }
    let body = '';
    asked.on('data', (chunk: Buffer) => (body += chunk.toString()));
    asked.on('end', () => {
      if (!body.includes('"initialize"')) return refuse(answer);
      answer.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'c1' });
      answer.end(body.replace(/"method".*/, '"result":{"protocolVersion":1}}'));
    });
  });
  return `http://127.0.0.1:${await listen(server)}/acp`;
}

test.each([
  [
    500,
    'text/plain',
    'The model is not there',
    /answered 500\. It says: “The model is not there”$/,
  ],
  [
    200,
    'text/html',
    '<h1>Sign in</h1>',
    /answered text\/html instead of .* It says: “<h1>Sign in<\/h1>”$/,
  ],
  [503, 'text/plain', '', /session\/new has no answer: http:\S+ answered 503\.$/],
])(
  'a request that is answered with %i %s %j has no answer at once, and that is said once',
  async (status, type, body, words) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    said.mockClear();
    const url = await answering((answer) =>
      answer.writeHead(status, { 'content-type': type }).end(body),
    );
    const out = fresh();
    expect(await record.run(['--out', out, '--', url])).toBe(1);
    const told = said.mock.calls.flat().filter((line) => /answered/.test(String(line)));
    expect(told).toEqual([expect.stringMatching(words)]);
    const index = new TraceIndex(connectionId('c'), () => 'S1');
    const events = eventsOf(out);
    for (const event of events.slice(0, -1)) index.append(event);
    expect(index.facts().open).toEqual([]);
  },
);

test('an event stream that is refused with 405 is named, once, and no other transport is advised', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  said.mockClear();
  const url = await answering((answer) => answer.writeHead(202).end(), 405);
  expect(await record.run(['--out', fresh(), '--', url])).toBe(1);
  const told = said.mock.calls.flat().filter((line) => /405/.test(String(line)));
  expect(told).toEqual([
    expect.stringMatching(/The event stream of \S+ answered 405: no GET .*“POST only”/),
  ]);
  expect(String(told[0])).not.toMatch(/other transport/);
});

test.each(['ws', 'http'])(
  'a URL over %s that refuses us is status 3 for record, probe and lab, which name what it said',
  async (way) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = createServer((_, answer) => answer.writeHead(401).end('no token'));
    const url = `${way}://127.0.0.1:${await listen(server)}/acp`;
    const words = /answered 401: it wants other credentials\. Give them .*“no token”/;
    await expect(record.run(['--out', fresh(), '--', url])).rejects.toThrow(words);
    await expect(probe.run(['--', url])).rejects.toThrow(words);
    await expect(lab.run(['--', url])).rejects.toThrow(words);
  },
);
