// The session over all its connections: when it was lived and restored, what was not tried yet, two rows
// compared, and a second reading where there is room.
import { expectNoViolation } from '../axe.ts';
import { bundledAgent } from '../relay.ts';
import { expect, test } from '../scope.ts';

test('what was not tried is sent by one step, and stands beside what was lived', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v2', permissions: 'allow once' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText('tests pass');
  await scope.turnEnds();
  await scope.view('Session');
  await scope.button('When', scope.session).click();
  const when = scope.session.getByRole('group', { name: 'When' });
  await expect(when.getByRole('button')).toHaveCount(1);
  await expect(when).toContainText('1 prompted');
  const untried = scope.session.getByRole('toolbar', { name: 'Not tried yet' });
  await expectNoViolation(scope);

  await untried.getByRole('button', { name: 'Try one' }).click();
  await scope.page.getByRole('menuitem', { name: 'v2 start' }).click();
  const run = scope.session.getByRole('treeitem', { name: /On a new connection/ });
  await expect(run).toContainText('1 followed');
  await expect(untried).not.toContainText('v2 start');
  await expect(when.getByRole('button')).toHaveCount(2);

  await test.step('what it left a client with, and how long it took', async () => {
    await expect(run).toContainText('1 followed');
    await run.click();
    await scope.session.getByRole('tree').press('ArrowRight');
    const one = scope.session.getByRole('treeitem', { level: 2 });
    await one.click();
    await expect(one).toContainText(/\d m?s$/);
    const about = scope.session.getByRole('region', { name: 'Row of the session' });
    await expect(about).toContainText(
      /last said “Dates are now read in UTC.*plan 3 of 3 done.*left open nothing/s,
    );
    await scope.session.getByRole('tree').press('ArrowLeft');
  });
  await test.step('a lane leads to its row', async () => {
    await when.getByRole('button', { name: /restored anew/ }).click();
    await expect(run).toHaveAttribute('aria-selected', 'true');
  });
  await test.step('two rows are compared', async () => {
    await scope.session.getByRole('treeitem', { name: /live turn 1/ }).click();
    await scope.button('Compare with…', scope.session).click();
    await expectNoViolation(scope);
    await scope.page.getByRole('option', { name: /^start c2#\d+/ }).click();
    await expect(
      scope.page.getByRole('main').getByRole('region', { name: 'Compare' }),
    ).toBeVisible();
  });
  await test.step('with Shift a second row is chosen, by keys and by a click', async () => {
    await scope.view('Session');
    const lived = scope.session.getByRole('treeitem', { name: /live turn 1/ });
    await run.click();
    await scope.session.getByRole('tree').press('ArrowRight');
    const one = scope.session.getByRole('treeitem', { level: 2 });
    const two = scope.button('Compare two', scope.session);
    await lived.click();
    await expect(two).toHaveCount(0);
    await scope.session.getByRole('tree').press('Shift+J');
    await expect(lived).toHaveAttribute('aria-selected', 'true');
    await expect(one).toHaveAttribute('aria-selected', 'true');
    await lived.click();
    await expect(two).toHaveCount(0);
    await one.click({ modifiers: ['Shift'] });
    await expectNoViolation(scope);
    await two.click();
    await expect(
      scope.page.getByRole('main').getByRole('region', { name: 'Compare' }),
    ).toBeVisible();
    await scope.view('Session');
    await run.click();
    await scope.session.getByRole('tree').press('ArrowLeft');
  });
  await test.step('on a wide screen what came back stands beside it, item by item', async () => {
    await scope.page.setViewportSize({ width: 2560, height: 1300 });
    await scope.view('Session');
    await run.click();
    await scope.session.getByRole('tree').press('ArrowRight');
    await scope.session.getByRole('treeitem', { level: 2 }).click();
    await expect(scope.session.getByRole('region', { name: 'Lived and replayed' })).toContainText(
      'mend the fault',
    );
    await expectNoViolation(scope);
  });
});

test.describe('an agent that speaks v1 alone', () => {
  const argv = bundledAgent('--protocol', '1');
  test.use({ relayOptions: { allow: [argv] } });
  test('what only v2 can ask for is not among what was not tried yet', async ({ scope }) => {
    await scope.startCommand(argv, { permissions: 'allow once' });
    await scope.newSession();
    await scope.prompt('mend the fault');
    await expect(scope.transcript).toContainText('tests pass');
    await scope.view('Session');
    const untried = scope.session.getByRole('toolbar', { name: 'Not tried yet' });
    await expect(untried).toContainText('v1 load · v1 resume');
    await expect(untried).not.toContainText('v2');
  });
});
