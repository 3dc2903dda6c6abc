// Trace replay from the page: a recorded client sent to a live agent through the real relay, watched
// beside the recording; the lines that put the recording in the place of an agent. And what the client
// did, as a scenario.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectNoViolation } from '../axe.ts';
import { program } from '../relay.ts';
import { expect, test, type Scope } from '../scope.ts';

const FIXTURES = fileURLToPath(new URL('../../src/test/fixtures', import.meta.url));

const beside = (scope: Scope, words: RegExp) =>
  scope.page
    .getByRole('tree', { name: 'The recording beside what came' })
    .getByRole('treeitem', { name: words });

async function goTo(scope: Scope, words: string): Promise<void> {
  await scope.page.keyboard.press('ControlOrMeta+k');
  await scope.page.getByRole('combobox', { name: 'Go to anything' }).fill(words);
  await scope.page.keyboard.press('Enter');
}

async function send(scope: Scope): Promise<void> {
  await expect(scope.behind).toContainText(/\d+ recorded frames, 1 prompt among them/);
  await scope.button('Run 1 1 prompt').click();
  await scope.runEnds();
}

test('a trace is replayed to its agent without divergence, and to one that crashes with it', async ({
  scope,
}) => {
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  await scope.prompt('quick');
  await scope.turnEnds();
  await goTo(scope, 'run this recording again');
  await expectNoViolation(scope);

  await send(scope);
  await expect(scope.tests).toContainText('No divergence');
  await expect(beside(scope, /user “quick” matched/)).toBeVisible();
  await expect(scope.tests).toContainText('The sessions are left as they were then.');

  await scope.button('Set it up…').click();
  const command = scope.page.getByRole('textbox', { name: 'Command' });
  await command.fill(`${await command.inputValue()} --misbehave crash-mid-turn`);
  await send(scope);
  await expect(scope.tests).toContainText('The agent ended with code 139.');
  await expect(beside(scope, /turn ends .*missing/)).toBeVisible();
  await expectNoViolation(scope);

  await test.step('both frames of a row are a click away', async () => {
    const row = beside(scope, /user “quick”/);
    await row.getByRole('button', { name: /^c\d+#\d+$/ }).click();
    await expect(scope.row(/trace replay|request, session\/prompt/).first()).toBeVisible();
    await goTo(scope, 'run this recording again');
    await row.getByRole('button', { name: /^c\d+#\d+$/ }).click();
  });
  await test.step('the report is kept, shown with its recording', async () => {
    await goTo(scope, 'run this recording again');
    await scope.page.reload();
    await expect(scope.tests).toContainText('The agent ended with code 139.');
    await scope.button('Set it up…').click();
    const reports = scope.page.getByRole('list', { name: 'Reports' }).getByRole('listitem');
    await expect(reports.nth(1)).toContainText('same story');
  });
  await test.step('the recording as the agent: lines for an editor', async () => {
    await scope.page.getByText('The agent, to a live client').click();
    await scope.page.getByText('Strict', { exact: true }).click();
    await expect(scope.tests.getByRole('tabpanel')).toContainText('"--strict"');
    await expectNoViolation(scope);
  });
});

/** Opens a recording, plays it as the agent by one click, and sends its first two requests by hand. */
async function play(scope: Scope, file: string): Promise<void> {
  await scope.page.getByLabel('Trace files').first().setInputFiles(join(FIXTURES, file));
  await expect(scope.row(/request, initialize/)).toBeVisible();
  await goTo(scope, 'run this recording again');
  await scope.page.getByText('The agent, to a live client').click();
  // It is approved by what it is: this relay has no terminal to ask in.
  await scope.button('Play it here').click();
  await expect(beside(scope, /initialize .*(matched|let pass)/)).toBeVisible();
  await expect(beside(scope, /user “.*waiting/)).toBeVisible();
  for (const method of ['session/new', 'session/prompt']) {
    await scope.button(`Compose ${method}`).click();
    await expect(scope.editor).toContainText(method);
    await scope.send();
    await expect(scope.button(`Compose ${method}`)).toBeHidden();
  }
  await expect(beside(scope, /user “.*matched/)).toBeVisible();
}

test('P-01, P-10: a recording of v2 is played as the agent by one click, each mismatch shown as it comes', async ({
  scope,
}) => {
  await play(scope, 'claude-agent-acp/0.100.0/turn-v2.acptrace.jsonl');
  await expect(scope.tests).toContainText('0 mismatches');
  await expectNoViolation(scope, ['light']);
  await scope.write('{"jsonrpc":"2.0","id":77,"method":"session/set_mode","params":{}}');
  await scope.send();
  const wrong = scope.page.getByRole('region', { name: 'Not as recorded' });
  await expect(wrong).toContainText('The recording has no session/set_mode');
  await scope.button('Close stdin').click();
  await expect(scope.tests).toContainText(/Not as recorded: .*1 mismatch; said \d+ of \d+/);
});

test('a recording of v1 is played to the page, and to an editor by the lines that were copied', async ({
  scope,
  folder,
  context,
}) => {
  await play(scope, 'opencode/1.18.33/turn-v1.acptrace.jsonl');
  await scope.button('Close stdin').click();
  await expect(scope.tests).toContainText('As recorded:');
  await scope.button('Leave out…').click();
  await scope.page.keyboard.type('tool:$.title');
  await scope.page.keyboard.press('Enter');
  await expect(
    scope.tests.getByRole('button', { name: /^Compare tool:\$\.title again/ }),
  ).toBeVisible();

  await scope.button('Set it up…').click();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await scope.page.getByRole('tab', { name: 'Any other' }).click();
  await scope.button('Copy', scope.tests).click();
  const lines = scope.tests.getByRole('tabpanel');
  await expect(lines).toContainText('replays');
  const words = (await lines.innerText()).trim().split(' ');
  const editor = spawn(process.execPath, [program('editor.mjs'), ...words], {
    cwd: folder,
    env: scope.relay.env,
    stdio: 'ignore',
  });
  await scope.runsOf('recorded-tap').first().click();
  await goTo(scope, 'run this recording again');
  await expect(scope.tests).toContainText('as the agent');
  await expect(scope.page.getByRole('region', { name: 'Not as recorded' })).toContainText(
    'session/prompt',
  );
  editor.kill();
});

test('what was done by hand is a scenario that passes; what is wrong with one is said where it stands', async ({
  scope,
}) => {
  const scenario = scope.tests;
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

  await goTo(scope, 'make a scenario');
  await expect(editor).toContainText('"text": "quick"');
  await goTo(scope, 'scenario…');
  await write('{"steps": [{"exspect": "type:err"}]}');
  await expect(scenario).toContainText('There is no step exspect. Did you mean expect?');
  await expectNoViolation(scope);

  const { steps = [], ...rest } = JSON.parse(saved) as { steps?: readonly object[] };
  const failing = {
    ...rest,
    // The pipe is the relay's: it does what the command line does with its own.
    steps: [...steps.map((step) => ({ ...step, fault: { split: 20 } })), { cut: true }],
    assert: ['none(type:err)', 'none(update:agent_message_chunk)'],
  };
  await scope.page
    .getByLabel('Scenario file')
    .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(saved) });
  await scope.button('Run 1 1 prompt').click();
  await expect(scenario).toContainText('Passed: 2 steps taken.');

  await scope.runEnds();
  await scope.button('Edit it').click();
  await write(JSON.stringify(failing));
  await expect(scenario).toContainText('3 steps, 2 assertions');
  await scope.button('Run 1 1 prompt').click();
  await expect(scenario).toContainText('Failed: 3 steps taken. 1 of 2 assertions hold.');
  await scope.button('Smallest trace that fails').click();
  await expect(scenario).toContainText(/What is left still fails, 7 of \d+ frames\./);
  await expectNoViolation(scope);
  await scope
    .test(/Scenarios/)
    .first()
    .click();
  await expect(scope.page.getByRole('list', { name: 'Reports' })).toContainText('passed');
  await scope.test(/^Bundled agent fail/).click();
  await scenario.getByRole('button', { name: /^Open .*, 7 of \d+ frames$/ }).click();
  await goTo(scope, 'show trace');
  await expect(scope.row(/agent_message_chunk/)).toBeVisible();
});
