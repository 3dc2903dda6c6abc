import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LendCall, Launch } from '../link/messages.ts';
import {
  makeFolders,
  removeFolders,
  startTestRelay,
  TestPage,
  type Folders,
} from '../test/relay-fixture.ts';
import { connectionId, type TraceEvent } from '../trace/event.ts';
import { lineBytes, lineText } from '../trace/line.ts';
import { groupLives } from './agents/kill-tree.ts';
import { askForLink } from './running.ts';
import { startRelay, type RunningRelay, type StartRelayOptions } from './start-relay.ts';
import { newRecording } from './spool/spool.ts';
import { until } from '../test/until.ts';

let folders: Folders;
let relays: RunningRelay[];
let pages: TestPage[];
beforeEach(() => {
  folders = makeFolders();
  relays = [];
  pages = [];
});
afterEach(async () => {
  for (const page of pages) page.client.close();
  await Promise.all(relays.map((relay) => relay.close()));
  removeFolders(folders);
});

async function relay(more: Partial<StartRelayOptions> = {}) {
  const started = await startTestRelay(folders, { trustPage: true, ...more });
  relays.push(started);
  return started;
}

async function page(of: RunningRelay): Promise<TestPage> {
  const made = new TestPage(of.port);
  pages.push(made);
  made.client.enter(of.url('printed').split('#k=')[1], undefined);
  await made.told1('welcome');
  return made;
}

function launch(script: string, more: Partial<Launch> = {}): Launch {
  const argv = [process.execPath, '-e', script];
  return { name: 'test', argv, cwd: folders.work, env: {}, roots: [], ...more };
}

const texts = (events: readonly TraceEvent[]) =>
  events.flatMap((event) => (event.type === 'frame' ? [lineText(event.line)] : []));

const spooled = () => readdirSync(join(folders.state, 'spool'));

const ECHO = `process.stdin.on('data', (chunk) => process.stdout.write(chunk))`;

test('a page starts an agent, talks to it, and sees every event with who wrote it', async () => {
  const one = await page(await relay());
  const connection = await one.start(launch(ECHO, { env: { KEY: 'secret' } }));
  one.follow(connection);
  one.command({ type: 'send', connection, line: { text: '{"id":1}' }, origin: 'composer' });
  one.command({ type: 'send', connection, line: { base64: '/w==' }, origin: 'script' });
  await one.until(() => (one.events.get(connection)?.length ?? 0) >= 5);
  one.command({ type: 'stop', connection, how: 'end' });
  const events = await one.ended(connection);
  expect(events).toMatchObject([
    { type: 'start', seq: 1, cwd: folders.work, env: ['KEY'] },
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
  const one = await page(await relay());
  const connection = await one.start(
    launch(`process.stdin.on('end', () => process.exit(7)); ${ECHO}`),
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
  const one = await page(await relay());
  const connection = await one.start(launch(ECHO));
  one.command({ type: 'send', connection, line: { text: '{}\n{}' }, origin: 'composer' });
  expect((await one.told1('problem')).problem.code).toBe('bad_message');
});

test('N1 R-26: pages that come and go in mid-stream have everything, once and in order', async () => {
  const running = await relay();
  const first = await page(running);
  const connection = await first.start(
    launch(`let n = 0; const go = () => {
      for (let i = 0; i < 500; i++) console.log(JSON.stringify({ n: n++, pad: 'x'.repeat(150) }));
      if (n < 20000) setTimeout(go, 5);
    }; go();`),
  );
  const stored: TraceEvent[] = [];
  for (let visit = 0; stored.at(-1)?.type !== 'exit'; visit++) {
    const visitor = await page(running);
    visitor.events.set(connection, stored);
    visitor.follow(connection);
    const enough = stored.length + 1000 * (visit + 1);
    await visitor.until(() => stored.length >= enough || stored.at(-1)?.type === 'exit');
    visitor.client.close();
  }
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, i) => i + 1));
  expect(texts(stored).map((text) => (JSON.parse(text) as { n: number }).n)).toEqual(
    Array.from({ length: 20000 }, (_, i) => i),
  );
});

test('N3: twenty megabytes in one line arrive byte for byte, both ways', async () => {
  const one = await page(await relay());
  const text = JSON.stringify({ text: 'é"\\'.repeat(4 * 1024 * 1024) });
  const connection = await one.start(launch(ECHO));
  one.follow(connection);
  one.command({ type: 'send', connection, line: { text }, origin: 'composer' });
  await one.until(() => texts(one.events.get(connection) ?? []).length === 2);
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const frames = (one.events.get(connection) ?? []).flatMap((event) =>
    event.type === 'frame' ? [hash(lineBytes(event.line))] : [],
  );
  expect(frames).toEqual([hash(Buffer.from(text)), hash(Buffer.from(text))]);
});

test('R-17 N6: a page that never acknowledges gets the window and no more, and the agent goes on', async () => {
  const running = await relay();
  const slow = await page(running);
  slow.acks = false;
  const connection = await slow.start(
    launch(`for (let i = 0; i < 50000; i++) process.stdout.write('x'.repeat(199) + '\\n');`),
  );
  slow.follow(connection);
  const fast = await page(running);
  fast.follow(connection);
  const all = await fast.ended(connection);
  expect(texts(all)).toHaveLength(50_000);
  const got = slow.events.get(connection) ?? [];
  const bytes = got.reduce((sum, event) => sum + JSON.stringify(event).length + 1, 0);
  expect(bytes).toBeGreaterThan(3 * 1024 * 1024);
  expect(bytes).toBeLessThanOrEqual(4 * 1024 * 1024);
  slow.acks = true;
  slow.command({ type: 'ack', connection, seq: got.at(-1)?.seq ?? (0 as never) });
  expect((await slow.ended(connection)).length).toBe(all.length);
});

test('R-22: an ended recording leaves the spool when every open page has it, and not before', async () => {
  const running = await relay();
  const one = await page(running);
  const two = await page(running);
  const connection = await one.start(launch(`console.log('{}')`));
  one.follow(connection);
  await one.ended(connection);
  expect(spooled()).toHaveLength(1);
  two.follow(connection);
  await two.told1('gone');
  expect(spooled()).toEqual([]);
  one.command({ type: 'send', connection, line: { text: '{}' }, origin: 'composer' });
  expect((await one.told1('problem')).problem.code).toBe('ended');
});

test('a forgotten recording leaves the spool as soon as it ends', async () => {
  const one = await page(await relay());
  const connection = await one.start(launch(ECHO));
  one.command({ type: 'forget', connection });
  one.command({ type: 'stop', connection, how: 'end' });
  await one.told1('gone');
  expect(spooled()).toEqual([]);
});

test('R-44 R-50: a recording left by a relay that was killed is listed, ended and complete', async () => {
  const { connection, path } = newRecording(folders.state);
  mkdirSync(join(folders.state, 'spool'), { recursive: true, mode: 0o700 });
  const header = { format: 'acptrace', version: 1, created: '2026-01-01T00:00:00.000Z', tool: 't' };
  const more = { connection, name: 'old', mode: 'drive', writer: 2 ** 22 + 1, clock: 'monotonic' };
  const frame = {
    type: 'frame',
    seq: 1,
    at: 5,
    from: 'agent',
    line: { text: '{}' },
    origin: 'peer',
  };
  writeFileSync(
    path,
    [{ ...header, ...more }, frame].map((line) => JSON.stringify(line) + '\n').join('') +
      '{"type":"fra',
    { mode: 0o600 },
  );
  const one = await page(await relay());
  const { connections } = await one.told1('welcome');
  expect(connections).toMatchObject([{ id: connection, name: 'old', state: 'ended', last: 2 }]);
  one.follow(connection);
  expect(await one.ended(connection)).toMatchObject([
    { seq: 1, line: { text: '{}' } },
    { type: 'exit', seq: 2, at: 5, problem: expect.stringContaining('relay') as string },
  ]);
  await one.told1('gone');
});

test('what another live relay records is its own affair', async () => {
  const { connection, path } = newRecording(folders.state);
  mkdirSync(join(folders.state, 'spool'), { recursive: true, mode: 0o700 });
  const header = { format: 'acptrace', version: 1, created: '2026-01-01T00:00:00.000Z', tool: 't' };
  const more = { connection, mode: 'drive', writer: process.ppid, clock: 'monotonic' };
  writeFileSync(path, JSON.stringify({ ...header, ...more }) + '\n');
  const one = await page(await relay());
  expect((await one.told1('welcome')).connections).toEqual([]);
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
  const one = await page(await relay({ trustPage: false, terminal }));
  const asked = launch(ECHO);
  one.command({ type: 'start', request: 7, launch: asked });
  expect(await one.told1('confirming')).toMatchObject({ request: 7, argv: asked.argv });
  expect((await one.told1('problem')).problem.code).toBe('refused');
  expect(spooled()).toEqual([]);
  answer = true;
  await one.start(asked);
  await one.start(asked);
  expect(texts).toHaveLength(2);
});

test('R-63: what another process records appears while it is written', async () => {
  const running = await relay();
  const one = await page(running);
  const { connection, path } = newRecording(folders.state);
  const script = `
    const fs = require('fs');
    const file = process.argv[1];
    const line = (value) => fs.appendFileSync(file, JSON.stringify(value) + '\\n');
    line({ format: 'acptrace', version: 1, created: new Date().toISOString(), tool: 't',
           connection: ${JSON.stringify(connection)}, name: 'editor', mode: 'tap',
           argv: ['x'], cwd: '/', writer: process.pid, clock: 'monotonic' });
    let seq = 0;
    const timer = setInterval(() => {
      line({ type: 'frame', seq: ++seq, at: seq, from: 'agent', line: { text: String(seq) }, origin: 'peer' });
      if (seq === 20) { clearInterval(timer); line({ type: 'exit', seq: 21, at: 21, code: 0 }); }
    }, 10);`;
  spawn(process.execPath, ['-e', script, path], { stdio: 'ignore' });
  const { info } = await one.told1('connection');
  expect(info).toMatchObject({ id: connection, mode: 'tap', name: 'editor' });
  one.follow(connection);
  expect(texts(await one.ended(connection))).toEqual(
    Array.from({ length: 20 }, (_, i) => `${i + 1}`),
  );
});

test('R-45: closing ends the agents with their children and writes their end', async () => {
  const running = await relay();
  const one = await page(running);
  const connection = await one.start(
    launch(`require('child_process').spawn('sleep', ['60']); ${ECHO}`),
  );
  const started = await one.told1('connection');
  await running.close();
  if (process.platform !== 'win32') expect(groupLives(started.info.pid ?? 0)).toBe(false);
  const text = readFileSync(join(folders.state, 'spool', `${connection}.acptrace.jsonl`), 'utf8');
  expect(text).toMatch(/"type":"exit","seq":\d+,"at":[\d.]+,"signal":"SIGTERM"}\n$/);
  expect(readdirSync(folders.state).filter((name) => name.startsWith('relay-'))).toEqual([]);
});

const WITHOUT_SIGNALS = process.platform === 'win32';
const DEAF = `process.on('SIGTERM', () => console.log('"heard"')); setInterval(() => {}, 1000); console.log('"up"')`;

test.skipIf(WITHOUT_SIGNALS)('SIGTERM and SIGKILL are two: the first one only asks', async () => {
  const one = await page(await relay());
  const connection = await one.start(launch(DEAF));
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
  const started = await relay();
  const [one, two] = [await page(started), await page(started)];
  const mine = await one.start(launch(ECHO), { withPage: true });
  const kept = await one.start(launch(ECHO));
  two.follow(mine);
  two.follow(kept);
  one.client.close();
  await two.ended(mine);
  two.command({ type: 'send', connection: kept, line: { text: '1' }, origin: 'script' });
  await two.until(() => texts(two.events.get(kept) ?? []).length === 2);
});

test('a run has folders of its own, and they go with its page', async () => {
  const started = await relay();
  const one = await page(started);
  const call = { op: 'folder', name: 'work', from: folders.work } as const;
  one.command({ type: 'ground', request: 1, call });
  const { answer } = await one.told1('ground');
  if (answer.op !== 'folder') throw new Error(answer.op);
  expect(existsSync(answer.path)).toBe(true);
  one.client.close();
  await until(() => expect(existsSync(answer.path)).toBe(false));
});

test('R-42: an agent that cannot start leaves a sentence and no connection', async () => {
  const one = await page(await relay());
  one.command({ type: 'start', request: 9, launch: launch('', { argv: ['no-such-agent'] }) });
  const { problem, request } = await one.told1('problem');
  expect(request).toBe(9);
  expect(problem.code).toBe('not_found');
  expect(spooled()).toEqual([]);
});

test('L-02: the state folder is private, and one that others may enter is refused', async () => {
  if (process.platform === 'win32') return;
  const umask = process.umask(0);
  const running = await relay();
  process.umask(umask);
  const one = await page(running);
  await one.start(launch(ECHO));
  const mode = (path: string) => statSync(path).mode & 0o777;
  expect(mode(folders.state)).toBe(0o700);
  expect(mode(join(folders.state, 'spool'))).toBe(0o700);
  expect(mode(join(folders.state, `relay-${running.port}.json`))).toBe(0o600);
  for (const name of spooled()) expect(mode(join(folders.state, 'spool', name))).toBe(0o600);
  const open = join(folders.root, 'open');
  mkdirSync(open, { mode: 0o777 });
  chmodSync(open, 0o777);
  const refused = await startRelay(options({ state: open }));
  expect(refused).toMatchObject({ ok: false, problem: 'unsafe_state' });
  expect(!refused.ok && refused.message).toContain('unsafe permissions');
  symlinkSync(folders.state, join(folders.root, 'link'));
  expect(await startRelay(options({ state: join(folders.root, 'link') }))).toMatchObject({
    problem: 'unsafe_state',
  });
});

test('L-04 R-48: a taken port is said, and only our own relay there is handed over to', async () => {
  const running = await relay();
  expect(await startRelay(options({ port: running.port }))).toMatchObject({
    ok: false,
    problem: 'port_taken',
  });
  const link = await askForLink(folders.state, running.port);
  expect(link).toMatchObject({ ok: true, pid: process.pid });
  const one = new TestPage(running.port);
  pages.push(one);
  one.client.enter(link.ok ? link.url.split('#k=')[1] : '', undefined);
  await one.told1('welcome');

  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  expect(await startRelay(options({ port }))).toMatchObject({ problem: 'port_taken' });
  expect(await askForLink(folders.state, port)).toEqual({ ok: false, why: 'none' });
  other.close();
});

test('the agent named on the command line is started by the first page, once', async () => {
  const startNow = launch(ECHO);
  const running = await relay({ startNow, trustPage: false });
  const one = await page(running);
  expect((await one.told1('welcome')).startNow).toEqual(startNow);
  await one.start(startNow);
  const two = await page(running);
  expect(await two.told1('welcome')).not.toHaveProperty('startNow');
});

test('the presets are the bundled agent and those known, found or not, and none is run', async () => {
  const one = await page(await relay());
  one.command({ type: 'presets', request: 3 });
  const { presets } = await one.told1('presets');
  expect(presets[0]).toMatchObject({ bundled: true, argv: [process.execPath, 'bundled-agent'] });
  expect(presets.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['opencode', 'codex', 'gemini']),
  );
});

function options(more: Partial<StartRelayOptions>): StartRelayOptions {
  const { dist, state } = folders;
  return { port: 0, dist, state, version: '0', command: ['x'], bundled: ['x'], ...more };
}

test('P-01, P-10: a trace that a page lends is kept and starts nothing; its replay needs no yes, other lines do', async () => {
  const command = [process.execPath, '-e', ECHO];
  const one = await page(await relay({ trustPage: false, command }));
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
    launch: launch('', { argv: [...argv, '--report', 'x'] }),
  });
  const refused = await one.until(() =>
    one.told.find((event) => 'request' in event && event.request === 4),
  );
  expect(refused).toMatchObject({ problem: { code: 'no_terminal' } });
  await one.start(launch('', { argv }));
});
