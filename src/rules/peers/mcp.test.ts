import { ruleCase, V1, V2 } from '../../test/traces/rule-case.ts';

const DECLARED = `${V2}
  client →1 session/new {"cwd":"/w","mcpServers":[{"type":"acp","name":"x","serverId":"m1"}]}
  agent ←1 result {"sessionId":"s1"}
`;
const inner = (id: number, request: number, server = 'm1') =>
  `agent →${id} mcp/message {"serverId":"${server}","requestId":${request},"method":"tools/list"}`;

ruleCase('mcp/envelope', {
  breaks: [
    {
      trace: `${DECLARED}${inner(9, 1, 'm9')}`,
      at: [6],
      seen: 'the server "m9", which no request declared',
      side: 'agent',
    },
    {
      trace: `${DECLARED}${inner(9, 1)}\n${inner(10, 1)}`,
      at: [6, 7],
      seen: 'the inner id 1 again, while #6 waits',
    },
    {
      trace: `${DECLARED}client mcp/message {"serverId":"m1","requestId":1,"method":"notifications/progress"}`,
      at: [6],
      side: 'client',
      pointer: '/params/requestId',
    },
    {
      trace: `${DECLARED}${inner(9, 1)}
        client ←9 result {"result":null,"error":{"code":1,"message":"x"}}`,
      at: [7],
      seen: 'both `result` and `error`',
      side: 'client',
    },
    { trace: `${DECLARED}gap 1 lost\n${inner(9, 1, 'm9')}`, at: [7], verdict: 'undecidable' },
  ],
  holds: `${DECLARED}${inner(9, 1)}
    client mcp/message {"serverId":"m1","requestId":1,"method":"notifications/progress"}
    client ←9 result {"result":null}
    ${inner(10, 1)}
    client ←10 error -33001 Gone`,
});

ruleCase('mcp/legacy', {
  breaks: [
    { trace: `${V1}agent →9 mcp/connect {"acpId":"x"}`, at: [4], severity: 'hint' },
    {
      trace: `${V1}agent →9 mcp/message {"connectionId":"c","method":"tools/list"}`,
      at: [4],
      pointer: '/params/connectionId',
    },
  ],
  holds: `${DECLARED}${inner(9, 1)}`,
});

const PROXY = `
  start proxy
  client →0 proxy/initialize {"protocolVersion":2,"info":{"name":"c","version":"1"}}
`;
const forward = (version: number) =>
  `agent →0 proxy/successor {"method":"initialize","params":{"protocolVersion":${version}}}`;

ruleCase('proxy/version', {
  breaks: [
    {
      trace: `${PROXY}agent ←0 result {"protocolVersion":2}`,
      at: [2, 3],
      seen: 'no `initialize` for the successor before this answer',
      severity: 'error',
    },
    {
      trace: `${PROXY}${forward(1)}
        client ←0 result {"protocolVersion":1}
        agent ←0 result {"protocolVersion":1}`,
      at: [2, 3],
      seen: 'the version 1 passed on in #3, not 2',
    },
  ],
  holds: [
    `${PROXY}${forward(2)}
      client ←0 result {"protocolVersion":2}
      agent ←0 result {"protocolVersion":2}`,
    `${PROXY}agent ←0 error -32603 The successor is gone`,
  ],
});
