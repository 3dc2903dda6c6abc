// An agent that writes as fast as it can, until an editor has every frame: through a bare pipe,
// through the tap (which records), and through the adapter, once left alone by it and once recorded
// for a later load; and how fast that load then tells it all again.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratch } from './product.mjs';
import { median, printTable } from './table.mjs';

const BIN = fileURLToPath(new URL('../dist-node/acp-scope.js', import.meta.url));
const RUNS = 3;
const SIZES = [
  { name: '300 B', bytes: 300, frames: 150_000 },
  { name: '2 kB', bytes: 2000, frames: 40_000 },
  { name: '1 MB', bytes: 1_000_000, frames: 100 },
];

// It answers the handshake and every restore, and floods when it is prompted.
const AGENT = `
  const [bytes, frames, load] = JSON.parse(process.argv[1]);
  const say = (message) => process.stdout.write(JSON.stringify({jsonrpc:'2.0',...message})+'\\n');
  const head = '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"';
  const line = head + 'x'.repeat(bytes - head.length - 6) + '"}}}}\\n';
  const many = Math.max(1, Math.floor(65536 / bytes));
  const results = {
    initialize: {protocolVersion:1,agentCapabilities:{loadSession:load,sessionCapabilities:{resume:{}}}},
    'session/new': {sessionId:'s'},
  };
  const flood = (left, done) => {
    while (left > 0) {
      const count = Math.min(left, many);
      left -= count;
      if (!process.stdout.write(line.repeat(count))) return process.stdout.once('drain', () => flood(left, done));
    }
    done();
  };
  require('readline').createInterface({input:process.stdin}).on('line', (text) => {
    const {id, method} = JSON.parse(text);
    if (method !== 'session/prompt') return say({id, result: results[method] ?? {}});
    flood(frames, () => say({id, result:{stopReason:'end_turn'}}));
  });`;

const NEWLINE = 0x0a;
const agent = ({ bytes, frames }, load) => [
  process.execPath,
  '-e',
  AGENT,
  JSON.stringify([bytes, frames, load]),
];

/** Frames a second, from a request to its answer. */
async function measure(argv, methods, frames) {
  const [command, ...args] = argv;
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  let lines = 0;
  let wake = () => undefined;
  child.stdout.on('data', (chunk) => {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
    wake();
  });
  let began = 0;
  let due = 0;
  for (const [id, method] of methods.entries()) {
    began = performance.now();
    const params = { sessionId: 's', cwd: '/', mcpServers: [], prompt: [] };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    due += 1 + (id === methods.length - 1 ? frames : 0);
    while (lines < due) await new Promise((resolve) => (wake = resolve));
  }
  const rate = frames / ((performance.now() - began) / 1000);
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  return rate;
}

const LIVE = ['initialize', 'session/new', 'session/prompt'];
const scope = (...args) => [process.execPath, BIN, ...args];
const adapt = (folder, command) =>
  scope('adapt', '--load-over-resume', '--store', join(folder, 'store'), '--', ...command);

const rows = [];
for (const size of SIZES) {
  const rates = { pipe: [], tap: [], alone: [], recorded: [], told: [] };
  for (let run = 0; run < RUNS; run++) {
    const folder = scratch();
    const out = join(folder, 'tap.acptrace.jsonl');
    const { frames } = size;
    rates.pipe.push(await measure(agent(size, false), LIVE, frames));
    rates.tap.push(
      await measure(scope('tap', '--out', out, '--', ...agent(size, false)), LIVE, frames),
    );
    rates.alone.push(await measure(adapt(folder, agent(size, true)), LIVE, frames));
    const resumes = adapt(folder, agent(size, false));
    rates.recorded.push(await measure(resumes, LIVE, frames));
    rates.told.push(await measure(resumes, ['initialize', 'session/load'], frames));
  }
  const all = [rates.pipe, rates.tap, rates.alone, rates.recorded, rates.told].map(median);
  rows.push([
    size.name,
    ...all.map((rate) => Math.round(rate).toLocaleString('en')),
    (all[3] / all[1]).toFixed(2),
  ]);
}
printTable(
  `Frames a second from a flooding agent to an editor, median of ${RUNS}`,
  ['frame', 'pipe', 'tap', 'adapt, left alone', 'adapt, recording', 'load', 'recording / tap'],
  rows,
);
