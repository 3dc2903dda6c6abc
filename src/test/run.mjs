// `npm test`: installs what the checks need, runs every one, and ends in a line that counts them.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureInstalled, ensureNode, ROOT } from '../cli/ready.mjs';

ensureNode();
ensureInstalled();
const { chromium } = await import('./chromium.mjs');

const RESULTS = join(ROOT, 'test-results');
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS);

let passed = 0;
let skipped = 0;
/** What failed, by name, told again at the end: the place of it may lie thousands of lines above. */
const failures = [];

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
  else failures.push(title);
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
  else failures.push(title);
  const verdict = status === 0 ? 'ok' : 'FAILED';
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`\n${said}── ${title}: ${verdict}, ${seconds} s`);
}

/** A check that counts its own tests in a JSON report. A run that dies without one has failed. */
function suite(title, script, args, report, read, env = {}) {
  const ok = tool(title, script, args, env);
  let counts = { passed: 0, failed: [], skipped: 0 };
  try {
    counts = read(JSON.parse(readFileSync(join(RESULTS, report), 'utf8')));
  } catch (error) {
    console.error(`${title} wrote no report: ${error}`);
  }
  passed += counts.passed;
  failures.push(...counts.failed.map((name) => `${title}: ${name}`));
  if (!ok && counts.failed.length === 0) failures.push(`${title}: the run itself`);
  skipped += counts.skipped;
}

/** The tests that failed in a report of Vitest, and the files of which none could run. */
function failedUnits({ testResults }) {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(ROOT, name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    return tests.length > 0 || status !== 'failed'
      ? tests.map((test) => `${file} › ${test.fullName}`)
      : [file];
  });
}

/** The tests that failed in a suite of a report of Playwright, and in those inside it. */
function failedSpecs({ specs = [], suites = [] }) {
  return [
    ...specs.filter(({ ok }) => !ok).map(({ file, line, title }) => `${file}:${line} › ${title}`),
    ...suites.flatMap(failedSpecs),
  ];
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
check('build, page of one trace', VITE, [
  ...['build', '--config', 'src/viewer/vite.config.ts', '--logLevel', 'warn'],
]);
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
    failed: failedUnits(report),
    skipped: report.numPendingTests,
  }),
);
suite(
  'e2e',
  'node_modules/@playwright/test/cli.js',
  ['test', '--config', 'e2e/playwright.config.ts'],
  'e2e.json',
  (report) => ({
    passed: report.stats.expected + report.stats.flaky,
    failed: failedSpecs(report),
    skipped: report.stats.skipped,
  }),
  { ACP_SCOPE_CHROMIUM: chromium() },
);

if (skipped > 0) console.log(`\n${skipped} skipped: the report above says why`);
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
