// What the page shows stays what it was: chips of sessions over a reload, rows under a filter.
import { expect, test } from '../scope.ts';

test('a session keeps its chip over a reload, whatever is open', async ({ scope }) => {
  await scope.startBundled({ permissions: 'allow once' });
  for (const words of ['first', 'second']) {
    await scope.newSession();
    await scope.prompt(`reply with ${words}`);
    await scope.turnEnds();
  }
  const chips = scope.rail.getByRole('treeitem', { name: /^S\d/ });
  await expect(chips).toHaveText([/^\s*S1\s*reply with first/, /^\s*S2\s*reply with second/]);
  // The number by which its frames are named elsewhere.
  await expect(scope.runsOf('Bundled agent')).toHaveText([/c1/, /c1/]);

  await scope.startBundled({ permissions: 'allow once' });
  await scope.chooseSession(/reply with second/);
  await scope.restore('start');
  await scope.page.reload();
  const again = scope.rail.getByRole('treeitem', { name: /^S\d.*reply with second/ });
  await expect(again.first()).toHaveText(/^\s*S2/);
  await expect(scope.rail.getByRole('treeitem', { name: /^S1.*reply with second/ })).toHaveCount(0);
});

test('a filter leaves nothing empty above its first row, and Home goes there', async ({
  scope,
}) => {
  await scope.startBundled({ permissions: 'allow once' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await scope.turnEnds();
  await scope.view('Trace');
  const gap = () =>
    scope.frames.evaluate((list) => {
      const heads = list.querySelector('.hd')?.getBoundingClientRect().bottom ?? 0;
      const rows = [...list.querySelectorAll('[data-row]')];
      return Math.min(...rows.map((row) => row.getBoundingClientRect().top)) - heads;
    });
  await scope.frames.focus();
  await scope.page.keyboard.press('End');
  await scope.page.keyboard.press('k');
  await scope.query('type:req');
  await expect(scope.row(/request, session\/prompt/)).toBeVisible();
  await expect.poll(gap).toBeLessThan(1);
  await scope.frames.press('Home');
  await expect(scope.row(/^\d+, client to agent, request, initialize/)).toBeInViewport();
  await expect.poll(gap).toBeLessThan(1);
  await expect.poll(gap).toBeGreaterThan(-1);
});

test('a session that a file counts bears the number of the file beside another of the page', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled({ permissions: 'allow once' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await scope.turnEnds();
  const lines = [
    ['c', { id: 0, method: 'session/new', params: { cwd: '/src/other', mcpServers: [] } }],
    ['a', { id: 0, result: { sessionId: 'of-the-file' } }],
  ].map(([from, message], t) =>
    JSON.stringify({
      t,
      dir: from === 'c' ? 'client-to-agent' : 'agent-to-client',
      raw: JSON.stringify({ jsonrpc: '2.0', ...(message as object) }),
    }),
  );
  await scope.import('beside.ndjson', Buffer.from(`${lines.join('\n')}\n`));
  // An opened trace is shown in Trace; who chooses a view before that is brought there.
  await expect(page.getByRole('heading', { name: 'Trace of beside' })).toBeAttached();
  await scope.view('Session');
  await expect(scope.request.getByRole('button', { name: /^Session: ?c2·S1\b/ })).toBeVisible();
  await expect(scope.rail.getByText('S1', { exact: true })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).fill('S1');
  for (const name of [/^S1 .*mend the fault/, /^c2·S1 .*of-the-file/])
    await expect(page.getByRole('option', { name })).toBeVisible();
});

test('what has no agent yet is found all the same, says so, and leads to where one is started', async ({
  scope: { page },
}) => {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).fill('lab');
  await expect(page.getByRole('option', { name: /resume lab/ })).toContainText('start an agent');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Start', exact: true }).first()).toBeVisible();
});
