import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nodePatterns } from '../../cli/parts/node-patterns.ts';
import type { Json } from '../../acp/message.ts';
import type { Launcher } from '../peer.ts';
import { ArrayAgent } from '../../test/driven-agent.ts';
import { problemWords, readScenario } from './file/read.ts';
import { runScenario } from './run.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What reached its stdin, write by write, with the time of each. */
class WiredAgent extends ArrayAgent {
  readonly writes: { readonly at: number; readonly text: string }[] = [];
  readonly split = async (line: string, bytes: number, ms: number) => {
    this.writes.push({ at: Date.now(), text: line.slice(0, bytes) });
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.writes.push({ at: Date.now(), text: `${line.slice(bytes)}\n` });
  };
  readonly cut = () => this.exit({ problem: 'cut' });

  get wire(): string {
    return this.writes.map(({ text }) => text).join('');
  }
  /** Lines sent after the handshake. */
  get lines(): string[] {
    return this.wire.split('\n').slice(1, -1);
  }
}

/** Answers every request by its method, `ask` asks for a permission first. */
function launcher(): Launcher & { readonly agents: WiredAgent[] } {
  const agents: WiredAgent[] = [];
  return {
    agents,
    launch() {
      const agent = new WiredAgent(`agent ${agents.length + 1}`);
      agents.push(agent);
      const say = (value: Json) => agent.say(JSON.stringify(value));
      agent.inputEnded = () => agent.exit({ code: 0 });
      agent.write = (line) => {
        agent.writes.push({ at: Date.now(), text: `${line}\n` });
        queueMicrotask(() => {
          if (!line.startsWith('{') || !line.endsWith('}')) return;
          const { id, method, result } = JSON.parse(line) as Record<string, Json>;
          if (method === 'initialize')
            say({ jsonrpc: '2.0', id: id ?? 0, result: { protocolVersion: 1 } });
          else if (method === 'die') agent.exit({ code: 4 });
          else if (method === 'ask') {
            const options = [
              { optionId: 'y', kind: 'allow_once' },
              { optionId: 'n', kind: 'reject_once' },
            ];
            const params = { sessionId: 's', options };
            say({ jsonrpc: '2.0', id: 'p', method: 'session/request_permission', params });
            say({ jsonrpc: '2.0', id: id ?? 0, result: { asked: { toolCallId: 't7' } } });
          } else if (id !== undefined && result === undefined && method !== 'mute')
            say({ jsonrpc: '2.0', id, result: { sessionId: `s${agents.length}` } });
        });
      };
      return Promise.resolve({ ok: true, agent });
    },
  };
}

async function run(document: object) {
  const read = readScenario(JSON.stringify(document));
  if (!read.ok) throw new Error(read.problems.map(problemWords).join('\n'));
  const started = launcher();
  const running = runScenario(read.scenario, {
    launcher: started,
    name: { name: 'test', version: '1' },
    cwd: '/w',
    patterns: nodePatterns,
  });
  await vi.runAllTimersAsync();
  const done = await running;
  return { ...done, agents: started.agents, lines: started.agents[0]?.lines ?? [] };
}

const NOTE = '{"jsonrpc":"2.0","method":"n","params":{}}';
const AFTER = { line: 'after' };

describe('a fault befalls the line, byte for byte on the wire', () => {
  const faulty = (fault: object) =>
    run({ steps: [{ notify: 'n', fault }, AFTER, { line: 'last' }] });

  test('drop: it is not sent', async () => {
    expect((await faulty({ drop: true })).lines).toEqual(['after', 'last']);
  });

  test('duplicate: it is sent so many times more', async () => {
    expect((await faulty({ duplicate: 2 })).lines).toEqual([NOTE, NOTE, NOTE, 'after', 'last']);
  });

  test('reorder: it is sent right after the next one', async () => {
    expect((await faulty({ reorder: true })).lines).toEqual(['after', NOTE, 'last']);
  });

  test('reorder: with no next one it is sent at the end', async () => {
    const { lines } = await run({ steps: [{ notify: 'n', fault: { reorder: true } }] });
    expect(lines).toEqual([NOTE]);
  });

  test('truncate: its first bytes are sent, and no half of a character', async () => {
    expect((await faulty({ truncate: 9 })).lines).toEqual(['{"jsonrpc', 'after', 'last']);
    const { lines } = await run({ steps: [{ line: 'aé', fault: { truncate: 2 } }] });
    expect(lines).toEqual(['a']);
  });

  test('delay: it goes out late, and what follows waits behind it', async () => {
    const { agents, lines } = await faulty({ delay: 500 });
    expect(lines).toEqual([NOTE, 'after', 'last']);
    const [initialize, note, after] = agents[0]?.writes ?? [];
    expect((note?.at ?? 0) - (initialize?.at ?? 0)).toBe(500);
    expect(after?.at).toBe(note?.at);
  });

  test('split: it goes out in two writes, and nothing comes between them', async () => {
    const { agents, lines } = await faulty({ split: 9, pause: 30 });
    expect(lines).toEqual([NOTE, 'after', 'last']);
    const [, head, rest] = agents[0]?.writes ?? [];
    expect(head?.text).toBe('{"jsonrpc');
    expect(rest?.text).toBe(`${NOTE.slice(9)}\n`);
    expect((rest?.at ?? 0) - (head?.at ?? 0)).toBe(30);
  });

  test('as a step it befalls the lines it names, as often as it says; before the handshake too', async () => {
    const steps = [
      { fault: { drop: true }, on: 'n*', times: 2 },
      { notify: 'n' },
      { notify: 'm' },
      { notify: 'n1' },
      { notify: 'n' },
    ];
    const sent = (await run({ steps })).lines.map(
      (line) => (JSON.parse(line) as { method: string }).method,
    );
    expect(sent).toEqual(['m', 'n']);
    const { agents } = await run({ steps: [], faults: [{ fault: { duplicate: 1 } }] });
    expect(agents[0]?.writes).toHaveLength(2);
  });
});

describe('an answer', () => {
  const YES =
    '{"jsonrpc":"2.0","id":"p","result":{"outcome":{"outcome":"selected","optionId":"y"}}}';
  const NO = YES.replace('"y"', '"n"');
  const answered = async (...rules: object[]) => {
    const steps = [
      ...rules.map((rule) => ({ answer: 'session/request_permission', ...rule })),
      { request: 'ask' },
      { wait: 1000 },
    ];
    return (await run({ steps })).lines.slice(1);
  };

  test.each([
    ['where nothing is said, permissions are allowed once', [], [YES]],
    ['chooses by kind', [{ select: 'reject_once' }], [NO]],
    ['chooses by id', [{ select: 'n' }], [NO]],
    ['says a result', [{ result: { x: 1 } }], ['{"jsonrpc":"2.0","id":"p","result":{"x":1}}']],
    [
      'says an error',
      [{ error: { code: -1, message: 'no' } }],
      ['{"jsonrpc":"2.0","id":"p","error":{"code":-1,"message":"no"}}'],
    ],
    ['comes twice', [{ twice: true }], [YES, YES]],
    ['comes never', [{ never: true }], []],
    [
      'comes under a wrong id',
      [{ wrong: 'id' }],
      [YES.replace('"p"', '"acp-scope-asked-by-nobody"')],
    ],
    ['has a wrong result', [{ wrong: 'result' }], ['{"jsonrpc":"2.0","id":"p","result":"wrong"}']],
    [
      'has a result and an error',
      [{ wrong: 'both' }],
      [
        '{"jsonrpc":"2.0","id":"p","error":{"code":-32603,"message":"Internal error"},"result":{"outcome":{"outcome":"selected","optionId":"y"}}}',
      ],
    ],
  ])('%s', async (_, rules, lines) => {
    expect(await answered(...rules)).toEqual(lines);
  });

  test('comes late, and other lines pass it', async () => {
    const steps = [
      { answer: 'session/*', late: 300 },
      { request: 'ask' },
      { notify: 'n' },
      { wait: 400 },
    ];
    expect((await run({ steps })).lines.slice(1)).toEqual([NOTE, YES]);
  });

  test('that was held open is given by a later step', async () => {
    const steps = [
      { answer: 'session/request_permission', never: true },
      { request: 'ask' },
      { notify: 'n' },
      { answer: 'session/request_permission', select: 'reject_once' },
    ];
    expect((await run({ steps })).lines.slice(1)).toEqual([NOTE, NO]);
  });
});

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

describe('what never happened is told', () => {
  const failed = async (...steps: object[]) => (await run({ steps })).failure;
  const ASK = { request: 'ask' };
  const PERMISSION = 'session/request_permission';

  test('a fault that befell no line fails, at its step', async () => {
    expect(await failed({ fault: { drop: true }, on: 'session/lst' }, AFTER)).toMatchObject({
      step: 1,
      what: 'fault drop',
      why: 'The fault drop befell no line: no session/lst was sent.',
    });
    expect((await failed(AFTER, { fault: { drop: true } }))?.why).toContain(
      'nothing was sent after',
    );
    const { failure } = await run({ steps: [AFTER], faults: [{ fault: { drop: true }, on: 'x' }] });
    expect(failure?.why).toContain('no x was sent');
  });

  test('an answer that nobody asked for is a note; an odd one tests nothing and fails', async () => {
    const plain = await run({ steps: [{ answer: 'fs/*', result: {} }, AFTER] });
    expect(plain).toMatchObject({
      failure: undefined,
      notes: ['The agent never asked for an answer to fs/*.'],
    });
    expect(await failed({ answer: 'fs/*', never: true }, AFTER)).toMatchObject({
      step: 1,
      why: 'The agent never asked for an answer to fs/*, so it was never tested.',
    });
    expect((await run({ steps: [{ answer: 'session/*', times: 'all' }, ASK] })).notes).toEqual([]);
  });

  test('an answer more than the agent asked for is told with how often it asked', async () => {
    const answer = { answer: PERMISSION, select: 'allow_once' };
    const asked = (...steps: object[]) => run({ steps }).then(({ notes }) => notes);
    const said = `The agent asked for an answer to ${PERMISSION}`;
    expect(await asked(answer, answer, ASK)).toEqual([`${said} once, and not again.`]);
    expect(await asked({ ...answer, times: 2 }, answer, ASK, ASK)).toEqual([
      `${said} 2 times, and not again.`,
    ]);
  });

  test('a cut that leaves the line whole fails', async () => {
    expect(await failed({ line: 'aé', fault: { truncate: 3 } })).toMatchObject({
      step: 1,
      why: 'truncate 3 leaves a line of 3 bytes whole. Give fewer.',
    });
    expect((await failed({ line: 'abc', fault: { split: 9 } }))?.why).toContain('split 9 leaves');
    expect(await failed({ line: 'abc', fault: { split: 2 } })).toBeUndefined();
  });

  test('an option that was not offered fails, with what was', async () => {
    const select = 'allow_twice';
    expect((await failed({ answer: PERMISSION, select }, ASK, { wait: 9 }))?.why).toBe(
      'session/request_permission offered no allow_twice; it offered allow_once (y), reject_once (n). To answer with another, write a result.',
    );
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
    ...{ launcher: started, name, cwd: '/w', patterns: nodePatterns, stop: stop.signal },
  });
  await vi.advanceTimersByTimeAsync(100);
  stop.abort();
  await vi.advanceTimersByTimeAsync(1);
  expect(vi.getTimerCount()).toBe(0);
  expect((await running).failure).toMatchObject({ step: 1, why: 'The run was stopped.' });
  expect(started.agents[0]?.lines).not.toContain('after');
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
    patterns: nodePatterns,
  });
  await vi.runAllTimersAsync();
  expect((await running).failure).toBeUndefined();
  const said = agent.frames.map(({ line }) => ('text' in line ? line.text : ''));
  const place = (word: string) => said.findIndex((line) => line.includes(word));
  expect(place('end_turn')).toBeGreaterThan(place('cancelled'));
  expect(place('_after')).toBeGreaterThan(place('end_turn'));
});
