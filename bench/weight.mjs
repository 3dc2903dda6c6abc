// What a browser loads before anything is clicked, as it loads it until it is idle: the page, its
// scripts and styles, its worker, and the view it begins with with all that this loads by itself. Each
// file gzipped by itself, and once, also where page and worker both ask for it. Run after
// `npm run build`. Beside it the page that holds its trace in itself, which is one file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openBrowser, startRelay } from './browser.mjs';
import { ROOT } from './product.mjs';
import { printTable } from './table.mjs';

const MOST = 112_640;
/** Of the page that holds its trace in itself, without one. */
const MOST_VIEWER = 614_400;
/** Nothing is asked for in this time once all is there. */
const IDLE_MS = 1500;
const PORT = 7761;

const { url, stop } = await startRelay(PORT);
const { browser, page } = await openBrowser();
const sizes = new Map();
let last = performance.now();
const reading = [];
page.context().on('response', (response) => {
  const { pathname } = new URL(response.url());
  last = performance.now();
  if (!/(\.(js|css)|^\/)$/.test(pathname)) return;
  const read = response.body().then((body) => {
    sizes.set(pathname, gzipSync(body, { level: 9 }).length);
  });
  reading.push(read);
});
await page.goto(url);
await page.getByRole('heading', { level: 1 }).waitFor();
while (performance.now() - last < IDLE_MS) await page.waitForTimeout(100);
await Promise.all(reading);
await browser.close();
await stop();

const format = (bytes) => bytes.toLocaleString('en');
const rows = [...sizes].sort(([, a], [, b]) => b - a);
const total = rows.reduce((sum, [, size]) => sum + size, 0);
printTable(
  `First page as loaded, bytes gzipped (at most ${format(MOST)})`,
  ['file', 'gzip -9'],
  [
    ...rows.map(([file, size]) => [file, format(size)]),
    ['all', format(total)],
    ['acp-devtools 0.4.0, scripts alone', '186,000'],
    ['MCP Inspector, scripts alone', '278,000'],
  ],
);
const viewer = gzipSync(readFileSync(join(ROOT, 'dist/viewer.html')), { level: 9 }).length;
printTable(
  `The page of one trace, bytes gzipped (at most ${format(MOST_VIEWER)})`,
  ['file', 'gzip -9'],
  [['viewer.html', format(viewer)]],
);
if (viewer > MOST_VIEWER) process.exitCode = 1;
// No worker among them: it was not the whole page that was measured.
if (total > MOST || !rows.some(([file]) => file.includes('/worker-'))) process.exitCode = 1;
