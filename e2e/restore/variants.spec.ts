// All variants of a restore at once, each on a fresh connection: what the table says of an agent that
// behaves and of some that do not, likely causes with the request that mends them, and the servers,
// folders and spellings that go with a restore.
import type { Locator } from '@playwright/test';
import { expectNoViolation } from '../axe.ts';
import { bundledAgent } from '../relay.ts';
import { expect, test, type Scope } from '../scope.ts';

const agent = (misbehave?: string) =>
  bundledAgent('--seed', '7', '--pace', '0', ...(misbehave ? ['--misbehave', misbehave] : []));
const good = agent();
const forgetful = agent('forgets-context');
const bad = agent('accepts-unknown-cursor');
test.use({ relayOptions: { allow: [good, bad, forgetful] } });

/** A session with one turn in it, chosen in the restore form of a running agent. */
async function aSession(
  scope: Scope,
  command: readonly string[],
  ask: 'v1' | 'v2',
  cwd: string,
): Promise<void> {
  await scope.startCommand(command, { ask, permissions: 'allow once', cwd });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText('tests pass');
  await scope.turnEnds();
  await scope.view('Session');
}

async function sendAll(scope: Scope): Promise<void> {
  await scope.page.getByRole('button', { name: /^Send all/ }).click();
}

/** Waits until a run is over. */
async function runEnds(scope: Scope): Promise<void> {
  // The view may be at a run of its own by then, whose agent has ended.
  await expect(sending(scope).getByRole('button', { name: /^Send all \d+/ })).toBeVisible();
}

function sending(scope: Scope): Locator {
  return scope.request;
}

test('of an agent that behaves every variant is as due, nothing is prompted, and the table survives a reload', async ({
  scope,
  folder,
}) => {
  await aSession(scope, good, 'v2', folder);
  await expect(sending(scope)).toContainText('The session is open on this connection');
  await sendAll(scope);
  await expect(scope.page.getByRole('progressbar')).toBeVisible();
  await runEnds(scope);

  await expect(scope.result(/./)).toHaveCount(11);
  await expect(scope.results).toContainText('11 followed');
  await expect(scope.results).toContainText('11 restores');
  await expect(scope.result(/omitted v2 .*Nothing replayed/)).toBeVisible();
  await expect(scope.result(/start v2 .*(identical|equivalent)/)).toBeVisible();
  await expect(scope.result(/custom v2 _message .*(equivalent|identical)/)).toBeVisible();
  await expect(scope.result(/malformed v2 .*Rejected, as expected/)).toHaveCount(3);
  await expect(scope.result(/load v1 .*(identical|equivalent)/)).toBeVisible();

  await test.step('the conversation that lived it knows of them, and asks no more whether it comes back', async () => {
    await scope.view('Conversation');
    const prompt = scope.page.getByRole('region', { name: 'Prompt' });
    await expect(prompt).toContainText('11 windows of S1 in the last run');
    await expect(prompt).not.toContainText('come back');
    await scope.button('Open session S1', prompt).click();
  });

  await test.step('the session shows them as one strip, which opens', async () => {
    await scope.view('Session');
    const run = scope.session.getByRole('treeitem', { name: /Restore variants/ });
    await expect(run).toContainText('11 followed');
    await run.click();
    await scope.page.keyboard.press('ArrowRight');
    await expect(run).toHaveAttribute('aria-expanded', 'true');
    const strips = scope.session.getByRole('treeitem', { level: 2 });
    await expect(strips).toHaveCount(11);
    await expect(strips.filter({ hasText: /malformed/ }).first()).toContainText(
      'Rejected, as expected',
    );
    await scope.page.keyboard.press('ArrowLeft');
    await expect(strips).toHaveCount(0);
  });

  await test.step('they are runs of the session in the rail, with their answers; most fold into one line', async () => {
    const session = scope.rail.getByRole('treeitem', { name: /^S1 mend the fault/ });
    await expect(session).toHaveCount(1);
    const more = scope.rail.getByRole('treeitem', { name: /^8 more ✓ 8$/ });
    await expect(more).toHaveAttribute('aria-expanded', 'false');
    await more.click();
    await expect(
      scope.rail.getByRole('treeitem', { name: /^malformed c\d+ ✓ rejected/ }),
    ).toHaveCount(3);
    await scope.rail.getByRole('treeitem', { name: /^start c\d+ ✓ equivalent/ }).click();
    // The view stays, with the run.
    await scope.view('Trace');
    await expect(scope.row(/Replay window, resume/)).toBeVisible();
    await scope.query('method:session/prompt');
    await expect(scope.row(/session\/prompt/)).toHaveCount(0);
    await scope.query('');
  });

  await test.step('what is sent by hand stands with them, and its cursor keeps its letter', async () => {
    await scope.rail.getByRole('treeitem', { name: /^live c1 / }).click();
    await scope.view('Session');
    await scope.session.getByRole('treeitem', { name: /Restore variants/ }).click();
    await scope.page.keyboard.press('ArrowRight');
    const cursors = (name: RegExp) => scope.result(name).getByRole('img', { name: /cursor A/ });
    await expect(cursors(/start v2/)).toHaveCount(1);
    await scope.restore('start');
    await expect(scope.results).toContainText('12 restores');
    await expect(cursors(/start v2/)).toHaveCount(2);
    await scope.pickPart('Connection', /^A new connection of/);
    await scope.button('Send', sending(scope)).click();
    await expect(scope.results).toContainText('13 restores');
    await runEnds(scope);
    await expect(cursors(/start v2/)).toHaveCount(3);
  });

  await test.step('an id that the agent refuses is no session of it', async () => {
    await scope.pickPart('Session', /^Another id/);
    const typed = scope.page.getByRole('textbox', { name: 'Another session id' });
    await typed.fill('nobody');
    await scope.button('Send', sending(scope)).click();
    await expect(scope.result(/start v2 .*rejected/)).toBeVisible();
    await expect(scope.rail.getByRole('treeitem', { name: /nobody/ })).toHaveCount(0);
  });

  await test.step('after a reload the table is read from the traces', async () => {
    const link = await scope.relay.freshLink();
    await scope.comeBack(link);
    await scope.rail.getByRole('treeitem', { name: /^live c1 / }).click();
    await scope.view('Session');
    await expect(scope.result(/./)).toHaveCount(13);
    await expect(scope.result(/custom v2 _message .*(equivalent|identical)/)).toBeVisible();
  });
});

test('after Send all every view shows a run of the session, also where its own connection has none', async ({
  scope,
  folder,
}) => {
  await aSession(scope, good, 'v2', folder);
  await scope.kill();
  await scope.startAgain();
  await scope.view('Session');
  await scope.pickPart('Session', /mend the fault/);
  await sendAll(scope);
  await runEnds(scope);
  await scope.view('Compare');
  await expect(scope.page.getByRole('complementary', { name: 'Summary' })).toContainText(
    'identical',
  );
  await scope.view('Conversation');
  await expect(scope.transcript).toContainText('tests pass');
  await scope.view('Trace');
  await expect(scope.row(/Replay window, resume|Replay window, load/)).toBeVisible();
  await scope.view('Session');
  await expect(scope.session.getByRole('treeitem', { name: /Restore variants/ })).toContainText(
    '11 followed',
  );
});

test('an agent that takes any cursor for “start” is found out', async ({ scope, folder }) => {
  await aSession(scope, bad, 'v2', folder);
  await sendAll(scope);
  await runEnds(scope);
  await expect(scope.result(/unknown v2 .*violated.*Ignored/)).toBeVisible();
  await expect(scope.notAsDue(/unknown v2/)).toBeVisible();
  await expect(scope.notAsDue(/malformed v2/)).toHaveCount(3);
});

test('on request a fork is prompted: what forgot is told from what knows', async ({
  scope,
  folder,
}) => {
  await aSession(scope, forgetful, 'v1', folder);
  await scope.button('More', scope.request).click();
  await scope.page.getByRole('checkbox', { name: /ask if it remembers, on a fork/ }).check();
  await scope.chooseShape('load');
  await sendAll(scope);
  await expect(sending(scope)).toContainText('This sends up to 11 prompts');
  await scope.button('Cancel', sending(scope)).click();
  await scope.button('Run 10 times', sending(scope)).click();
  await scope.button('Send 10 prompts', sending(scope)).click();
  await expect(scope.result(/load v1 .*forgot/).first()).toBeVisible();
  await scope.button('Cancel', sending(scope)).click();
  await runEnds(scope);

  const tests = scope.session.getByRole('treeitem', { name: /v1 load × 10/ });
  await test.step('in the session they stand for all that came back', async () => {
    await expect(tests).toContainText(/\d× forgot/);
    await expect(scope.page.getByText(/memory test/)).toHaveCount(0);
  });

  await test.step('beside a restore of the session itself they are hidden, counted and shown on request', async () => {
    await scope.view('Session');
    await scope.page.getByRole('checkbox', { name: /ask if it remembers, on a fork/ }).uncheck();
    await scope.button('Send', sending(scope)).click();
    await scope.view('Session');
    await expect(scope.page.getByText('1 memory test hidden')).toBeVisible();
    await expect(scope.session).toContainText(/1\s+connection\b/);
    await expect(tests).toHaveCount(0);
    await scope.button('Show').click();
    await expect(tests).toHaveCount(1);
  });
});

test('a rejected restore says why, and sends the mended request', async ({ scope, folder }) => {
  await aSession(scope, good, 'v1', folder);
  const { page } = scope;
  const outcome = page.getByRole('region', { name: 'What came of it' });

  await scope.button('More', scope.request).click();
  await scope.button('Leave the field out', page).click();
  await scope.pickPart('Folder', /^relative/);
  await scope.restore('load');
  await expect(outcome).toContainText('Rejected, as expected');
  const causes = outcome.getByRole('listitem');
  await expect(causes.first()).toContainText('mcpServers is missing');
  await expect(causes.nth(1)).toContainText('cwd is not absolute');
  await causes.first().getByRole('button', { name: 'Send with mcpServers []' }).click();
  await expect(causes.first()).toContainText('cwd is not absolute');
  await causes
    .first()
    .getByRole('button', { name: /^Send with / })
    .click();
  await expect(outcome).toContainText('followed history, then the answer');
  const about = scope.session.getByRole('region', { name: 'Row of the session' });
  await about.getByText('Frames', { exact: true }).click();
  await expect(about.getByText(/^first replayed/)).toBeVisible();
});

test('MCP servers and folders go into the line, in the shape of the version, and stay as a draft', async ({
  scope,
  folder,
}) => {
  await aSession(scope, good, 'v2', folder);
  const { page } = scope;
  const line = page.getByLabel('Exact line', { exact: true });
  await scope.button('More', scope.request).click();
  await scope.button('Add', page).click();
  const form = page.getByRole('region', { name: 'New MCP server' });
  await form.getByRole('textbox', { name: 'name' }).fill('db');
  await form.getByRole('textbox', { name: 'command' }).fill('/bin/db');
  await form.getByRole('textbox', { name: 'env' }).fill('KEY=a b');
  await scope.button('Add', form).click();
  await expect(line).toContainText(
    '{"type":"stdio","name":"db","command":"/bin/db","args":[],"env":[{"name":"KEY","value":"a b"}]}',
  );
  await scope.chooseShape('load');
  await expect(line).toContainText('"mcpServers":[{"name":"db"');
  await page.getByRole('textbox', { name: 'more folders' }).fill('/more');
  await expect(line).toContainText('"additionalDirectories":["/more"]');
  await scope.pickPart('Folder', /^trailing slash/);
  await expect(line).toContainText(/"cwd":"[^"]+\/"/);

  await scope.comeBack(await scope.relay.freshLink());
  await scope.rail.getByRole('treeitem', { name: /^live c1 / }).click();
  await scope.view('Session');
  const after = scope.page.getByLabel('Exact line', { exact: true });
  await expect(after).toContainText('"name":"db"');
  await scope.button('More', scope.request).click();
  await scope.button('Remove db').click();
  await expect(after).not.toContainText('"name":"db"');
});

test('one session is read across its connections, each frame by the name of its connection', async ({
  scope,
  folder,
}) => {
  await aSession(scope, good, 'v2', folder);
  await scope.kill();
  await scope.startAgain();
  await scope.view('Session');
  await scope.pickPart('Session', /mend the fault/);
  await scope.restore('start');
  await expect(scope.session).toContainText('2 connections');
  const rows = scope.session.getByRole('treeitem');
  await expect(rows.filter({ hasText: /live turn 1/ })).toContainText(/c1#\d+/);
  const restored = rows.filter({ hasText: /c2#\d+\s*start/ });
  await expect(restored.getByRole('img', { name: /\d+ (replayed|equivalent)/ })).toBeVisible();
  await restored.getByRole('button', { name: /^c2#/ }).click();
  await expect(scope.row(/Replay window, resume/)).toBeVisible();

  await test.step('by keys alone: from the row to the comparison, and back', async () => {
    await scope.view('Session');
    const list = scope.session.getByRole('tree', { name: 'What came back' });
    await list.focus();
    await list.press('End');
    await expect(rows.filter({ hasText: /c2#\d+\s*start/ })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await list.press('Enter');
    await expect(scope.page.getByRole('complementary', { name: 'Summary' })).toContainText(
      'identical',
    );
    await scope.page.keyboard.press('3');
    await expect(scope.session).toBeVisible();
    await expectNoViolation(scope);
  });
});

test('a run that a reload breaks off leaves no agent behind', async ({ scope, folder }) => {
  await aSession(scope, good, 'v2', folder);
  await sendAll(scope);
  await expect(scope.page.getByRole('progressbar')).toBeVisible();
  await expect(scope.result(/omitted v2/)).toBeVisible();
  await scope.comeBack(await scope.relay.freshLink());
  const run = scope.rail.getByRole('treeitem', { name: /^omitted / });
  await expect(run).toBeVisible();
  // What still runs cannot be deleted.
  await expect(async () => {
    await run.focus();
    await scope.page.keyboard.press('Shift+F10');
    await scope.page
      .getByRole('menuitem', { name: /^Delete all .* of Restore variants/ })
      .click({ timeout: 1000 });
  }).toPass();
  await expect(run).toBeHidden();
});
