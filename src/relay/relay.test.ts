import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { LendCall } from '../link/messages.ts';
import { ECHO, RelayTest, texts } from '../test/programs/relay-fixture.ts';
import { until } from '../test/programs/until.ts';
import { connectionId } from '../trace/event.ts';
import { lineBytes } from '../trace/line.ts';
import { groupLives } from './agents/kill-tree.ts';
import { askForLink } from './running.ts';
import { startRelay, type StartRelayOptions } from './start-relay.ts';

let here: RelayTest;
beforeEach(() => void (here = new RelayTest()));
afterEach(() => here.close());

test('a page starts an agent, talks to it, and sees every event with who wrote it', async () => {
  const one = await here.page(await here.relay());
  const connection = await one.start(here.launch(ECHO, { env: { KEY: 'secret' } }));
  one.follow(connection);
  one.command({ type: 'send', connection, line: { text: '{"id":1}' }, origin: 'composer' });
  one.command({ type: 'send', connection, line: { base64: '/w==' }, origin: 'script' });
  await one.until(() => (one.events.get(connection)?.length ?? 0) >= 5);
  one.command({ type: 'stop', connection, how: 'end' });
  const events = await one.ended(connection);
  expect(events).toMatchObject([
    { type: 'start', seq: 1, cwd: here.folders.work, env: ['KEY'] },
    { from: 'client', line: { text: '{"id":1}' }, origin: 'composer' },
    ...[{}, {}, {}],
    { type: 'exit', seq: 6, code: 0 },
  ]);
  expect(JSON.stringify(events)).not.toContain('secret');
  const info = await one.until(() =>
    one.told
      .flatMap((event) => (event.type === 'connection' ? [event.info] : []))
      .find(({ state }) => state === 'ended'),
  );
  expect(info).toMatchObject({ id: connection, last: 6, name: 'test', mode: 'drive' });
});

test('a line goes out in two writes with nothing between them, and a pipe is cut for the agent to notice', async () => {
  const one = await here.page(await here.relay());
  const connection = await one.start(
    here.launch(`process.stdin.on('end', () => process.exit(7)); ${ECHO}`),
  );
  one.follow(connection);
  const send = (text: string, split?: { bytes: number; ms: number }) =>
    one.command({
      ...({ type: 'send', connection, line: { text }, origin: 'script' } as const),
      ...(split && { split }),
    });
  send('{"id":1}', { bytes: 4, ms: 20 });
  send('{"id":2}');
  send('{"id":3}', { bytes: 1, ms: 0 });
  send('{"id":4}');
  const sides = () => one.events.get(connection) ?? [];
  await one.until(() => sides().length >= 9);
  const [client, agent] = (['client', 'agent'] as const).map((from) =>
    texts(sides().filter((event) => event.type === 'frame' && event.from === from)),
  );
  expect(client).toEqual(['{"id":1}', '{"id":2}', '{"id":3}', '{"id":4}']);
  expect(agent).toEqual(client);
  one.command({ type: 'stop', connection, how: 'cut' });
  expect((await one.ended(connection)).at(-1)).toMatchObject({ type: 'exit', code: 7 });
});

test('a line with a line break in it is refused with a sentence', async () => {
  const one = await here.page(await here.relay());
  const connection = await one.start(here.launch(ECHO));
  one.command({ type: 'send', connection, line: { text: '{}\n{}' }, origin: 'composer' });
  expect((await one.told1('problem')).problem.code).toBe('bad_message');
});

test('N3: twenty megabytes in one line arrive byte for byte, both ways', async () => {
  const one = await here.page(await here.relay());
  const text = JSON.stringify({ text: 'é"\\'.repeat(4 * 1024 * 1024) });
  const connection = await one.start(here.launch(ECHO));
  one.follow(connection);
  one.command({ type: 'send', connection, line: { text }, origin: 'composer' });
  await one.until(() => texts(one.events.get(connection) ?? []).length === 2);
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const frames = (one.events.get(connection) ?? []).flatMap((event) =>
    event.type === 'frame' ? [hash(lineBytes(event.line))] : [],
  );
  expect(frames).toEqual([hash(Buffer.from(text)), hash(Buffer.from(text))]);
});

test('P-01: the page waits while the terminal is asked, and hears the answer', async () => {
  const texts: string[] = [];
  let answer = false;
  const terminal = {
    confirm(text: string) {
      texts.push(text);
      return Promise.resolve(answer);
    },
  };
  const one = await here.page(await here.relay({ trustPage: false, terminal }));
  const asked = here.launch(ECHO);
  one.command({ type: 'start', request: 7, launch: asked });
  expect(await one.told1('confirming')).toMatchObject({ request: 7, argv: asked.argv });
  expect((await one.told1('problem')).problem.code).toBe('refused');
  expect(here.spooled()).toEqual([]);
  answer = true;
  await one.start(asked);
  await one.start(asked);
  expect(texts).toHaveLength(2);
});

test('I-09 what a page is told of a connection, and keeps as its header, has no secret of the command', async () => {
  const one = await here.page(await here.relay());
  const argv = [process.execPath, '-e', ECHO, '--', '--api-key', 'hunter2hunter2'];
  await one.start(here.launch('', { argv }));
  const { info } = await one.told1('connection');
  expect(info.argv).toEqual([...argv.slice(0, -1), '…']);
});

test('R-45: closing ends the agents with their children, writes their end, and tells the pages', async () => {
  const running = await here.relay();
  const one = await here.page(running);
  const connection = await one.start(
    here.launch(`require('child_process').spawn('sleep', ['60']); ${ECHO}`),
  );
  const started = await one.told1('connection');
  const origin = `http://127.0.0.1:${running.port}`;
  const keys = ['acp-scope.v1', `auth.${one.token}`];
  const other = new WebSocket(`${origin.replace('http', 'ws')}/ws`, keys, { origin });
  await once(other, 'open');
  const told = once(other, 'close');
  await running.close();
  const [code, why] = (await told) as [number, Buffer];
  expect([code, why.toString()]).toEqual([1001, 'The relay is shutting down.']);
  if (process.platform !== 'win32') expect(groupLives(started.info.pid ?? 0)).toBe(false);
  const text = readFileSync(
    join(here.folders.state, 'spool', `${connection}.acptrace.jsonl`),
    'utf8',
  );
  expect(text).toMatch(
    /"type":"exit","seq":\d+,"at":[\d.]+,"signal":"SIGTERM","sent":"SIGTERM"}\n$/,
  );
  expect(readdirSync(here.folders.state).filter((name) => name.startsWith('relay-'))).toEqual([]);
});

const WITHOUT_SIGNALS = process.platform === 'win32';
const DEAF = `process.on('SIGTERM', () => console.log('"heard"')); setInterval(() => {}, 1000); console.log('"up"')`;

test.skipIf(WITHOUT_SIGNALS)('SIGTERM and SIGKILL are two: the first one only asks', async () => {
  const one = await here.page(await here.relay());
  const connection = await one.start(here.launch(DEAF));
  one.follow(connection);
  const says = (text: string) =>
    one.until(() => texts(one.events.get(connection) ?? []).includes(text));
  await says('"up"');
  one.command({ type: 'stop', connection, how: 'SIGTERM' });
  await says('"heard"');
  one.command({ type: 'stop', connection, how: 'SIGKILL' });
  expect((await one.ended(connection)).at(-1)).toMatchObject({ type: 'exit', signal: 'SIGKILL' });
});

test('an agent of a run ends when its page goes, and one that a person started does not', async () => {
  const started = await here.relay();
  const [one, two] = [await here.page(started), await here.page(started)];
  const mine = await one.start(here.launch(ECHO), { withPage: true });
  const kept = await one.start(here.launch(ECHO));
  two.follow(mine);
  two.follow(kept);
  one.client.close();
  expect((await two.ended(mine)).at(-1)).toMatchObject({ type: 'exit', sent: 'SIGTERM' });
  two.command({ type: 'send', connection: kept, line: { text: '1' }, origin: 'script' });
  await two.until(() => texts(two.events.get(kept) ?? []).length === 2);
  expect(two.events.get(kept)?.some(({ type }) => type === 'exit')).toBe(false);
});

test('a run has here.folders of its own, and they go with its page', async () => {
  const started = await here.relay();
  const one = await here.page(started);
  const call = { op: 'folder', name: 'work', from: here.folders.work } as const;
  one.command({ type: 'folder', request: 1, call });
  const { answer } = await one.told1('folder');
  if (answer.op !== 'folder') throw new Error(answer.op);
  expect(existsSync(answer.path)).toBe(true);
  one.client.close();
  await until(() => expect(existsSync(answer.path)).toBe(false));
});

test('P-13: a page reaches an agent by URL after a yes alone, and the record has no secret of it', async () => {
  const asked: string[] = [];
  let answer = false;
  const terminal = {
    confirm(text: string) {
      asked.push(text);
      return Promise.resolve(answer);
    },
  };
  let reached = 0;
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  sockets.on('connection', (socket) => {
    reached++;
    socket.on('message', (data) => socket.send(data, { binary: false }));
  });
  await once(sockets, 'listening');
  const { port } = sockets.address() as AddressInfo;
  const one = await here.page(await here.relay({ trustPage: false, terminal }));
  const argv = [`ws://127.0.0.1:${port}/acp?key=hunter2`];
  const launch = here.launch('', { argv, headers: { Authorization: 'Bearer hunter2' } });
  one.command({ type: 'start', request: 9, launch });
  expect((await one.told1('problem')).problem.code).toBe('refused');
  expect([asked.length, reached]).toEqual([1, 0]);
  answer = true;
  const connection = await one.start(launch);
  one.follow(connection);
  const split = { bytes: 1, ms: 0 };
  const send = { type: 'send', connection, line: { text: '{"id":1}' }, origin: 'script' } as const;
  one.command({ ...send, split });
  one.command(send);
  await one.until(() => texts(one.events.get(connection) ?? []).length === 2);
  one.command({ type: 'stop', connection, how: 'end' });
  const events = await one.ended(connection);
  expect(events).toMatchObject([
    { type: 'start', argv: [`ws://127.0.0.1:${port}/acp?key=…`], headers: ['Authorization'] },
    { type: 'transport', step: 'answered', status: 101, request: { authorization: '…' } },
    { from: 'client', line: { text: '{"id":1}' }, via: { stream: 'socket' } },
    { from: 'agent', line: { text: '{"id":1}' }, via: { stream: 'socket' } },
    { type: 'transport', step: 'closed' },
    { type: 'exit' },
  ]);
  // The page that asks is told what the terminal is asked about.
  const told = one.told.filter(({ type }) => type !== 'confirming');
  expect(JSON.stringify([events, told])).not.toContain('hunter2');
  sockets.close();
});

test('R-42: an agent that cannot start leaves a sentence and no connection', async () => {
  const one = await here.page(await here.relay());
  one.command({ type: 'start', request: 9, launch: here.launch('', { argv: ['no-such-agent'] }) });
  const { problem, request } = await one.told1('problem');
  expect(request).toBe(9);
  expect(problem.code).toBe('not_found');
  expect(here.spooled()).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'L-02: the state folder is private, and one that others may enter is refused',
  async () => {
    const umask = process.umask(0);
    const running = await here.relay();
    process.umask(umask);
    const one = await here.page(running);
    await one.start(here.launch(ECHO));
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect(mode(here.folders.state)).toBe(0o700);
    expect(mode(join(here.folders.state, 'spool'))).toBe(0o700);
    expect(mode(join(here.folders.state, `relay-${running.port}.json`))).toBe(0o600);
    for (const name of here.spooled())
      expect(mode(join(here.folders.state, 'spool', name))).toBe(0o600);
    const open = join(here.folders.root, 'open');
    mkdirSync(open, { mode: 0o777 });
    chmodSync(open, 0o777);
    const refused = await startRelay(options({ state: open }));
    expect(refused).toMatchObject({ ok: false, problem: 'unsafe_state' });
    expect(!refused.ok && refused.message).toContain('unsafe permissions');
    symlinkSync(here.folders.state, join(here.folders.root, 'link'));
    expect(await startRelay(options({ state: join(here.folders.root, 'link') }))).toMatchObject({
      problem: 'unsafe_state',
    });
  },
);

test('L-04 R-48: a taken port is said, and only our own relay there is handed over to', async () => {
  const running = await here.relay();
  expect(await startRelay(options({ port: running.port }))).toMatchObject({
    ok: false,
    problem: 'port_taken',
  });
  const link = await askForLink(here.folders.state, running.port);
  expect(link).toMatchObject({ ok: true, pid: process.pid });
  await here.page(running, link.ok ? link.url : '');

  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  expect(await startRelay(options({ port }))).toMatchObject({ problem: 'port_taken' });
  expect(await askForLink(here.folders.state, port)).toEqual({ ok: false, why: 'none' });
  other.close();
});

test('L-04 R-48: a relay that ends leaves the note of one that came after it', async () => {
  const running = await here.relay();
  const note = join(here.folders.state, `relay-${running.port}.json`);
  const later = JSON.stringify({ pid: process.ppid, port: running.port, secret: 'later' });
  writeFileSync(note, later);
  await running.close();
  expect(readFileSync(note, 'utf8')).toBe(later);
});

test('attack row 17 (L-04): whoever listens where our relay was learns no secret, and its links are not taken', async () => {
  const running = await here.relay();
  const note = join(here.folders.state, `relay-${running.port}.json`);
  const { secret } = JSON.parse(readFileSync(note, 'utf8')) as { secret: string };
  const heard: string[] = [];
  const squatter = createHttpServer((request, response) => {
    heard.push(JSON.stringify(request.rawHeaders));
    request.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
    const { port } = squatter.address() as { port: number };
    const url = `http://127.0.0.1:${port}/#k=abc`;
    const proof = request.headers.authorization?.slice('Bearer '.length);
    response.end(JSON.stringify({ url, opened: url, proof }));
  }).listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as { port: number };
  // The note of a relay that is gone, whose process id is another's by now: ours.
  writeFileSync(
    join(here.folders.state, `relay-${port}.json`),
    JSON.stringify({ pid: process.pid, port, secret }),
  );
  expect(await askForLink(here.folders.state, port)).toEqual({ ok: false, why: 'none' });
  squatter.close();
  expect(heard.length).toBeGreaterThan(1);
  expect(heard.join()).not.toContain(secret);
});

test('the agent named on the command line is started by the first page, once', async () => {
  const startNow = here.launch(ECHO);
  const running = await here.relay({ startNow, trustPage: false });
  const one = await here.page(running);
  expect((await one.told1('welcome')).startNow).toEqual(startNow);
  await one.start(startNow);
  const two = await here.page(running);
  expect(await two.told1('welcome')).not.toHaveProperty('startNow');
});

test('the presets are the bundled agent and those known, found or not, and none is run', async () => {
  const one = await here.page(await here.relay());
  one.command({ type: 'presets', request: 3 });
  const { presets } = await one.told1('presets');
  expect(presets[0]).toMatchObject({ bundled: true, argv: [process.execPath, 'bundled-agent'] });
  expect(presets.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['opencode', 'codex', 'gemini']),
  );
});

test('P-01, P-10: a trace that a page lends is kept and starts nothing; its replay needs no yes, other lines do', async () => {
  const command = [process.execPath, '-e', ECHO];
  const one = await here.page(await here.relay({ trustPage: false, command }));
  const lend = async (request: number, call: LendCall) => {
    one.command({ type: 'lend', request, call });
    return one.until(() =>
      one.told.find((event) => 'request' in event && event.request === request),
    );
  };
  await lend(1, { op: 'begin', trace: connectionId('abc'), name: 'Agent' });
  await lend(2, { op: 'part', base64: btoa('{}') });
  const lent = await lend(3, { op: 'end' });
  const path = lent.type === 'lent' ? (lent.path ?? '') : '';
  expect(readFileSync(path, 'utf8')).toBe('{}');
  expect(one.told.some(({ type }) => type === 'connection')).toBe(false);

  const argv = [...command, 'replay', path, '--as', 'agent'];
  one.command({
    type: 'start',
    request: 4,
    launch: here.launch('', { argv: [...argv, '--report', 'x'] }),
  });
  const refused = await one.until(() =>
    one.told.find((event) => 'request' in event && event.request === 4),
  );
  expect(refused).toMatchObject({ problem: { code: 'no_terminal' } });
  await one.start(here.launch('', { argv }));
});

function options(more: Partial<StartRelayOptions>): StartRelayOptions {
  const { dist, state } = here.folders;
  const intercept = () => Promise.reject(new Error('no intercept here'));
  return { port: 0, dist, state, version: '0', command: ['x'], bundled: ['x'], intercept, ...more };
}
