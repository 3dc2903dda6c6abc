// The editor of a scenario: a form of its steps beside its text, each as the other is.
import { readFileSync } from 'node:fs';
import { expectNoViolation } from '../axe.ts';
import { expect, test } from '../scope.ts';

test('a step typed in the form stands in the text, and a text typed stands in the form', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v1' });
  await scope.checks('Asked of the agent');
  // What stands below comes lower with them.
  await expect(scope.test(/^new \d+ probes/)).toBeVisible();
  await expect(scope.test(/Resume lab.*4 cells/)).toBeVisible();
  await scope
    .test(/^Scenarios|Scenarios/)
    .first()
    .click();
  const steps = scope.behind.getByRole('region', { name: 'Steps' });
  const rows = steps.getByRole('listitem');
  const text = scope.behind.getByRole('textbox', { name: 'Scenario', exact: true });
  await expect(rows).toHaveCount(2);
  await expectNoViolation(scope);

  await scope.button('Add a step', steps).click();
  await scope.page.getByRole('menuitem', { name: 'wait', exact: true }).click();
  await expect(rows).toHaveCount(3);
  await rows.nth(2).getByRole('textbox', { name: 'Step 3: milliseconds' }).fill('120');
  await scope.page.keyboard.press('Tab');
  await expect(text).toContainText('{ "wait": 120 }');
  await expect(scope.behind).toContainText('3 steps, 2 assertions');
  await rows.nth(2).getByRole('textbox', { name: 'Step 3: milliseconds' }).fill('soon');
  await scope.page.keyboard.press('Tab');
  await expect(rows.nth(2)).toContainText('A whole number.');

  await text.click();
  await scope.page.keyboard.press('ControlOrMeta+a');
  await scope.page.keyboard.insertText('{"steps":[{"kill":"SIGKILL","x-own":1.0}]}');
  await expect(rows).toHaveCount(1);
  await scope.pick(/^Step 1: kind:/, 'restart');
  await expect(text).toContainText('"x-own":1.0');
});

test('an earlier scenario is chosen beside the one in the editor, and a stored trace beside the one looked at', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled({ ask: 'v1', permissions: 'allow once' });
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).fill('scenario…');
  await page.keyboard.press('Enter');
  const text = scope.behind.getByRole('textbox', { name: 'Scenario', exact: true });
  const write = async (name: string) => {
    await text.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(
      `{"name":"${name}","steps":[{"request":"session/new","params":{"cwd":"$cwd","mcpServers":[]}}],"assert":["none(type:err)"]}`,
    );
    await expect(scope.test(new RegExp(`^${name}`))).toBeVisible();
  };
  const run = (words: string) => scope.tests.getByRole('button', { name: words }).click();
  await write('first');
  await run('Run 1 0 prompts');
  await expect(scope.test(/^first pass/)).toBeVisible();
  await scope
    .test(/Scenarios/)
    .first()
    .click();
  await write('second');
  const first = scope.test(/^first pass/);
  await expect(first).toHaveAttribute('aria-checked', 'false');
  await first.click();
  await page.keyboard.press('Space');
  await expect(first).toHaveAttribute('aria-checked', 'true');
  await run('Run 2 0 prompts');
  await expect(scope.test(/^second pass/)).toBeVisible();
  await expect(scope.test(/^first pass.* same/)).toBeVisible();
  await expectNoViolation(scope);

  const file = '../../src/test/fixtures/opencode/1.18.33/turn-v1.acptrace.jsonl';
  await scope.import('told.acptrace.jsonl', readFileSync(new URL(file, import.meta.url)));
  await expect(page.getByRole('heading', { name: 'Trace of told' })).toBeAttached();
  await scope.runsOf('Bundled agent').first().click();
  await scope.checks('Asked of the agent');
  await scope
    .test(/Run a recording again/)
    .first()
    .click();
  const stored = scope.test(/c\d+ told/);
  await expect(stored).toHaveAttribute('aria-checked', 'false');
  await stored.click();
  await page.keyboard.press('Space');
  await expect(stored).toHaveAttribute('aria-checked', 'true');
  await expect(stored).toContainText('1');
});

test('a scenario alters what crosses: its rules are in force before the handshake, from a step on, and after a restart', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled({ ask: 'v1' });
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).fill('scenario…');
  await page.keyboard.press('Enter');
  await scope.behind.getByRole('textbox', { name: 'Scenario', exact: true }).click();
  await page.keyboard.press('ControlOrMeta+a');
  const made = { request: 'session/new', params: { cwd: '$cwd', mcpServers: [] } };
  const none = { on: 'side:agent type:res method:session/new', drop: true };
  const lost = { ...made, wait: false };
  await page.keyboard.insertText(
    JSON.stringify({
      ...{ name: 'altered', protocol: 1, intercept: ['mask-load-session'] },
      steps: [made, { intercept: [none] }, lost, { quiet: 300 }, { restart: true }, lost].concat([
        { quiet: 300 },
        { intercept: [] },
        made,
      ] as never),
      assert: [
        'count(is:intercepted method:initialize) = 1',
        'count(type:res method:session/new) = 2',
        'finding(error) = 0',
      ],
    }),
  );
  await scope.tests.getByRole('button', { name: 'Run 1 0 prompts' }).click();
  await expect(scope.test(/^altered pass/)).toBeVisible();
});

test('what was done over a crash is one scenario: both connections, the signal and the restore, said before it is run', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v1', permissions: 'allow once' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await scope.turnEnds();
  await scope.stopAgent('SIGKILL');
  await scope.startAgain();
  await scope.chooseSession(/mend the fault/);
  await scope.restore('load');
  // Nothing of it is another agent's, though that has sessions too.
  await scope.startBundled({ ask: 'v1', misbehave: 'lossy-replay' });
  await scope.newSession();
  await scope.rail.getByRole('treeitem', { name: / c2\b/ }).first().click();

  await scope.showConnection();
  await scope.button('Make a scenario from this trace…', scope.connection).click();
  const done = 'session/new, 1 prompt, SIGKILL, start again, session/list, session/load';
  await expect(scope.behind).toContainText(`Made of c1, c2: ${done}`);
  await expect(scope.test(/^Bundled agent/)).toContainText(`7 steps, 1 assertion. ${done}`);
  await expectNoViolation(scope);
  await scope.tests.getByRole('button', { name: 'Run 1 1 prompt' }).click();
  await expect(scope.test(/^Bundled agent pass/)).toBeVisible();
});
