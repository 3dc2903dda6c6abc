// Menus: to stop an agent, of a row, and "go to anything", by pointer and by key.
import type { Locator, Page } from '@playwright/test';
import { expectNoViolation } from '../axe.ts';
import { expect, test } from '../scope.ts';

/** The lines of the open menu, without keys and what is said beside them. */
function lines(page: Page): Promise<readonly string[]> {
  return page
    .getByRole('menu')
    .getByRole('menuitem')
    .evaluateAll((items) =>
      items.map((item) => {
        const label = item.querySelector('.lines')?.firstChild?.textContent;
        return (label ?? item.getAttribute('aria-label') ?? '').trim();
      }),
    );
}
const focused = (page: Page): Locator => page.locator(':focus');

test('an agent is stopped by one menu, in the same words in its pane, in the rail and in "go to anything"', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled();
  await scope.showConnection();
  const WAYS = ['Close stdin', 'SIGTERM', 'SIGKILL'];
  await scope.button('Stop', scope.connection).press('Enter');
  await expect.poll(() => lines(page)).toEqual(WAYS);
  await expectNoViolation(scope);
  await page.keyboard.press('Escape');
  await expect(scope.button('Stop', scope.connection)).toBeFocused();

  await scope.menuOf('Bundled agent');
  expect((await lines(page)).slice(0, 3)).toEqual(WAYS);
  await page.keyboard.press('Escape');

  await page.keyboard.press('ControlOrMeta+k');
  const field = page.getByRole('combobox', { name: 'Go to anything' });
  await field.fill('kill');
  const options = page.getByRole('option');
  await expect(options.filter({ hasText: 'Stop the agent: SIGTERM' })).toBeVisible();
  await field.fill('crash');
  await expect(page.getByRole('option', { selected: true })).toContainText('SIGKILL');
  await field.press('Enter');
  await expect(scope.rail).toContainText('killed by us');

  // A disabled action shows its reason, and Enter does not choose it.
  await page.keyboard.press('ControlOrMeta+k');
  await field.fill('stop the agent');
  const stop = options.filter({ hasText: 'Stop the agent' });
  await expect(stop).toContainText('ACP Scope started no agent in this trace, or it has ended');
  await expect(stop).toHaveAttribute('aria-disabled', 'true');
  await field.press('Enter');
  await expect(field).toBeVisible();
  await expectNoViolation(scope);
});

test('the menu of a row begins with the cell under the pointer, and goes on with what one wants', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled({ permissions: 'allow once', ask: 'v2' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await scope.turnEnds();
  await scope.view('Trace');
  const row = scope.row(/tool_call_update.*completed/).first();

  await row.locator('.summary').click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Filter: status completed' })).toBeVisible();
  await expectNoViolation(scope);
  await page.keyboard.press('Escape');
  await row.locator('.kind').click({ button: 'right' });
  await expect.poll(async () => (await lines(page))[0]).toBe('Filter: type ntf');
  await page.keyboard.press('Escape');

  // By key, it begins with what the frame is about.
  await expect(scope.frames).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await expect
    .poll(() => lines(page))
    .toEqual([
      'Filter: update tool_call_update',
      'Exclude: update tool_call_update',
      'Filter by',
      'Exclude',
      'Break here…',
      'Map to…',
      'Compare with marked',
      'Compare its turn with another',
      'Restore from here…',
      'Show state here',
      'Session S1, history and restores',
      'Edit and send',
      'Mark…',
      'Go to',
      'Copy',
    ]);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await expect(focused(page)).toContainText('Copy the line');
  expect((await lines(page))[0]).toBe('Back from Copy');
  await expectNoViolation(scope);
  await page.keyboard.press('ArrowLeft');
  await expect(focused(page)).toHaveText('Copy');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Query' })).toHaveValue('');
  await expect(scope.frames.getByRole('row', { name: /tool_call_update/ })).toHaveCount(0);
  await scope.query('');

  await test.step('a rule for such frames is written, and waits to be switched on', async () => {
    await row.click({ button: 'right' });
    await scope.inMenu('Map to…');
    const rules = scope.connection.getByRole('textbox', { name: 'Rules' });
    await expect(rules).toBeFocused();
    await expect(rules).toHaveValue(/"\$\.params": \{[^]*"status": "completed"/);
    await expect(scope.connection).toContainText('Frames cross as they are.');
    await scope.button('Switch on', scope.connection).click();
    await expect(scope.connection).toContainText('Intercept on');
  });
});

test('"go to anything" begins with what can be done here', async ({ scope }) => {
  const { page } = scope;
  await scope.button('Open the example').click();
  await expect(scope.frames.getByRole('row', { selected: true })).toHaveAccessibleName(/^7,/);
  const headings = () => page.locator('.palette-head').allTextContents();
  await page.keyboard.press('ControlOrMeta+k');
  await expect
    .poll(headings)
    .toEqual(['Here', 'Do', 'Connections and traces', 'Sessions', 'Queries']);
  await expect(page.getByRole('option').first()).toContainText('Filter: method session/resume');
  const field = page.getByRole('combobox', { name: 'Go to anything' });
  for (const [typed, found] of [
    ['dark', 'Theme: dark'],
    ['share', 'Save the trace as a file'],
    ['har', 'Open a trace file'],
    ['resume', 'Restore the session…'],
    ['copy markdown', 'Copy as Markdown'],
  ] as const) {
    await field.fill(typed);
    await expect(page.getByRole('option').filter({ hasText: found }).first()).toBeVisible();
  }
  await expectNoViolation(scope);
});

test('the recording and all ways to share it are two menus in the bar on top', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled();
  await expect(scope.recording).toHaveAccessibleName('Recording 2 frames');
  await scope.recording.press('Enter');
  const all = ['Clear the view', 'Start a new trace'];
  const stops = ['Stop: Close stdin', 'Stop: SIGTERM', 'Stop: SIGKILL'];
  await expect.poll(() => lines(page)).toEqual([...all, ...stops]);
  await expectNoViolation(scope);
  await page.getByRole('menuitem', { name: /^Clear the view/ }).press('Enter');
  await expect(page.getByRole('button', { name: /seq>4/ }).first()).toBeVisible();
  await expect(scope.frames.getByRole('row', { name: /initialize/ })).toHaveCount(0);
  await scope.newSession();
  await scope.view('Trace');
  await expect(scope.row(/answer, session\/new/)).toBeVisible();

  await scope.button('Share…').click();
  await expect.poll(() => lines(page)).toEqual(['Save the trace as a file…', 'Save as a scenario']);
  await page.keyboard.press('Escape');
  await scope.view('Session');
  await scope.button('Share…').press('Enter');
  await expect
    .poll(() => lines(page))
    .toEqual([
      'Save the trace as a file…',
      'Save as a scenario',
      'Copy report of the restores as Markdown',
      'Copy report of the restores as text',
    ]);
  await scope.inMenu('Copy report of the restores as text');
  await expect(page.getByText('There is nothing to report yet.')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(scope.recording).toHaveAccessibleName(/^Recording \d+ frames$/);
  await scope.button('Share…').click();
  await expect(page.getByRole('menuitem', { name: 'Save as a scenario' })).toBeInViewport();
  await expectNoViolation(scope);
});

test('permissions are allowed always, or after a time, without a person', async ({ scope }) => {
  const { page } = scope;
  await scope.startBundled({ permissions: 'allow always' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText(/Answered at #\d+: Always allow/);
  await scope.turnEnds();

  await scope.showConnection();
  const choose = async (button: RegExp, choice: string) => {
    await scope.connection.getByRole('button', { name: button }).press('Enter');
    await page.getByRole('menuitemradio', { name: choice }).press('Enter');
  };
  await choose(/^Permissions:/, 'allow once');
  await choose(/^Answered:/, 'after 2 s');
  await expectNoViolation(scope);
  const answers = scope.row(/request_permission/);
  await scope.query('method:session/request_permission type:res');
  await expect(answers).toHaveCount(1);
  await scope.newSession();
  await scope.prompt('mend the fault');
  // The delayed answer is visible: a person can still answer first.
  await scope.openDrawer('Waiting');
  await expect(scope.drawer.getByRole('toolbar', { name: /^Answer / })).toBeVisible();
  await scope.turnEnds();
  await scope.view('Trace');
  await expect(answers).toHaveCount(2);
});
