// Probes from the page: chosen, priced, asked of the bundled agent through the real relay, and told
// with the frames behind them.
import { expectNoViolation } from '../axe.ts';
import { bundledAgent } from '../relay.ts';
import { expect, test, type Scope } from '../scope.ts';

const result = (scope: Scope, words: RegExp) => scope.test(words);

async function choose(scope: Scope, ids: readonly string[]): Promise<void> {
  await scope.page.keyboard.press('ControlOrMeta+k');
  await scope.page.getByRole('combobox', { name: 'Go to anything' }).fill('probe this');
  await scope.page.keyboard.press('Enter');
  await scope.button('None', scope.tests).click();
  for (const id of ids) {
    const row = scope.test(id).first();
    const family = scope.test(new RegExp(`^${id.split('/')[0]} \\d+ probe`));
    await expect(row.or(family).first()).toBeVisible();
    if (await row.isHidden()) await family.click();
    await row.click();
    await scope.page.keyboard.press('Space');
    await expect(row).toHaveAttribute('aria-checked', 'true');
  }
}

test('probes are chosen by family, and each verdict leads to its frames', async ({ scope }) => {
  await scope.startBundled({ ask: 'v2' });
  await choose(scope, ['list/plain', 'resume2/start', 'resume2/unknown-cursor']);
  await expectNoViolation(scope);

  // The bundled agent costs nothing.
  await scope.button('Run 3 1 prompt').click();

  await expect(result(scope, /list\/plain pass/)).toBeVisible();
  await scope.runEnds();
  await expect(result(scope, /resume2\/start pass/)).toBeVisible();
  await expect(result(scope, /resume2\/unknown-cursor pass/)).toBeVisible();
  await expect(scope.tests).toContainText('First run: nothing to compare with.');
  await expectNoViolation(scope);

  await test.step('the panel of its connection names the run', async () => {
    await scope.showConnection();
    await expect(scope.connection).toContainText(
      /Test it Probes: 3 passed · (today \d\d:\d\d|yesterday)/,
    );
    await scope.checks('Asked of the agent');
  });
  await test.step('a run is one quiet line in the rail', async () => {
    await expect(scope.rail).toContainText('Probes');
  });
  await test.step('a verdict leads to its frame, on another connection', async () => {
    await result(scope, /resume2\/unknown-cursor/).click();
    await scope.behind
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
    await expect(result(scope, /list\/plain pass/)).toBeVisible();
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
    await expect(result(scope, /list\/plain pass/)).toBeVisible();
  });
});

test('the probe meant for a misbehaviour fails, and a run can be stopped', async ({ scope }) => {
  await scope.startBundled({ ask: 'v2', misbehave: 'accepts-unknown-cursor' });
  await choose(scope, ['resume2/unknown-cursor']);
  await scope.button('Run 1 1 prompt').click();
  await expect(result(scope, /resume2\/unknown-cursor fail/)).toBeVisible();
  await expect(scope.button('Failed 1', scope.tests)).toBeVisible();
  await scope.runEnds();

  await scope.test(/Probes \d+ probes/).click();
  await scope.page.getByRole('group', { name: 'Which probes' }).getByText('All').click();
  await scope.tests.getByRole('button', { name: /^Run \d+ \d+ prompts/ }).click();
  await expect(result(scope, /ver\/v1 pass/)).toBeVisible();
  await scope.tests.getByRole('button', { name: /^Stop the run/ }).click();
  await scope.runEnds();
  await expect(scope.tests).toContainText(/Stopped at \d+ of \d+\./);
  // Who stopped it is not told that its agent has ended.
  await expect(scope.page.getByText('so nothing can be sent')).toBeHidden();
  await scope.button('Run the rest').click();
  await expect(scope.tests.getByRole('button', { name: /^Stop the run/ })).toBeVisible();
  // Suites that nobody chose are no rest.
  await expect(scope.test(/^Open Scenarios/)).toHaveAttribute('aria-checked', 'false');
  await scope.tests.getByRole('button', { name: /^Stop the run/ }).click();
  await scope.runEnds();
});

const [node = '', ...words] = bundledAgent();
const paid = [node, '--no-warnings', ...words];
test.describe('an agent that may cost something', () => {
  test.use({ relayOptions: { allow: [paid] } });

  test('the price is asked for before a prompt is sent, and a run belongs to its agent', async ({
    scope,
  }) => {
    await scope.startBundled({ ask: 'v2' });
    await scope.startCommand(paid, { ask: 'v2' });
    await choose(scope, ['resume2/start']);
    await scope.button('Run 1 1 prompt').click();
    await expect(scope.tests).toContainText(/This sends at most 1 prompt to \S/);
    await expect(scope.button('Cancel', scope.tests)).toBeFocused();
    await scope.button('Cancel', scope.tests).click();
    await scope.test(/Probes \d+ probes/).click();
    await scope.tests.getByRole('group', { name: 'Which probes' }).getByText('All').click();
    await scope.tests.getByRole('button', { name: /^Run \d+ \d+ prompts/ }).click();
    await scope.page.getByRole('button', { name: /^Send \d+ prompts/ }).click();
    await expect(result(scope, /ver\/v1 pass/)).toBeVisible();

    await scope.rail.getByRole('treeitem', { name: /^Bundled agent c1\b/ }).click();
    await scope.checks('Asked of the agent');
    await expect(scope.tests).toContainText('A run is in progress on c2 ›');
    await expect(result(scope, /pass/)).toHaveCount(0);
    await scope.button('c2 ›', scope.tests).click();
    await scope.tests.getByRole('button', { name: /^Stop the run/ }).click();
    await scope.runEnds();
  });
});

test('a prompt of one’s own is sent as it is typed, once it has the word that must come back', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v2' });
  await choose(scope, ['resume2/start']);
  await scope
    .test(/Probes/)
    .first()
    .click();
  await scope.tests.getByText('Custom prompts').click();
  const own = scope.tests.getByRole('textbox', { name: 'Of the shared session' });
  await own.fill('Say it, please.');
  await expect(own).toHaveAccessibleDescription(/^It needs \$MARKER in it/);
  await own.fill('Reply with $MARKER, please.');
  await expect(own).toHaveAccessibleDescription('');
  await scope.button('Run 1 1 prompt').click();
  await expect(result(scope, /resume2\/start pass/)).toBeVisible();
  await scope.runEnds();
  await result(scope, /resume2\/start/).click();
  await scope.tests
    .getByRole('button', { name: /^c\d+#\d+/ })
    .first()
    .click();
  // The shared session was made and prompted on a connection of its own, before the one that restores it.
  await scope.rail.getByRole('treeitem', { name: /shared-session/ }).click();
  await scope.query('method:session/prompt type:req');
  await expect(scope.row(/request, session\/prompt/)).toHaveCount(1);
  await expect(scope.row(/request, session\/prompt.*Reply with .*, please/)).toHaveCount(1);
});

test('a run is judged by the edition that the page opened, also after a reload', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v1', misbehave: 'stdout-noise' });
  await choose(scope, ['load/roundtrip']);
  const run = async () => {
    await scope.tests.getByRole('button', { name: /^Run 1 1 prompt$/ }).click();
    await expect(result(scope, /load\/roundtrip pass/)).toBeVisible();
    await scope.runEnds();
  };
  const noise = result(scope, /rule\/frame\/not-json fail/);
  await run();
  await expect(noise).toBeVisible();

  await scope.checks('Found in this trace');
  const chooser = scope.page.waitForEvent('filechooser');
  await scope.button('Open an edition…', scope.findings).click();
  const edition = {
    ...{ format: 'acp-edition', formatVersion: 1, id: 'v1-lenient', version: 1, words: 'lenient' },
    ...{ date: '2027-01-01', source: 'x', on: 'v1-2026-11', counts: { 'frame/not-json': 'off' } },
  };
  const buffer = Buffer.from(JSON.stringify(edition));
  await (await chooser).setFiles([{ name: 'e.json', mimeType: 'application/json', buffer }]);
  await expect(scope.findings.getByRole('button', { name: /^Checked against: / })).toContainText(
    'lenient',
  );
  await scope.page.reload();
  await expect(scope.page).toHaveTitle(/^Bundled agent/);
  // The report that is kept is read before a case is chosen.
  await scope.checks('Asked of the agent');
  await expect(noise).toBeVisible();
  await choose(scope, ['load/roundtrip']);
  await run();
  await expect(noise).toHaveCount(0);
});
