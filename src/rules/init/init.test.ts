import { ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';

const ASK = (version: number) =>
  `start agent\nclient →0 initialize {"protocolVersion":${version},"info":{"name":"c","version":"1"}}\n`;
const ANSWER = (version: number) =>
  `agent ←0 result {"protocolVersion":${version},"info":{"name":"a","version":"1"}}\n`;

/** As the recorder format has it: nothing says that the process came up. */
const UNSTARTED = V1.replace('start agent', '').trim();

ruleCase('init/first', {
  breaks: [
    {
      trace: 'start agent\nclient →0 session/new {"cwd":"/w"}',
      at: [2],
      seen: '`session/new` before `initialize`',
      side: 'client',
    },
    {
      trace: 'start agent\ngap 2 the disk was full\nclient →0 session/new {}',
      at: [3],
      verdict: 'undecidable',
    },
    // A recording without the start of the process: the handshake that comes shows what was first.
    {
      trace: `client →9 session/list {}\nagent ←9 error -32600 Not yet\n${UNSTARTED}`,
      at: [1],
      seen: '`session/list` before `initialize`',
    },
  ],
  holds: [
    V1,
    UNSTARTED,
    // A recording that began later.
    'client →0 session/new {"cwd":"/w"}',
    `gap 2 the disk was full\nclient →9 session/list {}\n${UNSTARTED}`,
    `start agent\nclient →0 proxy/initialize {"protocolVersion":2}\nclient →1 session/new {}`,
  ],
});

ruleCase('init/early-request', {
  breaks: [
    {
      trace: `${ASK(1)}client →1 session/new {}\n${ANSWER(1)}`,
      at: [3],
      seen: '`session/new` while `initialize` (#2) waits for its answer',
    },
    {
      trace: `${ASK(1)}agent ←0 error -32603 Internal error\nclient →1 session/new {}`,
      at: [4],
      seen: /although `initialize` \(#2\) failed/,
    },
    {
      trace: `${ASK(1)}gap 2 the disk was full\nclient →1 session/new {}`,
      at: [4],
      verdict: 'undecidable',
    },
  ],
  holds: [
    V1_SESSION,
    V2_SESSION,
    `${ASK(2)}agent ←0 error -32022 No\nclient →1 initialize {"protocolVersion":1}`,
    // The second one asks for nothing new before it is answered.
    `${V2}client →7 initialize {"protocolVersion":2}\nclient →8 session/list {}`,
  ],
});

ruleCase('init/early-accept', {
  breaks: [
    {
      trace: `${ASK(1)}client →1 session/new {}\nagent ←1 result {"sessionId":"s1"}\n${ANSWER(1)}`,
      at: [4],
      seen: 'a result for `session/new` (#3), before `initialize` was answered',
      severity: 'warning',
      side: 'agent',
    },
    {
      trace: `${ASK(2)}client →1 session/new {}\nagent ←1 result {"sessionId":"s1"}\n${ANSWER(2)}`,
      at: [4],
      severity: 'error',
    },
    {
      trace: `${ASK(2)}client →1 session/new {}\nagent ←1 error -32603 Internal error\n${ANSWER(2)}`,
      at: [4],
      severity: 'warning',
    },
    {
      trace: `client →9 session/list {}\nagent ←9 result {"sessions":[]}\n${UNSTARTED}`,
      at: [2],
      seen: 'a result for `session/list` (#1), before `initialize` was answered',
      side: 'agent',
    },
    {
      trace: UNSTARTED.replace(
        'agent ←0',
        'client →9 session/list {}\nagent ←9 result {"sessions":[]}\nagent ←0',
      ),
      at: [3],
    },
  ],
  holds: [
    `client →9 session/list {}\nagent ←9 error -32600 Not yet\n${UNSTARTED}`,
    `${ASK(1)}client →1 session/new {}\nagent ←1 error -32600 Not initialized\n${ANSWER(1)}`,
    // Asked early and answered in turn: the agent cannot know that nobody waited.
    `${ASK(1)}client →1 session/new {}\n${ANSWER(1)}agent ←1 result {"sessionId":"s1"}`,
    // A recording that began later.
    'client →1 session/new {}\nagent ←1 result {"sessionId":"s1"}',
  ],
});

ruleCase('init/agent-talks-first', {
  breaks: [
    {
      trace: `start agent\nagent session/update {"sessionId":"s1"}\nclient →0 initialize {"protocolVersion":1}`,
      at: [2],
      severity: 'warning',
    },
    {
      trace: `${ASK(2)}agent _ready {}\n${ANSWER(2)}`,
      at: [3],
      seen: /`_ready` before the answer/,
    },
    { trace: `agent _ready {}\n${UNSTARTED}`, at: [1], side: 'agent' },
    { trace: UNSTARTED.replace('agent ←0', 'agent _ready {}\nagent ←0'), at: [2] },
  ],
  holds: [
    `${V1_SESSION}agent update s1 agent_message_chunk "Hi"`,
    'agent session/update {}',
    // A proxy greets its successor before it answers.
    'start agent\nclient →0 proxy/initialize {}\nagent →0 proxy/successor {"method":"initialize"}',
    'start agent\ngap 3 the disk was full\nagent session/update {}',
    // Between a second handshake and its answer.
    `${V2}client →7 initialize {"protocolVersion":2}\nagent _mine {}`,
  ],
});

ruleCase('init/repeat', {
  breaks: [
    {
      trace: `${V2_SESSION}client →7 initialize {"protocolVersion":2}`,
      at: [2, 6],
      severity: 'error',
      seen: 'a second `initialize`, after the request #4',
    },
    { trace: `${V1}client →7 initialize {"protocolVersion":1}`, at: [2, 4], severity: 'warning' },
    { trace: `${V2}client →7 initialize {"protocolVersion":1}`, at: [2, 4], severity: 'hint' },
  ],
  holds: [
    V1,
    `${V2}client →7 initialize {"protocolVersion":2}`,
    `${ASK(2)}agent ←0 error -32022 No\nclient →1 initialize {"protocolVersion":1}`,
    // A file of two processes, one after the other.
    `${V1_SESSION}exit 0\nclient →7 initialize {"protocolVersion":1}`,
  ],
});

ruleCase('init/version-too-high', {
  breaks: [
    {
      trace: `${ASK(2)}${ANSWER(3)}`,
      at: [3],
      seen: 'version 3, although 2 was asked for',
      severity: 'error',
    },
    { trace: `${ASK(1)}${ANSWER(2)}`, at: [3], severity: 'warning' },
  ],
  holds: [
    V1,
    V2,
    `${ASK(2)}${ANSWER(1)}`,
    `${ASK(65535)}${ANSWER(2)}`,
    // No agent has version 0: it answers with the latest it supports.
    `${ASK(0)}${ANSWER(1)}`,
    `${ASK(0)}${ANSWER(2)}`,
  ],
});

ruleCase(
  'init/version-too-high',
  { breaks: [], holds: [`${ASK(1)}${ANSWER(2)}`, V1], edition: 'v2-2026-08' },
  'as of August, the latest an agent has will do',
);

ruleCase('init/version-echo', {
  breaks: [
    {
      trace: `${ASK(65535)}${ANSWER(65535)}`,
      at: [3],
      seen: 'version 65535 echoed, and the newest version is 2',
      pointer: '/result/protocolVersion',
      severity: 'warning',
    },
    // A later version may follow.
    {
      trace: `${ASK(9)}${ANSWER(3)}`,
      at: [3],
      seen: /^version 3 is unknown to ACP Scope's newest edition/,
      severity: 'hint',
    },
    { trace: `${ASK(1)}${ANSWER(-1)}`, at: [3], seen: 'version -1, and no version is below 0' },
    // Without a version no schema is asked.
    { trace: `${ASK(1)}agent ←0 result {"protocolVersion":"1"}`, at: [3], seen: 'is "1"' },
    {
      trace: `${ASK(1)}agent ←0 result {"protocolVersion":"2024-11-05","serverInfo":{"name":"a"}}`,
      at: [3],
      seen: '`protocolVersion` is "2024-11-05", which is a version of MCP',
    },
    {
      trace: `${ASK(2)}agent ←0 result {"agentCapabilities":{}}`,
      at: [3],
      seen: '`protocolVersion` is nothing',
      due: 'the version chosen, as a whole number',
      severity: 'error',
    },
    { trace: `${ASK(1)}agent ←0 result null`, at: [3], severity: 'error' },
  ],
  holds: [V1, V2, `${ASK(65535)}${ANSWER(1)}`, `${ASK(2)}${ANSWER(3)}`],
});

ruleCase('init/version-error', {
  breaks: [
    {
      trace: `${ASK(0)}agent ←0 error -32022 Unsupported`,
      at: [3],
      seen: '`data.requested` is nothing, asked for was 0',
    },
    {
      trace: `${ASK(0)}agent ←0 error -32022 Unsupported {"requested":0,"supported":"1, 2"}`,
      at: [3],
      pointer: '/error/data/supported',
    },
    {
      trace: `${ASK(2)}agent ←0 error -32022 Unsupported {"requested":2,"supported":[1,3]}`,
      at: [3],
      seen: 'version 2 is refused, although [1,3] are supported',
    },
  ],
  holds: [
    `${ASK(1)}agent ←0 error -32022 Unsupported {"requested":1,"supported":[2]}`,
    `${ASK(1)}agent ←0 error -32602 Invalid params`,
  ],
});

ruleCase('init/continue-unsupported', {
  breaks: [
    {
      trace: `${ASK(2)}${ANSWER(3)}client →1 session/new {}`,
      at: [4],
      severity: 'error',
      seen: '`session/new`, although version 3 was chosen and the client asked for 2',
    },
    { trace: `${ASK(1)}${ANSWER(2)}client →1 session/new {}`, at: [4], severity: 'warning' },
    {
      trace: `${ASK(2)}${ANSWER(1)}client →1 auth/login {}`,
      at: [4],
      seen: '`auth/login` of version 2, although 1 was chosen',
    },
  ],
  holds: [V1_SESSION, V2_SESSION, `${ASK(2)}${ANSWER(1)}client →1 session/load {}`],
});

ruleCase('init/info-missing', {
  breaks: [
    {
      trace: `start agent
      client →0 initialize {"protocolVersion":1,"clientInfo":{"name":"c","version":"1"}}
      agent ←0 result {"protocolVersion":1}`,
      at: [3],
      seen: 'no `agentInfo`',
      side: 'agent',
    },
    {
      trace: `start agent
      client →0 initialize {"protocolVersion":1}
      agent ←0 result {"protocolVersion":1,"agentInfo":{"name":"a","version":"1"}}`,
      at: [2],
      seen: 'no `clientInfo`',
      side: 'client',
    },
  ],
  holds: [
    V1,
    `${ASK(2)}agent ←0 result {"protocolVersion":1,"agentInfo":{"name":"a","version":"1"}}`,
  ],
});

ruleCase('init/v2-shape-on-v1', {
  breaks: {
    trace: `start agent
      client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"},"capabilities":{"elicitation":{}}}
      agent ←0 result {"protocolVersion":1}`,
    at: [2],
    severity: 'hint',
    side: 'client',
    seen: /`elicitation` among them/,
  },
  holds: [
    V1,
    V2,
    'client →0 initialize {"protocolVersion":2}\nagent ←0 result {"protocolVersion":1}',
  ],
});

ruleCase('init/load-vs-resume-caps', {
  breaks: [
    {
      trace: `client →0 initialize {"protocolVersion":1}
      agent ←0 result {"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"list":{}}}}`,
      at: [2],
      seen: /though sessions can be listed/,
      severity: 'hint',
    },
    {
      trace: `client →0 initialize {"protocolVersion":1}\nagent ←0 result {"protocolVersion":1}`,
      at: [2],
    },
  ],
  holds: [
    V1,
    `client →0 initialize {"protocolVersion":1}
    agent ←0 result {"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"resume":{}}}}`,
  ],
});

const greet = (version: string, answer: string) =>
  `start agent\nclient →0 initialize {"protocolVersion":${version}}\nagent ←0 ${answer}\n`;

ruleCase('init/version-type', {
  breaks: [
    {
      trace: greet('"2024-11-05"', 'error -32602 Invalid params'),
      at: [2],
      side: 'client',
      severity: 'error',
      pointer: '/params/protocolVersion',
      seen: '`protocolVersion` is "2024-11-05", which is a version of MCP',
    },
    // The agent takes it for version 1.
    {
      trace: greet('"2025-06-18"', 'result {"protocolVersion":1}'),
      at: [2],
      seen: '`protocolVersion` is "2025-06-18", which is a version of MCP',
    },
    { trace: greet('"1"', 'error -32602 Invalid params'), at: [2], seen: /is "1"$/ },
    { trace: greet('1.5', 'error -32603 Internal error'), at: [2] },
    // Nobody answers it.
    {
      trace: 'start agent\nclient →0 initialize {"capabilities":{}}',
      at: [2],
      seen: '`protocolVersion` is nothing',
    },
  ],
  holds: [
    greet('1', 'error -32602 Invalid params'),
    greet('1', 'result {"protocolVersion":1}'),
    'start agent\nclient →0 initialize {"protocolVersion":1}',
  ],
});

ruleCase('init/refused', {
  breaks: [
    { trace: greet('1', 'error -32602 Invalid params'), at: [2, 3], severity: 'hint' },
    {
      trace: 'start agent\nclient →0 initialize {"protocolVersion":1}',
      at: [2],
      verdict: 'undecidable',
      seen: /no response in this trace/,
    },
    // One direction alone.
    {
      trace: 'client →0 initialize {"protocolVersion":1}',
      at: [1],
      verdict: 'undecidable',
      seen: /no frame of the agent/,
    },
  ],
  holds: [
    greet('1', 'result {"protocolVersion":1}'),
    // The client tries again.
    `${greet('2', 'error -32022 No')}client →1 initialize {"protocolVersion":1}\nagent ←1 result {"protocolVersion":1}`,
  ],
});
