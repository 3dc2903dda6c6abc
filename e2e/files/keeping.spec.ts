// What is kept: over a reload in mid-stream, over closing everything, in files, and what can be
// renamed, deleted and had back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledAgent, program } from '../relay.ts';
import { expect, Scope, test } from '../scope.ts';
import { bytesFrom, isWhole, readEvents, sha256 } from '../trace-file.ts';

const witnessed = [process.execPath, program('witness.mjs'), ...bundledAgent('--seed', '7')];
const KEY = 'kk-5f3b9a70c1d2e4';
const keyed = { argv: witnessed, env: { KETTLE_API_KEY: KEY } };
test.use({ relayOptions: { allow: [witnessed, keyed] } });

test('R-26: five reloads while 20,000 frames flood in lose none and store none twice', async ({
  scope,
  folder,
}) => {
  await scope.startCommand(witnessed, { cwd: folder });
  await scope.newSession();
  await scope.prompt('run 20000 at 4000');
  for (let i = 0; i < 5; i++) {
    await scope.page.waitForTimeout(500);
    await scope.page.reload();
  }
  // A page that is loading shows no turn yet, nor that there is none.
  await expect(scope.recording).toContainText(/2\d,\d{3} frames/, { timeout: 30_000 });
  await scope.view('Conversation');
  await scope.turnEnds();
  await scope.kill();
  const file = await scope.export('witness');
  expect(isWhole(file)).toBe(true);
  expect(readEvents(file).length).toBeGreaterThan(20_000);
  for (const side of ['client', 'agent'] as const)
    expect(sha256(bytesFrom(side, file)), `from the ${side}`).toBe(
      sha256(readFileSync(join(folder, `wire.${side}`))),
    );
});

test('A fresh link after closing the tab finds commands and traces again', async ({
  scope,
  folder,
}) => {
  await scope.startCommand(witnessed, { ask: 'v1', cwd: folder });
  await scope.newSession();
  await scope.prompt('quick');
  await scope.turnEnds();
  await scope.kill();
  await scope.comeBack(await scope.relay.freshLink());

  await scope.connectView();
  const recent = scope.page.getByRole('listitem').filter({ hasText: 'witness.mjs' });
  await expect(recent).toContainText(folder);
  const kept = scope.runsOf('witness').first();
  await expect(kept).toHaveAttribute('title', /today.*frames, \d+(\.\d)? kB/s);

  await recent.getByRole('button', { name: /^Start .* again$/ }).click();
  await expect(scope.connection).toContainText('protocol v1');
  await expect(scope.connection).toContainText(folder);
});

test('A secret of the environment outlives no reload: it is typed again once, where Start again leads', async ({
  scope,
  folder,
}) => {
  await scope.startCommand(witnessed, { cwd: folder, env: `KETTLE_API_KEY=${KEY}` });
  await scope.kill();
  await scope.page.reload();
  await scope.button('Start again', scope.connection).click();

  const env = scope.page.getByRole('textbox', { name: 'Environment' });
  await expect(scope.page.getByRole('alert').filter({ hasText: /\S/ })).toContainText(
    'The value of KETTLE_API_KEY is not known here. Type it under Environment',
  );
  await expect(scope.page.getByRole('textbox', { name: 'Command' })).toHaveValue(/witness\.mjs/);
  await env.fill(`KETTLE_API_KEY=${KEY}`);
  await scope.page.getByRole('textbox', { name: 'Command' }).press('Enter');
  await expect(scope.row(/answer, initialize/)).toBeVisible();
  await scope.kill();
  await scope.startAgain();
  await expect(scope.row(/answer, initialize/)).toBeVisible();
});

test('T-19 R-29: a link holds once, and its code is in no address: the second tab is told how to come in, the first comes back', async ({
  scope,
}) => {
  scope.watch.expect(/401|403/);
  const { page } = scope;
  const code = new URL(scope.relay.link).hash.slice(3);
  expect(code.length).toBeGreaterThan(10);
  await page.goto('about:blank');
  await page.goBack();
  await expect(scope.linked).toBeVisible();
  const addresses = () =>
    page.evaluate(() => [location.href, ...navigation.entries().map(({ url }) => url)]);
  expect((await addresses()).filter((address) => address?.includes(code))).toEqual([]);
  const second = await scope.page.context().newPage();
  await second.goto(scope.relay.link);
  await expect(second.getByRole('alert')).toContainText('acp-scope open');
  await second.close();
});

test('T-19: a link that leads out says nothing of where it came from, and gives no hold on the page', async ({
  scope,
}) => {
  const { page } = scope;
  const there = 'https://agentclientprotocol.com';
  scope.watch.leadsTo(there);
  await page.context().route(`${there}/**`, (route) => route.fulfill({ body: 'The protocol' }));
  await scope.button('Open the example').click();
  const [asked, led] = await Promise.all([
    page.context().waitForEvent('request', (request) => request.url().startsWith(there)),
    page.context().waitForEvent('page'),
    scope.detail.getByRole('link', { name: /protocol/ }).click(),
  ]);
  expect(await asked.headerValue('referer')).toBeNull();
  await led.getByText('The protocol').waitFor();
  expect(await led.evaluate(() => [document.referrer, opener])).toEqual(['', null]);
  await led.close();
});

test('S-16: the page listens to no messages of other windows', async ({ scope }) => {
  const session = await scope.page.context().newCDPSession(scope.page);
  const listened = async (expression: string): Promise<readonly string[]> => {
    const { result } = await session.send('Runtime.evaluate', { expression });
    const { listeners } = await session.send('DOMDebugger.getEventListeners', {
      objectId: result.objectId ?? '',
    });
    return listeners.map(({ type }) => type);
  };
  const types = await listened('window');
  expect(types).toContain('keydown');
  expect(types).not.toContain('message');
  expect(await listened('document')).not.toContain('message');
});

test('R-32: two tabs show the same, store it once, and either goes on alone', async ({
  scope,
  folder,
}) => {
  await scope.startCommand(witnessed, { cwd: folder });
  await scope.newSession();
  const second = new Scope(await scope.page.context().newPage(), scope.relay, scope.watch);
  await second.enter(await scope.relay.freshLink());
  await second.runsOf('witness').click();
  await expect(second.row(/answer, session\/new/)).toBeVisible();

  await second.prompt('run 2000 at 2000');
  await expect(scope.transcript).toContainText('run 2000 at 2000');
  await scope.page.close();
  await second.turnEnds();
  await second.kill();
  const file = await second.export('witness');
  expect(isWhole(file)).toBe(true);
  expect(sha256(bytesFrom('agent', file))).toBe(sha256(readFileSync(join(folder, 'wire.agent'))));
});

test('A stored trace is renamed, deleted, and had back', async ({ scope }) => {
  await scope.startBundled();
  await scope.kill();
  const named = (name: string) => scope.runsOf(name);

  await (await scope.menuOf('Bundled agent')).getByRole('menuitem', { name: /Rename/ }).click();
  const field = scope.rail.getByRole('textbox', { name: /New name/ });
  await field.fill('the first');
  await field.press('Enter');
  await expect(named('the first')).toBeVisible();

  await (await scope.menuOf('the first')).getByRole('menuitem', { name: /Delete/ }).click();
  await expect(named('the first')).toHaveCount(0);
  await scope.button('Undo', scope.news).click();
  await expect(named('the first')).toBeVisible();
  await named('the first').click();
  await expect(scope.row(/answer, initialize/)).toBeVisible();

  await (await scope.menuOf('the first')).getByRole('menuitem', { name: /Delete/ }).click();
  await scope.page.reload();
  await expect(scope.footer).toContainText('Relay');
  await expect(named('the first')).toHaveCount(0);
});

test('A trace file is opened by dropping it, and saved again byte for byte', async ({ scope }) => {
  await scope.startBundled();
  await scope.newSession();
  await scope.prompt('quick');
  await scope.turnEnds();
  await scope.kill();
  const file = await scope.export('Bundled agent');
  await (await scope.menuOf('Bundled agent')).getByRole('menuitem', { name: /Delete/ }).click();

  await scope.drop('dropped.acptrace.jsonl', file);
  await expect(scope.row(/answer, initialize/)).toBeVisible();
  expect(sha256(await scope.export('dropped'))).toBe(sha256(file));
});

test('A file that is no trace is refused with a sentence', async ({ scope }) => {
  await scope.import('holiday.acptrace.jsonl', Buffer.from('not a trace\n'));
  await expect(scope.news).toContainText('holiday.acptrace.jsonl');
  await scope.import('newer.acptrace.jsonl', Buffer.from('{"format":"acptrace","version":99}\n'));
  await expect(scope.news).toContainText('This trace is format 99');
});

test('Two connections and three sessions stand side by side', async ({ scope }) => {
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  await scope.newSession();
  await scope.startBundled({ ask: 'v1' });
  await scope.newSession();
  await scope.prompt('reply with SECOND');
  await scope.turnEnds();
  await expect(scope.rail.getByRole('treeitem', { name: /^live c2 / })).toHaveCount(1);
  await expect(scope.rail.getByRole('treeitem', { name: /^S\d/ })).toHaveCount(3);

  await scope.rail
    .getByRole('treeitem', { name: /^live c1 / })
    .last()
    .click();
  await scope.prompt('reply with FIRST');
  await scope.turnEnds();
  await expect(scope.transcript).toContainText('FIRST');
  await expect(scope.transcript).not.toContainText('SECOND');
});

test('Every view shows what is stored, also one that was not looked at before the relay had gone', async ({
  scope,
}) => {
  scope.watch.expect(/ERR_CONNECTION_REFUSED|WebSocket connection/);
  const { page } = scope;
  await scope.button('Open the example').click();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
  await scope.scriptsAreKept();
  await scope.relay.stop('SIGKILL');
  for (const view of ['Session', 'Conversation', 'Compare', 'Checks'] as const) {
    await scope.view(view);
    const busy = page.getByRole('main').locator('[aria-busy=true]');
    await expect(busy).toHaveCount(0);
    await expect(page.getByRole('main')).not.toContainText('could not be loaded');
  }
  await scope.checks('Found in this trace');
  await scope.findings.getByRole('treeitem').last().click();
  await expect(scope.finding).toContainText('Expected');
});

test('A window that grows narrow after the relay has gone leads to what is stored, though no trace was open', async ({
  scope,
}) => {
  scope.watch.expect(/ERR_CONNECTION_REFUSED|WebSocket connection/);
  const { page } = scope;
  await scope.button('Open the example').click();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
  await scope.connectView();
  await page.reload();
  await scope.scriptsAreKept();
  await scope.relay.stop('SIGKILL');
  await page.setViewportSize({ width: 390, height: 844 });
  await scope.button('Connections and traces').click();
  const all = page.getByRole('navigation', { name: 'All connections and traces' });
  await all
    .getByRole('treeitem', { name: /^live, after/ })
    .filter({ hasText: 'example: a broken resume' })
    .click();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
});
