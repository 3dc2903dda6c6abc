// What goes wrong in the page itself: it is said, with what to do, and nothing is lost by it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Page, Route } from '@playwright/test';
import { expect, test } from '../scope.ts';

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
  await scope.twoTraces();
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
  await page.route(/\/assets\/timing-[\w-]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  );
  await scope.view('Timing');
  await expect(toldOn(page)).toContainText('drawn wrong');
  await expect(toldOn(page)).toContainText('This part of the page could not be shown');
  await expect(toldOn(page).getByRole('button', { name: 'Try again' })).toBeVisible();
  await scope.view('Trace');
  await expect(scope.row(/client to agent, request, initialize/)).toBeVisible();
});

for (const reducedMotion of ['no-preference', 'reduce'] as const)
  test(`a part of the page that is long in coming says what is waited for, motion: ${reducedMotion}`, async ({
    scope,
  }) => {
    const { page } = scope;
    await page.emulateMedia({ reducedMotion });
    let held: Route | undefined;
    await page.route(/\/assets\/library-[\w-]+\.js$/, (route) => void (held = route));
    await page.reload();
    await scope.goToAnything('Library of traces');
    const main = page.getByRole('main');
    await expect(main.locator('[aria-busy]')).toBeVisible();
    await expect(main.getByText('Fetching this part of the page')).toBeVisible();
    await held?.continue();
    await expect(main.getByRole('heading', { name: 'No trace is stored here yet' })).toBeVisible();
    await expect(main.locator('[aria-busy]')).toHaveCount(0);
  });

test('S-17: a service worker that another tool left at this address is retired, and our page comes', async ({
  scope,
}) => {
  const { page, relay } = scope;
  const was = relay.port;
  await page.goto('about:blank');
  await relay.stop();
  const first = `<title>old</title>A page of another tool
    <script>navigator.serviceWorker.register('/tool/sw.js', { scope: '/' })</script>`;
  const worker = `addEventListener('install', () => skipWaiting());
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => event.respondWith(
      new Response('<title>kept</title>It answers for ever', { headers: { 'Content-Type': 'text/html' } })));`;
  const other = createServer((request, response) => {
    const isWorker = request.url === '/tool/sw.js';
    response.writeHead(200, {
      'Content-Type': isWorker ? 'text/javascript' : 'text/html',
      'Service-Worker-Allowed': '/',
    });
    response.end(isWorker ? worker : first);
  });
  other.listen(was, '127.0.0.1');
  await once(other, 'listening');
  await page.goto(relay.origin);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.reload();
  await expect(page.getByText('It answers for ever')).toBeVisible();
  await page.goto('about:blank');
  other.close();
  other.closeAllConnections();
  await once(other, 'close');

  await relay.start();
  expect(relay.port).toBe(was);
  await scope.enter(relay.link);
  await scope.startBundled();
  expect(
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
  ).toBe(0);
});
