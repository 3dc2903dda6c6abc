// How memory and open files go over time: a relay, a tap and an agent of each, at 200 frames a second in
// all, and a page that takes every frame, for as long as it is told.
// Usage: node bench/soak.mjs [--minutes N] [--rate N]
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { atEnd, load, ROOT, scratch } from './product.mjs';
import { printTable } from './table.mjs';

const BIN = join(ROOT, 'dist-node', 'acp-scope.js');
const TALKER = join(ROOT, 'e2e', 'agents', 'talker.mjs');
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '15' }, rate: { type: 'string', default: '200' } },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
if (!(minutes > 0 && rate > 0 && existsSync(BIN))) {
  console.error('Give minutes and rate as numbers over 0, after `npm run build`.');
  process.exit(2);
}
const SAMPLE_MS = 5000;
/** Of the whole time: caches fill, and code is compiled. */
const WARM = 0.25;

const { LinkClient } = await load('link/client.ts');
const folder = scratch();
const env = { ...process.env, ACP_SCOPE_STATE: join(folder, 'state') };

/** A process of its own, ended with this one. */
function run(...args) {
  const child = spawn(process.execPath, args, {
    env,
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atEnd(() => child.kill('SIGKILL'));
  return child;
}
const talker = (seed) => [process.execPath, TALKER, String(seed), String(rate / 2)];

const relay = run(BIN, '--no-open', '--port', '0', '--trust-page');
const link = await new Promise((resolve) => {
  let said = '';
  relay.stdout.on('data', (data) => {
    said += data;
    const found = /(http:\S+)#k=(\S+)/.exec(said);
    if (found) resolve({ origin: new URL(found[1]).origin, code: found[2] });
  });
});

/** By connection: the newest event, and how many there were. */
const taken = new Map();
let wrong = 0;
const client = new LinkClient({
  origin: link.origin,
  WebSocket: class extends WebSocket {
    constructor(url, protocols) {
      super(url, protocols, { origin: link.origin });
    }
  },
  handlers: {
    onStatus: () => undefined,
    onToken: () => undefined,
    onEvent(event) {
      if (event.type !== 'connection' || taken.has(event.info.id)) return;
      taken.set(event.info.id, 0);
      client.command({ type: 'follow', connection: event.info.id, after: 0 });
    },
    onEvents({ connection, first, last }) {
      if (first !== taken.get(connection) + 1) wrong++;
      taken.set(connection, last);
      client.command({ type: 'ack', connection, seq: last });
    },
  },
});
client.enter(link.code, undefined);
const launch = { name: 'driven', argv: talker(1), cwd: folder, env: {}, roots: [] };
client.command({ type: 'start', request: 1, launch });
const tap = run(BIN, 'tap', '--name', 'tapped', '--', ...talker(2));
tap.stdout.resume();

const said = (pid, file) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
/** Memory in kB and open files; NaN where the system does not say. */
function sample({ pid }) {
  try {
    const memory = Number(/VmRSS:\s+(\d+)/.exec(said(pid, 'status'))?.[1]);
    return { memory, files: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return { memory: NaN, files: NaN };
  }
}

const began = performance.now();
const hours = () => (performance.now() - began) / 3_600_000;
const samples = [];
while (hours() * 60 < minutes) {
  await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  samples.push({ at: hours(), relay: sample(relay), tap: sample(tap) });
}

/** By least squares, in MB an hour. */
function slope(points) {
  const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(([at]) => at), mean(([, memory]) => memory)];
  const above = points.reduce((sum, [at, memory]) => sum + (at - x) * (memory - y), 0);
  return above / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0) / 1000;
}
const warm = samples.filter(({ at }) => at * 60 >= minutes * WARM);
const span = (numbers) => `${Math.min(...numbers)} to ${Math.max(...numbers)}`;
const megabytes = (kilobytes) => (kilobytes / 1000).toFixed(1);
const rows = ['relay', 'tap'].map((who) => {
  const memory = warm.map((one) => one[who].memory);
  return [
    who,
    ...[megabytes(memory[0]), megabytes(memory.at(-1)), megabytes(Math.max(...memory))],
    slope(warm.map((one) => [one.at, one[who].memory])).toFixed(2),
    span(warm.map((one) => one[who].files)),
  ];
});
const events = [...taken.values()].reduce((sum, last) => sum + last, 0);
printTable(
  `${minutes} minutes, of which the first quarter is not counted: ${events.toLocaleString('en')} events of ${taken.size} connections, ${wrong} batches that do not continue the one before`,
  ['process', 'MB at first', 'at last', 'at most', 'MB an hour', 'open files'],
  rows,
);
client.close();
tap.stdin.end();
relay.kill('SIGTERM');
await new Promise((resolve) => relay.once('close', resolve));
