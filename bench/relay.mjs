// An agent that writes as fast as it can, until a page has every frame: through a bare pipe,
// through the floor (a proxy of twenty lines: split, append to a file, one WebSocket message each
// 50 ms, nothing checked, acknowledged or kept), and through the relay, spool and window and all.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import { load, scratch } from './product.mjs';
import { median, printTable } from './table.mjs';

const { LinkClient, startRelay } = await load('link/client.ts', 'relay/start-relay.ts');
const RUNS = 5;
const SIZES = [
  { name: '200 B', bytes: 200, frames: 300_000 },
  { name: '2 kB', bytes: 2000, frames: 60_000 },
  { name: '1 MB', bytes: 1_000_000, frames: 300 },
];

const NEWLINE = 0x0a;
const WRITER = `
  const [bytes, frames] = process.argv.slice(1).map(Number);
  const head = '{"jsonrpc":"2.0","method":"session/update","params":{"text":"';
  const line = head + 'x'.repeat(bytes - head.length - 4) + '"}}\\n';
  const many = Math.max(1, Math.floor(65536 / bytes));
  let left = frames;
  const go = () => {
    while (left > 0) {
      const count = Math.min(left, many);
      left -= count;
      if (!process.stdout.write(line.repeat(count))) return process.stdout.once('drain', go);
    }
  };
  go();`;

const argv = (bytes, frames) => [process.execPath, '-e', WRITER, String(bytes), String(frames)];

function count(bytes) {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

function startWriter(bytes, frames) {
  const [command = '', ...args] = argv(bytes, frames);
  return spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function pipe(bytes, frames) {
  let seen = 0;
  for await (const chunk of startWriter(bytes, frames).stdout) seen += count(chunk);
  if (seen !== frames) throw new Error(`The pipe lost ${frames - seen} frames.`);
}

async function floor(folder, bytes, frames) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  const page = new WebSocket(`ws://127.0.0.1:${port}`);
  const socket = await new Promise((resolve) => server.once('connection', resolve));
  let seen = 0;
  const done = new Promise((resolve) =>
    page.on('message', (data) => {
      seen += count(data);
      if (seen === frames) resolve();
    }),
  );
  const file = createWriteStream(join(folder, 'floor'));
  const child = startWriter(bytes, frames);
  let rest = [];
  let batch = [];
  const timer = setInterval(() => {
    if (batch.length > 0) socket.send(Buffer.concat(batch));
    batch = [];
  }, 50);
  child.stdout.on('data', (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...rest, chunk.subarray(start, end + 1)]);
      rest = [];
      batch.push(line);
      file.write(line);
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  });
  await done;
  clearInterval(timer);
  page.terminate();
  server.close();
  file.end();
}

async function relay(folder, bytes, frames) {
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'index.html'), '');
  const state = join(folder, 'state');
  const command = ['acp-scope'];
  const options = { port: 0, dist, state, version: '0', command, bundled: command };
  const started = await startRelay({ ...options, trustPage: true });
  if (!started.ok) throw new Error(started.message);
  const origin = `http://127.0.0.1:${started.relay.port}`;
  const WithOrigin = class extends WebSocket {
    constructor(url, protocols) {
      super(url, protocols, { origin });
    }
  };
  let seen = 0;
  await new Promise((resolve) => {
    const client = new LinkClient({
      origin,
      WebSocket: WithOrigin,
      handlers: {
        onStatus: () => undefined,
        onToken: () => undefined,
        onEvent(event) {
          if (event.type !== 'started') return;
          client.command({ type: 'follow', connection: event.connection, after: 0 });
        },
        onEvents({ connection, last, bytes: lines }) {
          seen += count(lines);
          client.command({ type: 'ack', connection, seq: last });
          // The start and the exit are events too.
          if (seen < frames + 2) return;
          client.close();
          resolve();
        },
      },
    });
    const launch = { name: 'writer', argv: argv(bytes, frames), cwd: folder, env: {}, roots: [] };
    client.enter(started.relay.url('printed').split('#k=')[1], undefined);
    client.command({ type: 'start', request: 1, launch });
  });
  await started.relay.close();
}

const rows = [];
let peak = 0;
for (const { name, bytes, frames } of SIZES) {
  const rates = { pipe: [], floor: [], relay: [] };
  for (let run = 0; run < RUNS; run++) {
    for (const [way, measure] of Object.entries({
      pipe: () => pipe(bytes, frames),
      floor: (folder) => floor(folder, bytes, frames),
      relay: (folder) => relay(folder, bytes, frames),
    })) {
      const folder = scratch();
      const began = performance.now();
      await measure(folder);
      rates[way].push(frames / ((performance.now() - began) / 1000));
      peak = Math.max(peak, process.memoryUsage().rss);
    }
  }
  const [pipeRate, floorRate, ours] = [rates.pipe, rates.floor, rates.relay].map(median);
  rows.push([
    name,
    ...[pipeRate, floorRate, ours].map((rate) => Math.round(rate).toLocaleString('en')),
    (ours / floorRate).toFixed(2),
  ]);
}
printTable(
  `Frames a second from a flooding agent to a page, whole way, median of ${RUNS}`,
  ['frame', 'pipe', 'floor', 'relay', 'relay / floor'],
  rows,
);
console.log(`\nHighest memory of this process, page included: ${Math.round(peak / 1e6)} MB`);
