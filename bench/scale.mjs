// A trace of a million frames, opened as a file and again from the browser's database: when rows are
// there, how a search and a scroll feel, what it takes in memory. Beside it, a bare worker that reads
// the same file and parses each line, and one that stores them as they are. Run after `npm run build`; needs a Chromium.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { openBrowser, quantile, startRelay, watchMain } from './browser.mjs';
import { scratch } from './product.mjs';
import { printTable } from './table.mjs';
import { writeTrace } from './traffic.mjs';

const FRAMES = Number(process.argv[2] ?? 1_000_000);
const PORT = 17_958;
const SCROLLS = 150;

/** Milliseconds that workers of a bare page take for the file: to parse its lines; to split and store them. */
async function bare(path) {
  const parse = `onmessage = async ({ data }) => {
    let rest = '';
    for await (const text of data.stream().pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\\n');
      rest = lines.pop();
      for (const line of lines) JSON.parse(line);
    }
    postMessage('done');
  }`;
  const store = `onmessage = async ({ data }) => {
    const opening = indexedDB.open('bare');
    opening.onupgradeneeded = () => opening.result.createObjectStore('blocks');
    const database = await new Promise((resolve) => { opening.onsuccess = () => resolve(opening.result); });
    let block = [], size = 0, key = 0, done;
    const put = () => {
      const transaction = database.transaction('blocks', 'readwrite', { durability: 'relaxed' });
      transaction.objectStore('blocks').put(new Blob(block), key++);
      done = new Promise((resolve) => { transaction.oncomplete = resolve; });
      block = []; size = 0;
    };
    for await (const chunk of data.stream())
      for (let start = 0; start < chunk.length;) {
        const found = chunk.indexOf(10, start);
        const end = found < 0 ? chunk.length : found + 1;
        block.push(chunk.subarray(start, end));
        size += end - start;
        start = end;
        if (size > 256 * 1024) put();
      }
    put();
    await done;
    postMessage('done');
  }`;
  const workers = { '/parse.js': parse, '/store.js': store };
  const html = `<!doctype html><input type="file"><script>
    document.querySelector('input').onchange = ({ target }) => {
      const worker = new Worker(location.hash.slice(1));
      worker.onmessage = () => { document.title = 'done'; };
      worker.postMessage(target.files[0]);
    };
  </script>`;
  const http = createServer(({ url }, answer) => {
    answer.setHeader('Content-Type', workers[url] ? 'text/javascript' : 'text/html');
    answer.end(workers[url] ?? html);
  }).listen(PORT, '127.0.0.1');
  const took = [];
  for (const name of Object.keys(workers)) {
    const { browser, page } = await openBrowser();
    await page.goto(`http://127.0.0.1:${PORT}/#${name}`);
    const began = performance.now();
    await page.locator('input').setInputFiles(path);
    await page.waitForFunction(() => document.title === 'done', undefined, { timeout: 300_000 });
    took.push(performance.now() - began);
    await browser.close();
  }
  http.close();
  return took;
}

/**
 * A bare page of as many rows of as many cells, placed as ours are, whose words are put in place anew when it is
 * scrolled: what this browser draws on this machine, whoever writes the page.
 */
function bareList(rows, cells) {
  return `<!doctype html><style>
    body { margin: 0; font: 12px monospace; }
    #list { height: 100vh; overflow: hidden auto; contain: strict; }
    #layer { position: sticky; top: 0; height: 100vh; overflow: hidden; contain: strict; }
    .row { position: absolute; inset-inline: 0; height: 24px; contain: layout style; display: grid;
      grid-template-columns: repeat(${cells - 1}, 60px) 1fr; gap: 6px; border-bottom: 1px solid #ddd; }
    span { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
  </style><div id="list"><div id="layer"></div><div style="height: 6000000px"></div></div><script>
    const rows = Array.from({ length: ${rows} }, () => {
      const row = document.createElement('div');
      row.className = 'row';
      for (let cell = 0; cell < ${cells}; cell++) row.append(document.createElement('span'));
      document.querySelector('#layer').append(row);
      return [row, [...row.children].map((cell) => cell.appendChild(new Text()))];
    });
    const show = () => {
      const top = document.querySelector('#list').scrollTop;
      const first = Math.floor(top / 24);
      for (let at = first; at < first + rows.length; at++) {
        const [row, texts] = rows[at % rows.length];
        row.style.top = at * 24 - top + 'px';
        texts.forEach((text, cell) => { text.data = cell === ${cells - 1} ? '“chunk ' + at + ' of the answer”' : at + ' ' + cell; });
      }
    };
    document.querySelector('#list').onscroll = show;
    show();
  </script>`;
}

/** Turns the wheel over a page, from a place that has the list under it. */
async function wheel(page, x, y) {
  await page.mouse.move(x, y);
  for (let i = 0; i < SCROLLS; i++) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(16);
  }
}

const shown = (page) =>
  page.evaluate(() => Number(document.querySelector('.counts b')?.textContent.replaceAll(',', '')));

async function until(page, test) {
  for (;;) {
    if (test(await shown(page))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Megabytes of the page and of its worker, with what their buffers hold. */
async function memory(page) {
  const session = await page.context().newCDPSession(page);
  const answers = new Map();
  let id = 0;
  let worker;
  session.on('Target.attachedToTarget', (target) => {
    worker = target.sessionId;
  });
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message);
    answers.get(id)?.(result);
  });
  const ask = (method) => {
    const message = JSON.stringify({ id: ++id, method });
    void session.send('Target.sendMessageToTarget', { sessionId: worker, message });
    return new Promise((resolve) => answers.set(id, resolve));
  };
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  });
  await session.send('HeapProfiler.collectGarbage');
  await ask('HeapProfiler.collectGarbage');
  const of = ({ usedSize, backingStorageSize = 0 }) =>
    `${((usedSize + backingStorageSize) / 1e6).toFixed(0)} MB`;
  const heap = [await session.send('Runtime.getHeapUsage'), await ask('Runtime.getHeapUsage')];
  await session.detach();
  return heap.map(of);
}

const path = join(scratch(), 'big.acptrace.jsonl');
await writeTrace(path, FRAMES);
const edited = join(scratch(), 'edited.acptrace.jsonl');
await writeTrace(edited, FRAMES, (line, seq) =>
  seq % 100 === 0 ? line.replace('of the answer', 'of another answer') : line,
);
const [parsed, stored] = await bare(path);

const relay = await startRelay(PORT);
const { browser, page } = await openBrowser();
await page.goto(relay.url);
const rows = [];
const add = (name, ms, why = '') => rows.push([name, `${ms.toFixed(0)} ms`, why]);
const watched = async (name, work, on = { browser, page }) => {
  const watch = await watchMain(on.browser, on.page);
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  const { tasks, perSecond, gaps } = await watch.stop();
  const worst = (what) => Math.max(0, ...tasks.map((task) => task[what])).toFixed(0);
  const words = `worst task ${worst('cpu')} ms of cpu, ${worst('script')} of it script; ${perSecond.toFixed(0)} drawn/s, p99 ${quantile(gaps, 0.99).toFixed(0)} ms`;
  add(name, took, words);
};

add('read the file and parse its lines in a bare worker (yardstick)', parsed);
add('read the file, split and store its lines in a bare worker (yardstick)', stored);
const chooser = page.waitForEvent('filechooser');
await page.getByRole('button', { name: /Open trace file/ }).click();
const opened = performance.now();
await watched('open the file: all frames in, and stored', async () => {
  await (await chooser).setFiles(path);
  await page.locator('[data-row]').first().waitFor({ timeout: 60_000 });
  add('open the file: first rows', performance.now() - opened);
  await until(page, (count) => count === FRAMES);
});
await page.waitForTimeout(2_000);
const box = await page.locator('[data-focus=list]').boundingBox();
const drawn = await page.locator('[data-row]').count();
const cells = await page.locator('[data-row]').first().locator('> *').count();
await watched('scroll by the wheel, 150 times', () => wheel(page, box.x + 200, box.y + 200));
const yardstick = await openBrowser();
await yardstick.page.goto(`data:text/html,${encodeURIComponent(bareList(drawn, cells))}`);
await watched(
  `the same over a bare page of ${drawn} rows of ${cells} cells (yardstick)`,
  () => wheel(yardstick.page, 200, 200),
  yardstick,
);
await yardstick.browser.close();
/** The last row is there, with what it says. */
async function toEnd() {
  const list = page.locator('[data-focus=list]');
  await list.press('End');
  const last = `[aria-rowindex="${await list.getAttribute('aria-rowcount')}"]`;
  await page.waitForFunction((last) => document.querySelector(last)?.textContent.trim(), last);
}
await watched('jump to the end and back', async () => {
  await toEnd();
  await page.locator('[data-focus=list]').press('Home');
  await page.locator('[data-row="0"]').waitFor();
});
for (const query of ['answer', '"chunk 7 of"', 'update:tool_call', 'nowhere'])
  await watched(`search and clear: ${query}`, async () => {
    await page.getByRole('combobox', { name: 'Query' }).fill(query);
    await until(page, (count) => count !== FRAMES);
    await page.getByRole('button', { name: 'Clear the query' }).click();
    await until(page, (count) => count === FRAMES);
  });
const treeOf = (name) => page.getByRole('tree', { name }).getByRole('treeitem').first();
await watched('performance: all figures', async () => {
  await page.getByRole('button', { name: /^Performance/ }).click();
  await treeOf('Latency by method').waitFor({ timeout: 60_000 });
});
await watched('performance: waterfall', async () => {
  await page.getByRole('group', { name: 'What is shown' }).getByText('Waterfall').click();
  await treeOf('Exchanges and turns').waitFor({ timeout: 60_000 });
});
await page
  .getByRole('button', { name: /^Trace/ })
  .first()
  .click();
const addMemory = async (when) => {
  const [main, worker] = await memory(page);
  rows.push([`memory ${when}`, main, `and ${worker} in the worker`]);
};
await addMemory('after import and searches');
const again = performance.now();
await page.reload({ waitUntil: 'commit' });
await page.locator('[data-row]').first().waitFor({ timeout: 60_000 });
add('reload: first rows', performance.now() - again);
await toEnd();
add('reload: everything, to its last row', performance.now() - again);
await addMemory('of the trace that was opened');
const another = page.waitForEvent('filechooser');
await page.getByRole('button', { name: /Open trace file/ }).click();
await (await another).setFiles(edited);
await page.waitForTimeout(1_000);
await until(page, (count) => count === FRAMES);
await page.waitForTimeout(2_000);
await page.getByRole('button', { name: /^Diff/ }).click();
await watched('diff with the same, 1 % edited', async () => {
  await page.getByRole('button', { name: /^Compare the two newest/ }).click();
  await page
    .getByRole('treegrid', { name: 'Left and right' })
    .getByRole('row')
    .nth(1)
    .waitFor({ timeout: 300_000 });
});
await addMemory('of both, compared');
await browser.close();
await relay.stop();
printTable(`A trace of ${FRAMES.toLocaleString('en')} frames`, ['', 'took', ''], rows);
