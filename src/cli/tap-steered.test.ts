// A tap whose intercept a page switches: real processes, a real relay, and a page without a browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { InterceptCall } from '../link/messages.ts';
import { texts } from '../test/programs/relay-fixture.ts';
import { listeningAgent } from '../test/programs/remote.ts';
import {
  bin,
  deedsIn,
  here,
  keepTapped,
  rulesOf,
  running,
  saidTo,
  steeringOf,
  TappedEditor,
} from '../test/programs/tapped-editor.ts';
import { until } from '../test/programs/until.ts';
import type { ConnectionId, Intercept } from '../trace/event.ts';

keepTapped();

const HOLD = { name: 'mine', on: 'side:agent', hold: true };
const posix = process.platform !== 'win32';
const OURS = { mode: 0o600 };

function edit(name?: string, ...options: readonly string[]): TappedEditor {
  const editor = new TappedEditor(bin, here, { ...(name !== undefined && { name }), options });
  running.push(editor.child);
  return editor;
}

/** One that takes rules from a page, and a page that follows it. */
async function begin() {
  const one = await here.page(await here.relay({ trustPage: false }));
  const editor = edit('tapped', '--allow-intercept');
  const connection: ConnectionId = await one.until(() => {
    const tapped = one.told.find((event) => event.type === 'connection');
    return tapped?.info.id;
  });
  one.follow(connection);
  const events = () => one.events.get(connection) ?? [];
  return {
    ...{ one, connection, events, editor, child: editor.child },
    call: (call: InterceptCall) => one.intercept(connection, call),
    deeds: (did: Intercept['did']) => deedsIn(events(), did),
  };
}

test('a page switches the intercept of a tap on: a held frame goes on as it was, as another line, or not at all; and off again', async () => {
  const { child, one, connection, events, editor, call, deeds } = await begin();
  const steering = steeringOf(await editor.trace());
  editor.ask('{"id":0}');
  await until(() => expect(editor.lines()).toEqual(['{"id":0}']));
  call({ op: 'on', rules: rulesOf(HOLD) });
  await one.until(() => deeds('on').length === 1);
  editor.ask('{"id":1}', '{"id":2}', '{"id":3}');
  const held = await one.until(() => deeds('hold').length === 3 && deeds('hold'));
  expect(editor.lines()).toEqual(['{"id":0}']);
  const [first, second, third] = held.map(({ seq }) => seq);
  if (!first || !second || !third) throw new Error('three are held');
  call({ op: 'release', of: second, line: { text: '{"id":"two"}' } });
  call({ op: 'release', of: first });
  call({ op: 'drop', of: third });
  await one.until(() => deeds('drop').length === 1);
  await until(() => expect(editor.lines().slice(1)).toEqual(['{"id":"two"}', '{"id":1}']));
  expect(events().filter((event) => 'of' in event)).toMatchObject([
    { type: 'frame', origin: 'intercept', of: second },
    { type: 'frame', origin: 'peer', of: first },
    { type: 'intercept', did: 'drop', of: third },
  ]);

  call({ op: 'off' });
  await one.until(() => deeds('off').length === 1);
  editor.ask('{"id":4}');
  await until(() => expect(editor.lines().slice(3)).toEqual(['{"id":4}']));
  call({ op: 'on', rules: rulesOf({ on: 'side:agent', drop: true }) });
  await one.until(() => deeds('on').length === 2);
  editor.ask('{"id":5}');
  await one.until(() => deeds('drop').length === 2);
  if (posix) expect(statSync(steering).mode & 0o777).toBe(0o600);
  child.stdin.end();
  await once(child, 'close');
  expect(editor.lines()).toHaveLength(4);
  expect(texts((await one.ended(connection)).slice(0, 3))).toEqual(['{"id":0}', '{"id":0}']);
  expect(existsSync(steering)).toBe(false);
});

test('frames that a page lets go on reach the editor in the order in which the page let them go', async () => {
  const { one, editor, call, deeds } = await begin();
  call({ op: 'on', rules: rulesOf(HOLD) });
  await one.until(() => deeds('on').length === 1);
  const asked = Array.from({ length: 40 }, (_, id) => `{"id":${id}}`);
  editor.ask(...asked);
  const held = await one.until(() => deeds('hold').length === asked.length && deeds('hold'));
  for (const { seq } of held.toReversed()) call({ op: 'release', of: seq });
  await until(() => expect(editor.lines()).toEqual(asked.toReversed()));
});

test('what cannot be done is said: a line that would be two, a tap that has ended, rules that the tap cannot read', async () => {
  const { child, one, connection, editor, call, deeds } = await begin();
  call({ op: 'release', of: 1 as never, line: { text: 'a\nb' } });
  expect(await one.told1('problem')).toMatchObject({
    connection,
    problem: { code: 'bad_message' },
  });
  call({ op: 'on', rules: '{"rules": [{"on": "side:agent"}]}' });
  const [off] = await one.until(() => deeds('off').length === 1 && deeds('off'));
  expect(off).toMatchObject({ problem: expect.stringContaining('A rule is an object') as string });
  editor.ask('{"id":1}');
  await until(() => expect(editor.lines()).toEqual(['{"id":1}']));
  child.stdin.end();
  await one.ended(connection);
  await one.until(() =>
    one.told.some((event) => event.type === 'connection' && event.info.state === 'ended'),
  );
  call({ op: 'off' });
  await one.until(() =>
    one.told.some((event) => event.type === 'problem' && event.problem.code === 'ended'),
  );
});

test('an intercept of a tap by URL is rejected without a question, and its traffic is forwarded unchanged', async () => {
  const one = await here.page(await here.relay({ trustPage: false }));
  const argv = [bin, 'tap', '--listen', '0', '--name', 'by-url', '--', await listeningAgent()];
  const env = { ...process.env, ACP_SCOPE_STATE: here.folders.state };
  const child = spawn(process.execPath, argv, { cwd: here.folders.work, env });
  running.push(child);
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const place = await until(() => {
    const found = /(ws:\S+)/.exec(said)?.[1];
    if (found === undefined) throw new Error(said);
    return found;
  });
  const editor = new WebSocket(place);
  await once(editor, 'open');
  const connection = await one.until(
    () => one.told.find((event) => event.type === 'connection')?.info.id,
  );
  one.intercept(connection, { op: 'on', rules: rulesOf(HOLD) });
  expect((await one.told1('problem')).problem).toMatchObject({ code: 'refused' });
  editor.send('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}');
  const [answer] = (await once(editor, 'message')) as [Buffer];
  expect(JSON.parse(answer.toString())).toMatchObject({ id: 0, result: { protocolVersion: 1 } });
  editor.terminate();
});

test('R-44 R-64 a relay that hangs or is gone holds nobody up: what is held goes on at its deadline, and all of it when the relay has ended', async () => {
  const relay = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  running.push(relay);
  const editor = edit('tapped', '--allow-intercept');
  const path = await editor.trace();
  const recorded = () => editor.recorded();
  const says = (call: InterceptCall) =>
    appendFileSync(steeringOf(path), saidTo(call, relay.pid, false), OURS);
  says({ op: 'on', rules: rulesOf({ ...HOLD, deadline: 1 }) });
  await until(async () => expect(deedsIn(await recorded(), 'on')).toHaveLength(1));
  editor.ask('{"id":1}');
  await until(() => expect(editor.lines()).toHaveLength(1));
  says({ op: 'on', rules: rulesOf({ ...HOLD, deadline: 10_000_000 }) });
  await until(async () => expect(deedsIn(await recorded(), 'on')).toHaveLength(2));
  editor.ask('{"id":2}');
  await until(async () => expect(deedsIn(await recorded(), 'hold')).toHaveLength(2));
  expect(editor.lines()).toHaveLength(1);
  relay.kill('SIGKILL');
  await until(() => expect(editor.lines()).toHaveLength(2));
  // The recording comes behind what passes.
  await until(async () =>
    expect(deedsIn(await recorded(), 'off')).toMatchObject([
      { problem: expect.stringContaining('has ended') as string },
    ]),
  );
  editor.ask('{"id":3}');
  await until(() => expect(editor.lines()).toHaveLength(3));
});

test.runIf(posix)(
  'L-02 T-21 who cannot write to the folder cannot steer a tap: a file that others may write, and a link to one, are not read',
  async () => {
    const on = saidTo({ op: 'on', rules: rulesOf(HOLD) });
    const elsewhere = join(here.folders.root, 'elsewhere');
    writeFileSync(elsewhere, on, OURS);
    const linked = edit('linked');
    symlinkSync(elsewhere, steeringOf(await linked.trace()));
    const open = edit('open');
    const file = steeringOf(await open.trace());
    writeFileSync(file, on);
    chmodSync(file, 0o622);
    // One that is steered has looked by then, and so have they.
    const ours = edit('ours');
    const path = await ours.trace();
    writeFileSync(steeringOf(path), on, OURS);
    await until(async () => expect(deedsIn(await ours.recorded(), 'on')).toHaveLength(1));
    for (const editor of [linked, open]) {
      editor.ask('{"id":1}');
      await until(() => expect(editor.lines()).toEqual(['{"id":1}']));
    }
  },
);

test('E-01 frames that look like what a relay says to a tap have no effect', async () => {
  const editor = edit();
  const path = await editor.trace();
  const like = saidTo({ op: 'on', rules: rulesOf(HOLD) }).trim();
  editor.ask(like, '{"id":1}');
  await until(() => expect(editor.lines()).toEqual([like, '{"id":1}']));
  expect(existsSync(steeringOf(path))).toBe(false);
  editor.child.stdin.end();
  await once(editor.child, 'close');
  const events = await editor.recorded();
  expect(events.filter(({ type }) => type === 'intercept')).toEqual([]);
});
