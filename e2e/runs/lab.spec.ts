// The resume lab from the page, with the bundled agent and the real relay: planned, priced, run, and
// each cell with what is behind it.
import { expectNoViolation } from '../axe.ts';
import { readFile } from 'node:fs/promises';
import { expect, test, type Scope } from '../scope.ts';

const cell = (scope: Scope) => scope.page.getByRole('region', { name: 'Cell', exact: true });

/** One cell: session/load after a quiet end. */
async function planOne(scope: Scope, prompt?: string): Promise<void> {
  await scope.goToAnything('Run the resume lab…');
  await scope.page.getByRole('checkbox', { name: 'session/resume' }).uncheck();
  await scope.page.getByRole('checkbox', { name: 'SIGKILL' }).uncheck();
  if (prompt) await scope.page.getByRole('textbox', { name: 'Prompt of turn 1' }).fill(prompt);
  await scope.button('Run 1 3 prompts').click();
  await scope.runEnds();
}
/** The one cell of the matrix. */
const matrix = (scope: Scope) => scope.test(/session\/load/).getByRole('button');

test('a session comes back: restored, compared, asked, its tools proven', async ({ scope }) => {
  await scope.startBundled({ ask: 'v1' });
  await planOne(scope);
  await expect(matrix(scope)).toHaveAccessibleName(/stdin closed: pass (equal|cosmetic) remembers/);
  await matrix(scope).click();
  await expect(cell(scope)).toContainText('as due: history, then the answer');
  await expect(cell(scope)).toContainText('Remembers');
  await expect(cell(scope)).toContainText('yes: it answered LAB-');
  await expect(cell(scope)).toContainText('The MCP server it was given was asked for its tools');
  await expectNoViolation(scope);

  await test.step('the report is saved as one HTML file', async () => {
    await scope
      .test(/^Resume lab|Resume lab/)
      .first()
      .click();
    const saved = scope.page.waitForEvent('download');
    await scope.button('Save as HTML').click();
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text).toContain('does a session come back?');
  });
  await test.step('the restore leads to its frame', async () => {
    await matrix(scope).click();
    await cell(scope)
      .getByRole('button', { name: /^c\d+#\d+$/ })
      .first()
      .click();
    await expect(scope.row(/request, session\/load/).first()).toBeVisible();
  });
});

test('a cell that was clicked goes on by keys, and at the width of a telephone each bar is one line', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v1' });
  await scope.goToAnything('Run the resume lab…');
  const cells = scope.test(/session\/load/).getByRole('button');
  await cells.first().click();
  await expect(cells.first()).toHaveAttribute('aria-pressed', 'true');
  await scope.page.keyboard.press('ArrowRight');
  await expect(cells.nth(1)).toHaveAttribute('aria-pressed', 'true');

  await scope.page.setViewportSize({ width: 390, height: 844 });
  const head = scope.tests.locator('header').first();
  for (const bar of [head, scope.tests.getByRole('toolbar', { name: 'Which cases' })])
    await expect.poll(async () => (await bar.boundingBox())?.height).toBeLessThan(48);
  await expect(scope.button('Run 4 12 prompts')).toBeInViewport({ ratio: 1 });
});

test('a replay that loses tool calls is a failed cell, with both frames of each', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v1', misbehave: 'lossy-replay' });
  await planOne(scope);
  await expect(matrix(scope)).toHaveAccessibleName(/stdin closed: fail lossy/);
  await matrix(scope).click();
  await expect(cell(scope)).toContainText('Live against replayed');
  const came = cell(scope).getByRole('region', { name: 'What came back' });
  await expect(came.getByRole('img', { name: /missing of \d+ items/ })).toBeVisible();
  await expect(cell(scope)).toContainText('The restore, to its answer');
  await expectNoViolation(scope);

  await test.step('run again, it stands below the run before', async () => {
    await scope.behind.getByRole('button', { name: 'Run again…' }).click();
    await scope.runEnds();
    await expect(came.getByRole('img')).toHaveCount(3);
    await expect(scope.behind).toContainText('same as before');
  });
  await test.step('and leads to the comparison', async () => {
    await scope.button('Open in Compare', cell(scope)).click();
    await expect(scope.page.getByRole('complementary', { name: 'Summary' })).toContainText(
      'incomplete',
    );
  });
});

test('a prompt of one’s own is sent in turn 1, and that it used no tool is said', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v1' });
  await planOne(scope, 'quick thanks');
  await matrix(scope).click();
  await expect(scope.behind.getByRole('heading', { level: 2 })).toHaveText(
    'session/load × stdin closed',
  );
  await expect(cell(scope)).toContainText('used no tool');
  await scope.button('Open in Compare', cell(scope)).click();
  await expect(scope.page.getByRole('main')).toContainText('quick thanks');
});
