import { ruleCase, V1, V1_SESSION } from '../../test/traces/rule-case.ts';

const HTTP = `start agent
  client →0 initialize {"protocolVersion":1,"clientCapabilities":{},"clientInfo":{"name":"c","version":"1"}}
  agent ←0 result {"protocolVersion":1,"agentCapabilities":{"mcpCapabilities":{"http":true}},"agentInfo":{"name":"a","version":"1"},"authMethods":[]}\n`;
const server = (headers: string, more = '') =>
  `client →1 session/new {"cwd":"/w","mcpServers":[{"type":"http","name":"m","url":"http://127.0.0.1:1/mcp","headers":${headers}}]${more}}\n`;
const GO =
  'agent ←1 error -32602 json: cannot unmarshal array into Go struct field MCPServerSpec.mcpServers.headers of type map[string]string';

ruleCase('schema/refused', {
  breaks: [
    { trace: `${HTTP}${server('[]')}${GO}`, at: [4, 5], side: 'agent', severity: 'warning' },
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "Do"
        agent ←2 error -32602 invalid type: sequence, expected a string at line 1 column 60`,
      at: [6, 7],
      seen: /^-32602 "invalid type/,
    },
  ],
  holds: [
    `${HTTP}${server('[]')}agent ←1 result {"sessionId":"s1"}`,
    // The client is at fault.
    `${HTTP}${server('{}')}${GO}`,
    `${V1}${server('[]')}${GO}`,
    // What `_meta` should hold is between the two.
    `${HTTP}${server('[]', ',"_meta":{"a":"1"}')}agent ←1 error -32602 Invalid input: expected number, received string`,
    // Another reason, an error of what is behind the agent, and a value that is not there.
    `${HTTP}${server('[]')}agent ←1 error -32602 /w is no directory`,
    `${V1_SESSION}client →2 session/prompt s1 "Do"
      agent ←2 error -32603 json: cannot unmarshal string into Go struct field Reply.choices`,
    `${HTTP}${server('[]')}agent ←1 error -32602 Invalid input: expected string, received undefined`,
  ],
});
