// `npm test`: installs what the checks need, runs every one, and ends in a line that counts them.
import { spawn } from 'node:child_process';
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
/** Of what a suite says as it fails outside its tests, told again at the end. */
const LAST_LINES = 60;
/** What failed, by name, told again at the end: the place of it may lie thousands of lines above. */
const failures = [];

/**
 * Runs a tool of the project by its script in node_modules: the same on every system. Resolves with
 * what it wrote as errors when it failed, with nothing when it did not.
 */
async function tool(title, script, args, env = {}) {
  console.log(`\n── ${title}`);
  const started = Date.now();
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'pipe'],
    env: { ...process.env, ...env },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    process.stderr.write(text);
    errors += text;
  });
  const status = await ended(child, (error) => (errors += `${error}\n`));
  console.log(
    `── ${title}: ${status === 0 ? 'ok' : 'FAILED'}, ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  return status === 0 ? undefined : errors;
}

/** Resolves with the exit code of a process, 1 where it could not be started or a signal ended it. */
function ended(child, failed) {
  return new Promise((resolve) => {
    child.once('close', (code) => resolve(code ?? 1));
    child.once('error', (error) => {
      failed(error);
      resolve(1);
    });
  });
}

/** A check that is one yes or no. */
async function check(title, script, args) {
  if ((await tool(title, script, args)) === undefined) passed++;
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
  const status = await ended(child, (error) => (said += `${error}\n`));
  if (status === 0) passed++;
  else failures.push(title);
  const verdict = status === 0 ? 'ok' : 'FAILED';
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`\n${said}── ${title}: ${verdict}, ${seconds} s`);
}

/** A check that counts its own tests in a JSON report. A run that dies without one has failed. */
async function suite(title, script, args, report, read, env = {}) {
  const errors = await tool(title, script, args, env);
  let counts = { passed: 0, failed: [], skipped: 0 };
  try {
    counts = read(JSON.parse(readFileSync(join(RESULTS, report), 'utf8')));
  } catch (error) {
    console.error(`${title} wrote no report: ${error}`);
  }
  passed += counts.passed;
  failures.push(...counts.failed.map((name) => `${title}: ${name}`));
  if (errors !== undefined && counts.failed.length === 0) {
    // What ended it is no test's: without its words, the count alone would be all that is left.
    const last = errors.trimEnd().split('\n').slice(-LAST_LINES);
    failures.push(`${title}: the run itself, whose last words were:\n  ${last.join('\n  ')}`);
  }
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
const PAGE = [
  ...['--tsconfig', 'src/tsconfig.browser.json', '--fail-on-warnings', '--output', 'human'],
];

await check('schemas', 'src/acp/schema/generate.mjs', []);
await checkBeside([
  ['lint', 'node_modules/eslint/bin/eslint.js', LINT],
  // Of the page's modules it finds what tsc would, beside what stands in components.
  ['types, page', 'node_modules/svelte-check/bin/svelte-check', PAGE],
  ['types, Node', TSC, ['-p', 'src/tsconfig.node.json']],
  ['types, tests of the page', TSC, ['-p', 'src/test/tsconfig.json']],
  ['format', 'node_modules/prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']],
  ['types, e2e', TSC, ['-p', 'e2e/tsconfig.json']],
]);
await check('build, page', VITE, ['build', '--logLevel', 'warn']);
await check('build, page of one trace', VITE, [
  ...['build', '--config', 'src/viewer/vite.config.ts', '--logLevel', 'warn'],
]);
await check('build, command', VITE, [
  'build',
  '--config',
  'src/cli/vite.config.ts',
  '--logLevel',
  'warn',
]);
await check('weight of the first page', 'bench/weight.mjs', []);
await suite(
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
await suite(
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
