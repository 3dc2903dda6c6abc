// Each misbehaviour does its one thing, and a client sees nothing else wrong.
import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../acp/message.ts';
import { LineSplitter } from '../lib/lines.ts';
import type { AgentClient } from '../test/programs/agent-client.ts';
import {
  choosing,
  CWD,
  freshStore,
  meetAgent,
  newSession,
  saidBy,
  textPrompt,
  turn,
} from '../test/programs/bundled-agent.ts';
import { foldUpdates } from '../test/traces/fold-updates.ts';
import { checkFrames } from '../test/pages/sdk-schema.ts';
import type { MisbehaviourName } from './misbehaviours.ts';

let store: string;
let sessionId: string;

beforeEach(async () => {
  store = freshStore();
  const client = await meetAgent(2, { store });
  client.answering = choosing('allow-once');
  sessionId = await newSession(client);
  await turn(client, sessionId, 'Mend it');
  await turn(client, sessionId, 'quick');
  await client.end();
});

type Restore = readonly [client: AgentClient, before: JsonObject[], after: JsonObject[]];

/** A restore of the session of above; with nothing, the whole history is asked for. */
async function restore(
  version: 1 | 2,
  misbehave: MisbehaviourName | undefined,
  method = version === 1 ? 'session/load' : 'session/resume',
  replayFrom: JsonObject | null = { type: 'start' },
): Promise<Restore> {
  const client = await meetAgent(version, { store, ...(misbehave ? { misbehave } : {}) });
  const from = client.now;
  const cursor = version === 2 ? { replayFrom } : {};
  await client.ask(method, { sessionId, cwd: CWD, mcpServers: [], ...cursor });
  const answered = client.crossed.findLastIndex(({ message }) => message?.result !== undefined);
  await client.ask('session/list', {}); // what comes late has come by then
  const [all, after] = [client.updates(from), client.updates(answered)];
  return [client, all.slice(0, all.length - after.length), after];
}

const isHistory = ({ sessionUpdate }: JsonObject) =>
  /message|thought|tool_call|terminal|plan/.test(String(sessionUpdate));
const history = (updates: readonly JsonObject[]) => updates.filter(isHistory);

test.each([
  [1, 'session/resume', null],
  [2, 'session/resume', null],
] as const)('replay-without-cursor, v%i: %s replays all', async (version, method, cursor) => {
  const [, proper] = await restore(version, undefined);
  const [, before, after] = await restore(version, 'replay-without-cursor', method, cursor);
  expect(history(before)).toEqual(history(proper));
  expect(history(after)).toEqual([]);
});

test.each([1, 2] as const)('replay-after-answer, v%i: the history comes late', async (version) => {
  const [, proper] = await restore(version, undefined);
  const [, before, after] = await restore(version, 'replay-after-answer');
  expect(history(before)).toEqual([]);
  expect(history(after)).toEqual(history(proper));
  if (version === 2) expect(before.at(-1)).toMatchObject({ sessionUpdate: 'state_update' });
});

test.each([1, 2] as const)('lossy-replay, v%i: less comes back than was', async (version) => {
  const [, proper] = await restore(version, undefined);
  const [, before] = await restore(version, 'lossy-replay');
  const [all, left] = [foldUpdates(proper), foldUpdates(before)];
  const gone = Object.keys(all).filter((key) => !(key in left));
  expect(gone.every((key) => /^call_|^term_/.test(key))).toBe(true);
  expect(gone.length).toBeGreaterThanOrEqual(3);
  for (const [key, { text }] of Object.entries(left)) {
    const whole = String(all[key]?.['text']);
    if (!key.startsWith('agent_message ')) expect(String(text)).toBe(whole);
    else expect(whole.startsWith(String(text)) && String(text).length < whole.length).toBe(true);
  }
});

test.each([1, 2] as const)('unstable-message-ids, v%i: texts stay, ids do not', async (version) => {
  const [, proper] = await restore(version, undefined);
  const [, first] = await restore(version, 'unstable-message-ids');
  const [, second] = await restore(version, 'unstable-message-ids');
  const texts = (updates: JsonObject[]) => Object.values(foldUpdates(updates));
  const ids = (updates: JsonObject[]) => updates.flatMap(({ messageId }) => messageId ?? []);
  expect(texts(first)).toEqual(texts(proper));
  expect(new Set([...ids(first), ...ids(second), ...ids(proper)]).size).toBe(
    3 * new Set(ids(proper)).size,
  );
});

test('missing-state-snapshot: a resume is answered without one', async () => {
  const [, proper] = await restore(2, undefined);
  const [, before] = await restore(2, 'missing-state-snapshot');
  expect(before).toEqual(proper.slice(0, -1));
});

test.each([{ type: 'nonsense' }, { type: 5 }, { type: '_message', messageId: 'none' }])(
  'accepts-unknown-cursor: %j replays all',
  async (cursor) => {
    const [, proper] = await restore(2, undefined);
    const [, before] = await restore(2, 'accepts-unknown-cursor', 'session/resume', cursor);
    expect(before).toEqual(proper);
  },
);

test('exclusive-cursor: the message that the cursor names is not replayed', async () => {
  const [, proper] = await restore(2, undefined);
  const messageId = proper[1]?.['messageId'] ?? '';
  const cursor = { type: '_message', messageId };
  const [, inclusive] = await restore(2, undefined, 'session/resume', cursor);
  const [, before] = await restore(2, 'exclusive-cursor', 'session/resume', cursor);
  expect(before).toEqual(inclusive.slice(1));
});

test('missing-baseline: messages come as chunks alone, and say the same', async () => {
  const [, proper] = await restore(2, undefined);
  const [, before] = await restore(2, 'missing-baseline');
  expect(foldUpdates(before)).toEqual(foldUpdates(proper));
  expect(before.filter(({ content, messageId }) => messageId && Array.isArray(content))).toEqual(
    [],
  );
});

test.each([1, 2] as const)(
  'forgets-context, v%i: it replays, but knows nothing',
  async (version) => {
    const [, proper] = await restore(version, undefined);
    const [client, before] = await restore(version, 'forgets-context');
    expect(before).toEqual(proper);
    const from = await turn(client, sessionId, 'What did I ask first?');
    expect(saidBy('agent', client.updates(from))).toBe('I remember nothing before this.');
  },
);

test.each([1, 2] as const)(
  'duplicate-answer, v%i: each prompt has two answers',
  async (version) => {
    const client = await meetAgent(version, { misbehave: 'duplicate-answer' });
    const id = await newSession(client);
    await turn(client, id, 'quick');
    await client.ask('session/list', {});
    const answers = client.heard().filter(({ method }) => method === undefined);
    expect(answers.map((answer) => answer.id)).toEqual([0, 1, 2, 2, 3]);
  },
);

test.each([1, 2] as const)(
  'never-answers, v%i: the work is done, and no answer comes',
  async (version) => {
    const client = await meetAgent(version, { misbehave: 'never-answers' });
    const id = await newSession(client);
    client.send('session/prompt', textPrompt(id, 'quick'));
    await client.untilUpdate(({ sessionUpdate }) => sessionUpdate === 'usage_update');
    await client.ask('session/list', {});
    const answers = client.heard().filter(({ method }) => method === undefined);
    expect(answers.map((answer) => answer.id)).toEqual([0, 1, 3]);
  },
);

test.each([1, 2] as const)(
  'stdout-noise, v%i: lines that are no messages stand in between',
  async (version) => {
    const client = await meetAgent(version, { misbehave: 'stdout-noise' });
    await turn(client, await newSession(client), 'run 50');
    const noise = client.crossed.flatMap(({ line, message }) => (message ? [] : [line]));
    expect(new Set(noise)).toEqual(
      new Set([
        'bundled agent: loading…',
        '',
        'DEBUG cache miss (0 of 3)',
        '{"level":"info","text":"JSON, but no message"}',
      ]),
    );
    expect(checkFrames(version, client.crossed)).toEqual([]);
  },
);

test.each([1, 2] as const)(
  'split-utf8, v%i: characters are cut, and good framing heals them',
  async (version) => {
    const client = await meetAgent(version, { misbehave: 'split-utf8' });
    await turn(client, await newSession(client), 'quick');
    const broken = client.chunks.filter((chunk) =>
      Buffer.from(chunk.toString('utf8')).compare(chunk),
    );
    expect(broken.length).toBeGreaterThan(0);
    const splitter = new LineSplitter();
    const lines = client.chunks.flatMap((chunk) => splitter.push(chunk));
    expect(lines.map((line) => Buffer.from(line).toString('utf8'))).toEqual(
      client.crossed.filter(({ from }) => from === 'agent').map(({ line }) => line),
    );
    expect(saidBy('agent', client.updates())).toContain('→ try it');
  },
);

test.each([1, 2] as const)(
  'crash-mid-turn, v%i: the process ends in the middle of a turn',
  async (version) => {
    let code: number | undefined;
    const client = await meetAgent(version, {
      store,
      misbehave: 'crash-mid-turn',
      exit: (status) => {
        code = status;
      },
    });
    const id = await newSession(client);
    client.send('session/prompt', textPrompt(id, 'run 20'));
    await client.untilUpdate(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    await client.ask('session/list', {});
    expect(code).toBe(139);
  },
);
