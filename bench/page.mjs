// An agent that floods a page which shows its newest frames: at 5,000 frames a second, the same with
// a reload in the middle, and as fast as it can. Beside it, at the same rate, a page that does
// nothing but receive the same messages. Run after `npm run build`; needs a Chromium.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { openBrowser, quantile, startRelay, watchMain } from './browser.mjs';
import { ROOT, scratch } from './product.mjs';
import { printTable } from './table.mjs';

const FRAMES = Number(process.argv[2] ?? 100_000);
const RATE = 5_000;
const PORT = 17_956;
/** Bytes of an event on the link. */
const LINE_BYTES = 330;
/** A long task, as browsers have it. */
const LONG = 50;
const PATIENCE = 120_000;
const formatCount = (count) => Math.round(count).toLocaleString('en');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What the database of the page holds of its first trace. */
function storedCount(page) {
  return page.evaluate(async () => {
    const names = await indexedDB.databases();
    if (!names.some(({ name }) => name === 'acp-scope')) return 0;
    const database = await new Promise((resolve, reject) => {
      const request = indexedDB.open('acp-scope');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const traces = await new Promise((resolve) => {
      const request = database.transaction('traces').objectStore('traces').getAll();
      request.onsuccess = () => resolve(request.result);
    });
    database.close();
    return traces[0]?.frames ?? 0;
  });
}

/** The trace file, as the page exports it. */
async function exported(page) {
  await page.locator('[data-focus=rail] [aria-current=true]').press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Save as a file' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Everything', { exact: true }).click();
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: /^Save \d/ }).click();
  return readFileSync(await (await saving).path(), 'utf8');
}

/** What is wrong with an exported trace, beside the SHA-256 of what the agent wrote. */
function compare(text, sha256, frames) {
  const hash = createHash('sha256');
  const seqs = [];
  let came = 0;
  for (const line of text.split('\n').slice(1, -1)) {
    const event = JSON.parse(line);
    seqs.push(event.seq);
    if (event.type !== 'frame' || event.from !== 'agent') continue;
    came++;
    hash.update(`${event.line.text}\n`);
  }
  const twice = seqs.length - new Set(seqs).size;
  return { lost: frames + 1 - came, twice, same: hash.digest('hex') === sha256 };
}

async function ours(name, rate, { reload = false, frames = FRAMES } = {}) {
  const digest = join(scratch(), 'digest');
  const flood = [join(ROOT, 'bench/flood.mjs'), String(frames), String(rate), digest];
  const relay = await startRelay(PORT, ['--', process.execPath, ...flood]);
  const { browser, page } = await openBrowser();
  const firstRow = page.locator('[data-row]').first();
  await page.goto(relay.url);
  await firstRow.waitFor();
  let watch = await watchMain(browser, page);
  if (reload) {
    await pause((FRAMES / RATE / 2) * 1000);
    await watch.stop();
    await page.reload();
    await firstRow.waitFor();
    watch = await watchMain(browser, page);
  }
  // One more than the flood: the answer to `initialize`.
  const give = performance.now() + PATIENCE;
  while (!existsSync(digest) || (await storedCount(page)) <= frames) {
    if (performance.now() > give) throw new Error(`${name}: not all frames were stored.`);
    await pause(100);
  }
  const stored = Date.now();
  const main = await watch.stop();
  const { sha256, began, ended } = JSON.parse(readFileSync(digest, 'utf8'));
  const result = compare(await exported(page), sha256, frames);
  await browser.close();
  await relay.stop();
  const seconds = (stored - began) / 1000;
  return { name, frames, seconds, behind: stored - ended, main, ...result };
}

/** A page that receives messages of the same size at the same rate, and counts their bytes. */
async function bare(name, rate) {
  const html = `<!doctype html><title>bare</title><p></p><script>
    let bytes = 0;
    const socket = new WebSocket('ws://127.0.0.1:${PORT}');
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => {
      bytes += data.byteLength;
      document.querySelector('p').textContent = bytes;
    };
    socket.onclose = () => { document.title = 'done'; };
  </script>`;
  const http = createServer((_, answer) => answer.end(html)).listen(PORT, '127.0.0.1');
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  let seconds = 0;
  sockets.on('connection', async (socket) => {
    await pause(500);
    const began = performance.now();
    for (let sent = 0; sent < FRAMES;) {
      const due = Math.min(FRAMES, Math.ceil(((performance.now() - began) * rate) / 1000));
      if (due > sent) socket.send(Buffer.alloc((due - sent) * LINE_BYTES, 'x'));
      sent = due;
      await pause(4);
    }
    seconds = (performance.now() - began) / 1000;
    socket.close();
  });
  const { browser, page } = await openBrowser();
  await page.goto(`http://127.0.0.1:${PORT}/`);
  const watch = await watchMain(browser, page);
  await page.waitForFunction(() => document.title === 'done', undefined, { timeout: PATIENCE });
  const main = await watch.stop();
  await browser.close();
  sockets.close();
  http.close();
  return { name, frames: FRAMES, seconds, main };
}

const runs = [
  await bare('bare page, 5,000/s', RATE),
  await ours('ours, 5,000/s', RATE),
  await ours('ours, 5,000/s, reloaded', RATE, { reload: true }),
  await ours('ours, flat out', 0),
  await ours('ours, 20,000/s for 30 s', 20_000, { frames: 600_000 }),
];
const worst = (tasks, what) => Math.max(0, ...tasks.map((task) => task[what]));
const rows = runs.map(({ name, frames, seconds, behind, main, lost, twice, same }) => [
  name,
  formatCount(frames),
  formatCount(frames / seconds),
  ...(same === undefined ? ['', '', '', ''] : [behind, lost, twice, same ? 'same' : 'OTHER']),
  main.tasks.filter(({ wall }) => wall > LONG).length,
  main.tasks.filter(({ cpu }) => cpu > LONG).length,
  worst(main.tasks, 'cpu').toFixed(0),
  worst(main.tasks, 'script').toFixed(0),
  `${(main.cpu * 100).toFixed(0)} %`,
  main.perSecond.toFixed(0),
  quantile(main.gaps, 0.99).toFixed(0),
]);
printTable(
  `Frames into an open page that follows them. Tasks of its main thread in ms, by the clock and by the processor`,
  [
    '',
    'frames',
    'frames/s',
    'behind ms',
    'lost',
    'twice',
    'SHA-256',
    '> 50 clock',
    '> 50 cpu',
    'worst cpu',
    'worst script',
    'cpu',
    'drawn/s',
    'p99 ms',
  ],
  rows,
);
if (runs.some(({ lost = 0, twice = 0, same = true }) => lost > 0 || twice > 0 || !same))
  process.exitCode = 1;
