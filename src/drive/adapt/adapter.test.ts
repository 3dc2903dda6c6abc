import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../acp/message.ts';
import type { MemoryHistories } from '../../test/traces/adapted.ts';
import { Adapted, handshaken, RESUMES_V1 } from '../../test/traces/adapted.ts';

const LOAD = { sessionId: 's1', cwd: '/w', mcpServers: [] };
const START = { ...LOAD, replayFrom: { type: 'start' } };
const IDLE = { sessionUpdate: 'state_update', state: 'idle' };
const text = (said: string) => ({ type: 'text', text: said });
const chunk = (said: string) => ({ sessionUpdate: 'agent_message_chunk', content: text(said) });
const commands = { sessionUpdate: 'available_commands_update', availableCommands: [] };

function read(line: string | undefined): JsonObject {
  return JSON.parse(line ?? 'null') as JsonObject;
}
function updatesIn(lines: readonly string[]): JsonObject[] {
  return lines
    .map(read)
    .filter(({ method }) => method === 'session/update')
    .map(({ params }) => (params as JsonObject)['update'] as JsonObject);
}

/** A session of one turn, and the adapter gone. */
function lived(): MemoryHistories {
  const adapted = handshaken(1);
  adapted.exchange(1, 'session/new', { cwd: '/w', mcpServers: [] }, { sessionId: 's1' });
  adapted.editor({
    id: 2,
    method: 'session/prompt',
    params: { sessionId: 's1', prompt: [text('Hello')] },
  });
  adapted.update('s1', chunk('Hi'));
  adapted.agent({ id: 2, result: { stopReason: 'end_turn' } });
  adapted.end();
  return adapted.histories;
}

describe('an array of messages', () => {
  const batch = (...messages: readonly JsonObject[]) =>
    JSON.stringify(messages.map((one) => ({ jsonrpc: '2.0', ...one })));

  test('R-10: in which the agent answers a request of ours reaches the editor, each message by itself', () => {
    const adapted = new Adapted(lived());
    adapted.editor({ id: 0, method: 'initialize', params: {} });
    adapted.agent(batch({ id: 0, result: RESUMES_V1 }));
    expect(adapted.taken().map(read)).toMatchObject([
      { id: 0, result: { agentCapabilities: { loadSession: true } } },
    ]);
    adapted.editor({ id: 5, method: 'session/load', params: LOAD });
    adapted.agent(
      batch(
        { method: 'session/update', params: { sessionId: 's9', update: chunk('x') } },
        { id: adapted.askedId(), result: {} },
      ),
    );
    const lines = adapted.taken();
    expect(updatesIn(lines).map(({ content }) => content)).toEqual([
      ...[text('x'), text('Hello'), text('Hi')],
    ]);
    expect(read(lines.at(-1))).toMatchObject({ id: 5, result: {} });
  });

  test('that holds nothing to act on goes on as it came', () => {
    const adapted = handshaken(1);
    adapted.taken();
    const line = ` ${batch({ id: 9, result: {} }, { method: '_x', params: {} })}`;
    for (const one of [line, '[1,[[2]]]', '[]', '[']) adapted.agent(one);
    expect(adapted.taken()).toEqual([line, '[1,[[2]]]', '[]', '[']);
  });
});

describe('the handshake', () => {
  test('loadSession is advertised and nothing else of the answer changes', () => {
    const adapted = new Adapted();
    adapted.editor({ id: 'x', method: 'initialize', params: {} });
    const line =
      ' {"jsonrpc":"2.0","result":{"agentCapabilities": {"sessionCapabilities":{"resume":{}},"_meta":{"n":1.0}},"protocolVersion":1},"id":"x"}\r';
    adapted.agent(line);
    expect(adapted.atEditor).toEqual([
      line.replace('{"sessionCap', '{"loadSession":true,"sessionCap'),
    ]);
  });

  test('loadSession: false becomes true in its place', () => {
    const adapted = new Adapted();
    adapted.editor({ id: 1, method: 'initialize', params: {} });
    const line =
      '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession" : false,"sessionCapabilities":{"resume":{}}}}}';
    adapted.agent(line);
    expect(adapted.atEditor).toEqual([line.replace('false', 'true')]);
  });

  test.each([
    [{ loadSession: true, sessionCapabilities: { resume: {} } }, /can load sessions by itself/],
    [{}, /does not advertise sessionCapabilities\.resume/],
  ])(
    'an agent that needs no adapter, or cannot have one, is left alone: %j',
    (capabilities, why) => {
      const adapted = new Adapted();
      const result = { protocolVersion: 1, agentCapabilities: capabilities };
      adapted.exchange(0, 'initialize', {}, result);
      expect(read(adapted.atEditor[0])['result']).toEqual(result);
      expect(adapted.adapter.isOut).toBe(true);
      adapted.editor({ id: 1, method: 'session/load', params: LOAD });
      expect(read(adapted.atAgent.at(-1))['method']).toBe('session/load');
      expect(adapted.said).toHaveLength(1);
      expect(adapted.said[0]).toMatch(why);
    },
  );
});

describe('v1 session/load', () => {
  test('is a resume under an id of ours, then the history, then the answer under the editor’s id', () => {
    const adapted = handshaken(1, lived());
    adapted.editor({ id: 7, method: 'session/load', params: LOAD });
    expect(read(adapted.atAgent.at(-1))).toEqual({
      jsonrpc: '2.0',
      id: 'own-1',
      method: 'session/resume',
      params: LOAD,
    });
    adapted.update('s1', commands);
    expect(adapted.atEditor).toEqual([]);
    adapted.agent('{"jsonrpc":"2.0","id":"own-1","result":{"modes":{"x":1.0}}}');
    adapted.update('s1', chunk('live'));
    const got = adapted.taken();
    expect(updatesIn(got)).toEqual([
      { sessionUpdate: 'user_message_chunk', messageId: 'uuid-1', content: text('Hello') },
      chunk('Hi'),
      commands,
      chunk('live'),
    ]);
    expect(got.at(-2)).toBe('{"jsonrpc":"2.0","id":7,"result":{"modes":{"x":1.0}}}');
  });

  test('what the resume refuses, the load refuses, and what waited still comes', () => {
    const adapted = handshaken(1, lived());
    adapted.editor({ id: 7, method: 'session/load', params: LOAD });
    adapted.update('s1', commands);
    adapted.agent(
      '{"jsonrpc":"2.0","id":"own-1","error":{"code":-32002,"message":"gone","data":{"sessionId":"s1"}}}',
    );
    const [first, second, ...rest] = adapted.taken();
    expect(updatesIn([first ?? ''])).toEqual([commands]);
    expect(read(second)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32002, message: 'gone', data: { sessionId: 's1' } },
    });
    expect(rest).toEqual([]);
    expect(adapted.histories.released).toContain('s1');
  });

  test('a history the agent replays by itself is not told twice', () => {
    const adapted = handshaken(1, lived());
    adapted.editor({ id: 7, method: 'session/load', params: LOAD });
    const user = { sessionUpdate: 'user_message_chunk', content: text('Hello') };
    adapted.update('s1', user);
    expect(updatesIn(adapted.atEditor)).toEqual([user]);
    adapted.update('s1', chunk('Hi'));
    adapted.agent({ id: 'own-1', result: {} });
    expect(updatesIn(adapted.taken())).toEqual([user, chunk('Hi')]);
    expect(adapted.said.join()).toMatch(/replays the history of s1 by itself/);
  });

  test('a session from before the adapter says so, marked as ours', () => {
    const adapted = handshaken(1);
    adapted.exchange(7, 'session/load', LOAD, {});
    const [note] = updatesIn(adapted.taken());
    expect(note).toEqual({
      ...chunk('[acp-scope adapt: Earlier messages of this session were not recorded.]'),
      _meta: { 'acp-scope': { adapt: 'not-recorded' } },
    });
  });

  test('neither the resume nor its replay is recorded again', () => {
    const adapted = handshaken(1, lived());
    const before = adapted.histories.position('s1');
    adapted.editor({ id: 7, method: 'session/load', params: LOAD });
    adapted.update('s1', { sessionUpdate: 'plan', entries: [] });
    adapted.agent({ id: 'own-1', result: {} });
    expect(adapted.histories.entries('s1').slice(before)).toEqual([
      { type: 'open', at: '', acp: 1 },
    ]);
  });

  test('a turn that runs while the session is loaded comes once, behind the history', () => {
    const adapted = handshaken(1, lived());
    adapted.exchange(7, 'session/load', LOAD, {});
    adapted.editor({ id: 8, method: 'session/prompt', params: { sessionId: 's1', prompt: [] } });
    adapted.update('s1', chunk('one'));
    adapted.taken();
    adapted.editor({ id: 9, method: 'session/load', params: LOAD });
    adapted.update('s1', chunk('two'));
    adapted.agent({ id: 'own-2', result: {} });
    const texts = updatesIn(adapted.taken()).map(({ content }) => (content as JsonObject)['text']);
    expect(texts).toEqual(['Hello', 'Hi', 'one', 'two']);
    const told = adapted.histories.entries('s1').filter(({ type }) => type === 'update');
    expect(told).toHaveLength(3);
  });

  test('requests and other sessions pass at once, though updates wait', () => {
    const adapted = handshaken(1, lived());
    adapted.editor({ id: 7, method: 'session/load', params: LOAD });
    const ask = { id: 0, method: 'session/request_permission', params: { sessionId: 's1' } };
    adapted.agent(ask);
    adapted.update('s2', chunk('other'));
    adapted.agent('noise');
    expect(adapted.atEditor.map((line) => line.slice(0, 60))).toHaveLength(3);
  });

  test('a cancel of the load reaches the resume', () => {
    const adapted = handshaken(1, lived());
    adapted.editor({ id: 'é', method: 'session/load', params: LOAD });
    adapted.editor(
      '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"\\u00e9"}}',
    );
    expect(adapted.atAgent.at(-1)).toBe(
      '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"own-1"}}',
    );
    adapted.editor({ method: '$/cancel_request', params: { requestId: 99 } });
    expect(read(adapted.atAgent.at(-1))['params']).toEqual({ requestId: 99 });
  });

  test('a session that another process records is not loaded, and the refusal says why', () => {
    const adapted = handshaken(1, lived());
    adapted.histories.taken.add('s1');
    const sent = adapted.atAgent.length;
    adapted.editor({ id: 7, method: 'session/load', params: LOAD });
    expect(adapted.atAgent).toHaveLength(sent);
    expect(read(adapted.atEditor[0])).toMatchObject({
      id: 7,
      error: { code: -32603, message: expect.stringContaining('process 7 has it') as string },
    });
    expect(adapted.said).toHaveLength(1);
  });
});

describe('ends of sessions', () => {
  test('what a crash left open is settled, and the cut is named', () => {
    const adapted = handshaken(1);
    adapted.exchange(1, 'session/new', LOAD, { sessionId: 's1' });
    const params = { sessionId: 's1', prompt: [text('Go')] };
    adapted.editor({ id: 2, method: 'session/prompt', params });
    adapted.update('s1', { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'ls' });
    adapted.update('s1', chunk('half'));
    adapted.end();
    const again = handshaken(1, adapted.histories);
    again.exchange(3, 'session/load', LOAD, {});
    const told = updatesIn(again.taken());
    expect(told.slice(3)).toEqual([
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't1',
        status: 'failed',
        _meta: { 'acp-scope': { adapt: 'unfinished' } },
      },
      {
        ...chunk(
          '\n\n[acp-scope adapt: The record of this turn stops here, before its end. What became of 1 tool call is not known; shown as failed.]',
        ),
        _meta: { 'acp-scope': { adapt: 'cut-off' } },
      },
    ]);
  });

  test('a deleted session leaves nothing; a failed delete leaves all', () => {
    const adapted = handshaken(1, lived());
    adapted.editor({ id: 5, method: 'session/delete', params: { sessionId: 's1' } });
    adapted.agent({ id: 5, error: { code: -32603, message: 'no' } });
    expect(adapted.histories.stored.has('s1')).toBe(true);
    adapted.exchange(6, 'session/delete', { sessionId: 's1' }, {});
    expect(adapted.histories.stored.has('s1')).toBe(false);
  });

  test('a fork has the history so far, under its own id', () => {
    const adapted = handshaken(1, lived());
    adapted.exchange(5, 'session/load', LOAD, {});
    adapted.exchange(6, 'session/fork', LOAD, { sessionId: 's2' });
    adapted.taken();
    const again = handshaken(1, adapted.histories);
    again.exchange(7, 'session/load', { ...LOAD, sessionId: 's2' }, {});
    const lines = again.taken().map(read).slice(0, -1);
    expect(lines.map(({ params }) => (params as JsonObject)['sessionId'])).toEqual(['s2', 's2']);
  });

  test('a prompt that was refused at once is no part of the history', () => {
    const adapted = handshaken(1, lived());
    adapted.exchange(5, 'session/load', LOAD, {});
    const params = { sessionId: 's1', prompt: [text('Busy?')] };
    adapted.editor({ id: 6, method: 'session/prompt', params });
    adapted.agent({ id: 6, error: { code: -32603, message: 'busy' } });
    adapted.taken();
    adapted.exchange(7, 'session/load', LOAD, {});
    expect(JSON.stringify(adapted.taken())).not.toContain('Busy?');
  });
});

describe('v2 replayFrom start', () => {
  function livedV2(): MemoryHistories {
    const adapted = handshaken(2);
    adapted.exchange(1, 'session/new', { cwd: '/w' }, { sessionId: 's1' });
    const params = { sessionId: 's1', prompt: [text('Hello')] };
    adapted.editor({ id: 2, method: 'session/prompt', params });
    adapted.update('s1', {
      sessionUpdate: 'user_message',
      messageId: 'u1',
      content: params.prompt,
    });
    adapted.agent({ id: 2, result: { messageId: 'u1' } });
    adapted.update('s1', { sessionUpdate: 'state_update', state: 'running' });
    adapted.update('s1', { ...chunk('Hi'), messageId: 'a1' });
    adapted.update('s1', { ...IDLE, stopReason: 'end_turn' });
    adapted.end();
    return adapted.histories;
  }
  const told = [
    { sessionUpdate: 'user_message', messageId: 'u1', content: [text('Hello')] },
    { sessionUpdate: 'agent_message', messageId: 'a1', content: [] },
    { ...chunk('Hi'), messageId: 'a1' },
    IDLE,
  ];

  test('an agent that replays nothing: history, its snapshot, its own answer', () => {
    const adapted = handshaken(2, livedV2());
    adapted.editor({ id: 7, method: 'session/resume', params: START });
    expect(read(adapted.atAgent.at(-1))).toMatchObject({ id: 7, params: START });
    adapted.update('s1', IDLE);
    const answer = '{"id":7, "jsonrpc":"2.0","result":{}}';
    adapted.agent(answer);
    const got = adapted.taken();
    expect(updatesIn(got)).toEqual(told);
    expect(got.at(-1)).toBe(answer);
  });

  test('an agent that refuses every cursor is asked again without one', () => {
    const adapted = handshaken(2, livedV2());
    adapted.editor({ id: 7, method: 'session/resume', params: START });
    adapted.agent({ id: 7, error: { code: -32602, message: 'no cursors' } });
    expect(read(adapted.atAgent.at(-1))).toMatchObject({ id: 'own-1', params: LOAD });
    expect(adapted.atAgent.at(-1)).not.toContain('replayFrom');
    adapted.update('s1', IDLE);
    adapted.agent({ id: 'own-1', result: { configOptions: [] } });
    const got = adapted.taken();
    expect(updatesIn(got)).toEqual(told);
    expect(read(got.at(-1))).toEqual({ jsonrpc: '2.0', id: 7, result: { configOptions: [] } });
  });

  test('an agent with a history of its own is not touched', () => {
    const adapted = handshaken(2, livedV2());
    adapted.editor({ id: 7, method: 'session/resume', params: START });
    for (const update of told) adapted.update('s1', update);
    adapted.agent({ id: 7, result: {} });
    expect(updatesIn(adapted.taken())).toEqual(told);
  });

  test.each([[undefined], [null], [{ type: '_message', messageId: 'u1' }], [5]])(
    'replayFrom %j is the agent’s own affair',
    (replayFrom) => {
      const adapted = handshaken(2, livedV2());
      const params = replayFrom === undefined ? LOAD : { ...LOAD, replayFrom };
      adapted.editor({ id: 7, method: 'session/resume', params });
      adapted.update('s1', IDLE);
      expect(adapted.adapter.readsAgent).toBe(false);
      adapted.agent({ id: 7, error: { code: -32602, message: 'no' } });
      expect(updatesIn(adapted.taken())).toEqual([IDLE]);
      expect(read(adapted.atAgent.at(-1))['params']).toEqual(params);
    },
  );

  test('what was said in the other version is left out, and said to be', () => {
    const adapted = handshaken(2, lived());
    adapted.editor({ id: 7, method: 'session/resume', params: START });
    adapted.agent({ id: 7, result: {} });
    const [note, ...more] = updatesIn(adapted.taken());
    expect(note).toMatchObject({
      sessionUpdate: 'agent_message',
      _meta: { 'acp-scope': { adapt: 'other-version' } },
    });
    expect(more).toEqual([]);
  });
});

test('before the handshake is known, nothing is done', () => {
  const adapted = new Adapted();
  adapted.editor({ id: 1, method: 'session/load', params: LOAD });
  expect(read(adapted.atAgent[0])['method']).toBe('session/load');
  adapted.exchange(0, 'initialize', {}, RESUMES_V1);
  expect(adapted.said).toEqual([]);
});
