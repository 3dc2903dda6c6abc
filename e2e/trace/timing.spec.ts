// How long things took: exchanges over time, who was waited for, statistics; from a row to its frames, and a
// picture to copy.
import { expectNoViolation } from '../axe.ts';
import { expect, test, type Scope } from '../scope.ts';

const tree = ({ page }: Scope, name: string) => page.getByRole('tree', { name, exact: true });
const row = (scope: Scope, name: string, words: RegExp) =>
  tree(scope, name).getByRole('treeitem', { name: words });
const show = ({ page }: Scope, part: string) =>
  page.getByRole('group', { name: 'Statistics of' }).getByText(part, { exact: true }).click();

async function restored(scope: Scope): Promise<void> {
  await scope.startBundled({ permissions: 'ask me' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await scope.answer('Allow once');
  await scope.turnEnds();
  await scope.chooseSession(/mend the fault/);
  await scope.restore('start');
}

test('statistics lead to their frames, a person apart from the agent, and leave as a picture', async ({
  scope,
}) => {
  const { page } = scope;
  await restored(scope);
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    navigator.clipboard.writeText = (text) => {
      dataset['copied'] = text;
      return Promise.resolve();
    };
    navigator.clipboard.write = async ([item]) => {
      const blob = await item?.getType('image/png');
      dataset['copied'] = `${blob?.type} ${(blob?.size ?? 0) > 1000}`;
    };
  });
  const copied = () => page.evaluate(() => document.documentElement.dataset['copied'] ?? '');

  await test.step('methods stand by who answers them, and one number for a single call', async () => {
    await page.keyboard.press('Escape');
    await scope.view('Timing');
    await expect(row(scope, 'Latency by method', /session\/prompt.*agent/)).toBeVisible();
    await expect(row(scope, 'Latency by method', /request_permission.*person/)).toBeVisible();
    await expect(row(scope, 'Latency by method', /p50|failed/)).toHaveCount(0);
    const waited = page.getByRole('list', { name: 'Who was waited for' });
    await expect(waited).toContainText('waiting for user');
    await expect(waited).toContainText('agent working');
    await expectNoViolation(scope);
  });

  await test.step('the table is copied as a drawing that stands for itself, and as an image', async () => {
    const copy = async (what: string) => {
      await scope.button('Copy picture').click();
      await page.getByRole('menuitem', { name: what }).click();
    };
    for (const [part, head] of [
      ['Waterfall', 'session/resume'],
      ['Statistics', 'slowest'],
    ]) {
      await copy(`${part} as SVG`);
      await expect.poll(copied).toMatch(new RegExp(`^<svg[^>]*xmlns=.*${head}`, 's'));
      expect(await copied()).not.toMatch(/var\(|class=/);
      await copy(`${part} as PNG`);
      await expect.poll(copied).toBe('image/png true');
    }
  });

  await test.step('turns, restores and usage have tables of their own', async () => {
    await show(scope, 'Turns');
    await expect(row(scope, 'Turns', /user \d/)).toBeVisible();
    await expectNoViolation(scope);
    await show(scope, 'Restores');
    await expect(row(scope, 'Restores', /session\/resume.*a second/)).toBeVisible();
    await expectNoViolation(scope);
    await show(scope, 'Usage');
    await expect(row(scope, 'Usage by session', /S1/)).toBeVisible();
    await expectNoViolation(scope);
  });

  await test.step('a row of the waterfall is zoomed to by keys, and leads to its frames', async () => {
    await expect(row(scope, 'Exchanges and turns', /session\/resume.*restore/)).toBeVisible();
    await expectNoViolation(scope);
    await tree(scope, 'Exchanges and turns').focus();
    await page.keyboard.press('+');
    await expect(scope.button('Whole time')).toBeVisible();
    await page.keyboard.press('-');
    await expect(scope.button('Whole time')).toBeHidden();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/trace\//);
    await expect(scope.frames.getByRole('row', { selected: true })).toContainText('initialize');
  });

  await test.step('a method leads to its requests', async () => {
    await page.keyboard.press('6');
    await show(scope, 'Methods');
    await row(scope, 'Latency by method', /session\/prompt/).click();
    await expect(page).toHaveURL(/q=.*method.*prompt/);
    await expect(scope.row(/session\/prompt/)).toHaveCount(1);
  });
});

test('two agents stand side by side, also on a narrow page', async ({ scope }) => {
  const { page } = scope;
  for (let i = 0; i < 2; i++) {
    await scope.startBundled();
    await scope.newSession();
    await scope.prompt('quick');
    await scope.turnEnds();
  }
  await scope.view('Timing');
  await scope.button('Add a trace beside it').click();
  await page.getByRole('option', { name: /^c1 / }).click();
  await expect(
    row(scope, 'Latency by method', /session\/prompt.*c2 slowest.*c1 slowest/),
  ).toBeVisible();
  const waited = page.getByRole('list', { name: 'Who was waited for' }).getByRole('listitem');
  await expect(waited).toHaveCount(2);
  for (const [part, name] of [
    ['Turns', 'Turns'],
    ['Usage', 'Usage by session'],
  ] as const) {
    await show(scope, part);
    await expect(row(scope, name, /^c1 /)).toBeVisible();
    await expect(row(scope, name, /^c2 /)).toBeVisible();
    await expectNoViolation(scope);
  }
  for (const trace of ['c1', 'c2'])
    await expect(
      row(scope, 'Exchanges and turns', new RegExp(`^${trace} .*session/prompt`)),
    ).toBeVisible();
  await expectNoViolation(scope);
  await show(scope, 'Stalls');
  await expect(scope.page.getByText('No stall over 5 s')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoViolation(scope);
  await scope.button('Remove c1').click();
  await expect(waited).toHaveCount(1);
});
