// The cost of guessing keys at the relay: the guesser pays, and nobody else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  getFrom,
  RelayTest,
  statusOf,
  TestPage,
  tokenOf,
} from '../../test/programs/relay-fixture.ts';
import { until } from '../../test/programs/until.ts';

let here: RelayTest;
beforeEach(() => void (here = new RelayTest()));
afterEach(() => here.close());

/** Another process that knows no key, and sends 25 wrong ones again and again; a line after each round. */
const GUESSING = `
  const { request } = require('node:http');
  const [, port] = process.argv;
  const guess = (way) => new Promise((done) => {
    const asked = request({ port, host: '127.0.0.1', agent: false, ...way }, (answer) => {
      answer.resume().on('end', () => done(answer.statusCode));
    });
    asked.on('error', () => done(0)).end(way.method === 'POST' ? '{"code":"no"}' : undefined);
  });
  const Origin = 'http://127.0.0.1:' + port;
  const ways = Array.from({ length: 25 }, (_, at) => at % 2
    ? { path: '/api/health', headers: { Authorization: 'Bearer no' } }
    : { path: '/api/code', method: 'POST', headers: { Origin, 'Content-Type': 'application/json' } });
  const until = Date.now() + 60_000;
  (async () => {
    while (Date.now() < until) {
      console.log((await Promise.all(ways.map(guess))).join());
      await new Promise((next) => setTimeout(next, 50));
    }
  })();`;

test('T-17: while another process sends wrong keys without an end, 20 of 20 pages with a right one get in', async () => {
  const relay = await here.relay();
  const child = spawn(process.execPath, ['-e', GUESSING, String(relay.port)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const rounds = createInterface({ input: child.stdout });
  const seen = new Set<string>();
  rounds.on('line', (line) => line.split(',').forEach((status) => seen.add(status)));
  const ways: string[] = [];
  for (let count = 0; count < 20; count++) {
    await once(rounds, 'line');
    const page = new TestPage(relay.port);
    page.client.enter(relay.url('printed').split('#k=')[1], undefined);
    const { status } = await page.until(() =>
      page.statuses.find(({ status }) => status !== 'connecting'),
    );
    ways.push(status);
    page.client.close();
  }
  expect(ways).toEqual(Array(20).fill('open'));
  expect([...seen]).toEqual(['401']);
});

test('T-17: a connection that sent wrong keys waits alone: a right key is answered at once, on it too, and whatever the clock says', async () => {
  const relay = await here.relay();
  const token = await tokenOf(relay);
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const guess = `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${relay.port}\r\nAuthorization: Bearer no\r\n\r\n`;
  const socket = connect(relay.port, '127.0.0.1').setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  let said = '';
  socket.on('data', (chunk: string) => (said += chunk));
  const statuses = () => [...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  const answers = (count: number) => until(() => expect(statuses()).toHaveLength(count));
  socket.write(guess.repeat(6));
  await answers(5);
  vi.setSystemTime(Date.now() - 3_600_000);
  const health = () => getFrom(relay, '/api/health', `Authorization: Bearer ${token}\r\n`);
  expect(statusOf(await health())).toBe(200);
  expect(statuses()).toHaveLength(5);
  await vi.advanceTimersByTimeAsync(1000);
  await answers(6);
  socket.write(guess.replace('Bearer no', `Bearer ${token}`));
  await answers(7);
  expect(statuses()).toEqual([...Array<string>(6).fill('401'), '200']);
});
