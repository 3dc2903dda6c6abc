import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { callAt, callTold } from './call-told.ts';

test('a tool call is told as it lived, by each replay, and late, each with its states', () => {
  const call = (status: string, id = 't1', session = 's1') =>
    `agent update ${session} tool_call_update {"toolCallId":"${id}","status":"${status}"}`;
  const { index } = indexed(`
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2}
    ${call('pending')}
    ${call('pending', 't2')}
    ${call('completed')}
    ${call('failed', 't1', 's2')}
    client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
    ${call('completed')}
    agent ←1 result {}
    client →2 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"_message","messageId":"m2"}}
    ${call('in_progress')}
    ${call('completed')}
    agent ←2 result {}
  `);
  const first = index.indexOf(3);
  const named = callAt(index, first);
  expect(named).toEqual({ sessionId: 's1', call: 't1' });
  expect(named && callTold(index, named)).toEqual([
    { seq: 3, is: 'live', statuses: ['pending', 'completed'] },
    { seq: 8, is: 'replay', statuses: ['completed'], request: 7, letter: 'A' },
    { seq: 11, is: 'replay', statuses: ['in_progress', 'completed'], request: 10, letter: 'B' },
  ]);
  expect(callAt(index, 0)).toBeUndefined();
});
