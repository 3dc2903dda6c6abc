import { createServer, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished, expect, test } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { agentIn, framesOf, listen, reach } from '../../test/programs/remote.ts';
import { headerOf } from '../../cli/parts/agent-words.ts';
import { isUrl } from '../../lib/program-name.ts';
import { addressOf } from './address.ts';

/** A server whose sockets are handed to the test. */
async function serve(onSocket: (socket: WebSocket, headers: IncomingHttpHeaders) => void) {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => onSocket(socket, request.headers));
  onTestFinished(() => sockets.clients.forEach((socket) => socket.terminate()));
  return listen(server);
}

test('each message of a WebSocket is one frame, byte for byte, whatever it holds', async () => {
  const odd = ['{"a" : 1}', '', ' \r', 'two\nlines', 'no json', '\ufeff{}', '{"é":"\\u00e9"}'];
  const port = await serve((socket) => {
    for (const text of odd) socket.send(text);
    socket.send(Buffer.from('{"binary":true}'));
    socket.send(Buffer.from([0xff, 0x22]), { binary: false });
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    socket.on('message', () => socket.close(1001, 'going'));
  });
  const { reached, events, lines } = await reach(`ws://127.0.0.1:${port}/acp`);
  const agent = agentIn(reached);
  expect(agent.send(encodeUtf8('{"sent" :\t1}'), 'composer')).toBeUndefined();
  const exit = await agent.ended;
  expect(exit.problem).toBe('The agent closed the WebSocket (1001, "going").');
  const said = framesOf(events()).filter(({ from }) => from === 'agent');
  expect(said.slice(0, odd.length).map(({ line }) => line)).toEqual(odd.map((text) => ({ text })));
  expect(said[odd.length]).toMatchObject({
    line: { text: '{"binary":true}' },
    via: { binary: true },
  });
  expect(said[odd.length + 1]?.line).toEqual({ base64: '/yI=' });
  expect(said.at(-1)?.line).toEqual({ text: '{"sent" :\t1}' });
  expect(lines).toHaveLength(said.length);
  expect(framesOf(events()).find(({ from }) => from === 'client')).toMatchObject({
    origin: 'composer',
    via: { stream: 'socket' },
  });
  const facts = events().filter(({ type }) => type === 'transport');
  expect(facts).toMatchObject([
    { step: 'answered', method: 'GET', status: 101, stream: 'socket' },
    { step: 'closed', code: 1001, reason: 'going' },
  ]);
  expect(events().at(-1)).toMatchObject({ type: 'exit', problem: exit.problem });
});

test('the leave is a close with 1000, and no fault', async () => {
  let code = 0;
  const port = await serve((socket) => socket.on('close', (given) => (code = given)));
  const { reached, events } = await reach(`ws://127.0.0.1:${port}/`);
  const agent = agentIn(reached);
  agent.end();
  expect(agent.send(encodeUtf8('{}'), 'script')).toMatchObject({ code: 'ended' });
  expect(await agent.ended).toEqual({});
  expect(code).toBe(1000);
  expect(framesOf(events())).toEqual([]);
});

test('a socket that breaks is told as that, and so is one that we drop as none', async () => {
  const port = await serve((socket) => socket.once('message', () => socket.terminate()));
  const broken = agentIn((await reach(`ws://127.0.0.1:${port}/`)).reached);
  broken.send(encodeUtf8('{}'), 'script');
  expect((await broken.ended).problem).toMatch(/broke/);
  const dropped = agentIn((await reach(`ws://127.0.0.1:${port}/`)).reached);
  dropped.cut();
  expect(await dropped.ended).toEqual({});
});

test('headers go to the server, and no value of them to the trace', async () => {
  let got: IncomingHttpHeaders = {};
  const port = await serve((socket, headers) => {
    got = headers;
    socket.close(1000);
  });
  const { reached, text, events } = await reach(
    `ws://127.0.0.1:${port}/acp?key=query-secret`,
    ['Authorization: Bearer ${TOKEN}', 'X-Plain: header-secret'],
    { TOKEN: 'env-secret' },
  );
  await agentIn(reached).ended;
  expect(got).toMatchObject({ authorization: 'Bearer env-secret', 'x-plain': 'header-secret' });
  expect(text()).not.toMatch(/-secret/);
  expect(events()[0]).toMatchObject({
    type: 'start',
    argv: [`ws://127.0.0.1:${port}/acp?key=…`],
    headers: ['Authorization', 'X-Plain'],
  });
});

test('where nothing listens, a sentence says so', async () => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  const { reached } = await reach(`ws://127.0.0.1:${port}/`);
  expect(reached).toMatchObject({ ok: false, problem: { message: /Nothing listens at ws:/ } });
});

const FAULTS: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['ws://user:geheim@127.0.0.1/', [], /name or a password/],
  ['ws://127.0.0.1/', ['nothing'], /Header 1 has no name/],
  ['ws://127.0.0.1/', ['Host: x'], /is Host, which the transport sets itself/],
  ['ws://127.0.0.1/', ['Acp-Connection-Id: x'], /transport sets itself/],
  ['ws://127.0.0.1/', ['A: geheim\r\nB: c'], /holds a character/],
  ['ws://127.0.0.1/?key=…', [], /comes from a record, which keeps no values/],
  ['ws://10.0.0.7/', ['A: geheim'], /in the clear, and 10\.0\.0\.7 is another machine/],
  ['ws://localhost.evil.example/', ['A: geheim'], /another machine/],
  ['ws://:::?geheim', [], /is no URL/],
];

test.each(FAULTS)(
  '%s with %j is refused in a sentence without the secret',
  (url, headers, words) => {
    const read = addressOf(
      url,
      headers.map((header) => headerOf(header, {})),
    );
    expect(read).toMatchObject({ ok: false, message: words });
    if (!read.ok) expect(read.message).not.toMatch(/geheim/);
  },
);

test('a URL is one word, and no program', () => {
  expect(isUrl(['ws://a/'])).toBe(true);
  expect(isUrl(['WSS://a/'])).toBe(true);
  expect(isUrl(['ws://a/', '--acp'])).toBe(false);
  expect(isUrl(['./ws://a'])).toBe(false);
});
