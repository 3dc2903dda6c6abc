// The composer: every kind of message, warnings that never forbid, exact raw lines, drafts and
// history. What it sent is read back from the frame that crossed.
import { expect, test, type Scope } from '../scope.ts';

async function sentLine(scope: Scope, query: string, words: RegExp): Promise<string> {
  await scope.query(query);
  await scope.row(words).last().click();
  await scope.detail.getByRole('tab', { name: 'Raw' }).click();
  const text = await scope.detail.getByRole('region', { name: /Bytes of/ }).innerText();
  await scope.query('');
  return text;
}

test.beforeEach(async ({ scope }) => {
  await scope.startBundled();
  await scope.openDrawer('Composer');
});

test('A template is filled in, checked by the schema, and sent as one line', async ({ scope }) => {
  await scope.template('session/new');
  await expect(scope.remarks).toContainText('Fits the schema of v2.');
  await scope.send();
  await expect(scope.row(/answer, session\/new/)).toBeVisible();
  expect(await sentLine(scope, 'method:session/new type:req', /session\/new/)).toMatch(
    /^\{"jsonrpc":"2\.0","id":\d+,"method":"session\/new","params":\{.*\}\}$/,
  );
});

test('A message the schema does not like gets a warning, and goes out all the same', async ({
  scope,
}) => {
  await scope.write('{"jsonrpc":"2.0","id":41,"method":"session/new","params":{"cwd":7}}');
  await expect(scope.remarks.getByRole('img', { name: 'warning' }).first()).toBeVisible();
  await expect(scope.remarks).toContainText('cwd');
  await scope.send();
  await expect(scope.row(/error answer, session\/new/)).toBeVisible();
});

test('What a request typed by hand lacks to be one goes in by a button, and its params are checked meanwhile', async ({
  scope,
}) => {
  await scope.write('{"method":"session/new","params":{"cwd":7}}');
  await expect(scope.remarks).toContainText('A request has "jsonrpc" and "id".');
  await expect(scope.remarks).toContainText(/params\/cwd|a string/);
  await scope.write('{"method":"session/list","params":{}}');
  await scope.button('Put both in', scope.remarks).click();
  await expect(scope.remarks).toContainText('Fits the schema of v2.');
  await expect(scope.button('Put both in', scope.remarks)).toBeHidden();
  await scope.send();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
});

test('JSON that does not parse is said where one looks, and can go out as a raw line', async ({
  scope,
}) => {
  await scope.write('{"jsonrpc":"2.0","id":1,"method":}');
  await scope.send();
  await expect(scope.remarks.getByRole('alert')).toContainText(
    /JSON does not parse: .* at line 1 column \d+/,
  );
  await scope.button('Send raw', scope.remarks).click();
  await expect(scope.row(/client to agent, not a message/)).toBeVisible();
});

test('A saved message with placeholders is sent in another session, with the values of that session', async ({
  scope,
}) => {
  const { page } = scope;
  const composer = page.getByRole('region', { name: 'Composer' });
  const cursor = { type: '_message', messageId: '$lastMessageId' };
  const params = { sessionId: '$sessionId', cwd: '$cwd', mcpServers: [], replayFrom: cursor };
  await scope.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/resume', params }));
  await expect(scope.remarks).toContainText('$sessionId has no value');
  await scope.button('Saved', composer).click();
  await page.getByLabel('Name for this message').fill('From the newest message');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await scope.write('{}');

  await scope.newSession();
  await scope.prompt('quick Which file did you change?');
  await scope.turnEnds();
  await scope.openDrawer('Composer');
  await scope.button('Saved', composer).click();
  await page.getByRole('button', { name: /^From the newest message/ }).click();
  await expect(scope.remarks).toContainText(/\$lastMessageId goes out as "msg_/);
  await scope.send();
  expect(await sentLine(scope, 'method:session/resume type:req', /session\/resume/)).toMatch(
    /"sessionId":"sess_\w+","cwd":".+","mcpServers":\[\],"replayFrom":\{"type":"_message","messageId":"msg_\w+"\}/,
  );
});

test('A raw line goes out exactly as typed', async ({ scope }) => {
  const typed =
    '  {"jsonrpc": "2.0" , "id":1.0,"method":"session/list", "method":"session/list"}\t';
  await scope.kind('Raw line').check({ force: true });
  await scope.write(typed);
  await expect(scope.remarks).toContainText('exactly as typed');
  await scope.send();
  await scope.query('side:client');
  await scope
    .row(/session\/list/)
    .last()
    .click();
  await scope.detail.getByRole('tab', { name: 'Raw' }).click();
  await expect(scope.detail).toContainText(`${typed.length} B`);
});

test('A notification and an answer by hand', async ({ scope }) => {
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText('The agent asks');
  await scope.openDrawer('Composer');

  await scope.kind('Response').check({ force: true });
  await scope.write(
    '{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}',
  );
  await scope.send();
  await expect(scope.transcript).toContainText(/Answered at #\d+/);

  await scope.template('session/cancel');
  await expect(scope.kind('Notification')).toBeChecked();
  await scope.send();
  await scope.view('Trace');
  await expect(scope.row(/client to agent, session\/cancel/)).toBeVisible();
});

test('A draft outlives a reload, and what was sent can be had again', async ({ scope }) => {
  await scope.template('session/list');
  await scope.send();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();

  const draft = '{"jsonrpc":"2.0","id":9,"method":"_mine/later","params":{"n":1e400}}';
  await scope.write(draft);
  await scope.page.reload();
  await expect(scope.editor).toContainText('_mine/later');
  await expect(scope.editor).toContainText('1e400');

  await scope.button('Sent', scope.drawer).click();
  await scope.page
    .getByRole('menuitem', { name: /session\/list/ })
    .first()
    .click();
  await expect(scope.editor).toContainText('session/list');
});
