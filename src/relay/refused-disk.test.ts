// The real relay, real agents, and a place for its recordings that takes nothing.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConnectionInfo } from '../link/messages.ts';
import {
  makeFolders,
  removeFolders,
  startTestRelay,
  TestPage,
  type Folders,
} from '../test/programs/relay-fixture.ts';
import type { ConnectionId, TraceEvent } from '../trace/event.ts';
import { DISK } from './spool/disk.ts';
import type { RunningRelay } from './start-relay.ts';

let folders: Folders;
let relay: RunningRelay;
let page: TestPage;
let spool: string;
beforeEach(async () => {
  folders = makeFolders();
  spool = join(folders.state, 'spool');
  relay = await startTestRelay(folders, { trustPage: true });
  page = new TestPage(relay.port);
  page.client.enter(relay.url('printed').split('#k=')[1], undefined);
  await page.told1('welcome');
});
afterEach(async () => {
  page.client.close();
  await relay.close();
  removeFolders(folders);
});

/** Says a line whenever it hears one, and ends with its stdin. */
const ECHO = `process.stdin.on('data', (data) => process.stdout.write(data))`;

async function start(): Promise<ConnectionId> {
  const argv = [process.execPath, '-e', ECHO];
  const launch = { name: 'echo', argv, cwd: folders.work, env: {}, roots: [] };
  const connection = await page.start(launch);
  page.follow(connection);
  return connection;
}

const send = (connection: ConnectionId, text: string) =>
  page.command({ type: 'send', connection, line: { text }, origin: 'composer' });

const infos = (connection: ConnectionId): ConnectionInfo[] =>
  page.told.flatMap((event) =>
    event.type === 'connection' && event.info.id === connection ? [event.info] : [],
  );
const info = (connection: ConnectionId) => infos(connection).at(-1);

const count = (connection: ConnectionId) => page.events.get(connection)?.length ?? 0;
const seqs = (events: readonly TraceEvent[] | undefined) => events?.map(({ seq }) => seq);

/** In the place of the folder stands a file, as nobody could make a folder there. */
function block(): void {
  rmSync(spool, { recursive: true, force: true });
  writeFileSync(spool, 'in the way');
}

test('attack row 6 (R-21): where the spool cannot be used, the page is told why, and has every event all the same', async () => {
  block();
  const connection = await start();
  const told = await page.until(() => info(connection)?.trouble);
  expect(told).toMatchObject({ code: 'ENOTDIR', lost: 0 });
  expect(told.path).toContain(spool);
  send(connection, '{"id":1}');
  page.command({ type: 'stop', connection, how: 'end' });
  const events = await page.ended(connection);
  expect(seqs(events)).toEqual([1, 2, 3, 4]);
  // The page has all there is: nobody waits for the disk any longer.
  await page.until(() => page.told.some(({ type }) => type === 'gone'));
  expect(await relay.close()).toEqual([]);
});

test('attack row 6 (R-21): what neither the disk nor a page took is said when the relay ends', async () => {
  page.acks = false;
  block();
  const connection = await start();
  send(connection, '{"id":1}');
  await page.until(() => count(connection) === 3);
  expect(await relay.close()).toEqual([
    expect.stringMatching(/^4 of 4 events are not in .*\(4: a file stands where its folder/),
  ]);
});

test('attack row 6 (R-21): what came before the disk refused is on the page as well, though nothing comes after it', async () => {
  let refuse: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (refuse = resolve));
  const open = vi.spyOn(DISK, 'open').mockImplementation(async () => {
    await asked;
    throw Object.assign(new Error('refused'), { code: 'EACCES' });
  });
  try {
    const connection = await start();
    // What is answered behind it, it was heard before.
    page.command({ type: 'presets', request: 1 });
    await page.told1('presets');
    expect(count(connection)).toBe(0);
    refuse();
    await page.until(() => count(connection) === 1);
    expect(page.events.get(connection)).toMatchObject([{ type: 'start', seq: 1 }]);
  } finally {
    open.mockRestore();
  }
});

test('attack row 6 (R-21): trouble is over when the disk works again, and nothing is lost', async () => {
  const connection = await start();
  await page.until(() => count(connection) > 0);
  block();
  const removed = await page.told1('problem');
  expect(removed).toMatchObject({ connection });
  expect(removed.problem.message).toContain('was removed');
  await page.until(() => info(connection)?.trouble);
  send(connection, '{"id":1}');
  rmSync(spool);
  await page.until(() => info(connection)?.trouble === undefined);
  page.command({ type: 'stop', connection, how: 'end' });
  expect(seqs(await page.ended(connection))).toEqual([1, 2, 3, 4]);
});

test('attack row 6 (R-21): the state folder is removed: it is made again, and says what was in it', async () => {
  const connection = await start();
  send(connection, '{"id":1}');
  await page.until(() => count(connection) === 3);
  rmSync(folders.state, { recursive: true });
  await page.told1('problem');
  send(connection, '{"id":2}');
  await page.until(() => count(connection) === 5);
  const [name = ''] = readdirSync(spool);
  const lines = readFileSync(join(spool, name), 'utf8').trimEnd().split('\n').slice(1);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { type: 'gap', seq: 1, count: 3, reason: 'the file of the recording was removed' },
    { seq: 4, from: 'client' },
    { seq: 5, from: 'agent' },
  ]);
  // Who comes only now is told the same.
  const late = new TestPage(relay.port);
  late.client.enter(relay.url('printed').split('#k=')[1], undefined);
  await late.told1('welcome');
  late.follow(connection);
  await late.until(() => late.events.get(connection)?.length === 3);
  expect(late.events.get(connection)?.[0]).toMatchObject({ type: 'gap', count: 3 });
  late.client.close();
});

test('attack row 6 (R-21): a page that is behind gets what a removed file still holds, then what follows', async () => {
  page.acks = false;
  const connection = await start();
  await page.until(() => count(connection) > 0);
  const line = 'x'.repeat(1_000_000);
  for (let i = 0; i < 8; i++) send(connection, line);
  await delay(1500);
  renameSync(spool, `${spool}.old`);
  mkdirSync(spool, { mode: 0o700 });
  await page.told1('problem');
  send(connection, 'last');
  page.acks = true;
  const last = page.events.get(connection)?.at(-1)?.seq;
  if (last) page.command({ type: 'ack', connection, seq: last });
  await page.until(() => count(connection) >= 19);
  expect(seqs(page.events.get(connection))).toEqual(Array.from({ length: 19 }, (_, i) => i + 1));
});

test('attack row 6 (R-21): an agent that ends while nothing is taken has ended for the page at once', async () => {
  const connection = await start();
  await page.until(() => count(connection) > 0);
  block();
  await page.until(() => info(connection)?.trouble);
  page.command({ type: 'stop', connection, how: 'kill' });
  const events = await page.ended(connection);
  expect(events.at(-1)).toMatchObject({ type: 'exit', signal: 'SIGTERM' });
  await page.until(() => info(connection)?.state === 'ended');
});
