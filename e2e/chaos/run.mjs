// The long run by hand: `npm run chaos -- [--seed N] [--trials N] [--lines N] [--rate N]`. What fails comes
// again from its seed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, ensureNode, ROOT } from '../../src/cli/ready.mjs';

ensureNode();
ensureInstalled();
await ensureBuilt();
const { chromium } = await import('../../src/test/chromium.mjs');

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    trials: { type: 'string', default: '60' },
    lines: { type: 'string', default: '2000000' },
    rate: { type: 'string', default: '4000' },
  },
});
const { seed, trials, lines, rate } = values;
console.log(`seed ${seed}: ${trials} trials over ${lines} lines, ${rate} a second`);
const { status } = spawnSync(
  process.execPath,
  [
    join(ROOT, 'node_modules/@playwright/test/cli.js'),
    ...['test', '--config', join(ROOT, 'e2e/playwright.config.ts'), 'chaos.spec.ts'],
  ],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      ACP_SCOPE_CHROMIUM: chromium(),
      ACP_SCOPE_CHAOS: [seed, trials, lines, rate].join(' '),
    },
  },
);
process.exitCode = status ?? 1;
