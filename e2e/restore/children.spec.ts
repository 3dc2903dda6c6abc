// Child sessions: an agent that delegates shows them as children of their session; a person reads what
// they do, cancels one where it allows that, and asks nothing else of it; Compare judges each alone.
import { bundledAgent } from '../relay.ts';
import { expect, test } from '../scope.ts';

const slow = bundledAgent('--seed', '7', '--pace', '10');
const quick = bundledAgent('--seed', '7', '--pace', '0');
test.use({ relayOptions: { allow: [slow, quick] } });

test('a child that works on after the turn is read and cancelled, and takes no prompt', async ({
  scope,
  folder,
}) => {
  const { page } = scope;
  await scope.startCommand(slow, { ask: 'v2', permissions: 'allow once', cwd: folder });
  await scope.newSession();
  await scope.prompt('delegate behind');
  const child = scope.rail.getByRole('treeitem', { name: /^S1\.1 / });
  await expect(child).toBeVisible();
  await child.click();
  await expect(scope.session).toBeVisible();
  await scope.view('Conversation');
  await expect(page.getByText('A child session: its parent writes to it.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Prompt to the agent' })).toBeHidden();
  await page.getByRole('button', { name: 'Cancel its work' }).click();
  await expect(page.getByText('It does not let its work be cancelled.')).toBeVisible();
  await page.getByRole('button', { name: 'Go to the parent' }).click();
  await expect(page.getByRole('textbox', { name: 'Prompt to the agent' })).toBeVisible();
  // There it stands where it began, and is read from.
  await scope.transcript.getByRole('button', { name: /^S1\.1 / }).click();
  await expect(page.getByText('A child session: its parent writes to it.')).toBeVisible();

  await test.step('its frames and its parent’s have a query', async () => {
    const menu = await scope.menuOf('session S1');
    await menu.getByRole('menuitem', { name: 'Its frames and its children’s' }).click();
    await expect(page).toHaveURL(/session%3AS1%2B/);
    // The address is another one before the rows are.
    await expect
      .poll(async () => {
        const { shown, all } = await scope.counts();
        return shown > 10 && shown < all;
      })
      .toBe(true);
  });
});

test('a restore brings the children back, and Compare judges each', async ({ scope, folder }) => {
  const { page } = scope;
  await scope.startCommand(quick, { ask: 'v2', permissions: 'allow once', cwd: folder });
  await scope.newSession();
  await scope.prompt('delegate it');
  await scope.turnEnds();
  await scope.view('Session');
  await scope.restore('start');
  await expect(
    scope.results.getByRole('treeitem', { name: /^child S1\.1 .*equivalent/ }),
  ).toBeVisible();
  // Looked at is what was sent, not its child below it.
  await expect(scope.results.getByRole('heading', { name: /^start/ })).toBeVisible();
  await scope.view('Compare');
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await expect(summary.getByText('Child sessions')).toBeVisible();
  await expect(summary.getByText(/^S1\.1/)).toBeVisible();
});

test('of a session with thousands of children the first are shown, and more when asked for', async ({
  scope,
}) => {
  const { page } = scope;
  const many = 2000;
  let seq = 0;
  const line = (from: string, message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    seq++;
    return JSON.stringify({ type: 'frame', seq, at: seq, from, origin: 'peer', line: { text } });
  };
  const update = (sessionId: string, update: object) =>
    line('agent', { method: 'session/update', params: { sessionId, update } });
  const children = () =>
    Array.from({ length: many }, (_, i) => [
      update('s1', {
        ...{ sessionUpdate: 'subagent_update', sessionId: `child-${i}`, title: `Task ${i}` },
        state: { state: 'idle', stopReason: 'end_turn' },
      }),
      update(`child-${i}`, {
        ...{ sessionUpdate: 'agent_message_chunk', messageId: `m${i}` },
        content: { type: 'text', text: 'Done' },
      }),
    ]).flat();
  const prompt = { sessionId: 's1', prompt: [{ type: 'text', text: 'Go' }] };
  const restore = { sessionId: 's1', cwd: '/w', mcpServers: [], replayFrom: { type: 'start' } };
  const header = { format: 'acptrace', version: 1, created: '2026-01-01T00:00:00.000Z' };
  const lines = [
    JSON.stringify({ ...header, tool: 'test', clock: 'monotonic' }),
    line('client', { id: 0, method: 'initialize', params: { protocolVersion: 2 } }),
    line('agent', { id: 0, result: { protocolVersion: 2, capabilities: { session: {} } } }),
    line('client', { id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } }),
    line('agent', { id: 1, result: { sessionId: 's1' } }),
    line('client', { id: 2, method: 'session/prompt', params: prompt }),
    ...children(),
    line('agent', { id: 2, result: {} }),
    line('client', { id: 3, method: 'session/resume', params: restore }),
    ...children(),
    line('agent', { id: 3, result: {} }),
  ];
  await scope.import('many.acptrace.jsonl', Buffer.from(`${lines.join('\n')}\n`));
  await expect(scope.frames).toBeVisible();

  await scope.view('Conversation');
  const state = page.getByRole('complementary', { name: 'State of the session' });
  await expect(state.getByRole('button', { name: 'Subagents 2,000' })).toBeVisible();
  await expect(state.getByTitle('subagent[child-49]')).toBeVisible();
  await expect(state.getByTitle('subagent[child-50]')).toBeHidden();
  await state.getByRole('button', { name: '50 more of 1,950' }).click();
  await expect(state.getByTitle('subagent[child-50]')).toBeVisible();

  await scope.view('Compare');
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await expect(summary.getByText('S1.20', { exact: true })).toBeVisible();
  await expect(summary.getByText('S1.21', { exact: true })).toBeHidden();
  await summary.getByRole('button', { name: '20 more of 1,980' }).click();
  await expect(summary.getByText('S1.21', { exact: true })).toBeVisible();
  expect(await page.locator('*').count()).toBeLessThan(4000);
});
