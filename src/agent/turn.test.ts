import { expect, test } from 'vitest';
import { at } from '../test/programs/agent-client.ts';
import {
  choosing,
  CWD,
  meetAgent,
  newSession,
  saidBy,
  startAgent,
  textPrompt,
  turn,
} from '../test/programs/bundled-agent.ts';

const kinds = (updates: readonly { readonly sessionUpdate?: unknown }[]) => [
  ...new Set(updates.map(({ sessionUpdate }) => sessionUpdate)),
];

test.each([
  [1, 1],
  [2, 2],
  [9, 2],
])('a client that asks for version %i is spoken to in version %i', async (asked, spoken) => {
  const client = startAgent();
  const { result } = await client.ask('initialize', {
    protocolVersion: asked,
    info: { name: 'test', version: '1' },
  });
  expect(result).toMatchObject({ protocolVersion: spoken });
});

test('an agent of version 1 alone answers 1 to everyone', async () => {
  const client = startAgent({ protocol: 1 });
  const { result } = await client.ask('initialize', { protocolVersion: 2 });
  expect(result).toMatchObject({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
});

test('an agent of version 2 alone tells a v1 client so', async () => {
  const client = startAgent({ protocol: 2 });
  const { error } = await client.ask('initialize', { protocolVersion: 1 });
  expect(error).toMatchObject({ code: -32022, data: { requested: 1, supported: [2] } });
});

test('a v1 coding turn thinks, plans, reads, asks, edits, tests and sums up', async () => {
  const client = await meetAgent(1);
  client.answering = choosing('allow-once');
  const sessionId = await newSession(client);
  const { stopReason } = await client.call('session/prompt', textPrompt(sessionId, 'Mend it'));
  expect(stopReason).toBe('end_turn');
  expect(kinds(client.updates())).toEqual(
    expect.arrayContaining([
      'agent_thought_chunk',
      'agent_message_chunk',
      'plan',
      'tool_call',
      'tool_call_update',
      'usage_update',
      'session_info_update',
      'available_commands_update',
    ]),
  );
  const tools = client.updates().filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
  expect(tools.map(({ kind }) => kind)).toEqual(['read', 'edit', 'execute']);
  expect(at(tools[0], 'locations', 0, 'path')).toMatch(/work.project.src/);
  const read = client.updates().find((update) => at(update, 'content', 0, 'type') === 'content');
  expect(at(read, 'content', 0, 'content', 'text')).toMatch(/^```ts\nexport [^]*\n```$/);
  expect(at(tools[1], 'content', 0)).toMatchObject({
    type: 'diff',
    oldText: expect.any(String),
    newText: expect.any(String),
  });
});

test('a v2 coding turn has a terminal of its own, a patch, and says what it is doing', async () => {
  const client = await meetAgent(2);
  client.answering = choosing('allow-once');
  const sessionId = await newSession(client);
  const { messageId } = await client.call('session/prompt', textPrompt(sessionId, 'Mend it'));
  await client.untilUpdate(({ state }) => state === 'idle');
  const updates = client.updates();
  expect(updates.flatMap(({ state }) => state ?? [])).toEqual([
    'running',
    'requires_action',
    'running',
    'idle',
  ]);
  expect(updates.at(-1)).toMatchObject({ state: 'idle', stopReason: 'end_turn' });
  expect(updates.find(({ sessionUpdate }) => sessionUpdate === 'user_message')).toMatchObject({
    messageId,
  });
  const output = updates
    .filter(({ sessionUpdate }) => sessionUpdate === 'terminal_output_chunk')
    .map(({ data }) => Buffer.from(String(data), 'base64').toString('utf8'));
  expect(output.join('')).toContain('passed');
  expect(updates.filter(({ sessionUpdate }) => sessionUpdate === 'terminal_update')).toMatchObject([
    { command: expect.stringContaining('npm test'), cwd: CWD },
    { exitStatus: { exitCode: 0 } },
  ]);
  const patch = updates.map((update) => at(update, 'content', 0, 'patch', 'text')).find(Boolean);
  expect(patch).toMatch(/^diff --git "?[/\\].*\n--- "?[/\\].*\n\+\+\+ "?[/\\]/);
});

test('v1: the commands are told once the client knows the session', async () => {
  const client = await meetAgent(1);
  const id = client.send('session/new', { cwd: CWD, mcpServers: [] });
  await client.untilUpdate(({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
  expect(client.heard().map((message) => message.id ?? message.method)).toEqual([
    0,
    id,
    'session/update',
  ]);
});

test.each([1, 2] as const)('v%i: only a clear yes lets an edit happen', async (version) => {
  const client = await meetAgent(version);
  const answers = [
    { outcome: { outcome: 'selected', optionId: 'reject-once' } },
    { outcome: { outcome: 'cancelled' } },
    { outcome: { outcome: 'selected', optionId: 'no-such-option' } },
    { outcome: { outcome: 'selected', optionId: 'allow-once' } },
  ];
  client.answering = () => answers.shift();
  const sessionId = await newSession(client);
  const edited: boolean[] = [];
  while (answers.length > 0) {
    const from = await turn(client, sessionId, 'Mend it');
    edited.push(!saidBy('agent', client.updates(from)).includes('as it was'));
  }
  expect(edited).toEqual([false, false, false, true]);
});

test.each([
  ['allow-always', 'requests permission once, and edits twice', 1, 2],
  ['reject-always', 'requests permission once, and edits never', 1, 0],
])('%s %s', async (optionId, _, asked, edited) => {
  const client = await meetAgent(1);
  client.answering = choosing(optionId);
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'Mend it');
  await turn(client, sessionId, 'Mend it again');
  const { heard, updates } = { heard: client.heard(), updates: client.updates() };
  expect(heard.filter(({ method }) => method === 'session/request_permission')).toHaveLength(asked);
  expect(updates.filter(({ kind }) => kind === 'execute')).toHaveLength(edited);
});

test('the mode decides whether a person is asked, and whether anything is edited', async () => {
  const client = await meetAgent(1);
  const sessionId = await newSession(client);
  await client.call('session/set_mode', { sessionId, modeId: 'code' });
  await turn(client, sessionId, 'Mend it');
  expect(client.heard().some(({ method }) => method === 'session/request_permission')).toBe(false);
  expect(client.updates()).toContainEqual(
    expect.objectContaining({ sessionUpdate: 'config_option_update' }),
  );
  const { configOptions } = await client.call('session/set_config_option', {
    sessionId,
    configId: 'mode',
    value: 'plan',
  });
  expect(configOptions).toMatchObject([{ id: 'mode', currentValue: 'plan' }, { id: 'model' }]);
  const from = await turn(client, sessionId, 'Mend it');
  expect(client.updates(from).filter(({ kind }) => kind === 'edit')).toEqual([]);
  expect(client.updates()).toContainEqual({
    sessionUpdate: 'current_mode_update',
    currentModeId: 'plan',
  });
});

test('a boolean option is there for a v1 client that knows them, and for every v2 client', async () => {
  const capabilities = { session: { configOptions: { boolean: {} } } };
  const v1 = await meetAgent(1, { capabilities });
  const sessionId = await newSession(v1);
  const set = { sessionId, configId: 'terse', type: 'boolean', value: true };
  expect(at(await v1.call('session/set_config_option', set), 'configOptions', 2)).toMatchObject({
    id: 'terse',
    type: 'boolean',
    currentValue: true,
  });
  const v2 = await meetAgent(2);
  const { configOptions } = await v2.call('session/new', { cwd: CWD });
  expect(configOptions).toMatchObject([
    { configId: 'mode', type: 'select' },
    { configId: 'model', type: 'select' },
    { configId: 'terse', type: 'boolean', currentValue: false },
  ]);
});

test.each([
  ['nothing', 'x', 'no option "nothing"'],
  ['mode', 'reckless', 'takes one of "ask", "code", "plan"'],
])('setting %s to %s is refused in words', async (configId, value, words) => {
  const client = await meetAgent(2);
  const sessionId = await newSession(client);
  const answer = await client.ask('session/set_config_option', {
    sessionId,
    configId,
    type: 'id',
    value,
  });
  expect(answer.error?.code).toBe(-32602);
  expect(answer.error?.message).toContain(words);
});

test('“ask” fills in a form, where the client takes forms', async () => {
  const capabilities = { elicitation: { form: {} } };
  for (const version of [1, 2] as const) {
    const client = await meetAgent(version, { capabilities });
    client.answering = () => ({ action: 'accept', content: { name: 'lamp', style: 'a class' } });
    const sessionId = await newSession(client);
    await turn(client, sessionId, 'ask me something');
    expect(saidBy('agent', client.updates())).toBe('I will make “lamp” with a class.');
  }
  const without = await meetAgent(2);
  const sessionId = await newSession(without);
  await turn(without, sessionId, 'ask me something');
  expect(saidBy('agent', without.updates())).toContain('takes no forms');
});

test('“run N” sends N chunks', async () => {
  const client = await meetAgent(2);
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'run 500');
  const chunks = client
    .updates()
    .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
  expect(chunks).toHaveLength(500);
});

test.each([
  ['quick', /short answer/],
  ['help', /steer me[\s\S]*run N/],
  ['Reply with the single word PROBE-17. Do not use tools.', /^PROBE-17$/],
  ['What did I ask first?', /nothing before/],
])('“%s” is answered at once', async (prompt, words) => {
  const client = await meetAgent(1);
  const sessionId = await newSession(client);
  await turn(client, sessionId, prompt);
  expect(saidBy('agent', client.updates())).toMatch(words);
});

test('what the agent does not take in a prompt is refused before anything happens', async () => {
  const client = await meetAgent(2);
  const sessionId = await newSession(client);
  const audio = { type: 'audio', data: 'AA==', mimeType: 'audio/wav' };
  const answer = await client.ask('session/prompt', { sessionId, prompt: [audio] });
  expect(answer.error).toMatchObject({ code: -32602 });
  expect(answer.error?.message).toContain('"audio"');
  expect(client.updates()).toEqual([]);
});

test('with one seed, two runs in two fresh stores say the same, byte for byte', async () => {
  const run = async () => {
    const client = await meetAgent(2, { seed: 42 });
    client.answering = choosing('allow-once');
    const sessionId = await newSession(client);
    await turn(client, sessionId, 'Mend it');
    await turn(client, sessionId, 'And what did I ask first?');
    await newSession(client);
    return client.crossed.map(({ from, line }) => `${from} ${line}`);
  };
  expect(await run()).toEqual(await run());
});

test('a v1 client that offers files is read from and, when asked, written to', async () => {
  const client = await meetAgent(1, {
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
  });
  client.answering = ({ method }) => {
    if (method === 'fs/read_text_file') return { content: 'One line.\n' };
    return method === 'fs/write_text_file' ? {} : choosing('allow-once')();
  };
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'files');
  const written = client.heard().find(({ method }) => method === 'fs/write_text_file');
  expect(written?.params).toMatchObject({ content: expect.stringMatching(/^One line.\nOne more/) });
  expect(saidBy('agent', client.updates())).toContain('I wrote it.');
});

test('a v1 client that offers terminals sees one opened, shown and given back', async () => {
  const client = await meetAgent(1, { capabilities: { terminal: true } });
  const results: Record<string, object> = {
    'terminal/create': { terminalId: 't1' },
    'terminal/wait_for_exit': { exitCode: 0 },
    'terminal/output': { output: 'v20.0.0\n', truncated: false },
    'terminal/release': {},
  };
  client.answering = ({ method = '' }) => results[method] as Record<string, never>;
  const sessionId = await newSession(client);
  await turn(client, sessionId, 'terminal');
  const asked = client.heard().flatMap(({ method = '' }) => (method in results ? [method] : []));
  expect(asked).toEqual(Object.keys(results));
  expect(client.updates()).toContainEqual(
    expect.objectContaining({ content: [{ type: 'terminal', terminalId: 't1' }] }),
  );
  expect(saidBy('agent', client.updates())).toBe('It ended with code 0.');
});
