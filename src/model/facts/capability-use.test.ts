import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { capabilityUse } from './capability-use.ts';

test('capabilities are used by the methods that need them, and refused by errors', () => {
  const { index } = indexed(`
    client →0 initialize {"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true}}}
    agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":{}}}}
    client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    agent  →0 fs/read_text_file {"sessionId":"s1","path":"/w/a"}
    client ←0 result {"content":"x"}
    agent  ←1 error -32002 Resource not found
    client →2 session/list {}
    client →3 session/close {"sessionId":"s1"}
    agent  ←3 error -32601 Method not found
    client →4 session/prompt s1 "Hi"
    agent  update s1 agent_message_chunk "Hi"
  `);
  expect(capabilityUse(index)).toEqual([
    { by: 'agent', path: 'loadSession', used: 1, refused: 1, last: 3, lastRefused: 3 },
    { by: 'client', path: 'fs.readTextFile', used: 1, refused: 0, last: 4 },
    { by: 'agent', path: 'sessionCapabilities.list', used: 1, refused: 0, last: 7 },
    {
      by: 'agent',
      path: 'sessionCapabilities.close',
      used: 1,
      refused: 1,
      last: 8,
      lastRefused: 8,
    },
  ]);
});

test('what was refused is told apart from what came after it and is not answered', () => {
  const { index } = indexed(`
    client →0 initialize {"protocolVersion":1,"clientCapabilities":{}}
    agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    agent  ←1 error -32002 Resource not found
    client →2 session/load {"sessionId":"s2","cwd":"/w","mcpServers":[]}
  `);
  expect(capabilityUse(index)).toEqual([
    { by: 'agent', path: 'loadSession', used: 2, refused: 1, last: 5, lastRefused: 3 },
  ]);
});

test('nothing is made of a trace that says nothing', () => {
  expect(capabilityUse(indexed('stderr hello').index)).toEqual([]);
});
