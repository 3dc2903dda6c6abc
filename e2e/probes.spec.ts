// Probes from the page: chosen, priced, asked of the bundled agent through the real relay, and told
// with the frames behind them.
import { expectNoViolation } from './axe.ts';
import { expect, test, type Scope } from './scope.ts';

const view = (scope: Scope) => scope.page.getByRole('region', { name: 'Probes', exact: true });
const result = (scope: Scope, words: RegExp) =>
  scope.page
    .getByRole('tree', { name: 'Results of probes' })
    .getByRole('treeitem', { name: words });

async function choose(scope: Scope, ids: readonly string[]): Promise<void> {
  await scope.page.keyboard.press('ControlOrMeta+k');
  await scope.page.getByRole('combobox', { name: 'Go to anything' }).fill('probe this');
  await scope.page.keyboard.press('Enter');
  await scope.button('None', view(scope)).click();
  const tree = scope.page.getByRole('tree', { name: 'Probes to choose from' });
  for (const id of ids) {
    const row = tree.getByRole('treeitem').filter({ hasText: id }).first();
    await row.click();
    await expect(row).toHaveAttribute('aria-checked', 'true');
  }
}

test('probes are chosen, their price is asked for, and each verdict leads to its frames', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v2' });
  await choose(scope, ['list/plain', 'resume2/start', 'resume2/unknown-cursor']);
  await expectNoViolation(scope);

  await scope.button('Run 3 probes…').click();
  await expect(view(scope)).toContainText('This sends at most 1 prompt to Bundled agent');
  await expect(scope.button('Cancel', view(scope))).toBeFocused();
  await scope.button('Cancel', view(scope)).click();
  await scope.button('Run 3 probes…').click();
  await scope.button('Send 1 prompt').click();

  await expect(result(scope, /pass list\/plain/)).toBeVisible();
  await expect(scope.button('Run again…')).toBeVisible();
  await expect(result(scope, /pass resume2\/start/)).toBeVisible();
  await expect(result(scope, /pass resume2\/unknown-cursor/)).toBeVisible();
  await expect(view(scope)).toContainText('1 prompt sent');
  await expectNoViolation(scope);

  await test.step('a run is one quiet line in the rail', async () => {
    await expect(scope.rail).toContainText('Probes');
  });
  await test.step('a verdict leads to its frame, on another connection', async () => {
    await result(scope, /resume2\/unknown-cursor/)
      .getByRole('button', { name: /^c\d+#\d+$/ })
      .first()
      .click();
    await expect(scope.row(/request, session\/resume/).first()).toBeVisible();
  });
  await test.step('the report is kept: after a reload, and deleted by mistake', async () => {
    await scope.page.reload();
    // What can be done is offered once the connection is there again.
    await expect(scope.page).toHaveTitle(/^Bundled agent/);
    await scope.page.keyboard.press('ControlOrMeta+k');
    await scope.page.getByRole('combobox', { name: 'Go to anything' }).fill('probe this');
    await scope.page.keyboard.press('Enter');
    await expect(result(scope, /pass list\/plain/)).toBeVisible();
    await scope.button('Reports · 1').click();
    const reports = scope.page.getByRole('list', { name: 'Reports' }).getByRole('listitem');
    await scope.page.getByRole('button', { name: /^Delete the report/ }).click();
    await expect(reports).toHaveCount(0);
    await scope.button('Undo').click();
    await expect(reports).toHaveCount(1);
    await scope.button('Open', reports).click();
  });
  await test.step('and shown from a connection of the run', async () => {
    await scope.page.keyboard.press('ControlOrMeta+k');
    await scope.page.getByRole('combobox', { name: 'Go to anything' }).fill('probe this');
    await scope.page.keyboard.press('Enter');
    await expect(result(scope, /pass list\/plain/)).toBeVisible();
  });
});

test('the probe meant for a misbehaviour fails, and a run can be stopped', async ({ scope }) => {
  await scope.startBundled({ ask: 'v2', misbehave: 'accepts-unknown-cursor' });
  await choose(scope, ['resume2/unknown-cursor']);
  await scope.button('Run 1 probe…').click();
  await scope.button('Send 1 prompt').click();
  await expect(result(scope, /fail resume2\/unknown-cursor/)).toBeVisible();
  await expect(scope.button('1 failed', view(scope))).toBeVisible();

  await scope.button('Run again…').click();
  await scope.page.getByRole('group', { name: 'Which probes' }).getByText('All').click();
  await scope.page.getByRole('button', { name: /^Run \d+ probes…/ }).click();
  await scope.page.getByRole('button', { name: /^Send \d+ prompts/ }).click();
  await scope.button('Stop the run').click();
  await expect(scope.button('Run again…')).toBeVisible();
  await expect(scope.button('Stop the run')).toBeHidden();
});
