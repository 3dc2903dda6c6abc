import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import type { Json } from '../../acp/message.ts';
import { ArrayAgent } from '../../test/programs/driven-agent.ts';
import { lineText } from '../../trace/line.ts';
import { readScenario } from './file/read.ts';
import { runScenario } from './run.ts';
import { AFTER, launcher, run } from '../../test/programs/wired-run.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('steps', () => {
  test('fill in the folder, the last session and what was captured, whole or inside a text', async () => {
    const { lines, failure } = await run({
      steps: [
        { request: 'ask', capture: { $tool: '/result/asked/toolCallId' } },
        { request: 'session/new', params: { cwd: '$cwd' } },
        { expect: 'type:res', capture: { $whole: '/result' } },
        { line: '${sessionId} ${tool} $tool ${cwd}/x' },
        {
          notify: 'n',
          params: { w: '$whole', f: '${cwd}/a.txt', none: '$100', t: ['$$cwd', '$${cwd}'] },
        },
      ],
    });
    expect(failure).toBeUndefined();
    expect(lines.slice(-2)).toEqual([
      's1 t7 $tool /w/x',
      '{"jsonrpc":"2.0","method":"n","params":{"w":{"sessionId":"s1"},"f":"/w/a.txt","none":"$100","t":["$cwd","${cwd}"]}}',
    ]);
  });

  test('expect looks from the last line sent on, and then behind what it found', async () => {
    const steps = [
      { request: 'ask' },
      { expect: 'side:agent type:req' },
      { expect: 'side:agent type:res' },
      { expect: 'side:agent type:res', within: 40 },
    ];
    const { failure } = await run({ steps });
    expect(failure).toMatchObject({
      step: 4,
      what: 'expect side:agent type:res',
      why: 'No frame matched side:agent type:res in 40 ms; nothing came from the agent.',
    });
    const nth = { expect: 'side:agent', nth: 3, within: 40 };
    expect((await run({ steps: [{ request: 'ask' }, nth] })).failure).toMatchObject({
      why: 'Fewer than 3 frames matched side:agent in 40 ms; 2 frames came from the agent, the last #6, a result.',
      seqs: [6],
    });
  });

  test('expect looks into lines behind those that were let go of', async () => {
    const other = { request: 'other' };
    const { failure } = await run({
      steps: [other, other, { request: 'ask' }, { wait: 1 }, { expect: '/t7/ type:res' }],
    });
    expect(failure).toBeUndefined();
  });

  test('expect looks at the agent, and with side:client at all but what steps sent', async () => {
    const mute = { request: 'mute', wait: false };
    const own = await run({ steps: [mute, { expect: 'method:mute', within: 40 }] });
    expect(own.failure?.why).toMatch(/^No frame matched method:mute in 40 ms/);
    const said = await run({ steps: [mute, { expect: 'side:client', within: 40 }] });
    expect(said.failure?.why).toMatch(/^No frame matched side:client/);
    const line = { line: '{"jsonrpc":"2.0","id":77,"method":"x"}' };
    const asked = { expect: 'method:x', capture: { $s: '/result/sessionId' } };
    const after = { line: '${s}', fault: { delay: 5 } };
    const answered = await run({ steps: [line, asked, after, { wait: 9 }] });
    expect(answered).toMatchObject({ failure: undefined, lines: [line.line, 's1'] });
    const given = { expect: 'side:client type:res', capture: { $id: '/id' } };
    expect((await run({ steps: [{ request: 'ask' }, given] })).failure).toBeUndefined();
  });

  test('a request that is not answered in time, and a capture of nothing, fail', async () => {
    const mute = await run({ steps: [{ request: 'mute', within: 50 }, AFTER] });
    expect(mute.failure).toMatchObject({
      step: 1,
      why: 'mute was not answered in 50 ms.',
      seqs: [3],
    });
    expect(mute.lines).toHaveLength(1);
    const patience = { ms: 70, longer: 'Give it longer.' };
    const longer = await run({ steps: [{ request: 'mute' }] }, { patience });
    expect(longer.failure?.why).toBe('mute was not answered in 70 ms. Give it longer.');
    const own = await run({ steps: [{ request: 'mute', within: 50 }] }, { patience });
    expect(own.failure?.why).toBe('mute was not answered in 50 ms.');
    const { failure } = await run({ steps: [{ request: 'a', capture: { $x: '/result/y' } }] });
    expect(failure).toMatchObject({ why: '#4 has nothing at /result/y to be $x.' });
  });

  test('an agent that ends by itself ends the scenario', async () => {
    const { failure } = await run({ steps: [{ request: 'die' }, AFTER] });
    expect(failure).toMatchObject({
      step: 1,
      why: 'The agent ended (code 4) before it answered die.',
      ended: { code: 4 },
    });
  });

  test('kill, cut and restart: the agent ends, and the next is a connection of its own', async () => {
    const { failure, agents, connections } = await run({
      steps: [
        { request: 'session/new' },
        { kill: 'SIGKILL' },
        { restart: true, protocol: 1 },
        { notify: 'n', params: { s: '$sessionId' } },
        { cut: true },
        { restart: true, handshake: false },
        { kill: 'stdin' },
      ],
    });
    expect(failure).toBeUndefined();
    expect(agents[0]?.signals).toEqual(['SIGKILL']);
    expect(agents[1]?.lines).toEqual(['{"jsonrpc":"2.0","method":"n","params":{"s":"s1"}}']);
    expect(agents[2]?.writes).toEqual([]);
    expect(connections.map(({ ended }) => ended)).toEqual([
      { signal: 'SIGKILL' },
      { problem: 'cut' },
      { code: 0 },
    ]);
  });

  test('what is sent to an agent that has ended fails, and says how to go on', async () => {
    const { failure } = await run({ steps: [{ kill: 'SIGTERM' }, { notify: 'n' }] });
    expect(failure).toMatchObject({
      step: 2,
      why: 'The agent has ended (SIGTERM). A restart starts it again.',
    });
  });

  test('quiet fails where frames keep coming', async () => {
    const { failure } = await run({ steps: [{ request: 'a' }, { quiet: 50, within: 20 }] });
    expect(failure?.why).toBe('Frames kept coming: no 50 ms without one in 20 ms.');
    expect((await run({ steps: [{ request: 'a' }, { quiet: 50 }] })).failure).toBeUndefined();
  });
});

test.each([
  { wait: 60_000 },
  { quiet: 60_000, within: 90_000 },
  { expect: 'type:bad', within: 60_000 },
  { request: 'mute', within: 60_000 },
])('a run that is stopped waits for nothing more: %j', async (step) => {
  const read = readScenario(JSON.stringify({ steps: [step, AFTER] }));
  if (!read.ok) throw new Error('it is sound');
  const stop = new AbortController();
  const started = launcher();
  const name = { name: 'test', version: '1' };
  const running = runScenario(read.scenario, {
    ...{ launcher: started, name, cwd: '/w', finder: nodeFinder, stop: stop.signal },
  });
  await vi.advanceTimersByTimeAsync(100);
  stop.abort();
  await vi.advanceTimersByTimeAsync(1);
  expect(vi.getTimerCount()).toBe(0);
  expect((await running).failure).toMatchObject({ step: 1, why: 'The run was stopped.' });
  expect(started.agents[0]?.lines).not.toContain('after');
});

test('an agent that refuses the handshake ends the scenario there, and says why', async () => {
  const agent = new ArrayAgent();
  const refusal = { jsonrpc: '2.0', id: 0, error: { code: -32603, message: 'No login' } };
  agent.write = () => queueMicrotask(() => agent.say(JSON.stringify(refusal)));
  agent.inputEnded = () => agent.exit({ code: 0 });
  const read = readScenario(JSON.stringify({ steps: [{ request: 'session/new' }] }));
  if (!read.ok) throw new Error('it is sound');
  const running = runScenario(read.scenario, {
    launcher: { launch: () => Promise.resolve({ ok: true, agent }) },
    ...{ name: { name: 'test', version: '1' }, cwd: '/w', finder: nodeFinder },
  });
  await vi.runAllTimersAsync();
  expect((await running).failure).toMatchObject({
    step: 0,
    what: 'the handshake',
    why: 'initialize was refused: −32603 No login. A scenario that means to see that says "handshake": false.',
    seqs: [1, 2],
  });
});

test('R-10 expect and capture look into arrays, message by message', async () => {
  const agent = new ArrayAgent();
  const note = (text: string) => ({ jsonrpc: '2.0', method: 'note', params: { text } });
  agent.write = (line) => {
    const { id, method } = JSON.parse(line) as { readonly id: number; readonly method: string };
    if (method === 'end') return;
    const result = { protocolVersion: 1, word: 'w' };
    const says = [note(`${method} 1`), 7, note(`${method} 2`), { jsonrpc: '2.0', id, result }];
    queueMicrotask(() => agent.say(JSON.stringify(says)));
  };
  agent.inputEnded = () => agent.exit({ code: 0 });
  const steps = [
    { request: 'a', capture: { $word: '/result/word' } },
    { expect: 'method:note', nth: 2, capture: { $text: '/params/text' } },
    { expect: 'type:res', within: 40 },
    { request: 'b', params: { word: '$word', text: '$text' } },
    { expect: 'type:res' },
    { notify: 'end', params: {} },
    { expect: 'method:note', within: 40 },
  ];
  const read = readScenario(JSON.stringify({ steps }));
  if (!read.ok) throw new Error('it is sound');
  const running = runScenario(read.scenario, {
    launcher: { launch: () => Promise.resolve({ ok: true, agent }) },
    ...{ name: { name: 'test', version: '1' }, cwd: '/w', finder: nodeFinder },
  });
  await vi.runAllTimersAsync();
  // The last line is sent after both arrays, so that nothing is left to expect.
  expect((await running).failure).toMatchObject({ step: 7, what: 'expect method:note' });
  const sent = agent.frames.flatMap((frame) =>
    frame.type === 'frame' && frame.from === 'client' ? [lineText(frame.line)] : [],
  );
  expect(sent.find((line) => line.includes('"method":"b"'))).toContain('{"word":"w","text":"a 2"}');
});

test('v2: the idle of cancelled work is not the end of the prompt that followed the cancel', async () => {
  const agent = new ArrayAgent();
  const say = (value: object) => agent.say(JSON.stringify({ jsonrpc: '2.0', ...value }));
  const state = (update: object) =>
    say({
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'state_update', ...update } },
    });
  const idle = (stopReason: string) => state({ state: 'idle', stopReason });
  let prompts = 0;
  agent.inputEnded = () => agent.exit({ code: 0 });
  agent.write = (line) => {
    const { id, method } = JSON.parse(line) as Record<string, Json>;
    const later: (() => void)[] = [];
    if (method === 'initialize') later.push(() => say({ id, result: { protocolVersion: 2 } }));
    if (method === 'session/prompt') {
      if (++prompts === 2) later.push(() => idle('cancelled'));
      later.push(() => say({ id, result: { messageId: `u${prompts}` } }));
      later.push(() => state({ state: 'running' }));
      if (prompts === 2) later.push(() => idle('end_turn'));
    }
    for (const [at, act] of later.entries()) setTimeout(act, 10 * (at + 1));
  };
  const read = readScenario(
    JSON.stringify({
      steps: [
        { request: 'session/prompt', params: { sessionId: 's', prompt: [] }, wait: false },
        { expect: 'update:state_update' },
        { notify: 'session/cancel', params: { sessionId: 's' } },
        { request: 'session/prompt', params: { sessionId: 's', prompt: [] } },
        { notify: '_after' },
      ],
    }),
  );
  if (!read.ok) throw new Error('it is sound');
  const running = runScenario(read.scenario, {
    launcher: { launch: () => Promise.resolve({ ok: true, agent }) },
    name: { name: 'test', version: '1' },
    cwd: '/w',
    finder: nodeFinder,
  });
  await vi.runAllTimersAsync();
  expect((await running).failure).toBeUndefined();
  const said = agent.frames.map(({ line }) => ('text' in line ? line.text : ''));
  const place = (word: string) => said.findIndex((line) => line.includes(word));
  expect(place('end_turn')).toBeGreaterThan(place('cancelled'));
  expect(place('_after')).toBeGreaterThan(place('end_turn'));
});
