// Two traces of one agent beside each other: what differs is found, leads to its frames and back; ids are
// aliases until somebody switches them off.
import { fileURLToPath } from 'node:url';
import { expectNoViolation } from '../axe.ts';
import { bundledAgent } from '../relay.ts';
import { expect, test, type Scope } from '../scope.ts';
import { HANDSHAKE, recorded } from '../trace-file.ts';

const first = bundledAgent('--seed', '7', '--pace', '0');
const second = bundledAgent('--seed', '8', '--pace', '0');
test.use({ relayOptions: { allow: [first, second] } });

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const rows = ({ page }: Scope) => page.getByRole('treegrid', { name: 'Left and right' });

async function turn(scope: Scope, agent: readonly string[], words: string, cwd: string) {
  await scope.startCommand(agent, { ask: 'v1', permissions: 'allow once', cwd });
  await scope.newSession();
  await scope.prompt(words);
  await scope.turnEnds();
}

test('without a trace the view says that it takes two', async ({ scope }) => {
  await scope.twoTraces();
  await expect(scope.page.getByRole('main')).toContainText('There is no trace here yet. Open two');
});

test('two runs are compared: a difference leads to its frames and back, an alias can be off', async ({
  scope,
  folder,
}) => {
  const { page } = scope;
  await turn(scope, first, 'mend the fault', folder);
  await turn(scope, second, 'mend the other fault', folder);

  await test.step('the view offers the pair of one agent, by name', async () => {
    await page.keyboard.press('Escape');
    await scope.twoTraces();
    await expect(page.getByRole('heading', { name: 'Two traces beside each other' })).toBeVisible();
    await page.getByRole('button', { name: /^Compare .* and / }).click();
    await expect(
      rows(scope)
        .getByRole('row', { name: /mend the other fault/ })
        .first(),
    ).toBeVisible();
    await expect(page).toHaveURL(/#\/compare\/[^?]+\?.*diff=[^&]+~/);
  });

  await test.step('keys go to a difference, to its right frame, and back', async () => {
    await rows(scope).focus();
    await page.keyboard.press('n');
    await expect(page.getByText(/difference 1 of \d+/)).toBeVisible();
    await page.keyboard.press('n');
    const row = rows(scope).getByRole('row', { selected: true });
    await expect(row).toContainText(/≠|−|\+/);
    await page.keyboard.press('x');
    await expect(scope.frames.getByRole('row', { selected: true })).toBeVisible();
    await page.goBack();
    await expect(rows(scope)).toBeVisible();
    await expect(page.getByText(/difference 2 of \d+/)).toBeVisible();
  });

  await test.step('aliases fold; one lists where it stands; off, it makes differences, and comes back', async () => {
    const marks = page.getByRole('group', { name: 'Shown marks' });
    const aliases = page.getByRole('treegrid', { name: 'Aliases' });
    const before = await marks.innerText();
    await page.getByRole('button', { name: /^\d+ aliases/ }).click();
    await page.getByRole('button', { name: /^S1 .*session$/ }).click();
    await expect(aliases).toBeFocused();
    await expect(aliases.getByRole('row', { expanded: true })).toContainText('S1');
    const use = aliases.getByRole('row', { name: /mend the fault/ }).first();
    await expect(use).toBeVisible();
    await expectNoViolation(scope, ['light']);
    await page.getByRole('textbox', { name: 'Filter aliases' }).fill('S1');
    await aliases.getByRole('checkbox', { name: 'Compare S1 by alias' }).uncheck();
    await expect.poll(() => marks.innerText()).not.toBe(before);
    await page.getByRole('button', { name: 'Close the aliases' }).click();
    await expect(rows(scope)).toBeFocused();
    await page.getByRole('button', { name: /^Alias of .* is off/ }).click();
    await expect.poll(() => marks.innerText()).toBe(before);
  });

  await test.step('a rule that cannot be read is told; one that can leaves out', async () => {
    await scope.button('Leave out…').click();
    const field = page.getByRole('textbox', { name: 'Name or path to leave out' });
    await field.fill('$[');
    await field.press('Enter');
    await expect(page.getByText(/cannot be read at/)).toBeVisible();
    await field.fill('user');
    await field.press('Enter');
    await expect(page.getByRole('button', { name: /^Compare user again/ })).toBeVisible();
    await expect(rows(scope).getByRole('row', { name: /user “mend/ })).toHaveCount(0);
    await scope.button('The usual ones').click();
  });

  await test.step('frames are a view too, and a narrow page shows one side', async () => {
    await page.getByRole('group', { name: 'View', exact: true }).getByText('Frames').click();
    await expect(
      rows(scope)
        .getByRole('row', { name: /session\/prompt/ })
        .first(),
    ).toBeVisible();
    await page.getByRole('group', { name: 'View', exact: true }).getByText('Story').click();
    await page.setViewportSize({ width: 390, height: 844 });
    const sides = page.getByRole('group', { name: 'Side shown' });
    await sides.getByText('Right').click();
    await expect(
      rows(scope)
        .getByRole('row', { name: /mend the other fault/ })
        .first(),
    ).toBeVisible();
    await expectNoViolation(scope, ['light']);
  });
});

test('a trace that replays the session of the other is compared with it by one step', async ({
  scope,
}) => {
  const { page } = scope;
  const of = (name: string) => inRepository(`src/test/fixtures/codex-acp/0.16.0/${name}-v1.ndjson`);
  await page
    .getByLabel('Trace files')
    .first()
    .setInputFiles([of('live'), of('load')]);
  for (const name of ['live-v1', 'load-v1']) await expect(scope.runsOf(name).first()).toBeVisible();
  await scope.twoTraces();
  await scope.button('Compare the live session in c1 with the replay in c2').click();
  const figures = page.getByRole('complementary', { name: 'Summary' }).locator('.figures');
  await expect(figures).toBeVisible();
  const asReplay = await figures.innerText();

  await scope.twoTraces();
  await page.getByRole('button', { name: /^Compare .*live-v1 and load-v1/ }).click();
  await expect(page.getByText(/^The right replays a session that the left lived/)).toBeVisible();
  await page.getByRole('button', { name: 'Compare the live session with its replay' }).click();
  await expect(figures).toHaveText(asReplay);
});

test('on a small page one side says what the other alone has, and the rows keep two fifths of the height', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('less.ndjson', recorded(HANDSHAKE));
  await expect(scope.row(/answer, initialize/)).toBeVisible();
  const made = [
    ['c', { id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } }],
    ['a', { id: 1, result: { sessionId: 's1' } }],
  ] as const;
  await scope.import('more.ndjson', recorded([...HANDSHAKE, ...made]));
  await expect(scope.row(/request, session\/new/)).toBeVisible();
  await scope.twoTraces();
  await page.getByRole('button', { name: /^Right trace:/ }).click();
  await page.getByRole('option').filter({ hasText: 'less' }).click();
  const row = rows(scope)
    .getByRole('row')
    .filter({ hasText: 'session/new' })
    .filter({ hasText: 'only left' });
  await expect(row).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page
    .getByRole('group', { name: 'Side shown' })
    .getByRole('radio', { name: 'Right' })
    .check({ force: true });
  await expect(row).toBeVisible();
  for (const [width, height] of [
    [390, 844],
    [720, 450],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    const share = async () => ((await rows(scope).boundingBox())?.height ?? 0) / height;
    await expect.poll(share, { message: `${width}` }).toBeGreaterThanOrEqual(0.4);
  }
});
