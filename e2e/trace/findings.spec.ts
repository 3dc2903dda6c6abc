// What the checker finds while one works: a restore that loses history, from the mark in its row to the
// reason why it may be, and the same in a file of it.
import { expectNoViolation } from '../axe.ts';
import { bundledAgent } from '../relay.ts';
import { expect, test, type Scope } from '../scope.ts';

const honest = bundledAgent('--seed', '7', '--pace', '0');
const lossy = [...honest, '--misbehave', 'lossy-replay'];
test.use({ relayOptions: { allow: [honest, lossy] } });

const RULE = 'replay/missing-history';
const line = (scope: Scope) =>
  scope.findings.getByRole('treeitem', { name: new RegExp(`${RULE} `) });

/** A session with one whole turn in it. */
async function aTurn(scope: Scope, agent: readonly string[], cwd: string): Promise<void> {
  await scope.startCommand(agent, { ask: 'v1', permissions: 'allow once', cwd });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText('tests pass');
  await scope.turnEnds();
}
async function load(scope: Scope): Promise<void> {
  await scope.chooseSession(/mend the fault/);
  await scope.restore('load');
}

/** The findings of a restore that loses a part of the history. */
async function lossyFindings(scope: Scope, cwd: string): Promise<void> {
  await aTurn(scope, lossy, cwd);
  await load(scope);
  await scope.checks('Found in this trace');
}

test('a lossy restore is found, shown at its frame, suppressed with a reason, and stays so', async ({
  scope,
  folder,
}) => {
  await aTurn(scope, lossy, folder);
  await load(scope);
  const { page } = scope;

  await test.step('who does not see the page hears in sum of what came', async () => {
    const news = page.getByRole('status', { name: 'What is new' });
    await expect(news).toHaveText(/^(\d+ new frames?)?(, )?(\d+ (error|warning|hint)s?(, )?)*$/);
    await expect(news).toHaveText(/\d+ (error|warning|hint)/);
  });

  await test.step('the list says whose fault it is, what was seen and what was due', async () => {
    await scope.checks('Found in this trace');
    await expect(line(scope)).toContainText('Agent');
    await line(scope).click();
    await expect(scope.finding).toContainText('at fault');
    await expect(scope.finding.getByRole('link').first()).toHaveAttribute(
      'href',
      /^https:\/\/agentclientprotocol\.com\/protocol\//,
    );
    await scope.finding.getByText('About this rule').click();
    await expect(scope.finding).toContainText('Kept by');
  });

  await test.step('a click goes to the frame, which is marked and says the same', async () => {
    const bytes = scope.finding.getByRole('figure', { name: 'The bytes' });
    await expect(bytes).toContainText('"jsonrpc":"2.0"');
    await bytes
      .getByRole('button', { name: /^#\d+$/ })
      .last()
      .click();
    const marked = scope.frames.getByRole('row', { selected: true });
    await expect(marked).toHaveAccessibleName(/session\/load.*(finding|error|warning|hint)/);
    await expect(scope.detail.getByRole('article', { name: RULE, exact: true })).toBeVisible();
  });

  await test.step('the finding leads to the live frame that was not replayed', async () => {
    const finding = scope.detail.getByRole('article', { name: RULE, exact: true });
    const link = finding.getByText('Missing:').locator('..').getByRole('button').first();
    const live = (await link.textContent()) ?? '';
    await link.click();
    await expect(finding).toBeHidden();
    await expect(scope.detail.getByText(live, { exact: true }).first()).toBeVisible();
  });

  await test.step('N and ⇧N go from one to the next, and a query shows them alone', async () => {
    const selected = scope.frames.getByRole('row', { selected: true });
    const found = /finding|one (error|warning|hint)/;
    await scope.frames.press('Home');
    await scope.frames.press('n');
    await expect(selected).toHaveAccessibleName(found);
    await scope.frames.press('End');
    await scope.frames.press('Shift+N');
    await expect(selected).toHaveAccessibleName(found);
    await scope.query(`finding:${RULE}`);
    await expect(scope.row(/session\/load/).first()).toBeVisible();
    await expect(page.getByText(/^[1-9] of \d+ frames/)).toBeVisible();
    await scope.query('');
  });

  await test.step('the menu of a row leads to its finding, and to the question why to suppress it', async () => {
    await scope.query(`finding:${RULE}`);
    await expect(page.getByText(/^[1-9] of \d+ frames/)).toBeVisible();
    await scope.frames.press('Home');
    await scope.frames.press('n');
    await scope.frames.press('Shift+F10');
    await scope.inMenu('Finding', `Suppress ${RULE}…`);
    await expect(scope.finding.getByRole('textbox', { name: 'Reason' })).toBeFocused();
    await scope.finding.getByRole('textbox', { name: 'Reason' }).press('Escape');
    await scope.view('Trace');
    await scope.frames.getByRole('row', { selected: true }).click({ button: 'right' });
    await scope.inMenu('Finding', `Show finding ${RULE}`);
    await expect(scope.finding.getByText(RULE, { exact: true }).first()).toBeVisible();
    await expect(scope.finding.getByRole('textbox', { name: 'Reason' })).toBeHidden();
    await scope.view('Trace');
    await scope.query('');
  });

  await test.step('the menu of a session in the rail leads to its history; so does "go to anything"', async () => {
    const session = scope.rail.getByRole('treeitem', { name: /mend the fault/ }).first();
    await session.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'History and restores' }).click();
    await expect(scope.session.getByRole('treeitem', { name: /load/ })).toBeVisible();
    await scope.view('Trace');
    await expect(scope.session).toBeHidden();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Go to anything' }).fill('history');
    await expect(
      page.getByRole('option', { name: 'Session: restore it, and see its history' }),
    ).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(scope.session.getByRole('treeitem', { name: /session\/new/ })).toBeVisible();
  });

  await test.step('it is suppressed, but not without a reason', async () => {
    await scope.checks('Found in this trace');
    await line(scope).click();
    await scope.button('Suppress…', scope.finding).click();
    const reason = scope.finding.getByRole('textbox', { name: 'Reason' });
    await expect(reason).toBeFocused();
    await scope.button('Suppress', scope.finding).click();
    await expect(scope.finding).toContainText('Say why');
    await reason.fill('the store of this agent is cut on purpose');
    await scope.button('Suppress', scope.finding).click();
    await expect(scope.findings).toContainText('1 suppressed');
    await expect(scope.finding).toContainText('Suppressed: the store of this agent');
  });

  await test.step('also after the page is loaded again', async () => {
    await page.reload();
    await expect(scope.findings).toContainText('1 suppressed');
    await expect(scope.recording).toContainText('Recording');
  });

  await test.step('and in a file of the trace, opened again', async () => {
    const file = await scope.export('acp-scope');
    await scope.import('kept.acptrace.jsonl', file);
    await expect(page.getByRole('heading', { name: 'Trace of kept' })).toBeAttached();
    await scope.rail.getByRole('button', { name: 'Actions of kept' }).first().click();
    await page.getByRole('menuitem', { name: 'Open session' }).click();
    await expect(scope.session.getByRole('treeitem', { name: /load/ }).first()).toBeVisible();
    await scope.checks('Found in this trace');
    await expect(scope.findings).toContainText('1 suppressed');
    await scope.findings.getByRole('button', { name: '1 suppressed' }).click();
    await line(scope).click();
    await expect(scope.finding).toContainText('the store of this agent is cut on purpose');
    await scope.button('Let it count again', scope.finding).click();
    await expect(scope.findings).not.toContainText('1 suppressed');
  });
});

test('connections of the page are read as one, and a file of one of them with the others', async ({
  scope,
  folder,
}) => {
  await aTurn(scope, lossy, folder);
  await scope.kill();
  await scope.startAgain();
  await load(scope);
  await scope.checks('Found in this trace');
  await expect(line(scope)).toBeVisible();
  await expect(scope.button('Together with c1', scope.findings)).toBeVisible();

  await scope.page.reload();
  await expect(line(scope)).toBeVisible();

  const file = await scope.export('acp-scope', 1);
  await scope.import('alone.acptrace.jsonl', file);
  await expect(scope.page.getByRole('heading', { name: 'Trace of alone' })).toBeAttached();
  await scope.checks('Found in this trace');
  // The connection that the file is of says nothing more.
  await expect(scope.button('Together with c1', scope.findings)).toBeVisible();
  await expect(line(scope)).toBeVisible();
  await expect(line(scope)).toContainText('c1#');
});

test('of thousands of findings only those on screen are drawn, and each knows its place', async ({
  scope,
}) => {
  const many = 5000;
  const line = (seq: number, from: string, message: object) =>
    JSON.stringify({
      ...{ type: 'frame', seq, at: seq, from, origin: 'peer' },
      line: { text: JSON.stringify({ jsonrpc: '2.0', ...message }) },
    });
  const header = { format: 'acptrace', version: 1, created: '2026-01-01T00:00:00.000Z' };
  const lines = [
    JSON.stringify({ ...header, tool: 'test', clock: 'monotonic' }),
    line(1, 'client', { id: 0, method: 'initialize', params: { protocolVersion: 1 } }),
    line(2, 'agent', { id: 0, result: { protocolVersion: 1, agentCapabilities: {} } }),
    ...Array.from({ length: many }, (_, i) => line(i + 3, 'agent', { method: `x/m${i}` })),
  ];
  await scope.import('many.acptrace.jsonl', Buffer.from(`${lines.join('\n')}\n`));
  await expect(scope.frames).toBeVisible();
  await scope.checks('Found in this trace');
  const tree = scope.findings.getByRole('tree', { name: 'Findings' });
  const head = tree.getByRole('treeitem', { name: /method\/unknown/ }).first();
  await expect(head).toContainText('5,000 places');
  await head.click();
  await expect(head).toHaveAttribute('aria-expanded', 'true');
  const selected = tree.getByRole('treeitem', { selected: true });
  await tree.press('ArrowRight');
  await expect(selected).toHaveAttribute('aria-setsize', String(many));
  await expect(selected).toHaveAttribute('aria-posinset', '1');
  await tree.press('PageDown');
  await tree.press('PageDown');
  await expect(selected).toBeInViewport();
  await expect(selected).toHaveAttribute('aria-posinset', /^[2-9]\d$/);
  await tree.press('End');
  await tree.press('k');
  await expect(selected).toBeInViewport();
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(100);
});

test('an honest agent has nothing against it, and the page says so', async ({ scope, folder }) => {
  await aTurn(scope, honest, folder);
  await scope.checks('Found in this trace');
  await expect(scope.findings).toContainText(/no rule failed|hint/);
  await expect(scope.findings.getByRole('button', { name: 'errors, 0' })).toBeVisible();
  await expect(scope.findings.getByRole('button', { name: 'warnings, 0' })).toBeVisible();
  await expect(scope.page.getByTitle('The handshake settles on version 1.')).toBeVisible();
  await scope.findings.getByRole('button', { name: /^Checked against: / }).click();
  await scope.page.getByRole('option', { name: /^v1 as of SDK 2\.4\.0/ }).click();
  await expect(scope.findings).toContainText('Chosen by you.');
});

test('a version that contradicts the handshake can be chosen, stays chosen, and is taken back', async ({
  scope,
  folder,
}) => {
  await aTurn(scope, honest, folder);
  await scope.checks('Found in this trace');
  await expect(scope.page.getByTitle('The handshake settles on version 1.')).toBeVisible();
  const held = scope.findings.getByRole('button', { name: /^Checked against: / });
  await held.click();
  await scope.page.getByRole('option', { name: /^v2 as of SDK 2\.4\.0/ }).click();
  const against = 'Chosen by you, against the handshake, which settles on version 1.';
  await expect(scope.findings).toContainText(against);
  await expect(scope.findings).toContainText(/\d+ errors?/);
  await scope.page.reload();
  await expect(scope.findings).toContainText(against);
  await scope.button('Back to auto', scope.findings).click();
  await expect(held).toHaveAccessibleName(/: auto/);
  await expect(scope.findings).toContainText(/no rule failed|\d hint/);
  await expect(scope.findings.getByRole('button', { name: 'errors, 0' })).toBeVisible();
});

const edition = (more: object) => ({
  name: 'tomorrow.json',
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify({
      format: 'acp-edition',
      formatVersion: 1,
      id: 'v1-tomorrow',
      version: 1,
      words: 'v1 as of tomorrow',
      date: '2027-01-01',
      source: 'https://example.org',
      on: 'v1-2026-11',
      counts: { [RULE]: 'hint' },
      ...more,
    }),
  ),
});

test('an edition is opened from a file, judges the trace, stays after a reload, and is forgotten', async ({
  scope,
  folder,
}) => {
  await lossyFindings(scope, folder);
  const { page } = scope;
  const severity = (word: string) => line(scope).getByRole('img', { name: word });
  await expect(severity('error')).toBeVisible();
  const button = scope.button('Open an edition…', scope.findings);
  const choose = async (more: object) => {
    const chooser = page.waitForEvent('filechooser');
    await button.focus();
    await page.keyboard.press('Enter');
    await (await chooser).setFiles([edition(more)]);
  };

  await choose({ date: 'soon' });
  await expect(page.getByText('Cannot open `tomorrow.json` as an edition')).toContainText(
    '`date` is not YYYY-MM-DD',
  );
  await expect(severity('error')).toBeVisible();

  await choose({});
  const held = scope.findings.getByRole('button', { name: /^Checked against: / });
  await expect(held).toHaveAccessibleName('Checked against: v1 as of tomorrow');
  await expect(severity('hint')).toBeVisible();
  await expect(button).toBeFocused();
  await expectNoViolation(scope);

  await page.reload();
  await expect(held).toHaveAccessibleName('Checked against: v1 as of tomorrow');
  await expect(severity('hint')).toBeVisible();
  await scope.button('Forget this edition', scope.findings).click();
  await expect(held).toHaveAccessibleName(/: auto/);
  await expect(severity('error')).toBeVisible();
  await held.click();
  await expect(page.getByRole('option', { name: /tomorrow/ })).toHaveCount(0);
});

test('axe finds nothing in the findings, light or dark, wide or narrow', async ({
  scope,
  folder,
}) => {
  await lossyFindings(scope, folder);
  await line(scope).click();
  await scope.finding.getByText('About this rule').click();
  await scope.button('Suppress…', scope.finding).click();
  for (const width of [1440, 600]) {
    await scope.page.setViewportSize({ width, height: 900 });
    await expectNoViolation(scope);
  }
  await scope.page.setViewportSize({ width: 1440, height: 900 });
  await scope.view('Trace');
  await scope.frames.press('Home');
  await scope.frames.press('n');
  await expect(scope.detail.getByRole('article').first()).toBeVisible();
  await expectNoViolation(scope);
});

test('The example asks for its faults, tells which were found, and comes with the part that was lived', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.button('Open the example').click();
  const bar = page.getByRole('status').filter({ hasText: /to be found|found\./ });
  await expect(bar).toContainText('3 faults to be found');
  await expect(scope.row(/^7, /)).toHaveAttribute('aria-selected', 'true');
  await expect(
    scope.frames.getByRole('button', { name: /late.*2 old messages would be shown as new/ }),
  ).toBeVisible();
  await expectNoViolation(scope);

  await scope.row(/^16, /).click();
  await expect(bar).toContainText('1 of 3 found. Seen: not JSON');
  // A frame that nobody can blame tells nothing.
  await scope.row(/^15, /).click();
  await expect(bar).toContainText('1 of 3 found.');
  await scope.button('Show me one', bar).click();
  await expect(bar).toContainText('2 of 3 found.');
  await scope.button('Show me one', bar).click();
  await expect(bar).toContainText('All 3 found.');
  await scope.button('What a client gets', bar).click();
  await expect(page.getByRole('main')).toContainText('2 old messages would be shown as new');
  await scope.view('Session');
  await expect(page.getByRole('main')).toContainText('2 connections');
});
