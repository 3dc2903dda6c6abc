// Trace replay from the page: a recorded client sent to a live agent through the real relay, watched
// beside the recording; the lines that put the recording in the place of an agent. And what the client
// did, as a scenario.
import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Scope } from './scope.ts';

const view = (scope: Scope) => scope.page.getByRole('region', { name: 'Trace replay' });
const beside = (scope: Scope, words: RegExp) =>
  scope.page
    .getByRole('tree', { name: 'The recording beside what came' })
    .getByRole('treeitem', { name: words });

async function goTo(scope: Scope, words: string): Promise<void> {
  await scope.page.keyboard.press('ControlOrMeta+k');
  await scope.page.getByRole('combobox', { name: 'Go to anything' }).fill(words);
  await scope.page.keyboard.press('Enter');
}

async function expectNoViolation(scope: Scope): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await scope.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const axe = new AxeBuilder({ page: scope.page }).include('main');
    // Only colours differ in the dark.
    if (colorScheme === 'dark') axe.withRules(['color-contrast']);
    const { violations } = await axe.analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  }
}

async function send(scope: Scope): Promise<void> {
  await scope.page.getByRole('button', { name: /^Send \d+ recorded frames…/ }).click();
  await expect(view(scope)).toContainText('This sends at most 1 prompt to');
  await expect(scope.button('Cancel', view(scope))).toBeFocused();
  await scope.button('Send 1 prompt').click();
  await expect(scope.button('Run again…')).toBeVisible({ timeout: 30_000 });
}

test('a trace is replayed to its agent without divergence, and to one that crashes with it', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  await scope.prompt('quick');
  await scope.turnEnds();
  await goTo(scope, 'replay this');
  await expectNoViolation(scope);

  await send(scope);
  await expect(view(scope)).toContainText('No divergence');
  await expect(beside(scope, /user “quick” matched/)).toBeVisible();
  await expect(view(scope)).toContainText('The sessions are left as they were then.');

  await scope.button('Run again…').click();
  const command = scope.page.getByRole('textbox', { name: 'Command' });
  await command.fill(`${await command.inputValue()} --misbehave crash-mid-turn`);
  await send(scope);
  await expect(view(scope)).toContainText('The agent ended with code 137.');
  await expect(beside(scope, /turn ends .*missing/)).toBeVisible();
  await expectNoViolation(scope);

  await test.step('both frames of a row are a click away', async () => {
    const row = beside(scope, /user “quick”/);
    await row.getByRole('button', { name: /^c\d+#\d+$/ }).click();
    await expect(scope.row(/trace replay|request, session\/prompt/).first()).toBeVisible();
    await goTo(scope, 'replay this');
    await row.getByRole('button', { name: /^c\d+#\d+$/ }).click();
  });
  await test.step('the report is kept, shown with its recording', async () => {
    await goTo(scope, 'replay this');
    await scope.page.reload();
    await expect(view(scope)).toContainText('The agent ended with code 137.');
    await scope.button('Reports · 2').click();
    const reports = scope.page.getByRole('list', { name: 'Reports' }).getByRole('listitem');
    await expect(reports.nth(1)).toContainText('same story');
    await scope.button('Back').click();
  });
  await test.step('the recording as the agent: lines for an editor', async () => {
    await scope.button('Run again…').click();
    await scope.page.getByText('The agent, to a live client').click();
    await scope.page.getByText('Strict', { exact: true }).click();
    await expect(view(scope).getByRole('tabpanel')).toContainText('"--strict"');
    await expectNoViolation(scope);
  });
});

test('what was done by hand is a scenario that passes; what is wrong with one is said where it stands', async ({
  scope,
}) => {
  const scenario = scope.page.getByRole('region', { name: 'Scenario', exact: true });
  const editor = scope.page.getByRole('textbox', { name: 'Scenario', exact: true });
  const write = async (text: string) => {
    await editor.click();
    await scope.page.keyboard.press('ControlOrMeta+a');
    await scope.page.keyboard.insertText(text);
  };
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  await scope.prompt('quick');
  await scope.turnEnds();
  const menu = await scope.menuOf('Bundled agent');
  const [download] = await Promise.all([
    scope.page.waitForEvent('download'),
    menu.getByRole('menuitem', { name: 'Save as a scenario' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('bundled-agent.scenario.json');
  const saved = await readFile(await download.path(), 'utf8');

  await goTo(scope, 'scenario…');
  await write('{"steps": [{"exspect": "type:err"}]}');
  await expect(scenario).toContainText('There is no step exspect. Did you mean expect?');
  await expectNoViolation(scope);

  const failing = {
    ...(JSON.parse(saved) as object),
    assert: ['none(type:err)', 'count(is:replay) = 3'],
  };
  await scope.page
    .getByLabel('Scenario file')
    .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(saved) });
  await scope.button('Run 2 steps…').click();
  await expect(scenario).toContainText('This sends at most 1 prompt to Bundled agent.');
  await scope.button('Send 1 prompt').click();
  await expect(scenario).toContainText('Passed: 2 steps taken.', { timeout: 30_000 });

  await scope.button('Run again…').click();
  await write(JSON.stringify(failing));
  await scope.button('Run 2 steps…').click();
  await scope.button('Send 1 prompt').click();
  await expect(scenario).toContainText('1 of 2 assertions hold.', { timeout: 30_000 });
  await expect(
    scenario.getByRole('listitem').filter({ hasText: 'count(is:replay)' }),
  ).toContainText('no frame matches');
  await expectNoViolation(scope);
  await scope.button('Reports · 2').click();
  await expect(scope.page.getByRole('list', { name: 'Reports' })).toContainText('passed');
});
