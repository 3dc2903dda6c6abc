// What stands between an editor and an agent costs both. Through a bare pipe, through the floor (a
// proxy of twenty lines: forward first, split, append to a file, one WebSocket message each 50 ms,
// nothing checked), and through `acp-scope tap`, each a process of its own: frames a second of an
// agent that floods, from the first to the last of them, what the process between computes for one, and
// how long one takes there and back. Of several runs the best counts, by each figure: what else the machine
// does only takes away. `node bench/tap.mjs 200 2000` measures frames of these sizes alone.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, scratch } from './product.mjs';
import { median, printTable } from './table.mjs';

const BIN = join(ROOT, 'dist-node', 'acp-scope.js');
if (!existsSync(BIN)) {
  console.error('The command line is not built. Run `npm run build` first.');
  process.exit(1);
}
const RUNS = 7;
const wanted = process.argv.slice(2).map(Number);
const SIZES = [
  { name: '200 B', bytes: 200, frames: 1_000_000, trips: 5000 },
  { name: '2 kB', bytes: 2000, frames: 100_000, trips: 5000 },
  { name: '1 MB', bytes: 1_000_000, frames: 300, trips: 60 },
].filter(({ bytes }) => wanted.length === 0 || wanted.includes(bytes));

// Floods when asked for a number of frames, and then sends back every line it gets.
const AGENT = `
  const bytes = Number(process.argv[2]);
  const head = '{"jsonrpc":"2.0","method":"session/update","params":{"text":"';
  const line = head + 'x'.repeat(bytes - head.length - 4) + '"}}\\n';
  const many = Math.max(1, Math.floor(65536 / bytes));
  let left = 0;
  const go = () => {
    while (left > 0) {
      const count = Math.min(left, many);
      left -= count;
      if (!process.stdout.write(line.repeat(count))) return process.stdout.once('drain', go);
    }
    process.stdin.pipe(process.stdout);
  };
  process.stdin.once('data', (data) => { left = Number(data); go(); });`;

const FLOOR = `
  import { spawn } from 'node:child_process';
  import { createWriteStream } from 'node:fs';
  import { createRequire } from 'node:module';
  const { WebSocket, WebSocketServer } = createRequire(process.argv[2])('ws');
  const [out, command, ...args] = process.argv.slice(3);
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await new Promise((resolve) => server.once('listening', resolve));
  const page = new WebSocket('ws://127.0.0.1:' + server.address().port);
  const socket = await new Promise((resolve) => server.once('connection', resolve));
  const file = createWriteStream(out);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let batch = [];
  setInterval(() => { if (batch.length) socket.send(Buffer.concat(batch)); batch = []; }, 50);
  const pass = (from, to) => {
    let rest = [];
    from.on('data', (chunk) => {
      if (!to.write(chunk)) { from.pause(); to.once('drain', () => from.resume()); }
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        const line = Buffer.concat([...rest, chunk.subarray(start, end + 1)]);
        rest = []; batch.push(line); file.write(line); start = end + 1;
      }
      if (start < chunk.length) rest.push(chunk.subarray(start));
    });
  };
  pass(process.stdin, child.stdin); pass(child.stdout, process.stdout);
  process.stdin.on('end', () => child.stdin.end());
  child.on('close', () => file.end(() => process.exit()));`;

const folder = scratch();
const [agent, floor] = [join(folder, 'agent.mjs'), join(folder, 'floor.mjs')];
writeFileSync(agent, AGENT);
writeFileSync(floor, FLOOR);
const state = join(folder, 'state');
const ways = {
  pipe: (argv) => argv,
  floor: (argv, out) => [process.execPath, floor, join(ROOT, 'package.json'), out, ...argv],
  tap: (argv, out) => [process.execPath, BIN, 'tap', '--out', out, '--', ...argv],
};

/** Milliseconds that a process has computed; Linux counts them in hundredths of a second. */
function computed(pid) {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return NaN;
  const [user, system] = readFileSync(path, 'utf8').split(') ')[1].split(' ').slice(11, 13);
  return 10 * (Number(user) + Number(system));
}

/**
 * Frames a second, of all and of the first and the last tenth; microseconds that the process computes
 * for one; and the sorted milliseconds of round trips.
 */
async function measure(argv, { bytes, frames, trips }) {
  const [command, ...args] = argv;
  const env = { ...process.env, ACP_SCOPE_STATE: state };
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env });
  const end = new Promise((resolve) => child.once('close', resolve));
  let left = 0;
  let told;
  const tenths = [];
  child.stdout.on('data', (chunk) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1))
      if (--left % (frames / 10) === 0) tenths.push(performance.now());
    if (left === 0) told?.();
  });
  const lines = (count) => {
    left = count;
    return new Promise((resolve) => (told = resolve));
  };
  // What takes time to start must have started.
  const flooded = lines(frames);
  await new Promise((resolve) => setTimeout(resolve, 400));
  const before = computed(child.pid);
  const began = performance.now();
  child.stdin.write(String(frames));
  await flooded;
  const [first, ninth, last] = [tenths[0], tenths[8], tenths[9]];
  const rate = (frames * 1000) / (last - began);
  const flat = (first - began) / (last - ninth);
  const cost = (1000 * (computed(child.pid) - before)) / frames;
  const line = `{"jsonrpc":"2.0","method":"x","params":"${'y'.repeat(bytes - 40)}"}\n`;
  const times = [];
  for (let trip = 0; trip < trips; trip++) {
    const back = lines(1);
    const sent = performance.now();
    child.stdin.write(line);
    await back;
    times.push(performance.now() - sent);
  }
  child.stdin.end();
  await end;
  return { rate, flat, cost, times: times.slice(trips / 10).sort((a, b) => a - b) };
}

const [rates, costs] = [[], []];
for (const size of SIZES) {
  const all = { pipe: [], floor: [], tap: [] };
  for (let run = 0; run < RUNS; run++)
    for (const [way, through] of Object.entries(ways)) {
      const out = join(folder, `${way}-${size.bytes}-${run}.acptrace.jsonl`);
      const argv = through([process.execPath, agent, String(size.bytes)], out);
      const measured = await measure(argv, size);
      all[way].push(measured);
      if (way !== 'tap') continue;
      const recorded = count(readFileSync(out));
      // The header, the start and the exit are lines too; the number asked for has no line end.
      const due = size.frames + 2 * size.trips + 3;
      if (recorded < due) throw new Error(`The tap recorded ${recorded} of ${due} lines.`);
    }
  const [pipe, floor, tap] = Object.values(all).map((runs) => {
    const trip = [0.5, 0.99].map((part) =>
      Math.min(...runs.map(({ times }) => times[Math.floor(times.length * part)] ?? 0)),
    );
    return {
      rate: Math.max(...runs.map(({ rate }) => rate)),
      flat: median(runs.map(({ flat }) => flat)),
      cost: Math.min(...runs.map(({ cost }) => cost)),
      trip: trip.map((ms) => ms.toFixed(3)).join(' / '),
    };
  });
  const figures = [pipe, floor, tap];
  const ratio = (by) => (by(tap) / by(floor)).toFixed(2);
  rates.push([
    size.name,
    ...figures.map(({ rate }) => Math.round(rate).toLocaleString('en')),
    ratio(({ rate }) => rate),
    ...figures.map(({ flat }) => flat.toFixed(2)),
  ]);
  costs.push([
    size.name,
    ...[floor, tap].map(({ cost }) => cost.toFixed(1)),
    ratio(({ cost }) => cost),
    ...figures.map(({ trip }) => trip),
  ]);
}

function count(bytes) {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}

printTable(
  `Between an editor and an agent: frames a second, then the last tenth's beside the first's; the best of ${RUNS} runs`,
  ['frame', 'pipe', 'floor', 'tap', 'tap / floor', 'pipe', 'floor', 'tap'],
  rates,
);
printTable(
  'What the process between computes for a frame in µs, then a round trip in ms (p50 / p99)',
  ['frame', 'floor', 'tap', 'tap / floor', 'pipe', 'floor', 'tap'],
  costs,
);
