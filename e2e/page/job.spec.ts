// The job the tool is for, from one click to a restored session and a file of it: each step is one
// point of what a new user wants. The other specs go deep where this one goes through.
import { bundledAgent, program } from '../relay.ts';
import { expect, test } from '../scope.ts';
import { bytesFrom, isWhole, sha256 } from '../trace-file.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const witnessed = [process.execPath, program('witness.mjs'), ...bundledAgent('--seed', '7')];
test.use({ relayOptions: { allow: [witnessed] } });

test('A new user goes from one click to a restored session and its file', async ({ scope }) => {
  const { page } = scope;

  await test.step('1. One click starts the bundled agent; the handshake is seen', async () => {
    await scope.startBundled();
    await expect(scope.connection).toContainText('protocol v2');
    await expect(scope.connection).toContainText(/Agent advertises \d+ of \d+/);
    await expect(scope.connection).toContainText(/Client advertises \d+ of \d+/);
    await expect(scope.connection).toContainText('delete sessions');
    await expect(scope.connection).toContainText('forms to fill in');
    await expect(scope.row(/client to agent, request, initialize/)).toBeVisible();
    await expect(scope.row(/agent to client, answer, initialize/)).toBeVisible();
  });

  await test.step('2. A session, its options, a prompt, a permission, a cancel', async () => {
    await scope.newSession();
    await scope.pick(/^Model:/, 'Fresco');
    await expect(scope.state).toContainText('Fresco');

    await scope.prompt('mend the fault');
    await scope.view('Trace');
    await expect(scope.row(/agent to client, agent_thought_chunk/)).toBeVisible();
    await expect(scope.row(/waits for an answer/).last()).toBeVisible();
    await expect(scope.rail).toContainText('waits for you');

    await scope.view('Conversation');
    await scope.answer('Allow once');
    await expect(scope.transcript).toContainText(/Answered at #\d+: allow once/i);
    await scope.turnEnds();
    await expect(scope.transcript).toContainText('tests pass');

    await scope.prompt('slow, please');
    await scope.button('Cancel turn').click();
    await scope.turnEnds();
    await scope.view('Trace');
    await expect(scope.row(/session\/cancel/)).toBeVisible();
  });

  await test.step('3. A frame: its message, its bytes, its exchange', async () => {
    await scope.selectFrame('method:session/new', /answer, session\/new/);
    const { detail } = scope;
    await expect(detail.getByRole('tree')).toContainText('sessionId');
    await detail.getByRole('tab', { name: 'Raw' }).click();
    await expect(detail.getByRole('region', { name: /Bytes of/ })).toContainText('"jsonrpc":"2.0"');
    await expect(detail).toContainText(/answers #\d+\s*after [\d.]+ m?s/);
    await detail
      .getByRole('button', { name: /^#\d+$/ })
      .first()
      .click();
    await expect(detail).toContainText(/answered by #\d+/);
    await detail.getByRole('tab', { name: 'JSON' }).click();
    await expect(detail.getByRole('tree')).toContainText('cwd');
  });

  await test.step('4. Kill it, start it again, and restore the session by hand', async () => {
    await scope.kill();
    await expect(scope.connection).toContainText('was ended by us, with SIGTERM');
    await scope.startAgain();
    await scope.chooseSession(/mend the fault/);
    await scope.restore('start');
    await expect(scope.result(/start v2/)).toContainText(/identical|equivalent/);

    await scope.view('Trace');
    await expect(scope.row(/Replay window, resume \d+, from start/)).toBeVisible();
    await expect(scope.row(/\d, replay, agent to client, user_message/).first()).toBeVisible();
    await scope.prompt('reply with LIVE');
    await scope.turnEnds();
    await scope.query('is:live side:agent update:agent_message_chunk');
    await expect(scope.row(/agent_message_chunk, “LIVE”/)).toHaveCount(1);
    await expect(scope.row(/replay/)).toHaveCount(0);
    await scope.query('');
  });

  await test.step('5. Any other frame, written in the composer', async () => {
    await scope.openDrawer('Composer');
    await scope.template('session/list');
    await scope.send();
    await scope.query('method:session/list');
    await expect(scope.row(/client to agent, request, session\/list/)).toHaveCount(2);
    await expect(scope.row(/agent to client, answer, session\/list/)).toHaveCount(2);
    await scope.query('');
  });

  await test.step('6. A reload in mid-stream loses nothing; a fresh link finds it again', async () => {
    await scope.prompt('run 3000 at 1000');
    await expect(scope.transcript).toContainText(/\d/);
    await page.reload();
    await scope.view('Conversation');
    await scope.turnEnds();
    await scope.comeBack(await scope.relay.freshLink());
    await expect(scope.rail).toContainText('Bundled agent');
  });

  await test.step('7. The trace goes to a file and comes back, byte for byte', async () => {
    const file = await scope.export('Bundled agent');
    expect(isWhole(file)).toBe(true);
    await scope.import('again.acptrace.jsonl', file);
    await expect(scope.rail.getByRole('button', { name: 'Actions of again' })).toBeVisible();
    const again = await scope.export('again');
    expect(sha256(again)).toBe(sha256(file));
  });
});

test('What is stored of an agent is what crossed the wire, byte for byte', async ({
  scope,
  folder,
}) => {
  await scope.startCommand(witnessed, { ask: 'v1', permissions: 'allow once', cwd: folder });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await scope.turnEnds();
  await scope.kill();
  const file = await scope.export('witness');
  for (const side of ['client', 'agent'] as const) {
    const wire = readFileSync(join(folder, `wire.${side}`));
    expect(sha256(bytesFrom(side, file)), `from the ${side}`).toBe(sha256(wire));
  }
  expect(isWhole(file)).toBe(true);
});
