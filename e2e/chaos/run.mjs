// The long run by hand. What fails comes again from its seed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, ensureNode, ROOT } from '../../src/cli/ready.mjs';

const USAGE = `Usage: npm run chaos -- [--seed N] [--trials N] [--lines N] [--rate N]

Agents talk through taps, and to the page that drives them, while tabs, renderers, disks and the relay
come, go, freeze and fill up; then every line is accounted for. docs/reliability.md holds what a run came to.
  --seed N     what happens when: the same seed, the same run; default: another each time
  --trials N   how many things happen; default: 60
  --lines N    what the agents say at least; default: 2000000
  --rate N     lines a second; default: 4000`;

const DEFAULTS = {
  seed: String(Date.now() % 100_000),
  trials: '60',
  lines: '2000000',
  rate: '4000',
};

/** The values by their options. Ends this process where there is nothing to run. */
function given() {
  const number = { type: 'string' };
  const options = { seed: number, trials: number, lines: number, rate: number };
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } });
    const { help, ...numbers } = values;
    if (help) {
      console.log(USAGE);
      process.exit(0);
    }
    for (const [name, text] of Object.entries(numbers))
      if (!/^\d{1,12}$/.test(text))
        throw new Error(`--${name} ${text} is not a whole number. Give one.`);
    return { ...DEFAULTS, ...numbers };
  } catch ({ message }) {
    console.error(`${message}\n${USAGE}`);
    return process.exit(2);
  }
}

const { seed, trials, lines, rate } = given();
ensureNode();
ensureInstalled();
await ensureBuilt();
const { chromium } = await import('../../src/test/chromium.mjs');

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
