// What goes wrong around an agent: each is a sentence that names cause and fix, where one looks.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { BIN, bundledAgent, program } from '../relay.ts';
import { expect, test } from '../scope.ts';

const missing = ['no-such-agent-anywhere', '--acp'];
const quits = [process.execPath, program('raw.mjs'), 'quit'];
const silent = [process.execPath, program('raw.mjs'), 'silent'];
const leaves = [process.execPath, program('raw.mjs'), 'leaves'];
test.use({ relayOptions: { allow: [missing, quits, silent, leaves] } });

test('R-42: a command that is not found is named under the command', async ({ scope, folder }) => {
  await scope.tryCommand(missing, { cwd: folder });
  await expect(scope.page.getByRole('main').getByRole('alert')).toContainText(
    /no-such-agent-anywhere.*(not found|no program)/i,
  );
});

test('R-42: a folder that does not exist is named under the command', async ({ scope, folder }) => {
  const cwd = join(folder, 'not', 'there');
  await scope.tryCommand(silent, { cwd });
  await expect(scope.page.getByRole('main').getByRole('alert')).toContainText(cwd);
});

test('A command line with an open quote is told while it is typed', async ({ scope }) => {
  await scope.connectView();
  const field = scope.page.getByRole('textbox', { name: 'Command' });
  await field.fill('node "agent.js');
  await expect(field).toHaveAccessibleDescription(/is not closed/);
});

test('P-14: a folder that is not there is told where it is typed, and may be sent all the same', async ({
  scope,
  folder,
}) => {
  const [none, file] = [join(folder, 'none'), join(folder, 'file')];
  writeFileSync(file, '');
  await scope.connectView();
  await scope.openOptions();
  const field = scope.page.getByRole('textbox', { name: 'cwd' });
  await field.fill(none);
  await expect(field).toHaveAccessibleDescription('There is no such folder on this machine.');
  await field.fill(file);
  await expect(field).toHaveAccessibleDescription('This is a file, and no folder.');
  await scope.page.getByRole('textbox', { name: 'Command' }).fill('ws://127.0.0.1:9/acp');
  await expect(field).toHaveAccessibleDescription('');
  await scope.page.getByRole('textbox', { name: 'Command' }).fill('');
  await expect(field).toHaveAccessibleDescription('This is a file, and no folder.');
  await field.fill(folder);
  await expect(field).toHaveAccessibleDescription('');
  await scope.startBundled();
  await scope.showConnection();
  await scope.button('New session…', scope.connection).click();
  const cwd = scope.connection.getByRole('textbox', { name: 'cwd' });
  await cwd.fill(none);
  await expect(cwd).toHaveAccessibleDescription('There is no such folder on this machine.');
  await expect(scope.connection).toContainText('not here');
  await scope.button('Create', scope.connection).click();
  await expect(scope.row(/session\/new/).first()).toBeVisible();
});

test('P-01: a new command, with no terminal to ask in, says how to allow it', async ({ scope }) => {
  const other = [process.execPath, program('raw.mjs'), 'other'];
  await scope.tryCommand(other);
  await expect(scope.page.getByRole('main').getByRole('alert')).toContainText(
    `--allow-command '${JSON.stringify(other)}'`,
  );
});

test('An agent that exits at once says how, and its last words', async ({ scope, folder }) => {
  await scope.tryCommand(quits, { cwd: folder });
  await expect(scope.connection).toContainText(/exited with 7 .*before it answered the handshake/);
  await expect(scope.connection).toContainText('no licence key found');
  await expect(scope.rail).toContainText('exited 7');
});

test('R-40 P-12: a program that an agent left behind is named in its panel, and ended where one says so', async ({
  scope,
  folder,
}) => {
  test.skip(
    process.platform !== 'linux',
    'setsid is of Linux, and so is the environment of others',
  );
  await scope.tryCommand(leaves, { cwd: folder });
  const left = scope.connection.getByRole('status').filter({ hasText: 'still runs' });
  await expect(left).toContainText(
    /1 program that the agent started still runs: sleep \(pid \d+\)/,
  );
  const pid = Number(/pid (\d+)/.exec(await left.innerText())?.[1]);
  await scope.button('End it…', left).click();
  await scope.button('Leave it', left).click();
  process.kill(pid, 0);
  await scope.button('End it…', left).click();
  await scope.button('End it', left).click();
  await expect(scope.connection).toContainText(
    `Still running when the agent ended, and ended since: sleep (pid ${pid}).`,
  );
  await expect(scope.row(/crashed \(exit code 7\) · left running: sleep/)).toBeVisible();
});

test('R-54: an agent that never answers is pending at its first byte', async ({
  scope,
  folder,
}) => {
  await scope.tryCommand(silent, { cwd: folder });
  const steps = scope.page.getByRole('main').getByRole('status').getByRole('listitem');
  await expect(steps).toHaveText([/Started/, /First byte/, /initialize/, /Authentication/]);
  await expect(steps.nth(0)).toContainText('done');
  await expect(steps.nth(1)).toContainText('pending');
  await expect(steps.nth(1)).toContainText('speaks ACP on stdio');
  await expect(steps.nth(2)).toContainText('not reached');
  await scope.openDrawer('Waiting');
  await expect(scope.drawer.getByRole('row', { name: /Client initialize/ })).toBeVisible();
});

test('A taken port: another program ends the start, our own relay is opened', async ({ scope }) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    const { port } = other.address() as AddressInfo;
    const ran = await scope.relay.run('--no-open', '--port', String(port));
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain(String(port));
    expect(ran.stderr).toContain('--port');
  } finally {
    other.close();
  }
  const again = await scope.relay.run('--no-open', '--port', String(scope.relay.port));
  expect(again.code).toBe(0);
  expect(again.stdout).toContain('runs already');
});

test('R-45: once the relay has ended the page says what that ended, and that a tap records on', async ({
  scope,
  folder,
}) => {
  scope.watch.expect(/ERR_CONNECTION_REFUSED|WebSocket|401|403/);
  const tap = [process.execPath, BIN, 'tap', '--name', 'my tap', '--', ...bundledAgent()];
  const editor = spawn(process.execPath, [program('editor.mjs'), '--wait', ...tap], {
    ...{ cwd: folder, env: scope.relay.env, stdio: ['pipe', 'ignore', 'inherit'] },
  });
  const ended = once(editor, 'close');
  await expect(scope.row(/answer, session\/new/)).toBeVisible();
  await scope.scriptsAreKept();
  await scope.relay.stop('SIGTERM');
  const alert = scope.page.getByRole('alert').filter({ hasText: /\S/ });
  await expect(alert).toContainText('If the relay has ended, its agents have ended with it');
  await expect(alert).toContainText('acp-scope tap records without the relay');
  await expect(alert).not.toContainText('Recording goes on');
  await expect(scope.recording).not.toContainText('Recording');
  await expect(alert).toContainText('The relay has ended, and its agents have ended with it');
  await expect(alert).toContainText('acp-scope tap records them');
  editor.stdin?.end('go\n');
  expect(await ended).toEqual([0, null]);
  await scope.relay.start();
  await scope.comeBack(scope.relay.link);
  await scope.runsOf('my tap').first().click();
  await expect(scope.row(/answer, session\/prompt/)).toBeVisible();
});

test('R-44: a killed relay is missed at once, and what is stored stays readable', async ({
  scope,
}) => {
  scope.watch.expect(/ERR_CONNECTION_REFUSED|WebSocket|401|403/);
  await scope.startBundled();
  await scope.newSession();
  await scope.prompt('reply with BEFORE');
  await scope.turnEnds();
  await scope.scriptsAreKept();

  await scope.relay.stop('SIGKILL');
  await expect(scope.page.getByRole('alert').filter({ hasText: /\S/ })).toContainText(
    'The page lost the relay',
  );
  await expect(scope.transcript).toContainText('BEFORE');

  // Gone for more than ten seconds: nothing says that it lives.
  await expect(scope.page.getByRole('alert').filter({ hasText: /\S/ })).toContainText(
    'A reload of this page needs the relay: run acp-scope',
  );
  await expect(scope.page.getByText('Recording goes on')).toHaveCount(0);
  await expect(scope.rail).toContainText('relay gone');
  await expect(scope.recording).toContainText('No relay');
  await expect(scope.page.locator('.dot.live')).toHaveCount(0);

  // Where agents are started it says what to run, and leads to what can be read.
  await scope.button('ACP Scope').click();
  await expect(scope.page.getByRole('main')).toContainText('Run acp-scope in a terminal');
  await scope.button('Stored traces: 1').click();
  await expect(scope.page.getByRole('main')).toContainText('Bundled agent');
  await scope.view('Session');
  await expect(scope.page.getByRole('main')).toContainText('The relay has ended, and the agent');

  await scope.relay.start();
  await expect(scope.page.getByRole('alert').filter({ hasText: /\S/ })).toContainText(
    'Stored traces stay readable',
  );
  await scope.view('Trace');
  await expect(scope.row(/answer, initialize/)).toBeVisible();

  // The new link in the same tab, which loads nothing anew; its code stays in no address.
  const before = scope.page.url();
  await scope.enter(scope.relay.link);
  await expect(scope.page).toHaveURL(before);
  await expect(scope.page.getByText('Stored traces stay readable')).toHaveCount(0);

  await scope.comeBack(await scope.relay.freshLink());
  await scope.runsOf('Bundled agent').first().click();
  await scope.query('BEFORE');
  await expect(scope.row(/agent_message/)).toHaveCount(1);
});
