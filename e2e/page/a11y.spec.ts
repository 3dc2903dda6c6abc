// The page for those who do not see it: no rule of axe is broken in either theme.
import { readFileSync } from 'node:fs';
import { expectNoViolation } from '../axe.ts';
import { expect, test } from '../scope.ts';

const LOADED = new URL(
  '../../src/test/fixtures/claude-code-acp/0.16.2/load-v1.ndjson',
  import.meta.url,
);

test('axe finds nothing from the first screen to a question, light or dark', async ({ scope }) => {
  await expectNoViolation(scope);

  await scope.startBundled({ permissions: 'ask me' });
  await expectNoViolation(scope);
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText('The agent asks');
  await expectNoViolation(scope);
  await scope.openDrawer('Waiting');
  await expectNoViolation(scope);
});

test('axe finds nothing in a restore and its frames, light or dark', async ({ scope }) => {
  await scope.startRestored({ misbehave: 'replay-after-answer' });
  await expectNoViolation(scope);

  await scope.view('Trace');
  await scope.row(/answer, session\/resume/).click();
  await scope.openDrawer('Composer');
  await scope.template('session/prompt');
  await expectNoViolation(scope);
  await scope.detail.getByRole('tab', { name: 'Raw' }).click();
  await scope.openDrawer('Terminal and stderr');
  await expectNoViolation(scope);
  await scope.page.keyboard.press('ControlOrMeta+k');
  await expect(scope.page.getByRole('dialog')).toBeVisible();
  await expectNoViolation(scope);
});

test('axe finds nothing on a narrow page', async ({ scope }) => {
  await scope.startBundled();
  await scope.page.setViewportSize({ width: 600, height: 800 });
  await expectNoViolation(scope);
});

test('axe finds nothing while a view is loading, where an agent has failed, and where the relay is gone', async ({
  scope,
}) => {
  const { page } = scope;
  const size = (width: number) => page.setViewportSize({ width, height: 900 });
  // What fails here is meant to.
  scope.watch.expect(/./);
  const SCRIPT = /\/assets\/timing-[\w-]+\.js$/;
  await page.route(SCRIPT, () => undefined);
  await page.reload();
  await scope.view('Timing');
  await expect(page.locator('main [aria-busy=true]')).toBeVisible();
  await expectNoViolation(scope);
  await page.unroute(SCRIPT);
  await page.reload();

  await scope.startBundled({ misbehave: 'crash-mid-turn', permissions: 'ask me', ask: 'v1' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.rail.getByText(/exited 139/).first()).toBeVisible();
  for (const [width, view] of [
    [1100, 'Trace'],
    [2560, 'Trace'],
    [2560, 'Session'],
    [1100, 'Session'],
    [2560, 'Timing'],
  ] as const) {
    await size(width);
    await scope.view(view);
    await expectNoViolation(scope);
  }
  await size(1280);
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText('The agent asks');
  await size(2560);
  await scope.scriptsAreKept();
  await expectNoViolation(scope);
  await scope.relay.stop('SIGKILL');
  await expect(page.getByText('The relay has ended')).toBeVisible();
  await expectNoViolation(scope);
  await size(1100);
  await expectNoViolation(scope);
  await scope.goToAnything('Library of traces');
  await expectNoViolation(scope);
});

test('Tab goes from region to region: twelve stops at most to the query, and arrows go on in each', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.button('Open the example').click();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
  // As one comes to the page anew: nothing has the focus yet.
  await page.reload();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.getByRole('button', { name: 'Skip to the view' }).focus();
  const focused = page.locator(':focus');
  const query = page.getByRole('combobox', { name: 'Query' });
  let stops = 1;
  for (; stops < 20 && !(await query.evaluate((e) => e.matches(':focus'))); stops++) {
    await page.keyboard.press('Tab');
    if (await scope.rail.getByRole('treeitem').and(focused).count()) {
      await expect(focused).toContainText('start');
      await page.keyboard.press('ArrowDown');
      await expect(focused).toBeVisible();
    }
    if (await focused.evaluate((e) => e.closest('nav[aria-label="Views"]') !== null)) {
      await expect(focused).toHaveAccessibleName(/^Trace/);
      await page.keyboard.press('ArrowRight');
      await expect(focused).toHaveAccessibleName(/^Conversation/);
    }
  }
  expect(stops).toBeLessThanOrEqual(12);

  await page.getByRole('button', { name: 'Skip to the view' }).focus();
  await page.keyboard.press('Enter');
  await expect(scope.frames).toBeFocused();
});

test('What was put away in the rail is so after a reload', async ({ scope }) => {
  await scope.startBundled();
  await scope.newSession();
  const line = (name: RegExp) => scope.rail.getByRole('treeitem', { name });
  await expect(line(/^S1 /)).toBeVisible();
  await line(/^Bundled agent$/).focus();
  await scope.page.keyboard.press('ArrowLeft');
  await expect(line(/^S1 /)).toBeHidden();
  await scope.page.reload();
  await expect(line(/^Bundled agent$/)).toHaveAttribute('aria-expanded', 'false');
});

test('The rail is a tree: one stop of Tab, keys for lines, what belongs to them and their menus', async ({
  scope,
}) => {
  const { page, rail } = scope;
  const { keyboard } = page;
  await scope.startBundled({ permissions: 'allow once' });
  await scope.newSession();
  await scope.newSession();
  await scope.import('another.ndjson', readFileSync(LOADED));
  const tree = rail.getByRole('tree', { name: 'Rail' });
  const line = (name: RegExp) => tree.getByRole('treeitem', { name });
  const focused = page.locator(':focus');
  const another = scope.runsOf('another').first();
  await expect(another).toHaveAttribute('aria-selected', 'true');
  await expectNoViolation(scope);

  expect(await tree.locator('[tabindex="0"]').count()).toBe(1);
  await line(/^Bundled agent$/).focus();
  await expect(focused).toHaveAttribute('aria-level', '1');
  expect(await tree.locator('[tabindex="0"]').count()).toBe(1);

  await keyboard.press('ArrowRight');
  await expect(focused).toHaveAccessibleName(/^S1 /);
  await expect(focused).toHaveAttribute('aria-level', '2');
  await keyboard.press('ArrowRight');
  await expect(focused).toHaveAccessibleName(/^live c1 idle/);
  await expect(focused).toHaveAttribute('aria-level', '3');
  await keyboard.press('ArrowLeft');
  await expect(focused).toHaveAccessibleName(/^S1 /);
  await keyboard.press('ArrowLeft');
  await expect(focused).toHaveAttribute('aria-expanded', 'false');
  await expect(line(/^live c1/)).toHaveCount(1);
  await keyboard.press('ArrowLeft');
  await keyboard.press('ArrowLeft');
  await expect(line(/^S1 /)).toHaveCount(0);
  await keyboard.press('ArrowRight');
  await expect(line(/^S2 /)).toBeVisible();

  await keyboard.type('s2');
  await expect(focused).toHaveAccessibleName(/^S2 /);
  await keyboard.press('Space');
  await expect(scope.session).toBeVisible();
  await expect(line(/^live c1/)).toHaveAttribute('aria-selected', 'true');

  await line(/^S2 /).focus();
  await keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Only its frames' })).toBeVisible();
  await keyboard.press('Escape');
  await expect(line(/^S2 /)).toBeFocused();
  await another.focus();
  await keyboard.press('Enter');
  await expect(another).toHaveAttribute('aria-selected', 'true');
  await another.focus();
  await keyboard.press('Delete');
  await expect(scope.runsOf('another')).toHaveCount(0);
  // What had the focus is gone: the line beside it has it.
  await expect(focused).toHaveRole('treeitem');
});
