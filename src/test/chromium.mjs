// Finds a Chromium for the browser tests, or installs one: Playwright's own build, else the
// system's package where downloads are closed and we may install packages.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium as playwright } from '@playwright/test';
import { ROOT } from '../cli/ready.mjs';

/** The shell first, as Playwright does: a browser that draws no window of its own takes a third less for each test. */
const SYSTEM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Path of a browser; '': the shell of Playwright's own build, which it finds by itself. Ends the run with what to do
 * if there is none and none can be installed.
 */
export function chromium() {
  const found = find();
  if (found !== undefined) return found;
  console.log('Installing Chromium for the browser tests …');
  spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium'],
    {
      stdio: 'inherit',
      timeout: 300_000,
    },
  );
  if (find() === undefined && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    // Not every system that has apt knows the first.
    for (const name of ['chromium-headless-shell', 'chromium'])
      if (find() === undefined)
        spawnSync('apt-get', ['install', '-y', '-qq', name], {
          stdio: ['ignore', 'ignore', 'inherit'],
          env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        });
  }
  const installed = find();
  if (installed !== undefined) return installed;
  console.error(
    'No Chromium: install one and set ACP_SCOPE_CHROMIUM to its path, or run `npx playwright install chromium`.',
  );
  return process.exit(3);
}

function find() {
  const given = process.env.ACP_SCOPE_CHROMIUM;
  const own = playwright.executablePath();
  if (given && existsSync(given)) return given;
  if (existsSync(shellBeside(own))) return '';
  return [own, ...SYSTEM].find((path) => existsSync(path));
}

/** The folder in which Playwright keeps the shell of the same build. */
function shellBeside(path) {
  return path.replace(/([\\/])chromium-(\d+)[\\/].*$/, '$1chromium_headless_shell-$2');
}
