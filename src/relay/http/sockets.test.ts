import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  getFrom,
  RelayTest,
  startTestRelay,
  statusOf,
  TestPage,
  tokenOf,
} from '../../test/programs/relay-fixture.ts';
import { until } from '../../test/programs/until.ts';
import type { RunningRelay } from '../start-relay.ts';

let here: RelayTest;
let relay: RunningRelay;
let token: string;

beforeAll(async () => {
  here = new RelayTest();
  relay = await here.relay({ trustPage: false });
  token = await tokenOf(relay);
});
afterAll(() => here.close());

interface Way {
  readonly port: number;
  readonly token: string;
  readonly autoPong?: boolean;
}

/** A socket that is let in, its close awaited. */
function socket(how: Partial<Way> = {}): { ws: WebSocket; closed: Promise<[number, string]> } {
  const { port, token: auth, ...options } = { port: relay.port, token, ...how };
  const origin = `http://127.0.0.1:${port}`;
  const ws = new WebSocket(`ws://127.0.0.1:${port}/ws`, ['acp-scope.v1', `auth.${auth}`], {
    ...{ origin, ...options },
  });
  ws.on('error', () => {});
  const closed = new Promise<[number, string]>((resolve) =>
    ws.on('close', (code, reason) => resolve([code, reason.toString()])),
  );
  return { ws, closed };
}

/** Two fit into what the relay holds of unfinished messages, and three do not. */
const LARGE_COMMAND = Buffer.from(
  JSON.stringify({ type: 'unknown', request: 9, more: '-'.repeat(40 * 2 ** 20) }),
);

test('T-16: idle sockets take no more than their share, and those that are in go on', async () => {
  const other = await startTestRelay(here.folders);
  // The words of a request that does not end: what only stands open is closed after ten seconds anyway.
  const host = `127.0.0.1:${other.port}`;
  const begun = `POST /api/code HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
  const idle: Socket[] = [];
  try {
    const page = new TestPage(other.port);
    page.client.enter(other.url('printed').split('#k=')[1], undefined);
    await page.told1('welcome');
    const closed = new Set<Socket>();
    for (let i = 0; i < 200; i++) {
      const socket = connect(other.port, '127.0.0.1');
      socket.on('error', () => {}).on('close', () => closed.add(socket));
      socket.write(begun);
      idle.push(socket);
      await once(socket, 'connect');
    }
    while (closed.size < 200 - 64) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(idle.filter((socket) => closed.has(socket))).toHaveLength(200 - 64);
    page.command({ type: 'presets', request: 1 });
    await page.told1('presets');
    page.client.close();
  } finally {
    for (const socket of idle) socket.destroy();
    await other.close();
  }
});

test('attack row 15 (T-16, T-13): sockets that say nothing, or slowly, keep nobody out, and are no fault of ours as they break off', async () => {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  const other = await startTestRelay(here.folders, { onFault });
  const host = `Host: 127.0.0.1:${other.port}\r\n`;
  const origin = `Origin: http://127.0.0.1:${other.port}\r\nContent-Type: application/json\r\n`;
  const slow = [
    '',
    `GET / HTTP/1.1\r\n${host}X-Slow: `,
    `POST /api/code HTTP/1.1\r\n${host}${origin}Content-Length: 1000\r\n\r\n{`,
  ];
  const sockets: Socket[] = [];
  try {
    for (let i = 0; i < 300; i++) {
      const socket = connect(other.port, '127.0.0.1');
      socket.on('error', () => {}).write(slow[i % slow.length] ?? '');
      sockets.push(socket);
      await once(socket, 'connect');
      // Whoever comes in between is answered, by the first try and the first relay alike.
      if (i % 50 === 49) expect(statusOf(await getFrom(other, '/'))).toBe(200);
    }
    await tokenOf(other);
  } finally {
    for (const socket of sockets) socket.destroy();
    await other.close();
  }
  expect(faults).toEqual([]);
});

test('T-18: what is no command of ours, and names nothing that could be answered, closes the socket and says why', async () => {
  for (const [bad, why] of [
    ['garbage', 'it is not JSON'],
    ['[1]', 'it is no object'],
    ['{"type":"unknown"}', 'type is missing or wrong'],
    ['{"type":"start"}', 'request is missing or wrong'],
    [Buffer.from([1, 2, 3]), 'it is binary'],
  ] as const) {
    const { ws, closed } = socket();
    await new Promise((resolve) => ws.once('open', resolve));
    ws.send('{"type":"hello","protocol":1}');
    ws.send(bad);
    expect(await closed).toEqual([4400, `bad_message: ${why}`]);
  }
  const { ws, closed } = socket();
  await new Promise((resolve) => ws.once('open', resolve));
  ws.send('{"type":"ping"}');
  expect(await closed).toEqual([4400, 'bad_message: it came before a hello']);
});

test('attack row 4 (S-04): a command that is refused is answered by what it names, and the socket stays open', async () => {
  const { ws } = socket();
  await new Promise((resolve) => ws.once('open', resolve));
  const heard: unknown[] = [];
  ws.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())));
  for (const text of [
    '{"type":"hello","protocol":1}',
    '{"type":"host","request":7,"connection":"c","call":{"op":"fs/read_text_file","path":"/a","line":null}}',
    '{"type":"unknown","request":8}',
    '{"type":"follow","connection":"c","after":-1}',
    '{"type":"send","connection":"c","line":{"text":"{}"},"origin":"peer"}',
    '{"type":"ping"}',
  ])
    ws.send(text);
  await until(() => expect(heard.at(-1)).toEqual({ type: 'pong' }));
  const refused = (about: object, field: string) => ({
    ...{ type: 'problem', ...about },
    problem: {
      code: 'bad_message',
      message: `The relay cannot take this command: ${field} is missing or wrong. Nothing was done.`,
    },
  });
  expect(heard.slice(1, -1)).toEqual([
    refused({ request: 7, connection: 'c' }, 'call.line'),
    refused({ request: 8 }, 'type'),
    refused({ connection: 'c' }, 'after'),
    refused({ connection: 'c' }, 'origin'),
  ]);
  ws.close();
});

test('T-18: a message over 64 MiB closes the socket with 1009', async () => {
  const { ws, closed } = socket();
  const wire = new Promise<Socket>((resolve) =>
    ws.once('upgrade', (response) => resolve(response.socket)),
  );
  await new Promise((resolve) => ws.once('open', resolve));
  ws.send('{"type":"hello","protocol":1}');
  // Its head alone (final, binary, masked, 64 bit length): a body still on its way when the relay
  // closes would make the system drop the relay's last word.
  const head = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
  head.writeUInt32BE(65 * 1024 * 1024, 6);
  (await wire).write(head);
  expect((await closed)[0]).toBe(1009);
});

test('T-18 (N5): of large messages that wait for their end, all together, the one begun first goes and the next are taken whole', async () => {
  const begin = async () => {
    const { ws, closed } = socket();
    const [{ socket: wire }] = (await once(ws, 'upgrade')) as [IncomingMessage];
    if (ws.readyState !== ws.OPEN) await once(ws, 'open');
    const heard: string[] = [];
    ws.on('message', (data: Buffer) => heard.push(data.toString()));
    ws.send('{"type":"hello","protocol":1}');
    await until(() => expect(heard).toHaveLength(1));
    // A text, masked with nothing, of which all but the last byte comes.
    const text = LARGE_COMMAND;
    const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    head.writeUInt32BE(text.length, 6);
    const write = (bytes: Uint8Array) =>
      new Promise<void>((resolve) => wire.write(bytes, () => resolve()));
    await write(head);
    const sent = write(text.subarray(0, -1));
    return { ws, closed, heard, sent, end: () => write(text.subarray(-1)) };
  };
  const first = await begin();
  await first.sent;
  const second = await begin();
  await second.sent;
  const third = await begin();
  expect(await first.closed).toEqual([
    4429,
    'unfinished: too many large messages of pages wait for their end, and this one longest',
  ]);
  await third.sent;
  for (const { ws, heard, end } of [second, third]) {
    await end();
    await until(() => expect(heard.at(-1)).toContain('"request":9'));
    ws.close();
  }
  await Promise.all([second.closed, third.closed]);
});

test('T-18 (N5): a page that asks and asks and reads no answer is not read either, until it does', async () => {
  // What was flooded may learn late that a page has gone: one of its own.
  const flooded = await startTestRelay(here.folders);
  onTestFinished(async () => void (await flooded.close()));
  // What it says is never too much for the time it takes.
  let at = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (at += 1000));
  onTestFinished(() => clock.mockRestore());
  const way = { port: flooded.port, token: await tokenOf(flooded) };
  const { ws, closed } = socket(way);
  const upgraded = once(ws, 'upgrade') as Promise<[IncomingMessage]>;
  await once(ws, 'open');
  const [{ socket: wire }] = await upgraded;
  ws.send('{"type":"hello","protocol":1}');
  await once(ws, 'message');
  const other = await letIn(way);
  other.ws.send('{"type":"hello","protocol":1}');
  await once(other.ws, 'message');
  wire.pause();
  const asked = (many: number) =>
    new Promise<'read'>((resolve) => {
      for (let sent = 1; sent < many; sent++) ws.send('{"type":"unknown","request":1}');
      ws.send('{"type":"ping"}', () => resolve('read'));
    });
  const meanwhile = async () => {
    for (let turn = 0; turn < 300; turn++) {
      other.ws.send('{"type":"ping"}');
      await once(other.ws, 'message');
    }
    return 'waits';
  };
  let last: Promise<'read'>;
  let batches = 0;
  do last = asked(20_000);
  while (++batches < 40 && (await Promise.race([last, meanwhile()])) === 'read');
  expect(batches).toBeLessThan(40);
  wire.resume();
  await last;
  for (const one of [ws, other.ws]) one.terminate();
  await Promise.all([closed, other.closed]);
});

const LARGE = JSON.stringify({ type: 'unknown', request: 1, more: '-'.repeat(2 ** 20) });

test.each([
  ['commands', '{"type":"unknown","request":1}', 1],
  ['large commands', LARGE, LARGE.length / 4096],
])(
  'T-18: of a page that says too much, as %s, the rest waits, and others go on; all of it is taken in the end',
  async (_, said, weight) => {
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
    onTestFinished(() => clock.mockRestore());
    const [mad, other] = [await letIn(), await letIn()];
    let answers = -1; // It is greeted first.
    mad.ws.on('message', () => answers++);
    for (const { ws } of [mad, other]) ws.send('{"type":"hello","protocol":1}');
    await once(other.ws, 'message');
    const many = Math.ceil(40_000 / weight);
    for (let sent = 0; sent < many; sent++) mad.ws.send(said);
    await until(() => expect(answers).toBeGreaterThan(10_000 / weight));
    for (let turn = 0; turn < 1000; turn++) {
      other.ws.send('{"type":"ping"}');
      await once(other.ws, 'message');
    }
    expect(answers).toBeLessThan(35_000 / weight);
    let at = now;
    clock.mockImplementation(() => (at += 1000));
    await until(() => expect(answers).toBe(many));
    for (const { ws } of [mad, other]) ws.close();
    await Promise.all([mad.closed, other.closed]);
  },
);

/** A socket of this relay that is let in, and how it closed. */
async function letIn(how: Partial<Way> = {}) {
  const { ws, closed } = socket(how);
  await once(ws, 'open');
  return { ws, closed };
}

test('T-16: the seventeenth page is refused in a sentence, and let in when another has gone', async () => {
  const pages = await Promise.all(Array.from({ length: 16 }, () => letIn()));
  const { ws, closed } = socket();
  const [, answer] = (await once(ws, 'unexpected-response')) as [object, IncomingMessage];
  expect(answer.statusCode).toBe(503);
  expect((await answer.toArray()).join('')).toContain('16 pages are open already. Close one.');
  ws.terminate();
  await closed;
  pages[0]?.ws.close();
  await until(async () => {
    const { ws } = await letIn();
    ws.close();
  });
  for (const { ws } of pages) ws.close();
  await Promise.all(pages.map(({ closed }) => closed));
});

test('T-16: a page that never says hello is closed after five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { closed } = await letIn();
  vi.advanceTimersByTime(5_000);
  expect(await closed).toEqual([4408, 'hello_timeout']);
});

test('N10 R-31: a page that answers no ping for half a minute is let go of, one that answers is kept', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const [silent, kept] = [await letIn({ autoPong: false }), await letIn()];
  const asked = [silent, kept].map(({ ws }) => once(ws, 'ping'));
  for (const { ws } of [silent, kept]) ws.send('{"type":"hello","protocol":1}');
  await Promise.all([silent, kept].map(({ ws }) => once(ws, 'message')));
  vi.advanceTimersByTime(15_000);
  await Promise.all(asked);
  // Its answer stands before this one on the wire.
  kept.ws.send('{"type":"ping"}');
  await once(kept.ws, 'message');
  vi.advanceTimersByTime(15_000);
  expect((await silent.closed)[0]).toBe(1006);
  expect(kept.ws.readyState).toBe(WebSocket.OPEN);
  kept.ws.close();
  await kept.closed;
});
