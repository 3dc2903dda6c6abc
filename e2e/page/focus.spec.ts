// Keys work where the focus is. So it goes along: into a trace that was opened, and into the view
// that a key asked for; and what a jump leads to is never hidden.
import { readFileSync } from 'node:fs';
import { Talk } from '../chaos/talk.ts';
import { expect, test, type Scope } from '../scope.ts';

const LOADED = new URL(
  '../../src/test/fixtures/claude-code-acp/0.16.2/load-v1.ndjson',
  import.meta.url,
);

const selected = ({ page }: Scope) =>
  page.getByRole('treegrid', { name: 'Frames' }).locator('[aria-selected=true]');

test('keys work at once in a trace that was opened, and in each view that a key asks for', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('load.ndjson', readFileSync(LOADED));
  await expect(page.getByRole('treegrid')).toBeFocused();
  // A person presses keys for rows that are there.
  await expect(scope.row(/initialize/).first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(selected(scope)).toHaveCount(1);

  await page.keyboard.press('5');
  const tree = page.getByRole('tree', { name: /findings/i }).first();
  await expect(tree).toBeFocused();
  const before = await tree.getAttribute('aria-activedescendant');
  await page.keyboard.press('j');
  await expect(tree).not.toHaveAttribute('aria-activedescendant', before ?? '');

  await page.keyboard.press('3');
  await expect(scope.session.getByRole('tree', { name: 'What came back' })).toBeFocused();
  await page.keyboard.press('2');
  await expect(scope.transcript).toBeFocused();
  await page.keyboard.press('1');
  await expect(page.getByRole('treegrid')).toBeFocused();
  await page.keyboard.press('n');
  await expect(selected(scope)).toHaveAccessibleName(/hint|warning|error/);

  // Also where it was asked for by words, from a place that stays.
  await scope.button('Settings').focus();
  await scope.goToAnything('Library of traces');
  await expect(page.getByRole('tree', { name: 'Traces' })).toBeFocused();
});

test('after a reload the keyboard is at the list of the view again', async ({ scope }) => {
  await scope.import('load.ndjson', readFileSync(LOADED));
  await expect(scope.row(/initialize/).first()).toBeVisible();
  for (const [view, list] of [
    ['Conversation', scope.transcript],
    ['Session', scope.session.getByRole('tree', { name: 'What came back' })],
    ['Trace', scope.frames],
  ] as const) {
    await scope.view(view);
    await expect(list).toBeVisible();
    await scope.page.reload();
    await expect(list, view).toBeFocused();
  }
});

test('a connection in the rail stays where it is while its menu is open or the keyboard is at it', async ({
  scope,
  folder,
}) => {
  const { page, rail } = scope;
  const names = rail.getByRole('button', { name: /^Actions of/ });
  const talks = [];
  for (const name of ['first', 'second']) {
    talks.push(new Talk(scope.relay, name, 1, 5, folder));
    await expect(rail.getByRole('button', { name: `Actions of ${name}` })).toBeVisible();
  }
  const [first, second] = talks;
  await expect(names).toHaveText(['', '']);
  const order = () => names.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  const before = ['Actions of second', 'Actions of first'];
  expect(await order()).toEqual(before);

  const menu = await scope.menuOf('second');
  await page.keyboard.press('ArrowDown');
  await second?.end();
  await expect(scope.runsOf('second')).toContainText('frames');
  await expect(menu.getByRole('menuitem', { name: /^Delete/ })).toBeVisible();
  await expect(menu.locator(':focus')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(scope.runsOf('second')).toBeFocused();
  expect(await order()).toEqual(before);

  await page.getByRole('treegrid').focus();
  // An agent that ends moves no line.
  expect(await order()).toEqual(before);
  await first?.end();
});

test('a frame that a finding leads to is not under the head of its replay window', async ({
  scope,
}) => {
  const { page } = scope;
  await page.setViewportSize({ width: 1280, height: 620 });
  await scope.import('load.ndjson', readFileSync(LOADED));
  // An opened trace is shown; who goes on before that is brought back.
  await expect(scope.frames).toBeVisible();
  await scope.checks('Found in this trace');
  const lines = scope.findings.getByRole('treeitem');
  await expect(lines.first()).toBeVisible();
  let jumps = 0;
  for (let at = 0; at < (await lines.count()); at++) {
    await lines.nth(at).click();
    const link = scope.finding.getByRole('button', { name: /^#\d+/ }).first();
    if (!(await link.isVisible())) continue;
    await link.click();
    const row = scope.frames.locator('[aria-selected=true]');
    await expect(row).toBeVisible();
    await expect
      .poll(() =>
        row.evaluate((element) => {
          const { left, top, height } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(left + 60, top + height / 2));
        }),
      )
      .toBe(true);
    jumps++;
    await scope.checks('Found in this trace');
    await expect(lines.first()).toBeVisible();
  }
  expect(jumps).toBeGreaterThan(1);
});

test('what is typed right behind the key for “go to anything” stands there, and does nothing below', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('load.ndjson', readFileSync(LOADED));
  await expect(page.getByRole('treegrid')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('show conversation');
  const field = page.getByRole('dialog').getByRole('combobox', { name: 'Go to anything' });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('show conversation');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('n');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/conversation/);
  await scope.view('Trace');
  await expect(page.getByRole('combobox', { name: 'Query' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Highlight', exact: true })).toHaveCount(0);
});

test('Of a menu one item is lit: pointing at one moves the focus to it, and keys go on from there', async ({
  scope,
}) => {
  await scope.page.getByRole('button', { name: 'Settings' }).click();
  const items = scope.page.getByRole('menu', { name: 'Settings' }).locator('button');
  await expect(items.first()).toBeFocused();
  await items.nth(2).hover();
  await expect(items.nth(2)).toBeFocused();
  const lit = () =>
    items.evaluateAll(
      (all) => all.filter((e) => getComputedStyle(e).backgroundColor !== 'rgba(0, 0, 0, 0)').length,
    );
  expect(await lit()).toBe(1);
  await scope.page.keyboard.press('ArrowDown');
  await expect(items.nth(3)).toBeFocused();
  expect(await lit()).toBe(1);
});
