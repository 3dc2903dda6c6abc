import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  makeFolders,
  rawRequest,
  removeFolders,
  startTestRelay,
  statusOf,
  TestPage,
  type Folders,
} from '../test/programs/relay-fixture.ts';
import { connectionId } from '../trace/event.ts';
import { faultLine, Faults } from './faults.ts';
import { RunFolder } from './run-folder.ts';
import { AccessKeys } from './http/keys.ts';
import { Follow } from './spool/follow.ts';
import type { RunningRelay } from './start-relay.ts';
import * as presets from './agents/presets.ts';

const CANARY = 'ACP-SCOPE-CANARY';
const thrown = () => new Error(`${CANARY}\n    at ${CANARY} (${CANARY}.js:1:1)\u001b[2J`);

let folders: Folders;
let relay: RunningRelay;
let page: TestPage;
let faults: unknown[];
beforeEach(async () => {
  faults = [];
  folders = makeFolders();
  const onFault = (error: unknown) => faults.push(error);
  relay = await startTestRelay(folders, { trustPage: true, onFault });
  page = new TestPage(relay.port);
  page.client.enter(relay.url('printed').split('#k=')[1], undefined);
  await page.told1('welcome');
});
afterEach(async () => {
  vi.restoreAllMocks();
  page.client.close();
  await relay.close();
  removeFolders(folders);
});

test('attack row 8 (R-46): a handler that throws fails its request, is logged, and nothing else ends', async () => {
  vi.spyOn(RunFolder.prototype, 'call').mockImplementationOnce(() => {
    throw thrown();
  });
  vi.spyOn(presets, 'findPresets').mockRejectedValueOnce(thrown());
  page.command({ type: 'folder', request: 1, call: { op: 'clear' } });
  page.command({ type: 'presets', request: 2 });
  const failed = (request: number) => {
    const problem = { code: 'internal', message: expect.not.stringContaining(CANARY) as string };
    return { type: 'problem', request, problem };
  };
  await page.until(() => page.told.length === 3);
  expect(page.told.slice(1)).toEqual([failed(1), failed(2)]);
  page.command({ type: 'presets', request: 3 });
  expect(await page.told1('presets')).toMatchObject({ request: 3 });
  expect(page.statuses.map(({ status }) => status)).toEqual(['connecting', 'open']);
  expect(faults).toHaveLength(2);
});

test('attack row 8 (R-46): a fault that is about no request closes that socket alone, and the page comes back', async () => {
  const argv = [process.execPath, '-e', 'process.stdin.resume()'];
  const cwd = folders.work;
  const connection = await page.start({ name: 'n', argv, cwd, env: {}, roots: [] });
  const other = new TestPage(relay.port);
  other.client.enter(undefined, page.token);
  await other.told1('welcome');
  vi.spyOn(Follow.prototype, 'next').mockRejectedValueOnce(thrown());
  page.follow(connection);
  const lost = await page.until(() => page.statuses.find(({ status }) => status === 'lost'));
  expect(lost).toMatchObject({ why: 'a fault of the relay' });
  page.command({ type: 'stop', connection, how: 'end' });
  expect((await page.ended(connection)).map(({ type }) => type)).toEqual(['start', 'exit']);
  expect(other.statuses.map(({ status }) => status)).toEqual(['connecting', 'open']);
  other.client.close();
});

test('attack row 8 (R-46): a request that throws is answered 500, and the page is served still where its files are gone', async () => {
  vi.spyOn(AccessKeys.prototype, 'trade').mockImplementationOnce(() => {
    throw thrown();
  });
  const origin = `http://127.0.0.1:${relay.port}`;
  const head = `Host: 127.0.0.1:${relay.port}\r\nOrigin: ${origin}\r\nConnection: close\r\n`;
  const post = `POST /api/code HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{"code":"a"}`;
  const answer = await rawRequest(relay.port, post);
  expect(statusOf(answer)).toBe(500);
  expect(answer).not.toContain(CANARY);
  expect(faults).toHaveLength(1);
  rmSync(join(folders.dist, 'assets', 'app-1234.js'));
  const get = (path: string) => rawRequest(relay.port, `GET ${path} HTTP/1.1\r\n${head}\r\n`);
  expect(await get('/assets/app-1234.js')).toContain('export');
  expect(statusOf(await get('/'))).toBe(200);
});

test('a command about what is not there is answered, and no fault', async () => {
  const call = { op: 'terminal/kill', terminalId: 't' } as const;
  page.command({ type: 'host', request: 9, connection: connectionId('none'), call });
  expect(await page.told1('host')).toMatchObject({ request: 9, result: { ok: false } });
  expect(faults).toEqual([]);
});

test('S-10 L-06: the line of a fault says what and where, and nothing that was read', () => {
  const line = faultLine(Object.assign(thrown(), { code: 'EISDIR' }));
  expect(line).toMatch(/^A fault of ACP Scope itself: Error EISDIR at faults\.test\.ts:\d+:\d+\. /);
  for (const odd of [
    ...[CANARY, undefined, { [CANARY]: 1 }, Object.assign(thrown(), { name: `${CANARY}\n` })],
    Object.assign(thrown(), { code: `${CANARY} x`, stack: `    at x (${CANARY}.js:1:1)` }),
    Object.assign(thrown(), { stack: undefined }),
  ]) {
    expect(faultLine(odd)).not.toContain(CANARY);
    expect(faultLine(odd)).toMatch(/^[ -~]+$/);
  }
});

test('R-46: of more than five faults in a minute that nobody caught the relay ends, once; of others never', () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const said: string[] = [];
  const onTooMany = vi.fn();
  const all = new Faults({ say: (line) => said.push(line), onTooMany });
  for (let i = 0; i < 100; i++) all.contained(thrown());
  expect(said).toHaveLength(5);
  expect(said.at(-1)).toContain('not shown');
  for (let i = 0; i < 5; i++, now += 13_000) all.uncaught(thrown());
  all.uncaught(thrown());
  expect(onTooMany).not.toHaveBeenCalled();
  for (let i = 0; i < 7; i++) all.uncaught(thrown());
  expect(onTooMany).toHaveBeenCalledTimes(1);
});
