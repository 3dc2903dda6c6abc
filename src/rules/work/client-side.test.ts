// What a v1 client does for its agent: files and terminals.
import { ruleCase, V1, V1_SESSION } from '../../test/traces/rule-case.ts';

const read = (path: string, more = '') =>
  `agent →9 fs/read_text_file {"sessionId":"s1","path":${JSON.stringify(path)}${more}}`;

ruleCase('fs/path', {
  breaks: [
    { trace: `${V1_SESSION}${read('a.ts')}`, at: [6], seen: '`path` is "a.ts"', severity: 'error' },
    {
      trace: `${V1_SESSION}${read('/w/a.ts', ',"line":0')}`,
      at: [6],
      pointer: '/params/line',
      severity: 'warning',
    },
    {
      trace: `${V1_SESSION}agent →9 fs/write_text_file {"sessionId":"s1","path":"/w/../etc/x","content":""}`,
      at: [6],
      seen: '`path` is "/w/../etc/x", outside "/w"',
      severity: 'hint',
    },
  ],
  holds: [
    `${V1_SESSION}${read('/w/src/a.ts', ',"line":1')}`,
    `${V1}client →1 session/new {"cwd":"C:\\\\w","mcpServers":[],"additionalDirectories":["/tmp/x"]}
      agent ←1 result {"sessionId":"s1"}
      ${read('c:/w/a.ts')}
      agent →8 fs/read_text_file {"sessionId":"s1","path":"/private/tmp/x/b"}`,
  ],
});

ruleCase('fs/limit', {
  breaks: {
    trace: `${V1_SESSION}${read('/w/a', ',"limit":1')}
      client ←9 result {"content":"a\\nb\\n"}`,
    at: [6, 7],
    seen: '2 lines, and the limit is 1',
    side: 'client',
  },
  holds: [
    `${V1_SESSION}${read('/w/a', ',"limit":2')}
      client ←9 result {"content":"a\\nb\\n"}`,
    `${V1_SESSION}${read('/w/a', ',"limit":0')}
      client ←9 result {"content":""}`,
  ],
});

ruleCase('fs/not-found', {
  breaks: {
    trace: `${V1_SESSION}${read('/w/a')}
      client ←9 error -32603 ENOENT: no such file or directory`,
    at: [7],
    side: 'client',
    pointer: '/error/code',
    severity: 'warning',
  },
  holds: [
    `${V1_SESSION}${read('/w/a')}
      client ←9 error -32002 Not there`,
    `${V1_SESSION}${read('/w/a')}
      client ←9 error -32603 The editor is busy`,
  ],
});

const CREATED = `${V1_SESSION}
  agent →9 terminal/create {"sessionId":"s1","command":"ls","outputByteLimit":4}
  client ←9 result {"terminalId":"x1"}
`;
const use = (what: string, id = 'x1', session = 's1') =>
  `agent →10 terminal/${what} {"sessionId":"${session}","terminalId":"${id}"}`;

ruleCase('xterm/unknown', {
  breaks: [
    {
      trace: `${V1_SESSION}${use('output')}`,
      at: [6],
      seen: '"x1", which nobody created',
      severity: 'error',
    },
    {
      trace: `${CREATED}${use('release')}
        client ←10 result {}
        ${use('kill')}`,
      at: [8, 10],
      seen: '"x1", released in #8',
    },
    {
      trace: `${CREATED}client →2 session/new {"cwd":"/w","mcpServers":[]}
        agent ←2 result {"sessionId":"s2"}
        ${use('output', 'x1', 's2')}`,
      at: [10],
      seen: '"x1", a terminal of the session "s1"',
    },
    {
      trace: `${V1_SESSION}gap 2 the disk was full\n${use('output')}`,
      at: [7],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${CREATED}${use('wait_for_exit')}`,
    // The release failed, so the terminal lives.
    `${CREATED}${use('release')}
      client ←10 error -32603 Busy
      ${use('kill')}`,
  ],
});

const IN_TURN = `${V1_SESSION}
  client →2 session/prompt s1 "Hi"
  agent →9 terminal/create {"sessionId":"s1","command":"ls"}
  client ←9 result {"terminalId":"x1"}
`;
const WAITED = `agent →10 terminal/wait_for_exit {"sessionId":"s1","terminalId":"x1"}
  client ←10 result {"exitCode":0}
`;

ruleCase('xterm/unreleased', {
  breaks: [
    {
      trace: `${CREATED}client →2 session/close {"sessionId":"s1"}
        agent ←2 result {}`,
      at: [7, 9],
      seen: '"x1" was not released when its session closed',
      side: 'agent',
    },
    { trace: `${CREATED}exit 0`, at: [7], seen: /before the agent exited/ },
    { trace: `${CREATED}exit SIGKILL`, at: [7], verdict: 'undecidable' },
    { trace: CREATED, at: [7], verdict: 'undecidable' },
    {
      trace: `${V1_SESSION}
        client →2 session/prompt s1 "Hi"
        agent →9 terminal/create {"sessionId":"s1","command":"ls"}
        client ←9 result {"terminalId":"x1"}
        exit 0`,
      at: [8],
      verdict: 'undecidable',
    },
    // It exited, and the turn is over.
    {
      trace: `${IN_TURN}${WAITED}agent ←2 result {"stopReason":"end_turn"}`,
      at: [8, 11],
      side: 'agent',
      severity: 'warning',
      seen: /"x1" was not released: it exited \(#10\), and its turn ended/,
    },
    {
      trace: `${IN_TURN}${WAITED.replace('wait_for_exit', 'kill').replace(/result .*/, 'result {}')}
        agent ←2 result {"stopReason":"end_turn"}`,
      at: [8, 11],
      seen: /it exited \(#10\), and its turn ended/,
    },
    // It runs on, or its turn does.
    {
      trace: `${IN_TURN}agent ←2 result {"stopReason":"end_turn"}`,
      at: [8],
      verdict: 'undecidable',
    },
    { trace: `${IN_TURN}${WAITED}`, at: [8], verdict: 'undecidable' },
    {
      trace: `${IN_TURN}agent ←2 result {"stopReason":"end_turn"}\n${WAITED}`,
      at: [8],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${CREATED}${use('release')}
    client ←10 result {}
    exit 0`,
    `${IN_TURN}${WAITED}agent ←2 result {"stopReason":"end_turn"}
      agent →11 terminal/release {"sessionId":"s1","terminalId":"x1"}
      client ←11 result {}`,
  ],
});

const embed = (id = 'x1', more = '') =>
  `agent update s1 tool_call {"toolCallId":"t1","title":"x","content":[{"type":"terminal","terminalId":"${id}"}]${more}}`;

ruleCase('xterm/embed-after-release', {
  breaks: [
    {
      trace: `${CREATED}${use('release')}
        client ←10 result {}
        ${embed()}`,
      at: [8, 10],
      seen: 'the terminal "x1" is first shown after its release in #8',
      pointer: '/params/update/content/0/terminalId',
    },
    {
      trace: `${V1_SESSION}${embed()}`,
      at: [6],
      seen: 'the terminal "x1" is shown and was never created',
    },
    {
      trace: `${V1_SESSION}${embed('x9', ',"_meta":{"terminal_info":{"terminal_id":"x9"}}')}`,
      at: [6],
      seen: 'the terminal "x9" is shown and was never created; only `_meta` describes it',
    },
  ],
  holds: [
    `${CREATED}${embed()}
      ${use('release')}
      client ←10 result {}
      agent update s1 tool_call_update {"toolCallId":"t1","content":[{"type":"terminal","terminalId":"x1"}]}`,
    // A client that advertises terminals of the agent’s own.
    `${V1_SESSION.replace('"clientCapabilities":{', '"clientCapabilities":{"_meta":{"terminal_output":true},')}${embed('x9', ',"_meta":{"terminal_info":{"terminal_id":"x9"}}')}`,
  ],
});

ruleCase('xterm/output-limit', {
  breaks: [
    {
      trace: `${CREATED}${use('output')}
        client ←10 result {"output":"äöü","truncated":true}`,
      at: [9],
      seen: '6 bytes, and the limit is 4',
      side: 'client',
    },
    {
      trace: `${CREATED}${use('output')}
        client ←10 result {"output":"\ufffd","truncated":true}`,
      at: [9],
      seen: /within a character/,
    },
  ],
  holds: `${CREATED}${use('output')}
    client ←10 result {"output":"äö","truncated":true}`,
});

ruleCase('xterm/exit-missing', {
  breaks: [
    {
      trace: `${CREATED}${use('wait_for_exit')}
        client ←10 result {"exitCode":null,"signal":null}`,
      at: [9],
      seen: 'neither `exitCode` nor `signal`',
      severity: 'hint',
    },
    {
      trace: `${CREATED}${use('output')}
        client ←10 result {"output":"","truncated":false,"exitStatus":{}}`,
      at: [9],
      pointer: '/result/exitStatus',
    },
  ],
  holds: `${CREATED}${use('wait_for_exit')}
    client ←10 result {"exitCode":null,"signal":"SIGTERM"}`,
});
