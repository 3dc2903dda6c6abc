// Storing 100,000 frames in the browser's database as our storage does it, and reading them back:
// beside one record a frame, and beside blocks put down without a look at what is there. Needs a
// Chromium.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { openBrowser } from './browser.mjs';
import { bundle } from './product.mjs';
import { printTable } from './table.mjs';
import { traffic } from './traffic.mjs';

const FRAMES = 100_000;
const PORT = 17_959;

const files = {
  '/': ['text/html', '<!doctype html><title>storage</title>'],
  '/store.js': [
    'text/javascript',
    readFileSync(await bundle('browser', 'storage/idb-store.ts', 'storage/schema.ts')),
  ],
};
const http = createServer(({ url }, answer) => {
  const [type, body] = files[url] ?? ['text/plain', ''];
  answer.setHeader('Content-Type', type);
  answer.end(body);
}).listen(PORT, '127.0.0.1');

const lines = [];
for (const [from, text] of traffic()) {
  const seq = lines.length + 1;
  lines.push(JSON.stringify({ type: 'frame', seq, at: seq, from, line: { text }, origin: 'peer' }));
  if (seq === FRAMES) break;
}

const { browser, page } = await openBrowser();
await page.goto(`http://127.0.0.1:${PORT}/`);
await page.evaluate((lines) => {
  globalThis.lines = lines;
}, lines);

/** Runs in the page: milliseconds to write and to read all. */
async function ours(events) {
  const { IdbStore } = await import('/store.js');
  const { value: store } = await IdbStore.open(() => undefined);
  const connection = `c${events}`;
  const header = new Uint8Array();
  await store.addTrace({ connection, name: '', mode: 'file', startedAt: '', header });
  const batches = [];
  for (let from = 0; from < globalThis.lines.length; from += events) {
    const part = globalThis.lines.slice(from, from + events);
    const bytes = new TextEncoder().encode(part.join('\n') + '\n');
    const ends = [];
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1))
      ends.push(end + 1);
    const seqs = part.map((_, i) => from + i + 1);
    batches.push({ connection, after: from, bytes, seqs, ends, frames: part.length });
  }
  const began = performance.now();
  for (const batch of batches) {
    const stored = await store.append([batch]);
    if (stored.value[0].trace.last !== batch.seqs.at(-1)) throw new Error('not stored');
  }
  const written = performance.now();
  let read = 0;
  for (let after = 0; ;) {
    const { value } = await store.blocks(connection, after);
    if (value.length === 0) break;
    after = value.at(-1).last;
    for (const { count } of value) read += count;
  }
  if (read !== globalThis.lines.length) throw new Error(`read ${read}`);
  return { write: written - began, read: performance.now() - written };
}

/** Runs in the page: the least a database can do, with so many frames a record and a transaction. */
async function bare({ record, transaction }) {
  const database = await new Promise((resolve) => {
    const request = indexedDB.open(`bare${record}`);
    request.onupgradeneeded = () => request.result.createObjectStore('s');
    request.onsuccess = () => resolve(request.result);
  });
  const records = [];
  for (let from = 0; from < globalThis.lines.length; from += record)
    records.push(new TextEncoder().encode(globalThis.lines.slice(from, from + record).join('\n')));
  const began = performance.now();
  for (let from = 0; from < records.length; from += transaction / record) {
    const tx = database.transaction('s', 'readwrite', { durability: 'relaxed' });
    records
      .slice(from, from + transaction / record)
      .forEach((bytes, i) => tx.objectStore('s').put(bytes, from + i));
    await new Promise((resolve) => {
      tx.oncomplete = resolve;
    });
  }
  const written = performance.now();
  const all = database.transaction('s').objectStore('s').getAll();
  await new Promise((resolve) => {
    all.onsuccess = resolve;
  });
  return { write: written - began, read: performance.now() - written };
}

const row = (name, { write, read }) => [
  name,
  ...[write, read].map((ms) => `${Math.round(FRAMES / ms)}k/s`),
];
const rows = [
  row(
    'bare: a record a frame, 1,000 a transaction',
    await page.evaluate(bare, { record: 1, transaction: 1000 }),
  ),
  row(
    'bare: a record of 1,000 frames, 1 a transaction',
    await page.evaluate(bare, { record: 1000, transaction: 1000 }),
  ),
  row('ours: batches of 4,000', await page.evaluate(ours, 4000)),
  row('ours: batches of 500, as at 5,000 a second', await page.evaluate(ours, 500)),
  row('ours: batches of 50, as at 500 a second', await page.evaluate(ours, 50)),
];
await browser.close();
http.close();
printTable(
  `${FRAMES.toLocaleString('en')} frames in the browser's database (at least 10k/s)`,
  ['', 'written', 'read'],
  rows,
);
