// Child sessions: an agent that delegates shows them as children of their session; a person reads what
// they do, cancels one where it allows that, and asks nothing else of it; Fidelity judges each alone.
import { bundledAgent } from '../relay.ts';
import { expect, test } from '../scope.ts';

const slow = bundledAgent('--seed', '7', '--pace', '10');
const quick = bundledAgent('--seed', '7', '--pace', '0');
test.use({ relayOptions: { allow: [slow, quick] } });

test('a child that works on after the turn is read and cancelled, and takes no prompt', async ({
  scope,
  folder,
}) => {
  const { page } = scope;
  await scope.startCommand(slow, { ask: 'v2', permissions: 'allow once', cwd: folder });
  await scope.newSession();
  await scope.prompt('delegate behind');
  const child = scope.rail.getByRole('treeitem', { name: /^S1\.1 / });
  await expect(child).toBeVisible();
  await child.click();
  await expect(scope.session).toBeVisible();
  await scope.view('Conversation');
  await expect(page.getByText('A child session: its parent writes to it.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Prompt to the agent' })).toBeHidden();
  await page.getByRole('button', { name: 'Cancel its work' }).click();
  await expect(page.getByText('It does not let its work be cancelled.')).toBeVisible();
  await page.getByRole('button', { name: 'Go to the parent' }).click();
  await expect(page.getByRole('textbox', { name: 'Prompt to the agent' })).toBeVisible();
  // There it stands where it began, and is read from.
  await scope.transcript.getByRole('button', { name: /^S1\.1 / }).click();
  await expect(page.getByText('A child session: its parent writes to it.')).toBeVisible();

  await test.step('its frames and its parent’s have a query', async () => {
    const menu = await scope.menuOf('session S1');
    await menu.getByRole('menuitem', { name: 'Its frames and its children’s' }).click();
    await expect(page).toHaveURL(/session%3AS1%2B/);
    // The address is another one before the rows are.
    await expect
      .poll(async () => {
        const { shown, all } = await scope.counts();
        return shown > 10 && shown < all;
      })
      .toBe(true);
  });
});

test('a restore brings the children back, and Fidelity judges each', async ({ scope, folder }) => {
  const { page } = scope;
  await scope.startCommand(quick, { ask: 'v2', permissions: 'allow once', cwd: folder });
  await scope.newSession();
  await scope.prompt('delegate it');
  await scope.turnEnds();
  await scope.view('Restore');
  await scope.restore('start');
  const cameBack = page.getByRole('region', { name: 'What came back of restores' });
  await expect(cameBack.getByText(/^S1\.1/)).toBeVisible();
  // Looked at is what was sent, not its child below it.
  await expect(cameBack.getByRole('heading', { name: /^start/ })).toBeVisible();
  await scope.view('Fidelity');
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await expect(summary.getByText('Child sessions')).toBeVisible();
  await expect(summary.getByText(/^S1\.1/)).toBeVisible();
});
