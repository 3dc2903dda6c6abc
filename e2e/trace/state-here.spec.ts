// From a frame or a finding to what a client ought to believe there; what a recording that ended
// leaves open; and marks beyond their rows.
import { readFileSync } from 'node:fs';
import { expect, test } from '../scope.ts';

const PERMKILL = readFileSync(
  new URL('../../src/test/fixtures/claude-agent-acp/0.100.0/permkill-v1.ndjson', import.meta.url),
);

test.beforeEach(async ({ scope }) => {
  await scope.import('permkill.ndjson', PERMKILL);
  await expect(scope.page.getByText('37 of 37 frames')).toBeVisible();
});

test('S leads from a selected frame to the state there, and L back to the end', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.row(/answer, session\/prompt.*end_turn/).click();
  await scope.view('Conversation');
  await expect(scope.transcript).toContainText('Not answered in this trace.');
  await expect(scope.button('State at #38')).toBeVisible();
  await scope.transcript.press('s');
  await expect(scope.state.getByText('This frame changes')).toBeVisible();
  await expect(scope.transcript).not.toContainText('The agent asks');
  await expect(page).toHaveURL(/at=38/);
  await scope.transcript.press('l');
  await expect(scope.transcript).toContainText('The agent asks');
});

test('S leads from a finding to the state at its frame', async ({ scope }) => {
  const { page } = scope;
  await scope.checks('Found in this trace');
  const tree = scope.findings.getByRole('tree');
  await tree
    .getByRole('treeitem', { name: /method\/unstable/ })
    .first()
    .click();
  await expect(scope.button('Show state here', scope.finding)).toBeVisible();
  await tree.press('s');
  await expect(page).toHaveURL(/conversation.*at=2/);
  await expect(scope.state.getByText('State at')).toBeVisible();
});

test('What was offered stands in the card, and Waiting says that the recording ends', async ({
  scope,
}) => {
  await scope.view('Conversation');
  const offered = scope.transcript.getByRole('list', { name: 'Offered' });
  await expect(offered.getByRole('listitem')).toHaveText([/^Allow once/, /^Reject once/]);
  await expect(offered.getByRole('button')).toHaveCount(0);
  await scope.openDrawer('Waiting');
  await expect(scope.drawer).toContainText('The recording ends here. This was still open then:');
  await expect(scope.drawer).toContainText(/Time waiting: usually /);
});

test('A mark stands in the strip and in the detail', async ({ scope }) => {
  const { page } = scope;
  await scope.row(/answer, session\/prompt.*end_turn/).click();
  await scope.frames.press('m');
  await page.getByRole('dialog').getByRole('textbox').fill('the turn ends here');
  await page.keyboard.press('Enter');
  await expect(scope.detail.getByTitle('Marked: the turn ends here')).toBeVisible();
  await expect(page.getByRole('img', { name: /marks at 1 places/ })).toBeVisible();
});

test('The sheet of keys gives the focus back', async ({ scope }) => {
  const { page } = scope;
  await scope.row(/answer, session\/prompt.*end_turn/).click();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toContainText('What a client ought to believe');
  // In one task: before the browser tells that the dialog is closed, as on a busy machine.
  await keys.evaluate((element: HTMLDialogElement) => {
    element.close();
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key: '?', bubbles: true }),
    );
  });
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
  await expect(keys).toBeVisible();
  await keys.getByRole('button', { name: 'Close' }).click();
  await expect(keys).toBeHidden();
  await expect(scope.frames).toBeFocused();
});
