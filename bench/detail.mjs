// Frames of 20 to 55 MB in the detail and in the conversation: how long the page's main thread is held up when each is
// selected, in each of its readings, whole, and when its tree is opened; when the conversation that they make is
// opened, and each of its cards. Beside it, a bare page that is given the same line by a worker.
// Run after `npm run build`; needs a Chromium.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { deflateSync, crc32 } from 'node:zlib';
import { openBrowser, startRelay, watchMain } from './browser.mjs';
import { scratch } from './product.mjs';
import { printTable } from './table.mjs';
import { traceFile } from './traffic.mjs';

const PORT = 17_963;
const MB = 1_000_000;
const SESSION = '7c1e4f2a-90d3-4c55-8e1b-000000000001';

const update = (body) => ({
  method: 'session/update',
  params: { sessionId: SESSION, update: body },
});
const words = (size) =>
  'The quick brown fox jumps over the lazy dog. \n'.repeat(Math.ceil(size / 46)).slice(0, size);

/** A picture that does not compress, as a PNG of so many bytes. */
function png(bytes) {
  const side = Math.floor(Math.sqrt(bytes / 3));
  const raw = Buffer.alloc((side * 3 + 1) * side);
  let state = 1;
  for (let at = 0; at < raw.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    raw[at] = at % (side * 3 + 1) === 0 ? 0 : state >>> 24;
  }
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const tail = Buffer.alloc(4);
    tail.writeUInt32BE(crc32(body));
    return Buffer.concat([head, body, tail]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    magic,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const lines = (count, of) => Array.from({ length: count }, (_, at) => of(at)).join('\n');
const TERMINAL = '20 MB of a terminal, in colour';
const SHAPES = {
  'one string of 50 MB': () =>
    update({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: words(50 * MB) },
    }),
  '500,000 small objects': () => ({
    method: '_list',
    params: {
      items: Array.from({ length: 500_000 }, (_, id) => ({
        id,
        name: `item number ${id}`,
        tags: ['one', 'two'],
        isOpen: id % 2 === 0,
        size: id * 17,
        at: 'x'.repeat(10),
      })),
    },
  }),
  'an image of 20 MB in base64': () =>
    update({
      sessionUpdate: 'user_message_chunk',
      content: { type: 'image', mimeType: 'image/png', data: png(15 * MB).toString('base64') },
    }),
  'a diff of 25 and 25 MB': () =>
    update({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call_1',
      title: 'edit',
      content: [
        {
          type: 'diff',
          path: '/src/big.ts',
          oldText: lines(500_000, (at) => `const line${at} = 'this is what stands here';`),
          newText: lines(
            500_000,
            (at) =>
              `const line${at} = '${at % 100 === 0 ? 'another' : 'this is'} what stands here';`,
          ),
        },
      ],
    }),
  [TERMINAL]: () => ({
    id: 1,
    result: {
      truncated: false,
      output: lines(
        400_000,
        (at) => `\u001b[3${at % 8}mline ${at}\u001b[0m of what a build \u001b[1mwrites\u001b[22m`,
      ),
    },
  }),
};

SHAPES['20 MB of a tool, in colour'] = () =>
  update({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call_2',
    title: 'build',
    kind: 'execute',
    content: [
      { type: 'content', content: { type: 'text', text: SHAPES[TERMINAL]().result.output } },
    ],
  });

const path = join(scratch(), 'large.acptrace.jsonl');
const file = traceFile(path);
let seq = 0;
const sizes = [];
const frame = async (from, body) => {
  const text = JSON.stringify({ jsonrpc: '2.0', ...body });
  seq = await file.frame(from, text);
  return text.length;
};
await frame('agent', {
  id: 1,
  method: 'terminal/output',
  params: { sessionId: SESSION, terminalId: 't1' },
});
for (const make of Object.values(SHAPES)) sizes.push(await frame('agent', make()));
await file.end();

const rows = [];
const worst = (tasks, what) => Math.max(0, ...tasks.map((task) => task[what]));
const watched = async ({ browser, page }, name, work) => {
  const watch = await watchMain(browser, page);
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  const { tasks } = await watch.stop();
  rows.push([
    name,
    took.toFixed(0),
    tasks.filter(({ wall }) => wall > 50).length,
    tasks.filter(({ cpu }) => cpu > 50).length,
    worst(tasks, 'cpu').toFixed(0),
    worst(tasks, 'script').toFixed(0),
  ]);
};

/** A bare page that a worker gives a line of 50 MB. */
async function bare() {
  const pages = {
    '/': '<!doctype html><button>Give</button><script src="/page.js"></script>',
    '/page.js': `const worker = new Worker('/worker.js');
      worker.onmessage = ({ data }) => { document.title = data.length; };
      document.querySelector('button').onclick = () => worker.postMessage('');`,
    '/worker.js': `const line = 'the quick brown fox '.repeat(2_500_000);
      onmessage = () => postMessage(line);`,
  };
  const http = createServer(({ url }, answer) => {
    answer.setHeader('Content-Type', url.endsWith('.js') ? 'text/javascript' : 'text/html');
    answer.end(pages[url] ?? '');
  }).listen(PORT, '127.0.0.1');
  const opened = await openBrowser();
  const { browser, page } = opened;
  await page.goto(`http://127.0.0.1:${PORT}/`);
  await watched(opened, 'a bare page is given 50 MB of text (yardstick)', async () => {
    await page.getByRole('button').click();
    await page.waitForFunction(() => document.title.length > 5);
  });
  await browser.close();
  await new Promise((resolve) => http.close(resolve));
}
await bare();

const relay = await startRelay(PORT);
const opened = await openBrowser();
const { browser, page } = opened;
await page.goto(relay.url);
const chooser = page.waitForEvent('filechooser');
await page.getByRole('button', { name: /Open trace file/ }).click();
await watched(opened, 'open the file', async () => {
  await (await chooser).setFiles(path);
  await page.locator(`[aria-rowcount="${seq + 1}"]`).waitFor({ timeout: 120_000 });
  await page.waitForTimeout(5000);
});
const list = page.locator('[data-focus=list]');
const detail = page.getByRole('region', { name: 'Frame detail' });
await list.press('Home');
const settle = () => page.waitForTimeout(1000);
for (const [at, name] of Object.keys(SHAPES).entries()) {
  await watched(opened, `${name} (${(sizes[at] / MB).toFixed(0)} MB): selected`, async () => {
    await list.press('ArrowDown');
    await detail.locator('.seq', { hasText: `#${at + 2}` }).waitFor({ timeout: 30_000 });
    await settle();
  });
  for (const tab of await detail.getByRole('tab').allTextContents())
    await watched(opened, `  ${tab}`, async () => {
      await detail.getByRole('tab', { name: tab }).click();
      await settle();
    });
  await detail.getByRole('tab', { name: 'Raw' }).click();
  const more = detail.getByRole('button', { name: /^Show .* more/ });
  await watched(opened, '  more of its bytes, three times', async () => {
    for (let time = 0; time < 3 && (await more.isVisible()); time++) await more.click();
    await settle();
  });
  await detail.getByRole('tab', { name: 'JSON' }).click();
  await watched(opened, '  all of its tree opened', async () => {
    await detail.getByRole('tree').focus();
    for (let step = 0; step < 8; step++) await page.keyboard.press('ArrowRight');
    await settle();
  });
}
const conversation = page.getByRole('region', { name: 'Conversation' });
await watched(opened, 'the conversation of all of them: opened', async () => {
  await page.getByRole('button', { name: /^Conversation/ }).click();
  await conversation.locator('article').last().waitFor({ timeout: 60_000 });
  await page.waitForTimeout(5000);
});
for (const title of ['edit', 'build'])
  await watched(opened, `  the output of its tool \`${title}\``, async () => {
    await conversation.getByRole('button', { name: `Output of ${title}` }).click();
    await page.waitForTimeout(5000);
  });
await browser.close();
await relay.stop();
printTable(
  'Frames of 50 MB in the detail',
  ['', 'ms', 'over 50 ms', 'by cpu', 'worst cpu', 'script'],
  rows,
);
