// `npm test`: installs what the checks need, runs every one, and ends in a line that counts them.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, ensureNode, ROOT } from '../cli/ready.mjs';

ensureNode();
ensureInstalled();
const { chromium } = await import('./chromium.mjs');

const RESULTS = join(ROOT, 'test-results');
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS);

let passed = 0;
let failed = 0;
let skipped = 0;

/** Runs a tool of the project by its script in node_modules: the same on every system. */
function tool(title, script, args, env = {}) {
  console.log(`\n── ${title}`);
  const started = Date.now();
  const { status } = spawnSync(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  console.log(
    `── ${title}: ${status === 0 ? 'ok' : 'FAILED'}, ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  return status === 0;
}

/** A check that is one yes or no. */
function check(title, script, args) {
  if (tool(title, script, args)) passed++;
  else failed++;
}

/** Checks that only read, two at a time; what each says is printed when it ends. */
async function checkBeside(checks) {
  const waiting = [...checks];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await checkQuietly(...next);
  };
  await Promise.all([worker(), worker()]);
}

async function checkQuietly(title, script, args) {
  const started = Date.now();
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (said += text));
  const status = await new Promise((resolve) => {
    child.once('close', resolve).once('error', (error) => {
      said += `${error}\n`;
      resolve(1);
    });
  });
  if (status === 0) passed++;
  else failed++;
  const verdict = status === 0 ? 'ok' : 'FAILED';
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`\n${said}── ${title}: ${verdict}, ${seconds} s`);
}

/** A check that counts its own tests in a JSON report. A run that dies without one has failed. */
function suite(title, script, args, report, count, env = {}) {
  const ok = tool(title, script, args, env);
  let counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    counts = count(JSON.parse(readFileSync(join(RESULTS, report), 'utf8')));
  } catch (error) {
    console.error(`${title} wrote no report: ${error}`);
  }
  passed += counts.passed;
  failed += counts.failed + (!ok && counts.failed === 0 ? 1 : 0);
  skipped += counts.skipped;
}

const TSC = 'node_modules/typescript/bin/tsc';
const VITE = 'node_modules/vite/bin/vite.js';
const LINT = [
  '--config',
  'src/test/eslint.config.js',
  '--max-warnings',
  '0',
  'src',
  'e2e',
  'bench',
];
const COMPONENTS = [
  ...['--tsconfig', 'src/tsconfig.browser.json', '--fail-on-warnings', '--output', 'human'],
];

check('schemas', 'src/acp/schema/generate.mjs', []);
await checkBeside([
  ['lint', 'node_modules/eslint/bin/eslint.js', LINT],
  ['components', 'node_modules/svelte-check/bin/svelte-check', COMPONENTS],
  ['types, Node', TSC, ['-p', 'src/tsconfig.node.json']],
  ['types, tests of the page', TSC, ['-p', 'src/test/tsconfig.json']],
  ['types, page', TSC, ['-p', 'src/tsconfig.browser.json']],
  ['format', 'node_modules/prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']],
  ['types, e2e', TSC, ['-p', 'e2e/tsconfig.json']],
]);
check('build, page', VITE, ['build', '--logLevel', 'warn']);
check('build, command', VITE, [
  'build',
  '--config',
  'src/cli/vite.config.ts',
  '--logLevel',
  'warn',
]);
check('weight of the first page', 'bench/weight.mjs', []);
suite(
  'unit',
  'node_modules/vitest/vitest.mjs',
  [
    ...['run', '--config', 'src/test/vitest.config.ts', '--reporter=default', '--reporter=json'],
    '--outputFile.json=test-results/unit.json',
  ],
  'unit.json',
  (report) => ({
    passed: report.numPassedTests,
    failed:
      report.numFailedTests + report.numFailedTestSuites * (report.numFailedTests === 0 ? 1 : 0),
    skipped: report.numPendingTests,
  }),
);
suite(
  'e2e',
  'node_modules/@playwright/test/cli.js',
  ['test', '--config', 'e2e/playwright.config.ts'],
  'e2e.json',
  ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }),
  { ACP_SCOPE_CHROMIUM: chromium() },
);

if (skipped > 0) console.log(`\n${skipped} skipped: the report above says why`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
