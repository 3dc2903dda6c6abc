// How long from starting node to a relay that answers, beside the least there is: a Node program
// that listens and does nothing else. Also what the first page weighs. Run after `npm run build`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { median, printTable } from './table.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
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
const state = mkdtempSync(join(tmpdir(), 'acp-scope-bench-'));
const ours = [join(ROOT, 'dist-node/acp-scope.js'), '--no-open', '--port', '17955'];
const times = { bare: [], ours: [] };
for (let i = 0; i < RUNS; i++) {
  times.bare.push(await firstLine(bare));
  times.ours.push(await firstLine(ours, { ACP_SCOPE_STATE: state }));
}
rmSync(state, { recursive: true, force: true });

const row = (name, list) => [
  name,
  ...[Math.min(...list), median(list), Math.max(...list)].map((ms) => ms.toFixed(0)),
];
printTable(
  'Ready after node starts, ms (target: at most 500)',
  ['', 'min', 'median', 'max'],
  [row('node that listens', times.bare), row('acp-scope', times.ours)],
);

/** What index.html loads before anything is clicked: its scripts, their static imports, its styles. */
function initialFiles() {
  const html = readFileSync(join(ROOT, 'dist/index.html'), 'utf8');
  const found = new Set(['index.html']);
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    if (!file.endsWith('.js')) return;
    const code = readFileSync(join(ROOT, 'dist', file), 'utf8');
    for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      visit(`assets/${name}`);
  };
  for (const [, file] of html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g))
    visit(file);
  return [...found];
}

const sizes = initialFiles().map((file) => [
  file,
  gzipSync(readFileSync(join(ROOT, 'dist', file)), { level: 9 }).length,
]);
const total = sizes.reduce((sum, [, size]) => sum + size, 0);
printTable(
  'First page, bytes gzipped (target: at most 110,000; acp-devtools 186,000, MCP Inspector 278,000)',
  ['file', 'gzip -9'],
  [...sizes, ['all', total]],
);
