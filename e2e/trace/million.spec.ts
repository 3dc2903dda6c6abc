// A trace of a million frames on a screen with two device pixels to a CSS pixel, where browsers
// cannot scroll over so many rows by themselves. `deviceScaleFactor` of a test does not bring that
// limit about; only the switch of the browser itself does, without a viewport of the test's own.
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { Relay } from '../relay.ts';
import { expect, Scope, test } from '../scope.ts';
import { Watch } from '../watch.ts';

const FRAMES = 1_000_000;

async function writeTrace(path: string): Promise<void> {
  const file = createWriteStream(path);
  file.write('{"format":"acptrace","version":1,"created":"2026-01-01T00:00:00Z","tool":"test"}\n');
  const line = JSON.stringify({ text: '{"jsonrpc":"2.0","method":"_tick"}' });
  for (let seq = 1; seq <= FRAMES;) {
    let lines = '';
    for (const end = Math.min(seq + 10_000, FRAMES + 1); seq < end; seq++)
      lines += `{"type":"frame","seq":${seq},"at":${seq},"from":"agent","line":${line},"origin":"peer"}\n`;
    if (!file.write(lines)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

test('R-23: row 1,000,000 is reached at two device pixels to a CSS pixel, and only what is in sight is drawn', async ({
  folder,
  launchOptions,
}) => {
  test.setTimeout(180_000);
  const path = join(folder, 'million.acptrace.jsonl');
  await writeTrace(path);
  const relay = await Relay.start();
  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      '--force-device-scale-factor=2',
      '--window-size=1440,900',
    ],
  });
  try {
    const context = await browser.newContext({ viewport: null });
    const watch = await Watch.over(context, relay.origin);
    const page = await context.newPage();
    const scope = new Scope(page, relay, watch);
    await scope.enter(relay.link);
    expect(await page.evaluate(() => devicePixelRatio)).toBe(2);

    await page.getByLabel('Trace files').first().setInputFiles(path);
    await expect(page.getByText('1,000,000 of 1,000,000 frames')).toBeVisible({ timeout: 120_000 });
    const row = (n: number) => scope.row(new RegExp(`^${n}, agent to client`));

    await test.step('by key', async () => {
      await scope.frames.press('End');
      await expect(row(FRAMES)).toBeInViewport();
      expect(await scope.frames.getByRole('row').count()).toBeLessThan(200);
      await scope.frames.press('Home');
      await expect(row(1)).toBeInViewport();
    });
    await test.step('by its number', async () => {
      await page.keyboard.press('g');
      await expect(page.getByPlaceholder(/^A trace/)).toBeFocused();
      await page.keyboard.type('654321');
      await page.keyboard.press('Enter');
      await expect(row(654_321)).toBeInViewport();
    });
    await test.step('by the scrollbar, to its very end', async () => {
      await scope.frames.evaluate((list) => (list.scrollTop = list.scrollHeight));
      await expect(row(FRAMES)).toBeInViewport();
    });
    await test.step('by the wheel, a row at a time', async () => {
      await scope.frames.hover();
      await page.mouse.wheel(0, -240);
      await expect(row(FRAMES - 15)).toBeInViewport();
    });
    watch.check();
  } finally {
    await browser.close();
    await relay.remove();
  }
});
