// What goes wrong in the page itself: it is said, with what to do, and nothing is lost by it.
import type { Page } from '@playwright/test';
import { expect, test } from './scope.ts';

const toldOn = (page: Page) => page.getByRole('alert').filter({ hasText: 'The error is' });

test('a worker whose script cannot be loaded is said, and a reload brings the page back', async ({
  scope,
}) => {
  const { page } = scope;
  scope.watch.expect(/net::ERR_FAILED|could not be loaded/);
  await page.route(/\/assets\/worker-[\w-]+\.js$/, (route) => route.abort());
  await page.reload();
  const told = toldOn(page);
  await expect(told).toContainText('no trace can be read or stored here');
  await expect(told).toContainText('The relay keeps what it records.');
  await expect(told.getByRole('button', { name: 'Copy report' })).toBeVisible();
  await expect(scope.footer).toContainText('The page did not start');
  await page.unrouteAll();
  await told.getByRole('button', { name: 'Reload' }).click();
  await expect(scope.footer).toContainText('Relay');
  await expect(told).toHaveCount(0);
});

test('a call that the worker cannot answer is said once, with an export, and goes when dismissed', async ({
  scope,
}) => {
  const { page } = scope;
  scope.watch.expect(/net::ERR_FAILED|dynamically imported module/);
  await scope.startBundled();
  await page.route(/\/assets\/diffs-[\w-]+\.js$/, (route) => route.abort());
  await scope.view('Diff');
  const told = toldOn(page);
  await expect(told).toContainText('could not do what was asked of it');
  await expect(told).toContainText('dynamically imported module');
  await expect(told.getByRole('button', { name: 'Export trace' })).toBeVisible();
  await told.getByRole('button', { name: 'Dismiss' }).click();
  await expect(told).toHaveCount(0);
  await scope.view('Trace');
  await expect(scope.row(/client to agent, request, initialize/)).toBeVisible();
});

test('a promise of the page that nobody waits for is said, with a way on', async ({ scope }) => {
  const { page } = scope;
  scope.watch.expect(/left alone/);
  await scope.startBundled();
  await page.evaluate(() => void Promise.reject(new Error('left alone')));
  await expect(toldOn(page)).toContainText('left alone');
  await expect(toldOn(page)).toContainText('Stored traces and drafts are kept');
});

test('a part of the page that throws says so in its place, and the rest goes on', async ({
  scope,
}) => {
  const { page } = scope;
  scope.watch.expect(/drawn wrong/);
  await scope.startBundled();
  const body = `export default function () { throw new Error('drawn wrong'); }`;
  await page.route(/\/assets\/findings-[\w-]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  );
  await scope.view('Findings');
  await expect(toldOn(page)).toContainText('drawn wrong');
  await expect(toldOn(page)).toContainText('This part of the page could not be shown');
  await expect(toldOn(page).getByRole('button', { name: 'Try again' })).toBeVisible();
  await scope.view('Trace');
  await expect(scope.row(/client to agent, request, initialize/)).toBeVisible();
});
