import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { indexed } from '../../test/traces/indexed.ts';
import { sessionRuns } from './session-runs.ts';

const HELLO = `
  client →0 initialize {"protocolVersion":1}
  agent ←0 result {"protocolVersion":1,"agentInfo":{"name":"toy"}}`;

test('messages and tool calls are counted outside of replays, a text in pieces once', () => {
  const { index } = indexed(
    draw(`${HELLO}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Hello"
  agent update s1 agent_message_chunk "Hi "
  agent update s1 agent_message_chunk "there"
  agent ←2 result {"stopReason":"end_turn"}
  client →3 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent update s1 user_message_chunk "Hello"
  agent update s1 agent_message_chunk "Hi there"
  agent ←3 result {}`),
  );
  expect(sessionRuns(index)).toEqual([
    {
      sessionId: 's1',
      items: 2,
      isLive: true,
      isMade: true,
      restores: [{ request: 9, name: 'load', outcome: 'answered', late: 0 }],
    },
  ]);
  // Nothing is counted twice.
  expect(sessionRuns(index)[0]?.items).toBe(2);
});

test('a session that was only restored has no live part', () => {
  const { index } = indexed(
    draw(`${HELLO}
  client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent ←1 error -32602 Invalid params`),
  );
  expect(sessionRuns(index)).toMatchObject([
    { sessionId: 's1', items: 0, askedOnly: true, restores: [{ outcome: 'rejected' }] },
  ]);
});
