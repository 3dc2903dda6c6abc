// A trace in one file: opened from the disk, without a relay and without a network.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';

const BIN = fileURLToPath(new URL('../../dist-node/acp-scope.js', import.meta.url));
const run = promisify(execFile);

const HOSTILE =
  '</script><script>document.title="broken out"</script><!--<script> ]]> <img src=x onerror=alert(1)> ${1}`';
const frame = (seq: number, from: string, message: object) =>
  JSON.stringify({
    ...{ type: 'frame', seq, at: seq, from, origin: 'peer' },
    line: { text: JSON.stringify({ jsonrpc: '2.0', ...message }) },
  });
const update = (sessionUpdate: string, text: string) => ({
  method: 'session/update',
  params: { sessionId: 's1', update: { sessionUpdate, content: { type: 'text', text } } },
});
const params = { sessionId: 's1', cwd: '/w', mcpServers: [] };
const TRACE = [
  JSON.stringify({
    ...{ format: 'acptrace', version: 1, created: '2026-11-21T10:41:00.000Z' },
    ...{ tool: 'acp-scope 0.1.0', clock: 'monotonic', name: HOSTILE },
  }),
  frame(1, 'client', { id: 0, method: 'initialize', params: { protocolVersion: 1 } }),
  frame(2, 'agent', {
    id: 0,
    result: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
  }),
  frame(3, 'client', { id: 1, method: 'session/load', params }),
  frame(4, 'agent', update('user_message_chunk', `Hello ${HOSTILE}`)),
  frame(5, 'agent', { id: 1, result: {} }),
  frame(6, 'agent', update('user_message_chunk', 'too late')),
  '',
].join('\n');

test('S-01, S-02, S-05: a trace in one file opens offline, shows findings, conversation and queries, breaks out nowhere, and comes back byte for byte', async ({
  page,
  context,
}, info) => {
  const input = info.outputPath('a & "b".acptrace.jsonl');
  const html = info.outputPath('a.html');
  await writeFile(input, TRACE);
  await run(process.execPath, [BIN, 'export', `${input}#4`, html, '--level', 'all']);

  const asked: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', ({ message }) => faults.push(message));
  await context.setOffline(true);
  const address = pathToFileURL(html).href;
  await page.goto(address);

  const rows = page.getByRole('treegrid', { name: 'Frames' });
  await expect(rows.getByRole('row', { name: /^6, .*too late/ })).toBeVisible();
  // The frame that was named at the command line is the one shown.
  await expect(page.getByRole('complementary', { name: 'Detail' })).toContainText('#4');

  await page.getByRole('navigation', { name: 'Views' }).getByText('Checks').click();
  await page
    .getByRole('main')
    .getByRole('treeitem', { name: /replay\/after-response/ })
    .click();
  await expect(page.getByRole('region', { name: 'Finding', exact: true })).toContainText(
    'all history comes before the answer',
  );
  await page.getByRole('navigation', { name: 'Views' }).getByText('Conversation').click();
  await expect(page.getByRole('main')).toContainText('</script>');
  await page.getByRole('navigation', { name: 'Views' }).getByText('Trace').click();
  await page.getByRole('combobox').first().fill('"too late"');
  await expect(rows.getByRole('row', { name: /^4, / })).toHaveCount(0);
  await expect(rows.getByRole('row', { name: /^6, .*too late/ })).toBeVisible();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save this trace' }).click(),
  ]);
  expect((await readFile(await download.path())).toString()).toBe(TRACE);
  expect(await page.title()).not.toContain('broken out"');
  expect(faults).toEqual([]);
  expect(asked.filter((url) => !url.startsWith('blob:'))).toEqual([address]);

  // The frame in the address comes before the one that was named when it was written.
  const other = await context.newPage();
  await other.goto(`${address}#5`);
  await expect(other.getByRole('complementary', { name: 'Detail' })).toContainText('#5');
});

test('a file of another format is held in ours, whatever leaves it', async ({ page }, info) => {
  const input = info.outputPath('recorded.ndjson');
  const html = info.outputPath('recorded.html');
  const raw = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
  await writeFile(input, `${JSON.stringify({ t: 0, dir: 'client-to-agent', raw })}\n`);
  await run(process.execPath, [BIN, 'export', input, html, '--level', 'all']);
  await page.goto(pathToFileURL(html).href);
  const rows = page.getByRole('treegrid', { name: 'Frames' });
  await expect(rows.getByRole('row', { name: /^1, .*initialize/ })).toBeVisible();
});

test('a recording with a child session opens at its first frame, and leads from parent to child', async ({
  page,
  context,
}, info) => {
  const name = '../../src/test/fixtures/codex-acp/2.6.0/child-live-v2.ndjson';
  const html = info.outputPath('child.html');
  await run(process.execPath, [BIN, 'export', fileURLToPath(new URL(name, import.meta.url)), html]);
  await context.setOffline(true);
  await page.goto(pathToFileURL(html).href);
  const rows = page.getByRole('treegrid', { name: 'Frames' });
  await expect(rows.getByRole('row', { name: /^1, .*initialize/ })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Detail' })).toContainText('#1');
  await page.getByRole('navigation', { name: 'Views' }).getByText('Conversation').click();
  const main = page.getByRole('main');
  await expect(main).toContainText('Just say hello, in plain text.');
  await main.getByRole('button', { name: /Count the lines/ }).click();
  await expect(main).toContainText('wc -l hello.txt');
  await expect(main).not.toContainText('Just say hello, in plain text.');
});
