// Frames held, changed and lost by rules that a person switches on in the page.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { BIN, bundledAgent, program, type Relay } from '../relay.ts';
import { expect, test } from '../scope.ts';

test('A permission is held, edited in the composer and goes on; the trace has both lines', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled({ ask: 'v1', permissions: 'ask me' });
  await scope.newSession();
  await scope.showConnection();
  const intercept = page.getByRole('region', { name: 'Intercept' });
  await expect(intercept).toContainText('Frames cross as they are.');
  await scope.button('Intercept…', intercept).click();
  const rules = intercept.getByRole('textbox', { name: 'Rules' });
  await rules.fill('{"rules": [{"on": "side:agent", "dropp": true}]}');
  await scope.button('Switch on', intercept).click();
  await expect(intercept.getByRole('alert')).toContainText('Did you mean drop?');
  await rules.fill('{"rules": []}');
  await scope.button('Add a rule', intercept).click();
  await page.getByRole('menuitem', { name: /^Each permission/ }).click();
  await scope.button('Switch on', intercept).click();
  await expect(intercept).toContainText('Intercept on');
  await expect(page.locator('footer')).toContainText('Intercept on');

  await scope.prompt('Fix the failing test');
  await scope.openDrawer('Waiting');
  const held = scope.drawer.getByRole('group', { name: /^Held frame/ });
  await expect(held).toBeVisible();
  await expect(scope.drawer).toContainText(/goes on in \d+ s/);
  await expect(scope.rail.getByText('waits for you')).toBeVisible();
  await scope.button('Edit…', held).click();
  await expect(scope.drawer).toContainText(/in place of #\d+ ?goes on in \d+ s/);
  await expect(scope.remarks).not.toContainText('is for the agent to send');
  await expect(scope.editor).toContainText('session/request_permission');
  const text = await scope.editor.innerText();
  const [, id] = /"id": *([^,]+),/.exec(text) ?? [];
  const [, session] = /"sessionId": *("[^"]+")/.exec(text) ?? [];
  const toolCall = '{"toolCallId":"x","title":"Please allow"}';
  const options = '[{"optionId":"o","name":"Go","kind":"allow_once"}]';
  await scope.write(
    `{"jsonrpc":"2.0","id":${id},"method":"session/request_permission","params":{"sessionId":${session},"toolCall":${toolCall},"options":${options}}}`,
  );
  await scope.button('Send on', scope.drawer).click();
  await scope.openDrawer('Waiting');
  await expect(scope.drawer).toContainText('The agent asks');
  await expect(scope.drawer).toContainText('Please allow');

  await scope.showConnection();
  await scope.button('Switch off', intercept).click();
  await expect(intercept).toContainText('Frames cross as they are.');
  await scope.query('is:intercepted');
  await scope.row(/request, session\/request_permission/).click();
  await scope.detail.getByRole('tab', { name: 'Raw' }).click();
  await expect(scope.detail).toContainText('changed by intercept');
  await expect(scope.detail).toContainText('As it was written');
  await expect(scope.detail.getByRole('region', { name: /Bytes of/ })).toHaveCount(2);
});

/** An editor that waits with its prompt; `options`: of its tap. */
function editWith(relay: Relay, cwd: string, ...options: readonly string[]) {
  const tap = [BIN, 'tap', '--name', 'my tap', ...options, '--', ...bundledAgent()];
  return spawn(process.execPath, [program('editor.mjs'), '--wait', process.execPath, ...tap], {
    ...{ cwd, env: relay.env, stdio: ['pipe', 'pipe', 'inherit'] },
  });
}

test('A page holds what the agent of an editor answers, through its tap: edited, it goes on to the editor', async ({
  scope,
  folder,
}) => {
  const { page } = scope;
  const editor = editWith(scope.relay, folder, '--allow-intercept');
  const printed = text(editor.stdout);
  const ended = once(editor, 'close');
  await expect(scope.row(/answer, session\/new/)).toBeVisible();
  await scope.showConnection();
  const intercept = page.getByRole('region', { name: 'Intercept' });
  await scope.button('Intercept…', intercept).click();
  await expect(intercept).toContainText(
    'The editor and its agent read what your rules leave of it.',
  );
  await intercept
    .getByRole('textbox', { name: 'Rules' })
    .fill('{"rules": [{"on": "side:agent method:session/prompt type:res", "hold": true}]}');
  await scope.button('Switch on', intercept).click();
  await expect(intercept).toContainText('Intercept on');
  await expect(page.locator('footer')).toContainText('Intercept on');

  editor.stdin.end('go\n');
  await scope.openDrawer('Waiting');
  const held = scope.drawer.getByRole('group', { name: /^Held frame/ });
  await scope.button('Edit…', held).click();
  await expect(scope.editor).toContainText('end_turn');
  await expect(scope.button('Send on', scope.drawer)).toBeEnabled();
  const id = /"id": *(\d+)/.exec(await scope.editor.innerText())?.[1] ?? '';
  await scope.write(`{"jsonrpc":"2.0","id":${id},"result":{"stopReason":"refusal"}}`);
  await scope.button('Send on', scope.drawer).click();
  expect(JSON.parse(await printed)).toMatchObject({ stopReason: 'refusal', code: 0 });
  await ended;
  await scope.openDrawer('Composer');
  await expect(scope.button('Send', scope.drawer)).toBeDisabled();
  await scope.query('is:intercepted');
  await expect(scope.row(/answer, session\/prompt/)).toBeVisible();
});

test('Another agent is started with the rules in force: what its handshake offers is masked; and the stream is cut', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled({ ask: 'v1' });
  await scope.showConnection();
  const intercept = page.getByRole('region', { name: 'Intercept' });
  await scope.button('Intercept…', intercept).click();
  const add = async (words: RegExp) => {
    await scope.button('Add a rule', intercept).click();
    await page.getByRole('menuitem', { name: words }).click();
  };
  await add(/cannot load sessions/);
  await add(/breaks at the fifth update/);
  await scope.button('Start another with them', intercept).click();
  await expect(intercept).toContainText('mask-load-session, cut-in-turn');
  await expect(scope.row(/answer, initialize/)).toBeVisible();
  await scope.query('is:intercepted');
  await scope.row(/answer, initialize/).click();
  await expect(scope.detail).toContainText('changed by intercept');
  await expect(scope.detail).toContainText('loadSession: false');
  await scope.newSession();
  await scope.sendPrompt('Fix the failing test');
  await expect(scope.transcript).toContainText('The intercept cut the stream');
  await scope.query('type:evt');
  await expect(scope.row(/the stream was cut here · agent_\w+ · “/)).toBeVisible();
  await scope.showConnection();
  await expect(scope.connection).toContainText('by the rule cut-in-turn');
  await expect(scope.drawer.getByRole('tab', { name: 'Waiting' })).not.toContainText(/\d/);

  // Rules are kept like a draft.
  await page.reload();
  await scope.showConnection();
  await scope.startAgain();
  await scope.showConnection();
  await scope.button('Intercept…', intercept).click();
  await expect(intercept.getByRole('textbox', { name: 'Rules' })).toHaveValue(/cut-in-turn/);
});

test.describe('With a terminal', () => {
  test.use({ relayOptions: { terminal: true } });

  test('P-15: rules for an editor’s session wait for the terminal, and the page says so: asked, refused, in force', async ({
    scope,
    folder,
  }) => {
    const { page, relay } = scope;
    const editor = editWith(relay, folder);
    const ended = once(editor, 'close');
    await expect(scope.row(/answer, session\/new/)).toBeVisible();
    await scope.showConnection();
    const intercept = page.getByRole('region', { name: 'Intercept' });
    await scope.button('Intercept…', intercept).click();
    await expect(intercept).toContainText('asks first');
    await intercept
      .getByRole('textbox', { name: 'Rules' })
      .fill('{"rules": [{"on": "side:agent method:session/prompt type:res", "delay": 1}]}');
    const banner = page.getByText('Your rules are not in force');
    const asked = async () => {
      await scope.button('Switch on', intercept).click();
      await expect(banner).toContainText('my tap');
      await expect(intercept).toContainText('Frames cross as they are.');
      await expect(intercept).toContainText('wait for a y in the terminal');
    };
    await asked();
    const refused = intercept.getByRole('alert').filter({ hasText: '--allow-intercept' });
    // A key pressed at once is not its answer.
    await expect
      .poll(() => {
        relay.press('n');
        return refused.count();
      })
      .toBe(1);
    await expect(banner).toHaveCount(0);
    await expect(intercept).toContainText('Frames cross as they are.');
    await asked();
    await expect(intercept.getByRole('alert')).toHaveCount(0);
    await expect
      .poll(() => {
        relay.press('y');
        return intercept.getByText('Intercept on').count();
      })
      .toBe(1);
    await expect(banner).toHaveCount(0);
    editor.stdin.end('go\n');
    await ended;
    await scope.query('is:intercepted');
    await expect(scope.row(/answer, session\/prompt/)).toBeVisible();
  });
});

test('Conversation marks what an intercept did, also where a restore brought the message back', async ({
  scope,
}) => {
  const cases = new URL('../../src/test/cases/sessions/', import.meta.url);
  for (const [name, shown] of [
    ['tap-live.acptrace.jsonl', /request, session\/new/],
    ['tap-load.acptrace.jsonl', /request, session\/load/],
  ] as const) {
    await scope.import(name, readFileSync(new URL(name, cases)));
    await expect(scope.row(shown)).toBeVisible();
  }
  await scope.view('Conversation');
  const item = scope.transcript.getByRole('article').filter({ hasText: 'by intercept' });
  await expect(item.filter({ hasText: 'dropped by intercept' })).toContainText('bash tool. ');
  await expect(item.filter({ hasText: 'changed by intercept' })).toContainText('tool_call');
  await expect(item.first()).toHaveAccessibleName(/, replay$/);
  await item
    .first()
    .getByRole('button', { name: /^c\d+#11$/ })
    .click();
  await expect(scope.row(/dropped/)).toHaveAttribute('aria-selected', 'true');
  await scope.view('Conversation');
  await expect(item.filter({ hasText: 'dropped by intercept' })).toHaveAccessibleName(/Agent/);
});
