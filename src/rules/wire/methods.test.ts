import { ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';

ruleCase('method/unknown', {
  breaks: [
    {
      trace: `${V1}client →1 session/loda {"sessionId":"s1"}`,
      at: [4],
      seen: '`session/loda` is not a method of ACP; did you mean `session/load`?',
      pointer: '/method',
      side: 'client',
    },
    { trace: `${V2}agent tools/list {}`, at: [4], side: 'agent' },
    // Without a handshake: neither version has it.
    { trace: 'client →1 session/begin {}', at: [1] },
  ],
  holds: [
    `${V1_SESSION}client →2 _mine/go {}\nclient $/progress {}`,
    `${V1}client →1 session/set_model {"sessionId":"s1","modelId":"m"}`,
    `${V2}client →1 session/load {}`,
  ],
});

ruleCase('method/wrong-version', {
  breaks: [
    {
      trace: `${V2}client →1 session/load {"sessionId":"s1","cwd":"/w"}`,
      at: [4],
      seen: '`session/load` is not a method of v2; v1 has it, v2 has `session/resume` with `replayFrom`',
    },
    { trace: `${V1}client →1 auth/login {"methodId":"x"}`, at: [4], side: 'client' },
    { trace: `${V2_SESSION}agent →1 fs/read_text_file {}`, at: [6], side: 'agent' },
    { trace: `${V1_SESSION}client →2 tool_call/cancel {}`, at: [6] },
  ],
  holds: [
    V1_SESSION,
    V2_SESSION,
    'client →1 session/load {}',
    // That is init/continue-unsupported.
    `start agent
    client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"}}
    agent ←0 result {"protocolVersion":1}
    client →1 auth/login {"methodId":"x"}`,
  ],
});

ruleCase('method/wrong-direction', {
  breaks: [
    {
      trace: `${V1}agent →1 session/new {"cwd":"/w","mcpServers":[]}`,
      at: [4],
      side: 'agent',
      seen: '`session/new` is for the client to send',
    },
    { trace: `${V2_SESSION}client session/update {"sessionId":"s1"}`, at: [6], side: 'client' },
  ],
  holds: [V1_SESSION, `${V2_SESSION}client →3 mcp/message {}\nagent $/cancel_request {}`],
});

ruleCase('method/unstable', {
  breaks: [
    { trace: `${V1_SESSION}client →2 session/fork {"sessionId":"s1","cwd":"/w"}`, at: [6] },
    {
      trace: `${V1_SESSION}client →2 session/set_model {"sessionId":"s1","modelId":"m"}`,
      at: [6],
      seen: /config options took its place/,
    },
    { trace: `${V2}client nes/accept {}`, at: [4], severity: 'hint' },
    {
      trace: `${V1}client →1 session/new {"cwd":"/w","mcpServers":[]}
      agent ←1 result {"sessionId":"s1","models":{"availableModels":[]}}`,
      at: [5],
      pointer: '/result/models',
    },
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "Hi"
      agent ←2 result {"stopReason":"end_turn","usage":{"totalTokens":1,"inputTokens":1,"outputTokens":0}}`,
      at: [7],
      seen: '`usage` stands in the unstable schema alone',
      side: 'agent',
    },
    {
      trace: `start agent
      client →0 initialize {"protocolVersion":1,"clientCapabilities":{"nes":{}}}
      agent ←0 result {"protocolVersion":1}`,
      at: [2],
      seen: '`nes` stood in an earlier unstable schema alone',
    },
    // What the handshake offers, too: known to be v1 or v2 once it is answered.
    {
      trace: `start agent
      client →0 initialize {"protocolVersion":1,"clientCapabilities":{"plan":{}}}
      agent ←0 result {"protocolVersion":1}`,
      at: [2],
      side: 'client',
      pointer: '/params/clientCapabilities/plan',
    },
  ],
  holds: [V1_SESSION, V2_SESSION],
});

ruleCase('method/dollar-ignored', {
  breaks: [
    {
      trace: `${V1}client →1 $/ping {}`,
      at: [4],
      seen: 'the request `$/ping`, which ACP does not define',
    },
    { trace: `${V2}agent $/progress {}`, at: [4], side: 'agent', severity: 'hint' },
  ],
  holds: `${V1_SESSION}client $/cancel_request {"requestId":1}`,
});

ruleCase('update/wrong-version', {
  breaks: [
    {
      trace: `${V2_SESSION}agent update s1 tool_call {"toolCallId":"t1","title":"T"}`,
      at: [6],
      seen: '`tool_call` is an update of v1; v2 has `tool_call_update`, which creates too',
    },
    {
      trace: `${V1_SESSION}agent update s1 agent_message {"messageId":"m1","content":[]}`,
      at: [6],
    },
    { trace: `${V1_SESSION}agent update s1 state_update {"state":"idle"}`, at: [6] },
    { trace: `${V2_SESSION}agent update s1 plan {"entries":[]} ×2`, at: [6, 7] },
  ],
  holds: [
    `${V1_SESSION}agent update s1 tool_call {"toolCallId":"t1","title":"T"}`,
    `${V2_SESSION}agent update s1 state_update {"state":"idle"}`,
    `${V2_SESSION}agent update s1 _mine {}`,
  ],
});

const ANNOUNCES = (meta: string) => `start agent
  client →0 initialize {"protocolVersion":1}
  agent ←0 result {"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"_meta":${meta}}}}`;
ruleCase('ext/unadvertised', {
  breaks: [
    {
      trace: `${V1}agent _mine/progress {}`,
      at: [4],
      seen: '`_mine/progress`, and no `_meta` in the handshake',
      severity: 'hint',
    },
    { trace: 'client →1 _mine {}', at: [1], verdict: 'undecidable', edition: 'v1-2.4.0' },
    { trace: `${ANNOUNCES('{"zed.dev":{}}')}\nagent _mine {}`, at: [4], verdict: 'undecidable' },
  ],
  holds: [
    `${ANNOUNCES('{"authStatus":{}}')}\nagent _auth/status_update {}`,
    `${ANNOUNCES('{"zed.dev":{}}')}\nclient →1 _zed.dev/open {}`,
    V1_SESSION,
  ],
});
