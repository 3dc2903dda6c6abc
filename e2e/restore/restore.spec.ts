// Restores made by hand: every shape of both versions, what the line is, what comes of it, and which
// frames are history replay.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledAgent } from '../relay.ts';
import { expect, test, type Scope } from '../scope.ts';

const agent = bundledAgent('--seed', '7', '--pace', '0');
test.use({ relayOptions: { allow: [agent] } });

/** A session with one whole turn in it, and its agent killed and started again. */
async function aKilledSession(scope: Scope, ask: 'v1' | 'v2', cwd: string): Promise<void> {
  await scope.startCommand(agent, { ask, permissions: 'allow once', cwd });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText('tests pass');
  await scope.turnEnds();
  await scope.kill();
  await scope.startAgain();
  await scope.chooseSession(/mend the fault/);
}

test('v1: load replays the history, resume does not', async ({ scope, folder }) => {
  await aKilledSession(scope, 'v1', folder);
  await expect(scope.shape('load')).toBeVisible();
  await expect(scope.request.getByRole('button', { name: /^Session:/ })).toContainText(
    'mend the fault',
  );

  await scope.restore('load');
  await expect(scope.result(/load v1 .*\d (replayed|equivalent)/)).toBeVisible();
  await scope.restore('resume');
  await expect(scope.result(/resume v1 nothing replayed/)).toBeVisible();

  await scope.view('Trace');
  await expect(scope.row(/Replay window, load/)).toBeVisible();
  await expect(scope.row(/Replay window, load/)).not.toHaveAccessibleName(/ 0 updates/);
  await scope.query('is:replay');
  await expect(scope.row(/not allowed/)).toHaveCount(0);
  await scope.query('');

  await scope.prompt('what did I ask first?');
  await scope.turnEnds();
  await expect(scope.transcript).toContainText('live from here');
  await expect(scope.transcript.getByRole('article', { name: /, replay$/ }).first()).toBeVisible();
  await expect(scope.transcript.getByRole('article', { name: /^Agent/ }).last()).toContainText(
    'mend the fault',
  );
});

test('Where the agent has ended, Send starts it again, and the line goes when it is ready', async ({
  scope,
  folder,
}) => {
  await scope.startCommand(agent, { ask: 'v2', permissions: 'allow once', cwd: folder });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await scope.turnEnds();
  await scope.kill();
  await scope.view('Session');
  await scope.page.getByRole('button', { name: 'Start again and send' }).click();
  await expect(scope.result(/start v2 .*\d (replayed|equivalent)/)).toBeVisible();
  await expect(scope.page.getByRole('button', { name: 'Start again and send' })).toHaveCount(0);
});

test('v2: omitted, null, start, custom, and any JSON typed by hand', async ({ scope, folder }) => {
  await aKilledSession(scope, 'v2', folder);
  const { page } = scope;
  const line = page.getByLabel('Exact line', { exact: true });

  await scope.chooseShape('omitted');
  await expect(line).not.toContainText('replayFrom');
  await scope.restore('omitted');
  await expect(scope.result(/omitted v2 nothing replayed/)).toBeVisible();

  await scope.chooseShape('null');
  await expect(line).toContainText('"replayFrom":null');
  await scope.restore('null');
  await expect(scope.result(/null v2 nothing replayed/)).toBeVisible();

  await scope.restore('start');
  await expect(scope.result(/start v2 \d+ (replayed|equivalent)/)).toBeVisible();

  await test.step('a message that was replayed becomes a cursor', async () => {
    await scope.chooseShape('custom');
    await scope.button('Values').click();
    await page
      .getByRole('option', { name: /^messageId/ })
      .last()
      .click();
    await expect(scope.shape('custom')).toBeVisible();
    await expect(line).toContainText('"replayFrom":{"type":"_message","messageId":"');
    await scope.button('Send', scope.request).click();
    await expect(scope.result(/custom v2 _message .*\d (replayed|equivalent)/)).toBeVisible();
  });

  await scope.restore('unknown');
  await expect(scope.result(/unknown v2 checkpoint rejected .*−?-?32602/)).toBeVisible();

  await test.step('a raw line goes out exactly as typed', async () => {
    await scope.chooseShape('raw JSON');
    const raw = page.getByRole('textbox', { name: 'Exact line, as typed' });
    const typed = (await raw.inputValue())
      .replace('"params":', '"params" : ')
      .replace(/\}\}$/, ',"replayFrom":  {"type":"start","type":"start"} }}');
    await raw.fill(typed);
    await scope.button('Send', scope.request).click();
    await scope.query(`method:session/resume type:req`);
    await scope
      .row(/client to agent, request, session\/resume/)
      .last()
      .click();
    await scope.detail.getByRole('tab', { name: 'Raw' }).click();
    await expect(scope.detail.getByRole('region', { name: /Bytes of/ })).toHaveText(typed);
    await scope.query('');
  });

  await test.step('cursors stand as pins where they came from and where they were sent', async () => {
    await scope.query('type:req method:session/resume');
    await expect(scope.row(/replay cursor A/).first()).toBeVisible();
    await scope.query('');
  });
});

test('A session of v2 is loaded by v1, on a connection started beside the first', async ({
  scope,
  folder,
}) => {
  await aKilledSession(scope, 'v2', folder);
  await scope.pickPart('Connection', /that speaks v1/);
  await expect(scope.rail.getByRole('treeitem', { name: /idle v1/ })).toBeVisible();
  await expect(scope.shape('load')).toBeVisible();
  await scope.pickPart('Session', /mend the fault/);
  await scope.restore('load');
  await expect(scope.result(/load v1 .*\d (replayed|equivalent)/)).toBeVisible();
});

test('“Restore from here” on a frame fills the form in with its cursor', async ({
  scope,
  folder,
}) => {
  await aKilledSession(scope, 'v2', folder);
  await scope.restore('start');
  await scope.selectFrame('is:replay update:agent_message', /agent_message/);
  const resume = scope.button('Restore from here', scope.detail);
  // Its name is read beside its sign, not under the pointer alone.
  await expect(resume).toContainText('Restore from here');
  await resume.click();
  await expect(scope.shape('custom')).toBeVisible();
  await expect(scope.page.getByLabel('Exact line', { exact: true })).toContainText('"_message"');
  await scope.button('Values').click();
  await expect(scope.page.getByRole('option').first()).toHaveAttribute('aria-checked', 'true');
});

test('the head of a window leads to its verdict and figures, its request to the JSON', async ({
  scope,
  folder,
}) => {
  await aKilledSession(scope, 'v2', folder);
  await scope.restore('start');
  await scope.view('Trace');
  // By its words: beside them stand buttons, and one of them leads to Compare.
  await scope
    .row(/Replay window/)
    .getByText(/^resume #/)
    .click();
  await expect(scope.detail).toContainText('followed history, then the answer');
  await expect(scope.detail).toContainText('equivalent Nothing is missing or wrong');
  await expect(scope.detail).toContainText('To the first');
  await expect(scope.detail).toContainText('Overhead');
  await scope.row(/answer, initialize/).click();
  await expect(scope.detail.getByRole('tab', { name: 'JSON' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});

test.describe('an agent that takes its time to begin', () => {
  // It begins once there is a file `go` where it runs.
  const later = `import { existsSync } from 'node:fs';
    while (!existsSync('go')) await new Promise((next) => setTimeout(next, 50))`;
  const module = `data:text/javascript;base64,${Buffer.from(later).toString('base64')}`;
  const slowly = [process.execPath, '--import', module, ...agent.slice(1)];
  test.use({ relayOptions: { allow: [slowly] } });

  test('A restore sent before the answer to initialize waits for it, and can go at once', async ({
    scope,
    folder,
  }) => {
    const go = join(folder, 'go');
    writeFileSync(go, '');
    await scope.startCommand(slowly, { ask: 'v1', permissions: 'allow once', cwd: folder });
    await scope.newSession();
    await scope.prompt('mend the fault');
    await scope.turnEnds();
    const waits = scope.page.getByText('It is sent once the agent has answered');
    const sendEarly = async () => {
      await scope.kill();
      rmSync(go);
      await scope.button('Start again', scope.connection).click();
      await expect(scope.row(/request, initialize/)).toBeVisible();
      await scope.view('Session');
      const sending = scope.request;
      await scope.button('Send', sending).click();
      await expect(waits).toBeVisible();
    };

    await sendEarly();
    // Who goes elsewhere does not send it.
    await scope.view('Trace');
    writeFileSync(go, '');
    await expect(scope.row(/answer, initialize/)).toBeVisible();
    await scope.view('Session');
    await expect(waits).toBeHidden();
    await scope.view('Trace');
    await expect(scope.row(/answer, initialize/)).toBeVisible();
    await expect(scope.row(/session\/(load|resume)/)).toHaveCount(0);

    await sendEarly();
    writeFileSync(go, '');
    await expect(waits).toBeHidden();
    await scope.view('Trace');
    await expect(scope.row(/answer, session\/load/)).toBeVisible();

    await sendEarly();
    await scope.button('Send now').click();
    await scope.view('Trace');
    await expect(scope.row(/request, session\/(load|resume)/)).toBeVisible();
    await expect(scope.row(/answer, initialize/)).toHaveCount(0);
    writeFileSync(go, '');
  });
});
