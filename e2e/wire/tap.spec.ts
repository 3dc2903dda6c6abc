// The tap in the place of an agent in an editor's settings: seen live, recorded without a relay, and
// never in the way.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BIN, bundledAgent, program, type Relay } from '../relay.ts';
import { expect, test } from '../scope.ts';
import { isWhole, readEvents } from '../trace-file.ts';

const run = promisify(execFile);

/** An editor whose agent is the tap; gives what the editor was answered. */
async function edit(relay: Relay, cwd: string): Promise<unknown> {
  const tap = [process.execPath, BIN, 'tap', '--name', 'my tap', '--', ...bundledAgent()];
  const { stdout } = await run(process.execPath, [program('editor.mjs'), ...tap], {
    cwd,
    env: relay.env,
  });
  return JSON.parse(stdout);
}

const ANSWERS = { version: 1, stopReason: 'end_turn', code: 0 };

test('An editor’s connection appears in the page by itself', async ({ scope, folder }) => {
  expect(await edit(scope.relay, folder)).toEqual(ANSWERS);
  await expect(scope.rail).toContainText('my tap');
  await expect(scope.row(/client to agent, request, session\/prompt/)).toBeVisible();
  await expect(scope.row(/agent to client, answer, session\/prompt/)).toBeVisible();
  await scope.showConnection();
  await expect(scope.connection).toContainText('small-editor');
  const file = await scope.export('my tap');
  expect(isWhole(file)).toBe(true);
  expect(readEvents(file).at(-1)).toMatchObject({ type: 'exit', code: 0 });
});

test('While the editor talks, the page reads along and may not write', async ({
  scope,
  folder,
}) => {
  const editing = edit(scope.relay, folder);
  await expect(scope.row(/request, initialize/)).toBeVisible();
  await scope.openDrawer('Composer');
  await expect(scope.drawer).toContainText(/An editor is the client|The agent has ended/);
  await expect(scope.button('Send', scope.drawer)).toBeDisabled();
  await editing;
});

test('A tap that arrives leaves who types at the form alone: it is in the rail, and a notice leads to it', async ({
  scope,
  folder,
}) => {
  const command = scope.page.getByRole('textbox', { name: 'Command' });
  const begun = scope.page.getByText('An editor’s connection began.');
  await command.focus();
  const first = edit(scope.relay, folder);
  await expect(begun).toBeVisible();
  await expect(command).toBeFocused();
  expect(await first).toEqual(ANSWERS);
  await expect(begun).toHaveCount(0, { timeout: 30_000 });

  await command.fill('node ./my-agent.js');
  await scope.page.getByRole('heading', { level: 1 }).click();
  await expect(command).not.toBeFocused();
  const second = edit(scope.relay, folder);
  await expect(begun).toBeVisible();
  await expect(command).toHaveValue('node ./my-agent.js');
  await expect(scope.runsOf('my tap')).toHaveCount(2);
  await scope.button('Show').click();
  expect(await second).toEqual(ANSWERS);
  await expect(scope.row(/answer, session\/prompt/)).toBeVisible();
  await scope.connectView();
  await expect(command).toHaveValue('node ./my-agent.js');
});

test('A tap that arrives leaves who reads an ended trace at it', async ({ scope, folder }) => {
  await edit(scope.relay, folder);
  await scope.row(/answer, session\/prompt/).click();
  await scope.view('Session');
  const form = scope.request;
  await expect(form).toBeVisible();
  await edit(scope.relay, folder);
  await expect(scope.page.getByText('An editor’s connection began.')).toBeVisible();
  await expect(scope.runsOf('my tap')).toHaveCount(2);
  await expect(form).toBeVisible();
});

test('What was recorded while no relay ran is there at the next start', async ({
  scope,
  folder,
}) => {
  scope.watch.expect(/ERR_CONNECTION_REFUSED|WebSocket|401|403/);
  // What the page still loads comes from the relay.
  await scope.page.waitForLoadState('networkidle');
  await scope.relay.stop();
  expect(await edit(scope.relay, folder)).toEqual(ANSWERS);
  await scope.relay.start();
  await scope.comeBack(scope.relay.link);
  await scope.runsOf('my tap').first().click();
  await expect(scope.row(/answer, session\/prompt/)).toBeVisible();
  expect(isWhole(await scope.export('my tap'))).toBe(true);
});
