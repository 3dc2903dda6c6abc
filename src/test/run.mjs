// `npm test`: installs what the checks need, runs every one, and ends in a line that counts them.
import { spawnSync } from 'node:child_process';
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

check('schemas', 'src/acp/schema/generate.mjs', []);
check('types, page', TSC, ['-p', 'src/tsconfig.browser.json']);
check('types, Node', TSC, ['-p', 'src/tsconfig.node.json']);
check('types, tests of the page', TSC, ['-p', 'src/test/tsconfig.json']);
check('types, e2e', TSC, ['-p', 'e2e/tsconfig.json']);
check('components', 'node_modules/svelte-check/bin/svelte-check', [
  ...['--tsconfig', 'src/tsconfig.browser.json', '--fail-on-warnings', '--output', 'human'],
]);
check('lint', 'node_modules/eslint/bin/eslint.js', [
  ...['--config', 'src/test/eslint.config.js', '--max-warnings', '0', 'src', 'e2e', 'bench'],
]);
check('format', 'node_modules/prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']);
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
