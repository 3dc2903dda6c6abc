import { expect, test } from 'vitest';
import { found, ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';

ruleCase('schema/params', {
  breaks: [
    {
      trace: `${V1}client →1 session/new {"mcpServers":[]}`,
      at: [4],
      seen: '`cwd` is missing',
      due: 'a string',
      pointer: '/params',
      side: 'client',
    },
    { trace: `${V2_SESSION}client →2 session/prompt {"sessionId":"s1","prompt":5}`, at: [6] },
    { trace: `${V1_SESSION}client session/cancel {}`, at: [6], pointer: '/params' },
    {
      trace: `${V1_SESSION}agent →1 session/request_permission {"sessionId":"s1","options":[]}`,
      at: [6],
      side: 'agent',
    },
    // What the official SDK reads as left out is a warning, and says so.
    {
      trace: `${V2}client →1 session/new {"cwd":"/w","mcpServers":null}`,
      at: [4],
      severity: 'warning',
      seen: /the official SDK reads it as left out/,
    },
    // The request of a handshake is checked against the version that it offers.
    ...['result {"protocolVersion":2,"info":{"name":"a","version":"1"}}', 'error -32603 No'].map(
      (answer) => ({
        trace: `start agent
        client →0 initialize {"protocolVersion":2}
        agent ←0 ${answer}`,
        at: [2],
        side: 'client' as const,
        seen: '`info` is missing',
      }),
    ),
    {
      trace: `start agent
      client →0 initialize {"protocolVersion":1,"clientInfo":{"name":5,"version":"1"}}
      agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"}}`,
      at: [2],
      pointer: '/params/clientInfo/name',
      severity: 'warning',
    },
  ],
  holds: [
    V1_SESSION,
    V2_SESSION,
    // It offers version 1, whatever the agent chooses, and version 65535 has no schema.
    `start agent
    client →0 initialize {"protocolVersion":1}
    agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"}}`,
    `start agent
    client →0 initialize {"protocolVersion":65535}
    agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"}}`,
    // Told by rules of their own.
    `${V1}client →1 session/list []`,
    `${V1}client →1 session/new {"cwd":"/w"}`,
    `${V2}client →1 session/load {}`,
    `${V1}client →1 session/new {"cwd":"/w","mcpServers":[{"name":"m","command":"/m"}]}`,
    `${V2_SESSION}client →2 session/prompt {"sessionId":"s1","prompt":[]}`,
    `${V1_SESSION}client →2 session/set_config_option {"sessionId":"s1","configId":"a","value":true}`,
  ],
});

ruleCase('schema/result', {
  breaks: [
    {
      trace: `${V1}client →1 session/new {"cwd":"/w","mcpServers":[]}\nagent ←1 result {}`,
      at: [5],
      seen: '`sessionId` is missing',
      side: 'agent',
    },
    {
      trace: `${V2_SESSION}client →2 session/prompt s1 "Hi"\nagent ←2 result {}`,
      at: [7],
      seen: '`messageId` is missing',
      edition: 'v2-2.4.0',
    },
    {
      trace: `start agent
      client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"}}
      agent ←0 result {"protocolVersion":2}`,
      at: [3],
      seen: '`info` is missing',
    },
    {
      trace: `${V1_SESSION}agent →1 fs/read_text_file {"sessionId":"s1","path":"/a"}
      client ←1 result {"text":"x"}`,
      at: [7],
      side: 'client',
    },
    // Null is no result where something is due.
    { trace: `${V1_SESSION}client →2 session/prompt s1 "Hi"\nagent ←2 result null`, at: [7] },
    {
      trace: `${V1_SESSION}agent →1 terminal/create {"sessionId":"s1","command":"ls"}
      client ←1 result null`,
      at: [7],
      side: 'client',
      seen: '`result` is null',
    },
  ],
  holds: [
    V1_SESSION,
    V2_SESSION,
    `${V1_SESSION}client →2 session/close s1\nagent ←2 result null`,
    `${V1_SESSION}agent →1 terminal/release {"sessionId":"s1","terminalId":"t"}\nclient ←1 result null`,
    `${V2_SESSION}client →2 session/close s1\nagent ←2 error -32602 Invalid params`,
  ],
});

ruleCase('schema/update', {
  breaks: [
    {
      trace: `${V1_SESSION}agent update s1 tool_call {"toolCallId":"t1"}`,
      at: [6],
      seen: '`title` is missing',
      pointer: '/params/update',
    },
    { trace: `${V1_SESSION}agent update s1 nonsense {}`, at: [6] },
    {
      trace: `${V2_SESSION}agent update s1 agent_message_chunk {"content":{"type":"text","text":"x"}}`,
      at: [6],
    },
    { trace: `${V2_SESSION}agent session/update {"sessionId":"s1"}`, at: [6] },
  ],
  holds: [
    `${V1_SESSION}agent update s1 agent_message_chunk "Hi"`,
    // These are update/wrong-version alone.
    `${V1_SESSION}agent update s1 state_update {"state":"idle"}`,
    `${V2_SESSION}agent update s1 tool_call {"toolCallId":"t1"}`,
    `${V2_SESSION}agent update s1 agent_message_chunk m1 "Hi"`,
    // This is replay/message-id-missing.
    `${V2}client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
    agent update s1 agent_message_chunk "Hi"`,
  ],
});

ruleCase('shape/other-version', {
  breaks: [
    {
      trace: `start agent
      client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"}}
      agent ←0 result {"protocolVersion":2,"agentInfo":{"name":"a","version":"1"},"agentCapabilities":{}}`,
      at: [3],
      seen: /is a field of v1/,
      side: 'agent',
    },
    {
      trace: `start agent
      client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"}}
      agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{"delete":true}}}`,
      at: [3],
      pointer: '/result/capabilities/session/delete',
      severity: 'warning',
    },
    {
      trace: `start agent
      client →0 initialize {"protocolVersion":1}
      agent ←0 result {"protocolVersion":1,"info":{"name":"a","version":"1"}}`,
      at: [3],
      pointer: '/result/info',
    },
    {
      trace: `${V2_SESSION}agent update s1 config_option_update {"configOptions":[{"id":"m","type":"boolean","name":"M","currentValue":true}]}`,
      at: [6],
      seen: '`id` is a field of v1',
    },
    // Of a method that the other version has under another name too.
    {
      trace: `${V1}client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent ←1 result {"configOptions":[{"configId":"m","name":"M","type":"select","currentValue":"a","options":[]}]}`,
      at: [5],
      seen: /^`configId` is a field of v2/,
    },
    // A handshake of v2 that says nothing in its own fields.
    {
      trace: `start agent
      client →0 initialize {"protocolVersion":2,"clientCapabilities":{},"clientInfo":{"name":"c","version":"1"}}
      agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"}}`,
      at: [2],
      seen: '`clientCapabilities` is a field of v1',
      side: 'client',
    },
  ],
  holds: [
    V1_SESSION,
    V2_SESSION,
    // An `initialize` in version 1 that an agent answers in version 2.
    `start agent
    client →0 initialize {"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true}},"clientInfo":{"name":"c","version":"1"}}
    agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"}}`,
    // A client that asks in both ways does so on purpose.
    `start agent
    client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"},"clientCapabilities":{}}
    agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"}}`,
    `${V1}client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    agent ←1 result {"configOptions":[{"id":"m","name":"M","type":"select","currentValue":"a","options":[]}]}`,
    `${V2_SESSION}agent update s1 tool_call {"toolCallId":"t1"}`,
    `${V1_SESSION}client →2 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}`,
  ],
});

ruleCase('shape/extra-root-field', {
  breaks: [
    {
      trace: `${V1}client →1 session/new {"cwd":"/w","mcpServers":[],"model":"x"}`,
      at: [4],
      pointer: '/params/model',
      seen: `"model" is unknown to ACP Scope's newest edition (2026-11)`,
      severity: 'hint',
    },
    { trace: `${V2_SESSION}agent update s1 state_update {"state":"idle","mood":"fine"}`, at: [6] },
  ],
  holds: [
    `${V1}client →1 session/new {"cwd":"/w","mcpServers":[],"_meta":{"model":"x"}}`,
    `${V2_SESSION}agent update s1 _mine {"mood":"fine"}`,
  ],
});

ruleCase('shape/meta-type', {
  breaks: [
    {
      trace: `${V1_SESSION}client →2 session/list {"_meta":"x"}`,
      at: [6],
      seen: '`_meta` is the string "x"',
    },
    {
      trace: `${V2_SESSION}client session/cancel {"sessionId":"s1","_meta":{"traceparent":5}}`,
      at: [6],
      pointer: '/params/_meta/traceparent',
    },
  ],
  holds: [
    `${V1_SESSION}client →2 session/list {"_meta":null}`,
    `${V2_SESSION}client session/cancel {"sessionId":"s1","_meta":{"own":5}}`,
  ],
});

const option = (category: string) =>
  `{"type":"select","id":"${category}","name":"N","category":"${category}","currentValue":"a","options":[{"value":"a","name":"A"}]}`;

const SIGN_IN = (env: string) => `start agent
  client →0 initialize {"protocolVersion":1,"clientCapabilities":{"auth":{"terminal":true}}}
  agent ←0 result {"protocolVersion":1,"agentCapabilities":{},"authMethods":[{"type":"terminal","id":"t","name":"T","args":["login"],"env":${env}}]}`;

ruleCase(
  'shape/other-version',
  { breaks: [], holds: [SIGN_IN('{"PORT":8080}'), SIGN_IN('{"PORT":"8080"}')] },
  'what the tag has, where something else does not fit it',
);

ruleCase(
  'enum/unprefixed',
  {
    breaks: {
      trace: SIGN_IN('{"PORT":8080}'),
      at: [3],
      seen: '`type` is "terminal", and the fields fit only without it',
      pointer: '/result/authMethods/0/type',
    },
    holds: SIGN_IN('{"PORT":"8080"}'),
  },
  'a tag whose fields do not fit it',
);

ruleCase('enum/unprefixed', {
  breaks: [
    {
      trace: `${V2_SESSION}agent update s1 tool_call_update {"toolCallId":"t1","title":"T","status":"waiting"}`,
      at: [6],
      pointer: '/params/update/status',
      severity: 'hint',
    },
    { trace: `${V2_SESSION}agent update s1 mood {"mood":"fine"}`, at: [6] },
    // codex-acp 2.6.0
    {
      trace: `${V1_SESSION}agent update s1 config_option_update {"configOptions":[${option('collaboration_mode')}]}`,
      at: [6],
      pointer: '/params/update/configOptions/0/category',
      severity: 'hint',
    },
  ],
  holds: [
    `client →0 initialize {"protocolVersion":1}\nagent ←0 result {"protocolVersion":1,"authMethods":[{"type":"env_var","id":"a","name":"A"}]}`,
    `${V1_SESSION}agent update s1 config_option_update {"configOptions":[${option('_collaboration')},${option('model')}]}`,
    `${V2_SESSION}agent update s1 tool_call_update {"toolCallId":"t1","title":"T","status":"_waiting"}`,
    `${V2_SESSION}agent update s1 _mood {}`,
    `${V2}client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"end"}}`,
  ],
});

test('a prompt answered with {} is as the draft of August has it', () => {
  const trace = `${V2_SESSION}client →2 session/prompt s1 "Hi"\nagent ←2 result {}`;
  expect(found('schema/result', trace, { edition: 'v2-2026-08' })).toEqual([]);
  const other = `${V2_SESSION}client →2 session/new {"cwd":"/w"}\nagent ←2 result {}`;
  expect(found('schema/result', other, { edition: 'v2-2026-08' })).toMatchObject([
    { severity: 'warning' },
  ]);
});

test('one frame with several faults is one finding with a place for each', () => {
  const trace = `${V2_SESSION}client →2 session/prompt {"sessionId":5,"prompt":"Hi"}`;
  const [finding, ...others] = found('schema/params', trace);
  expect(others).toEqual([]);
  expect(finding?.seqs).toEqual([6]);
  expect(finding?.places.map(({ pointer }) => pointer)).toEqual([
    '/params/sessionId',
    '/params/prompt',
  ]);
});
