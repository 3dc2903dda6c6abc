// A tap whose intercept a page switches: real processes, a real relay, and a page without a browser.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { InterceptCall } from '../link/messages.ts';
import { buildBin } from '../test/programs/built-bin.ts';
import { ECHO, RelayTest, texts } from '../test/programs/relay-fixture.ts';
import { listeningAgent } from '../test/programs/remote.ts';
import { until } from '../test/programs/until.ts';
import type { ConnectionId, Intercept, TraceEvent } from '../trace/event.ts';

let bin: string;
beforeAll(async () => void (bin = await buildBin()), 120_000);
let here: RelayTest;
let running: ChildProcessWithoutNullStreams[];
beforeEach(() => {
  here = new RelayTest();
  running = [];
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await here.close();
});

const rules = (...list: readonly object[]) => JSON.stringify({ rules: list });
const HOLD = { name: 'mine', on: 'side:agent', hold: true };
const posix = process.platform !== 'win32';

/** An editor whose agent is a tapped echo: what it asks and reads, and its trace, once there is one. */
function edit(name = 'tapped') {
  const argv = [bin, 'tap', '--name', name, '--', process.execPath, '-e', ECHO];
  const env = { ...process.env, ACP_SCOPE_STATE: here.folders.state };
  const child = spawn(process.execPath, argv, { cwd: here.folders.work, env });
  running.push(child);
  let read = '';
  child.stdout.on('data', (data: Buffer) => (read += data.toString()));
  const spool = join(here.folders.state, 'spool');
  const trace = () =>
    until(() => {
      const path = readdirSync(spool)
        .filter((file) => file.endsWith('.acptrace.jsonl'))
        .map((file) => join(spool, file))
        .find((file) => readFileSync(file, 'utf8').includes(`"name":"${name}"`));
      if (path === undefined) throw new Error(`${name} is not recorded yet`);
      return path;
    });
  const ask = (...lines: readonly string[]) =>
    child.stdin.write(lines.map((line) => line + '\n').join(''));
  return { child, lines: () => read.split('\n').slice(0, -1), ask, trace };
}

const recordedIn = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line) as TraceEvent);
const steeringOf = (trace: string) => `${trace}.steering`;
const said = (relay: number | undefined, call: InterceptCall) =>
  `\n${JSON.stringify({ relay, call })}\n`;
const OURS = { mode: 0o600 };
const deedsIn = (events: readonly TraceEvent[], did: Intercept['did']) =>
  events.filter((event) => event.type === 'intercept' && event.did === did);

/** The same with a page that follows it. */
async function begin() {
  const one = await here.page(await here.relay());
  const editor = edit();
  const connection: ConnectionId = await one.until(() => {
    const tapped = one.told.find((event) => event.type === 'connection');
    return tapped?.info.id;
  });
  one.follow(connection);
  const events = () => one.events.get(connection) ?? [];
  return {
    ...{ one, connection, events, ...editor },
    call: (call: InterceptCall) => one.command({ type: 'intercept', connection, call }),
    deeds: (did: Intercept['did']) => deedsIn(events(), did),
  };
}

test('a page switches the intercept of a tap on: a held frame goes on as it was, as another line, or not at all; and off again', async () => {
  const { child, one, connection, events, ask, lines, call, deeds, trace } = await begin();
  const steering = steeringOf(await trace());
  ask('{"id":0}');
  await until(() => expect(lines()).toEqual(['{"id":0}']));
  call({ op: 'on', rules: rules(HOLD) });
  await one.until(() => deeds('on').length === 1);
  ask('{"id":1}', '{"id":2}', '{"id":3}');
  const held = await one.until(() => deeds('hold').length === 3 && deeds('hold'));
  expect(lines()).toEqual(['{"id":0}']);
  const [first, second, third] = held.map(({ seq }) => seq);
  if (!first || !second || !third) throw new Error('three are held');
  call({ op: 'release', of: second, line: { text: '{"id":"two"}' } });
  call({ op: 'release', of: first });
  call({ op: 'drop', of: third });
  await one.until(() => deeds('drop').length === 1);
  await until(() => expect(lines().slice(1)).toEqual(['{"id":"two"}', '{"id":1}']));
  expect(events().filter((event) => 'of' in event)).toMatchObject([
    { type: 'frame', origin: 'intercept', of: second },
    { type: 'frame', origin: 'peer', of: first },
    { type: 'intercept', did: 'drop', of: third },
  ]);

  call({ op: 'off' });
  await one.until(() => deeds('off').length === 1);
  ask('{"id":4}');
  await until(() => expect(lines().slice(3)).toEqual(['{"id":4}']));
  call({ op: 'on', rules: rules({ on: 'side:agent', drop: true }) });
  await one.until(() => deeds('on').length === 2);
  ask('{"id":5}');
  await one.until(() => deeds('drop').length === 2);
  if (posix) expect(statSync(steering).mode & 0o777).toBe(0o600);
  child.stdin.end();
  await once(child, 'close');
  expect(lines()).toHaveLength(4);
  expect(texts((await one.ended(connection)).slice(0, 3))).toEqual(['{"id":0}', '{"id":0}']);
  expect(existsSync(steering)).toBe(false);
});

test('what cannot be done is said: a line that would be two, a tap that has ended, rules that the tap cannot read', async () => {
  const { child, one, connection, ask, lines, call, deeds } = await begin();
  call({ op: 'release', of: 1 as never, line: { text: 'a\nb' } });
  expect(await one.told1('problem')).toMatchObject({
    connection,
    problem: { code: 'bad_message' },
  });
  call({ op: 'on', rules: '{"rules": [{"on": "side:agent"}]}' });
  const [off] = await one.until(() => deeds('off').length === 1 && deeds('off'));
  expect(off).toMatchObject({ problem: expect.stringContaining('A rule is an object') as string });
  ask('{"id":1}');
  await until(() => expect(lines()).toEqual(['{"id":1}']));
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

test('an intercept of a tap by URL is refused in the record, and what crosses goes on as it comes', async () => {
  const one = await here.page(await here.relay());
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
  one.follow(connection);
  const call: InterceptCall = { op: 'on', rules: rules(HOLD) };
  one.command({ type: 'intercept', connection, call });
  const [off] = await one.until(() => {
    const deeds = deedsIn(one.events.get(connection) ?? [], 'off');
    return deeds.length === 1 && deeds;
  });
  expect(off).toMatchObject({ problem: expect.stringContaining('is not intercepted') as string });
  editor.send('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}');
  const [answer] = (await once(editor, 'message')) as [Buffer];
  expect(JSON.parse(answer.toString())).toMatchObject({ id: 0, result: { protocolVersion: 1 } });
  editor.terminate();
});

test('R-44 R-64 a relay that hangs or is gone holds nobody up: what is held goes on at its deadline, and all of it when the relay has ended', async () => {
  const relay = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  running.push(relay);
  const { ask, lines, trace } = edit();
  const path = await trace();
  const recorded = () => recordedIn(path);
  const says = (call: InterceptCall) =>
    appendFileSync(steeringOf(path), said(relay.pid, call), OURS);
  says({ op: 'on', rules: rules({ ...HOLD, deadline: 1 }) });
  await until(() => expect(deedsIn(recorded(), 'on')).toHaveLength(1));
  ask('{"id":1}');
  await until(() => expect(lines()).toHaveLength(1));
  says({ op: 'on', rules: rules({ ...HOLD, deadline: 10_000_000 }) });
  await until(() => expect(deedsIn(recorded(), 'on')).toHaveLength(2));
  ask('{"id":2}');
  await until(() => expect(deedsIn(recorded(), 'hold')).toHaveLength(2));
  expect(lines()).toHaveLength(1);
  relay.kill('SIGKILL');
  await until(() => expect(lines()).toHaveLength(2));
  // The recording comes behind what passes.
  await until(() =>
    expect(deedsIn(recorded(), 'off')).toMatchObject([
      { problem: expect.stringContaining('has ended') as string },
    ]),
  );
  ask('{"id":3}');
  await until(() => expect(lines()).toHaveLength(3));
});

test.runIf(posix)(
  'L-02 T-21 who cannot write to the folder cannot steer a tap: a file that others may write, and a link to one, are not read',
  async () => {
    const on = said(process.pid, { op: 'on', rules: rules(HOLD) });
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
    await until(() => expect(deedsIn(recordedIn(path), 'on')).toHaveLength(1));
    for (const { ask, lines } of [linked, open]) {
      ask('{"id":1}');
      await until(() => expect(lines()).toEqual(['{"id":1}']));
    }
  },
);

test('E-01 frames that look like what a relay says to a tap have no effect', async () => {
  const { child, ask, lines, trace } = edit();
  const path = await trace();
  const like = said(process.pid, { op: 'on', rules: rules(HOLD) }).trim();
  ask(like, '{"id":1}');
  await until(() => expect(lines()).toEqual([like, '{"id":1}']));
  expect(existsSync(steeringOf(path))).toBe(false);
  child.stdin.end();
  await once(child, 'close');
  expect(recordedIn(path).filter(({ type }) => type === 'intercept')).toEqual([]);
});
