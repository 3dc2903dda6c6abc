import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { str } from '../acp/json.ts';
import type { JsonObject } from '../acp/message.ts';
import { ArrayAgent, bundledLauncher } from '../test/programs/driven-agent.ts';
import { ScriptedConnection, type ScriptedOptions } from './scripted.ts';
import { BudgetSpent, PromptBudget } from './prompt-budget.ts';
import type { Timers } from './timers.ts';
import { takeTurn } from './turn.ts';

/** Time that a test moves on. */
class Clock implements Timers {
  #now = 0;
  readonly #due: { at: number; run: () => void }[] = [];
  now(): number {
    return this.#now;
  }
  later(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#due.push(timer);
    return () => void (this.#due.includes(timer) && this.#due.splice(this.#due.indexOf(timer), 1));
  }
  async pass(ms: number): Promise<void> {
    await settled();
    const until = this.#now + ms;
    for (;;) {
      const next = this.#due.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#due.splice(this.#due.indexOf(next), 1);
      this.#now = next.at;
      next.run();
      await settled();
    }
    this.#now = until;
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

function scripted(options: Partial<ScriptedOptions> = {}) {
  const agent = new ArrayAgent();
  const clock = new Clock();
  const connection = new ScriptedConnection(agent, {
    name: { name: 'test', version: '1' },
    budget: new PromptBudget(3),
    timers: clock,
    ...options,
  });
  const sent = () =>
    agent.frames.flatMap(({ from, line }) =>
      from === 'client' && 'text' in line ? [JSON.parse(line.text) as JsonObject] : [],
    );
  return { agent, clock, connection, sent };
}

const update = (sessionId: string, text: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    },
  });

describe('a request', () => {
  test('R-10: has its answer also where that comes in an array, among updates and what is no message', async () => {
    const { agent, connection } = scripted();
    const first = connection.request('initialize', { protocolVersion: 2 });
    agent.say('[{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":2}}]');
    expect(await first).toMatchObject({ answer: { kind: 'success' }, answerSeq: 2 });
    expect(connection.version).toBe(2);
    const [second, third] = [connection.ask('a', {}), connection.ask('b', {})];
    const refused = `{"jsonrpc":"2.0","id":${second.id},"error":{"code":1,"message":"no"}}`;
    const done = `{"jsonrpc":"2.0","id":${third.id},"result":{"x":1}}`;
    agent.say(`[7,${update('s', 'within')},${done},${refused}]`);
    expect(await second.answered).toMatchObject({ error: { code: 1 }, answerSeq: 5 });
    expect(await third.answered).toMatchObject({ result: { x: 1 }, answerSeq: 5 });
    // The frame is heard once, as it came.
    expect(connection.count).toBe(5);
    expect(connection.heard.at(-1)?.message).toMatchObject({ kind: 'invalid', reason: 'batch' });
  });

  test('has its answer and what the agent sent between, by seq', async () => {
    const { agent, connection } = scripted();
    agent.say(update('s', 'before'));
    const { id, answered } = connection.ask('session/load', { sessionId: 's' });
    agent.say(update('s', 'within'));
    agent.say(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    agent.say(update('s', 'after'));
    expect(await answered).toMatchObject({
      requestSeq: 2,
      answerSeq: 4,
      answer: { kind: 'success' },
      window: [{ frame: { seq: 3 } }],
    });
    // All of it came in one read, before anybody could look.
    const { after } = await answered;
    expect(connection.heard.slice(after).map(({ frame }) => frame.seq)).toEqual([5]);
  });

  test('without an answer tells what came, once time is over', async () => {
    const { agent, clock, connection } = scripted({ patience: 100 });
    const { answered } = connection.ask('session/load', {});
    agent.say(update('s', 'within'));
    await clock.pass(100);
    expect(await answered).toMatchObject({
      requestSeq: 1,
      answer: undefined,
      answerSeq: undefined,
      window: [{ frame: { seq: 2 } }],
      after: 2,
    });
  });

  test('ends its wait when the agent ends', async () => {
    const { agent, connection } = scripted();
    const { answered } = connection.ask('session/load', {});
    agent.exit({ code: 137 });
    expect(await answered).toMatchObject({ answer: undefined });
    expect(connection.exit).toEqual({ code: 137 });
  });

  test('keeps to its first answer where a second comes', async () => {
    const { agent, connection } = scripted();
    const { id, answered } = connection.ask('session/list', {});
    agent.say(`{"jsonrpc":"2.0","id":${id},"result":{"sessions":[]}}`);
    agent.say(`{"jsonrpc":"2.0","id":${id},"result":{"sessions":[{}]}}`);
    expect((await answered).answerSeq).toBe(2);
    expect(connection.heard).toHaveLength(3);
  });

  test('written by hand is answered under the id that stands in its line', async () => {
    const { agent, connection } = scripted();
    connection.line('{"jsonrpc":"2.0","id":"x","method":"session/list"}');
    const answered = connection.answerTo('"x"');
    agent.say('{"jsonrpc":"2.0","id":"x","result":{}}');
    expect(await answered).toMatchObject({ requestSeq: 1, answerSeq: 2 });
  });
});

describe('waiting', () => {
  test('quiet is a silence of that length, or none in time', async () => {
    const { agent, clock, connection } = scripted();
    const told: boolean[] = [];
    void connection.quiet(50, 200).then((quiet) => told.push(quiet));
    await clock.pass(40);
    agent.say('1');
    await clock.pass(40);
    expect(told).toEqual([]);
    await clock.pass(10);
    expect(told).toEqual([true]);
    void connection.quiet(50, 120).then((quiet) => told.push(quiet));
    for (let i = 0; i < 4; i++) {
      await clock.pass(30);
      agent.say('noise');
    }
    await clock.pass(50);
    expect(told).toEqual([true, false]);
  });

  test('the frame that is meant may have come already', async () => {
    const { agent, connection } = scripted();
    agent.say('one');
    agent.say('two');
    const heard = await connection.waitFor(({ message }) => message.kind === 'invalid', 0, 1);
    expect(heard?.frame.seq).toBe(2);
  });
});

describe('what the agent asks', () => {
  const ask = (method: string, params: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', id: 'q', method, params });
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];

  test('permission is rejected, or allowed where the script says so', () => {
    for (const [permission, optionId] of [
      [undefined, 'no'],
      ['allow-once', 'yes'],
    ] as const) {
      const { agent, sent } = scripted(permission && { settings: { permission } });
      agent.say(ask('session/request_permission', { sessionId: 's', options }));
      expect(sent()).toMatchObject([{ id: 'q', result: { outcome: { optionId } } }]);
    }
  });

  test('all else is method not found', () => {
    const { agent, sent } = scripted();
    agent.say(ask('fs/read_text_file', { sessionId: 's', path: '/etc/passwd' }));
    expect(sent()).toMatchObject([{ id: 'q', error: { code: -32601 } }]);
  });

  test('an answer stands behind its request in what was heard', () => {
    const { agent, connection } = scripted();
    agent.say(ask('session/request_permission', { sessionId: 's', options }));
    expect(connection.heard.map(({ frame }) => frame.from)).toEqual(['agent', 'client']);
  });
});

describe('prompts', () => {
  test('never exceed the budget, on all connections together, whoever wrote them', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.array(fc.boolean(), { maxLength: 12 }), (most, byHand) => {
        const budget = new PromptBudget(most);
        const two = [scripted({ budget }), scripted({ budget })];
        let refused = 0;
        byHand.forEach((raw, i) => {
          const connection = two[i % 2]?.connection;
          try {
            if (raw) connection?.line('{"jsonrpc":"2.0","id":"r","method":"session/prompt"}');
            else connection?.ask('session/prompt', {});
          } catch (error) {
            expect(error).toBeInstanceOf(BudgetSpent);
            refused++;
          }
        });
        const crossed = two.flatMap(({ sent }) => sent()).length;
        expect(crossed).toBe(Math.min(most, byHand.length));
        expect(refused).toBe(byHand.length - crossed);
      }),
    );
  });
});

describe('the bundled agent', () => {
  test.each([1, 2] as const)('takes a turn in version %s and leaves', async (version) => {
    const launched = await bundledLauncher().launch({ label: 'a' });
    if (!launched.ok) throw new Error(launched.message);
    const connection = new ScriptedConnection(launched.agent, {
      name: { name: 'test', version: '1' },
      budget: new PromptBudget(1),
    });
    await connection.initialize(version);
    expect(connection.version).toBe(version);
    const made = await connection.request('session/new', { cwd: '/work', mcpServers: [] });
    const sessionId = str(made.result, 'sessionId') ?? '';
    const turn = await takeTurn(connection, sessionId, 'Reply with the single word PROBE-1.');
    expect(turn).toMatchObject({ stopReason: 'end_turn', text: 'PROBE-1' });
    expect(await connection.quiet(5)).toBe(true);
    expect(await connection.leave()).toEqual({ code: 0 });
  });
});
