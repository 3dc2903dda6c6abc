import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../acp/message.ts';
import { handshaken, type Adapted } from '../../test/traces/adapted.ts';

const text = (said: string) => ({ type: 'text', text: said });
const LOAD = { sessionId: 's1', cwd: '/w', mcpServers: [] };

/** A new session, in which a prompt is open. */
function prompted(acp: 1 | 2, said = 'Go'): Adapted {
  const adapted = handshaken(acp);
  adapted.exchange(1, 'session/new', { cwd: '/w', mcpServers: [] }, { sessionId: 's1' });
  const params = { sessionId: 's1', prompt: [text(said)] };
  adapted.editor({ id: 2, method: 'session/prompt', params });
  return adapted;
}

/** The turn ends, every process goes, and the session is restored: what the editor is told. */
function toldAfter(adapted: Adapted, acp: 1 | 2, offer: JsonObject = {}): JsonObject[] {
  adapted.agent({ id: 2, result: acp === 1 ? { stopReason: 'end_turn' } : { messageId: 'u1' } });
  adapted.end();
  const again = handshaken(acp, adapted.histories, offer);
  const start = { ...LOAD, replayFrom: { type: 'start' } };
  again.exchange(9, acp === 1 ? 'session/load' : 'session/resume', acp === 1 ? LOAD : start, {});
  return again
    .taken()
    .map((line) => JSON.parse(line) as JsonObject)
    .filter(({ method }) => method === 'session/update')
    .map(({ params }) => (params as JsonObject)['update'] as JsonObject);
}

describe('v1', () => {
  test('the echo of a prompt stands once, and gives it its id', () => {
    const adapted = prompted(1, 'Go now');
    for (const said of ['Go ', 'now'])
      adapted.update('s1', {
        sessionUpdate: 'user_message_chunk',
        messageId: 'm1',
        content: text(said),
      });
    expect(toldAfter(adapted, 1)).toEqual([
      { sessionUpdate: 'user_message_chunk', messageId: 'm1', content: text('Go now') },
    ]);
  });

  test('a user message that is no echo stands beside the prompt', () => {
    const adapted = prompted(1);
    const other = { sessionUpdate: 'user_message_chunk', content: text('something else') };
    adapted.update('s1', other);
    expect(toldAfter(adapted, 1)).toEqual([
      { sessionUpdate: 'user_message_chunk', content: text('Go') },
      other,
    ]);
  });

  test('a tool call made twice is told as made once', () => {
    const adapted = prompted(1);
    const call = { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'ls', status: 'completed' };
    adapted.update('s1', call);
    adapted.update('s1', call);
    expect(toldAfter(adapted, 1).slice(1)).toEqual([
      call,
      { ...call, sessionUpdate: 'tool_call_update' },
    ]);
  });

  test('a terminal of the client is told as what it showed, or as not known', () => {
    const adapted = prompted(1);
    const content = ['x1', 'x2'].map((terminalId) => ({ type: 'terminal', terminalId }));
    const call = { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'ls', status: 'completed' };
    adapted.update('s1', { ...call, content });
    const params = { sessionId: 's1', terminalId: 'x1' };
    adapted.agent({ id: 5, method: 'terminal/output', params });
    adapted.editor({ id: 5, result: { output: 'a.txt\n', truncated: false } });
    const gone = '[acp-scope adapt: What the terminal x2 showed was not recorded.]';
    expect(toldAfter(adapted, 1).slice(1)).toEqual([
      {
        ...call,
        content: ['a.txt\n', gone].map((said) => ({ type: 'content', content: text(said) })),
      },
    ]);
  });

  test('of usage and commands the last is told; modes, config and notices are not', () => {
    const adapted = prompted(1);
    for (const used of [1, 2])
      adapted.update('s1', { sessionUpdate: 'usage_update', used, size: 9 });
    adapted.update('s1', { sessionUpdate: 'current_mode_update', currentModeId: 'x' });
    adapted.update('s1', { sessionUpdate: 'notice', severity: 'info', title: 'now' });
    expect(toldAfter(adapted, 1).slice(1)).toEqual([
      { sessionUpdate: 'usage_update', used: 2, size: 9 },
    ]);
  });

  test('compactions come whole, to clients that take them', () => {
    const live = () => {
      const adapted = prompted(1);
      const compactionId = 'c1';
      adapted.update('s1', {
        sessionUpdate: 'compaction_update',
        compactionId,
        status: 'in_progress',
      });
      adapted.update('s1', {
        sessionUpdate: 'compaction_summary_chunk',
        compactionId,
        content: text('short'),
      });
      adapted.update('s1', {
        sessionUpdate: 'compaction_update',
        compactionId,
        status: 'completed',
      });
      return adapted;
    };
    expect(toldAfter(live(), 1)).toHaveLength(1);
    const offer = { session: { compaction: {} } };
    expect(toldAfter(live(), 1, offer).slice(1)).toEqual([
      {
        sessionUpdate: 'compaction_update',
        compactionId: 'c1',
        status: 'completed',
        summary: [text('short')],
      },
    ]);
  });
});

describe('v2', () => {
  test('a prompt that the agent never told stands under the id of its answer', () => {
    expect(toldAfter(prompted(2), 2)).toEqual([
      { sessionUpdate: 'user_message', messageId: 'u1', content: [text('Go')] },
    ]);
  });

  test('what chunks add to begins from nothing', () => {
    const adapted = prompted(2);
    const tool = { sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' };
    const part = { sessionUpdate: 'tool_call_content_chunk', toolCallId: 't1', content: {} };
    const shell = {
      sessionUpdate: 'terminal_update',
      terminalId: 'x1',
      exitStatus: { exitCode: 0 },
    };
    const output = { sessionUpdate: 'terminal_output_chunk', terminalId: 'x1', data: 'YQ==' };
    for (const update of [tool, part, part, shell, output]) adapted.update('s1', update);
    expect(toldAfter(adapted, 2).slice(1)).toEqual([
      tool,
      { sessionUpdate: 'tool_call_update', toolCallId: 't1', content: [] },
      part,
      part,
      shell,
      { sessionUpdate: 'terminal_update', terminalId: 'x1', output: { data: '' } },
      output,
    ]);
  });

  test('a terminal of a dead process has ended, with what code nobody knows', () => {
    const adapted = prompted(2);
    const shell = { sessionUpdate: 'terminal_update', terminalId: 'x1', command: 'sleep' };
    adapted.update('s1', shell);
    expect(toldAfter(adapted, 2).slice(1)).toEqual([
      shell,
      {
        sessionUpdate: 'terminal_update',
        terminalId: 'x1',
        exitStatus: {},
        _meta: { 'acp-scope': { adapt: 'unfinished' } },
      },
    ]);
  });
});
