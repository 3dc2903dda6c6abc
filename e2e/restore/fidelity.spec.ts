// What a restore brought back, beside what was said live: from the word at the head of the replay window
// to each difference, and to both of its frames.
import { expectNoViolation } from '../axe.ts';
import { bundledAgent } from '../relay.ts';
import { expect, test, type Scope } from '../scope.ts';

const honest = bundledAgent('--seed', '7', '--pace', '0');
const lossy = [...honest, '--misbehave', 'lossy-replay'];
test.use({ relayOptions: { allow: [honest, lossy] } });

const summary = ({ page }: Scope) => page.getByRole('complementary', { name: 'Summary' });
const rows = ({ page }: Scope) => page.getByRole('treegrid', { name: 'Live and replayed' });

/** A session with one turn in it, loaded again on the same connection. */
async function turnAndLoad(scope: Scope, agent: readonly string[], cwd: string): Promise<void> {
  await scope.startCommand(agent, { ask: 'v1', permissions: 'allow once', cwd });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText('tests pass');
  await scope.turnEnds();
  await scope.chooseSession(/mend the fault/);
  await scope.restore('load');
}

test('a load that loses tool calls says so at its head, names each, and leads to both frames', async ({
  scope,
  folder,
}) => {
  await turnAndLoad(scope, lossy, folder);
  const { page } = scope;

  await test.step('the head of the window has the word, and leads to the comparison', async () => {
    await scope.view('Trace');
    await page
      .getByRole('button', { name: /^Protocol violated incomplete/ })
      .first()
      .click();
    await expect(summary(scope)).toContainText('incomplete');
    await expect(summary(scope)).toContainText(/\d+ tool calls?.* (is|are) missing/);
  });

  await test.step('each tool call that is missing is a row, beside what came', async () => {
    await expect(
      rows(scope)
        .getByRole('row', { name: /missing/ })
        .first(),
    ).toBeVisible();
    await expect(rows(scope).getByRole('row', { name: /Turn 1.*mend the fault/ })).toBeVisible();
    await expectNoViolation(scope);
  });

  await test.step('keys go from difference to difference, and to the frame', async () => {
    await rows(scope).focus();
    await page.keyboard.press('n');
    await expect(page.getByText(/difference 1 of \d+/)).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(scope.frames.getByRole('row', { selected: true })).toBeVisible();
  });

  await test.step('beside the rows all of them are drawn small: a click there leads to a row', async () => {
    await page.keyboard.press('4');
    const map = page.getByLabel('Live and replayed, aligned').locator('.map');
    await map.click({ position: { x: 8, y: 2 } });
    await expect(rows(scope).getByRole('row', { selected: true })).toContainText('mend the fault');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(map).toBeHidden();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('the address holds the view, and a mark can be hidden', async () => {
    await page.keyboard.press('4');
    await expect(page).toHaveURL(/#\/compare\//);
    await page.getByRole('group', { name: 'Shown marks' }).getByText('missing').click();
    await expect(rows(scope).getByRole('row', { name: /missing/ })).toHaveCount(0);
  });

  await test.step('its report is copied as the command writes it, the table of restores as Markdown', async () => {
    // The page may not read the clipboard.
    await page.evaluate(() => {
      navigator.clipboard.writeText = (text) => {
        document.documentElement.dataset['copied'] = text;
        return Promise.resolve();
      };
    });
    const copied = () => page.evaluate(() => document.documentElement.dataset['copied'] ?? '');
    await scope.button('Share…').click();
    await scope.inMenu('Copy report of the comparison');
    await expect.poll(copied).toContain('- **INCOMPLETE** ');
    await scope.view('Session');
    await scope.button('Share…').click();
    await scope.inMenu('Copy report of the restores as Markdown');
    await expect.poll(copied).toMatch(/\| v1 \| load \| result \|.*\| violated \| incomplete \|/);
  });
});

test('an honest load is equivalent at most, and what is identical is folded', async ({
  scope,
  folder,
}) => {
  await turnAndLoad(scope, honest, folder);
  await scope.page.keyboard.press('Escape');
  await scope.view('Compare');
  await expect(summary(scope)).toContainText(
    /Nothing is missing or wrong|as (it was|they were) live/,
  );
  const fold = rows(scope)
    .getByRole('row', { name: /^\W*\d+ (identical |equivalent )?items/ })
    .first();
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
});

test('a trace without a restore says what to do', async ({ scope, folder }) => {
  await scope.startCommand(honest, { ask: 'v1', cwd: folder });
  await scope.view('Compare');
  await expect(scope.page.getByRole('heading', { name: 'No restore in this trace' })).toBeVisible();
  await expectNoViolation(scope);
});
