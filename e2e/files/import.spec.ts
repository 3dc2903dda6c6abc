// Files of other tools in the page: they open without their tool, and say what they do not hold.
import { readFileSync } from 'node:fs';
import { expectNoViolation } from '../axe.ts';
import { expect, test } from '../scope.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../src/test/fixtures/imports/${name}`, import.meta.url));

test('What Zed copied opens without times, and says what was lost', async ({ scope }) => {
  await scope.import('zed.json', fixture('zed.json'));
  await expect(scope.news).toContainText('Read as the log that Zed copies: 11 frames.');
  await expect(scope.news).toContainText('Lost: times');
  await scope.button('What became of it', scope.news).click();
  const report = scope.page.getByRole('dialog', { name: 'zed.json' });
  await expect(report.getByRole('row', { name: /^times lost/ })).toBeVisible();
  await expect(report.getByRole('row', { name: /^the lines .*11/ })).toBeVisible();
  await expectNoViolation(scope);
  await scope.button('Close', report).click();
  await expect(report).toBeHidden();
  await scope.row(/request, session\/prompt/).click();
  await expect(scope.row(/request, session\/prompt/)).toContainText('–');
  await expect(scope.page.getByRole('slider', { name: 'Playhead' })).toContainText('no times');
  await expect(scope.detail).toContainText('rebuilt');
  await scope.view('Conversation');
  await expect(scope.transcript).toContainText('I rename it.');
  await scope.button('Play').click();
  await expect(scope.transcript).toContainText('I rename it.');

  await test.step('the library tells it later, also after a reload', async () => {
    await scope.page.reload();
    await scope.page.getByRole('button', { name: 'Library of traces' }).click();
    const about = scope.page.getByRole('region', { name: 'Trace', exact: true });
    await expect(about).toContainText('zed.json, the log that Zed copies');
    await scope.button('Import report', about).click();
    await expect(report.getByRole('row', { name: /^times lost/ })).toBeVisible();
  });
});

test('The archive of a JetBrains IDE opens as it is', async ({ scope }) => {
  await scope.import('acp-logs.zip', fixture('jetbrains-acp-logs.zip'));
  await expect(scope.row(/answer, initialize/)).toBeVisible();
  await expect(scope.row(/permission/).first()).toBeVisible();
});

test('Lines that are pasted into the page open as a trace', async ({ scope }) => {
  const text = fixture('prefixed.txt').toString();
  await scope.page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);
  await expect(scope.news).toContainText('Read as plain JSON-RPC lines: 11 frames.');
  await scope.row(/request, session\/prompt/).click();
  await expect(scope.detail).toContainText('sender inferred');
});

test('A file of many frames opens at its first, and stays there when all of it is read', async ({
  scope,
}) => {
  const ask = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"session/list","params":{}}`;
  const lines = Array.from({ length: 2000 }, (_, i) => ask(i + 1)).join('\n');
  await scope.import('long.ndjson', Buffer.from(lines));
  await expect(scope.news).toContainText('2,000 frames');
  await expect(scope.row(/^1, /)).toBeVisible();
});
