// Finds a Chromium for the browser tests, or installs one: Playwright's own build, else the
// system's package where downloads are closed and we may install packages.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium as playwright } from '@playwright/test';
import { ROOT } from '../cli/ready.mjs';

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of a browser. Ends the run with what to do if there is none and none can be installed. */
export function chromium() {
  const found = find();
  if (found) return found;
  console.log('Installing Chromium for the browser tests …');
  spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium'],
    {
      stdio: 'inherit',
      timeout: 300_000,
    },
  );
  if (!find() && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  const installed = find();
  if (installed) return installed;
  console.error(
    'No Chromium: install one and set ACP_SCOPE_CHROMIUM to its path, or run `npx playwright install chromium`.',
  );
  return process.exit(3);
}

function find() {
  const given = process.env.ACP_SCOPE_CHROMIUM;
  return [given, playwright.executablePath(), ...SYSTEM].find((path) => path && existsSync(path));
}
