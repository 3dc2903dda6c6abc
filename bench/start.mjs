// How long from starting node to a relay that answers, beside the least there is: a Node program
// that listens and does nothing else. Run after `npm run build`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, scratch } from './product.mjs';
import { median, printTable } from './table.mjs';

const RUNS = 9;

/** Milliseconds until the program prints a line on stdout. */
function firstLine(args, env = {}) {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve) => {
    child.stdout.once('data', () => {
      const took = performance.now() - started;
      child.once('exit', () => resolve(took));
      child.kill('SIGTERM');
    });
  });
}

const bare = [
  '-e',
  'require("http").createServer().listen(0, "127.0.0.1", () => console.log("up"))',
];
const state = scratch();
const ours = [join(ROOT, 'dist-node/acp-scope.js'), '--no-open', '--port', '17955'];
const times = { bare: [], ours: [] };
for (let i = 0; i < RUNS; i++) {
  times.bare.push(await firstLine(bare));
  times.ours.push(await firstLine(ours, { ACP_SCOPE_STATE: state }));
}

const row = (name, list) => [
  name,
  ...[Math.min(...list), median(list), Math.max(...list)].map((ms) => ms.toFixed(0)),
];
printTable(
  'Ready after node starts, ms (target: at most 500)',
  ['', 'min', 'median', 'max'],
  [row('node that listens', times.bare), row('acp-scope', times.ours)],
);
