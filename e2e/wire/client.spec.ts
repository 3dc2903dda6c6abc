// We are the client: what we advertise is off until switched on, what the agent asks is answered by
// hand or by the policy that was chosen, and its terminals are shown.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectNoViolation } from '../axe.ts';
import { bundledAgent } from '../relay.ts';
import { expect, test } from '../scope.ts';

const agent = bundledAgent('--pace', '0.2');
test.use({ relayOptions: { allow: [{ argv: agent, roots: ['.'], terminals: true }] } });

test('v1: mode and options are set, and the agent hears of it', async ({ scope, folder }) => {
  await scope.startCommand(agent, { ask: 'v1', permissions: 'ask me', cwd: folder });
  await scope.newSession();
  await scope.pick(/^(v1 )?mode:/i, 'Code');
  await expect(scope.state).toContainText(/mode\s*Code/i);
  await scope.page.getByRole('checkbox', { name: 'Short summaries' }).check();
  await expect(scope.state).toContainText(/Short summaries\s*on/);
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText('passed, 0 failed');
  await scope.turnEnds();
  await expect(scope.transcript).not.toContainText('The agent asks');
  await scope.query('method:session/set_mode,session/set_config_option type:res,err');
  await expect(scope.row(/answer, session\/set_/)).toHaveCount(2);
  await expect(scope.row(/error answer/)).toHaveCount(0);
});

for (const [permissions, outcome] of [
  ['reject', 'I left'],
  ['cancel', 'cancelled'],
] as const)
  test(`Permissions by policy: ${permissions}`, async ({ scope, folder }) => {
    await scope.startCommand(agent, { permissions, cwd: folder });
    await scope.newSession();
    await scope.prompt('mend the fault');
    await scope.turnEnds();
    await scope.query('method:session/request_permission');
    await expect(scope.row(/client to agent, answer, session\/request_permission/)).toHaveCount(1);
    await scope.view('Conversation');
    await expect(scope.transcript).toContainText(new RegExp(outcome, 'i'));
  });

test('A policy can be changed while the agent runs, and never answering leaves it waiting', async ({
  scope,
  folder,
}) => {
  await scope.startCommand(agent, { permissions: 'allow once', cwd: folder });
  await scope.showConnection();
  await scope.connection.getByRole('button', { name: /^Permissions:/ }).press('Enter');
  await scope.page.getByRole('menuitemradio', { name: /^never/ }).press('Enter');
  await scope.newSession();
  await scope.prompt('mend the fault');
  await scope.openDrawer('Waiting');
  await expect(
    scope.drawer.getByRole('group', { name: /Agent session\/request_permission/ }),
  ).toBeVisible();
});

test('A form of the agent is filled in by hand', async ({ scope, folder }) => {
  await scope.startCommand(agent, { cwd: folder });
  await scope.newSession();
  await scope.prompt('ask me something');
  await expect(scope.transcript).toContainText('The agent asks');
  const form = scope.transcript.locator('form');
  await form.getByRole('textbox').fill('a kettle');
  await form.locator('button[aria-haspopup=dialog]').click();
  await form.getByRole('option').nth(1).click();
  await expect(scope.button('Decline', scope.transcript)).toBeEnabled();
  await scope.button('Accept', form).click();
  await scope.turnEnds();
  await expect(scope.transcript.getByRole('article', { name: /^Agent/ }).last()).toContainText(
    'a kettle',
  );
});

test('v1: without files and terminals switched on, the agent is offered none', async ({
  scope,
  folder,
}) => {
  await scope.startCommand(agent, { ask: 'v1', cwd: folder });
  await expect(scope.connection).toContainText(/fs\.readTextFile|read files/i);
  await scope.newSession();
  await scope.prompt('files, please');
  await scope.turnEnds();
  await expect(scope.transcript).toContainText('offers me no files');
});

test('v1: files are read and written inside the chosen folder', async ({ scope, folder }) => {
  writeFileSync(join(folder, 'acp-scope-notes.txt'), 'one line\n');
  await scope.startCommand(agent, {
    ask: 'v1',
    permissions: 'allow once',
    advertise: ['fs.readTextFile', 'fs.writeTextFile'],
    cwd: folder,
  });
  await scope.newSession();
  await scope.prompt('files, please');
  await scope.turnEnds();
  await expect(scope.transcript).toContainText('I wrote it.');
  expect(readFileSync(join(folder, 'acp-scope-notes.txt'), 'utf8')).toBe(
    'one line\nOne more line, by the bundled agent.\n',
  );
});

test('v1: a command of the agent waits for a person, and its terminal is shown', async ({
  scope,
  folder,
}) => {
  await scope.startCommand(agent, { ask: 'v1', advertise: ['terminal'], cwd: folder });
  await scope.newSession();
  await scope.prompt('terminal, please');
  await expect(scope.transcript).toContainText(/node.*--version/);
  await scope.openDrawer('Waiting');
  await expect(scope.drawer.getByRole('group', { name: /Agent terminal\/create/ })).toBeVisible();
  await scope.answer('Allow');
  await scope.turnEnds();
  await expect(scope.transcript).toContainText('It ended with code 0.');
  await scope.openDrawer('Terminal and stderr');
  await scope.drawer.getByRole('tab', { name: /node.*--version/ }).click();
  await expect(scope.drawer.getByRole('tabpanel', { name: /node.*--version/ })).toContainText(
    /v\d+\./,
  );
});

test('v2: a terminal of the agent is shown, and stderr beside it', async ({ scope, folder }) => {
  await scope.startCommand(agent, { ask: 'v2', permissions: 'allow once', cwd: folder });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await scope.turnEnds();
  await scope.openDrawer('Terminal and stderr');
  await expect(scope.drawer).toContainText('acp-scope agent');
  await scope.drawer.getByRole('tab', { name: /npm test/ }).click();
  await expect(scope.drawer.getByRole('tabpanel', { name: /npm test/ })).toContainText('passed');
});

test('Files go along with a prompt as what the agent takes, and stay with the draft over a reload', async ({
  scope,
  folder,
}) => {
  await scope.startCommand(agent, { ask: 'v1', cwd: folder });
  await scope.newSession();
  const prompt = scope.page.getByRole('region', { name: 'Prompt' });
  await prompt.getByLabel('Files for the agent').setInputFiles([
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Tea\n') },
    { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from([137, 80, 78, 71]) },
    { name: 'hum.wav', mimeType: 'audio/wav', buffer: Buffer.from([82, 73, 70, 70]) },
  ]);
  const files = prompt.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
  await expect(files).toHaveCount(3);
  await scope.pick('hum.wav goes as', 'Audio (not advertised)');
  await expect(files.nth(2)).toContainText('promptCapabilities.audio');
  await expectNoViolation(scope);
  await scope.page.reload();
  await expect(files).toHaveCount(3);
  await scope.button('Do not attach hum.wav', prompt).click();
  await scope.prompt('quick');
  await expect(files).toHaveCount(0);
  await scope.turnEnds();
  await scope.query('method:session/prompt type:req');
  await scope
    .row(/request, session\/prompt.*“quick” · resource notes\.md · image image\/png/)
    .click();
  await scope.detail.getByRole('tab', { name: 'Raw' }).click();
  await expect(scope.detail).toContainText('"text":"# Tea\\n"');
});
