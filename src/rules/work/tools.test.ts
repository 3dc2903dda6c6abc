import { ruleCase, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';

const CALL = 'agent update s1 tool_call {"toolCallId":"t1","title":"Read","status":"in_progress"}';
const RESTORED = `
  start agent
  client →0 initialize {"protocolVersion":1,"clientCapabilities":{}}
  agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
  client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
`;
const REPLAYED = `${RESTORED}
  ${CALL}
  agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
  agent ←1 result {}
`;

ruleCase('tool/update-before-create', {
  breaks: [
    {
      trace: `${V1_SESSION}agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}`,
      at: [6],
      seen: 'no `tool_call` for "t1" before it',
      pointer: '/params/update/toolCallId',
      severity: 'warning',
    },
    {
      trace: `${V1_SESSION}
        agent →9 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}
        agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}`,
      at: [7],
      severity: 'hint',
    },
    {
      trace: `${RESTORED}agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}`,
      at: [5],
    },
    // It was told on this connection, and is told anew.
    {
      trace: `${V1_SESSION}
        agent update s1 tool_call {"toolCallId":"t1","title":"Run"}
        client →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
        agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
        agent ←2 result {}`,
      at: [8],
      seen: 'no `tool_call` for "t1" before it in this replay',
      severity: 'warning',
    },
    {
      trace: `${RESTORED}agent ←1 result {}
        agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}`,
      at: [6],
      verdict: 'undecidable',
      seen: /began before this trace/,
    },
  ],
  holds: [
    `${V1_SESSION}${CALL}\nagent update s1 tool_call_update {"toolCallId":"t1"}`,
    REPLAYED,
    `${V2_SESSION}agent update s1 tool_call_update {"toolCallId":"t1","title":"x"}`,
  ],
});

const FORKED = CALL.replace('s1', 's2');
ruleCase('tool/duplicate-create', {
  breaks: [
    { trace: `${V1_SESSION}${CALL}\n${CALL}`, at: [6, 7], seen: /created again, after #6/ },
    {
      // The history that a fork tells is that of a new session.
      trace: `${V1_SESSION}
        client →2 session/fork {"sessionId":"s1","cwd":"/w","mcpServers":[]}
        ${FORKED}
        ${FORKED}
        agent ←2 result {"sessionId":"s2"}`,
      at: [7, 8],
      seen: /created again, after #7/,
    },
  ],
  holds: [
    `${V1_SESSION}${CALL}\nagent update s1 tool_call {"toolCallId":"t2","title":"x"}`,
    // Restored twice, so told twice.
    `${V1_SESSION}${CALL}
      client →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      ${CALL}
      agent ←2 result {}`,
  ],
});

const DONE = 'agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}';
ruleCase('tool/status-regress', {
  breaks: [
    {
      trace: `${V1_SESSION}${CALL}\n${DONE}
        agent update s1 tool_call_update {"toolCallId":"t1","status":"in_progress"}`,
      at: [7, 8],
      seen: '"t1" from completed (#7) to in_progress',
      pointer: '/params/update/status',
    },
    {
      trace: `${V2_SESSION}${DONE}
        agent update s1 tool_call_update {"toolCallId":"t1","status":null}`,
      at: [6, 7],
      seen: /to pending/,
    },
    {
      trace: `${V2_SESSION}${DONE}
        agent →9 session/request_permission {"sessionId":"s1","title":"?","subject":{"type":"tool_call","toolCall":{"toolCallId":"t1","status":"pending"}},"options":[]}`,
      at: [6, 7],
      pointer: '/params/subject/toolCall/status',
    },
    // Back to the first status, before it ended.
    {
      trace: `${V1_SESSION}${CALL}
        agent →9 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1","status":"pending"},"options":[]}`,
      at: [7],
      severity: 'hint',
      seen: '"t1" from in_progress to pending',
      due: 'a tool call that is in progress is not pending again',
    },
    // Inside one replay.
    {
      trace: `${RESTORED}${CALL}\n${DONE}
        agent update s1 tool_call_update {"toolCallId":"t1","status":"pending"}
        agent ←1 result {}`,
      at: [6, 7],
      severity: 'warning',
    },
    {
      trace: `${V2_SESSION}client →2 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
        agent update s1 tool_call_update {"toolCallId":"t1","title":"x","status":"completed"}
        agent update s1 tool_call_update {"toolCallId":"t1","status":"in_progress"}
        agent ←2 result {}`,
      at: [7, 8],
    },
  ],
  holds: [
    `${V1_SESSION}${CALL}\n${DONE}\n${DONE}`,
    `${V1_SESSION}${CALL}\n${DONE}
      agent update s1 tool_call_update {"toolCallId":"t1","status":null}`,
    `${V2_SESSION}${DONE}
      client →2 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
      agent update s1 tool_call_update {"toolCallId":"t1","title":"x","status":"in_progress"}
      ${DONE}
      agent ←2 result {}`,
  ],
});

const CHILD = 'agent update s1 subagent_update {"sessionId":"c1"}\n';

const FILLED = `agent update s1 tool_call {"toolCallId":"t1","title":"Run","status":"pending","rawInput":{}}
  agent update s1 tool_call_update {"toolCallId":"t1","status":"in_progress","rawInput":{"command":"ls"}}
`;
const BASH = (more: string) =>
  `agent →9 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1",${more}},"options":[]}`;
const later = (more: string) => `agent update s1 tool_call_update {"toolCallId":"t1",${more}}`;

ruleCase('tool/emptied', {
  breaks: [
    {
      trace: `${V1_SESSION}${FILLED}${BASH('"rawInput":{}')}`,
      at: [7, 8],
      side: 'agent',
      severity: 'warning',
      pointer: '/params/toolCall/rawInput',
      seen: '`rawInput` of "t1" is empty, after #7 gave it',
    },
    { trace: `${V1_SESSION}${FILLED}${later('"rawInput":{}')}`, at: [7, 8] },
    { trace: `${V1_SESSION}${FILLED}${later('"rawInput":""')}`, at: [7, 8] },
    {
      trace: `${V1_SESSION}${FILLED}${later('"title":""')}`,
      at: [8],
      pointer: '/params/update/title',
    },
    {
      trace: `${V1_SESSION}agent update s1 tool_call {"toolCallId":"t1","title":"R","content":[{"type":"content","content":{"type":"text","text":"a"}}]}
        ${later('"status":"completed","content":[]')}`,
      at: [7],
      severity: 'hint',
    },
    {
      trace: `${V2_SESSION}agent update s1 tool_call_update {"toolCallId":"t1","title":"Run","rawInput":{"a":1}}
        agent →9 session/request_permission {"sessionId":"s1","title":"?","subject":{"type":"tool_call","toolCall":{"toolCallId":"t1","rawInput":{}}},"options":[]}`,
      at: [6, 7],
      pointer: '/params/subject/toolCall/rawInput',
    },
  ],
  holds: [
    `${V1_SESSION}${FILLED}${BASH('"rawInput":{"command":"ls"}')}`,
    // null leaves a field as it is in v1, and clears it in v2.
    `${V1_SESSION}${FILLED}${later('"rawInput":null')}`,
    `${V2_SESSION}agent update s1 tool_call_update {"toolCallId":"t1","title":"Run","rawInput":{"a":1},"content":[{"type":"terminal","terminalId":"x"}]}
      ${later('"rawInput":null,"content":[]')}`,
    // Another value, one that was never filled, and the same call told again.
    `${V1_SESSION}${FILLED}${later('"rawInput":{"command":""}')}`,
    `${V1_SESSION}${CALL}\n${later('"rawInput":{}')}`,
    `${V1_SESSION}${FILLED}
      client →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      ${FILLED}
      agent ←2 result {}`,
    `${V1_SESSION}${FILLED}agent update s1 tool_call_update {"toolCallId":"t2","rawInput":{}}`,
  ],
});

ruleCase('tool/raw-output-only', {
  breaks: [
    {
      trace: `${V1_SESSION}${CALL}\n${later('"status":"completed","rawOutput":{"stdout":"a"}')}`,
      at: [7],
      side: 'agent',
      severity: 'hint',
      seen: '"t1" ends without `content`; its output is in `rawOutput` only',
    },
    { trace: `${V1_SESSION}${CALL}\n${later('"rawOutput":"a"')}\n${DONE}`, at: [7, 8] },
  ],
  holds: [
    `${V1_SESSION}${CALL}\n${later('"status":"completed","rawOutput":"a","content":[{"type":"content","content":{"type":"text","text":"a"}}]')}`,
    `${V1_SESSION}${CALL}\n${later('"content":[{"type":"content","content":{"type":"text","text":"a"}}]')}\n${later('"status":"completed","rawOutput":"a"')}`,
    // The content comes later; there is no output; it still runs.
    `${V1_SESSION}${CALL}\n${later('"status":"completed","rawOutput":"a"')}\n${later('"content":[{"type":"diff","path":"/w/a","newText":"a"}]')}`,
    `${V1_SESSION}${CALL}\n${later('"status":"completed","rawOutput":{}')}`,
    // Some agents send the output of a terminal in `_meta`.
    `${V1_SESSION}${CALL}\n${later('"_meta":{"terminal_output_delta":{"data":"a"}}')}\n${later('"status":"completed","rawOutput":{"exit_code":0}')}`,
    `${V1_SESSION}${CALL}\n${later('"rawOutput":"a"')}`,
  ],
});

ruleCase('tool/first-title', {
  breaks: [
    { trace: `${V2_SESSION}${DONE}`, at: [6], seen: '"t1" without a title' },
    {
      trace: `${V2_SESSION}agent update s1 tool_call_content_chunk {"toolCallId":"t1","content":{"type":"content","content":{"type":"text","text":"x"}}}`,
      at: [6],
      severity: 'warning',
    },
    {
      trace: `${V2_SESSION}agent →9 session/request_permission {"sessionId":"s1","title":"?","subject":{"type":"tool_call","toolCall":{"toolCallId":"t1"}},"options":[]}`,
      at: [6],
      pointer: '/params/subject/toolCall',
    },
    {
      trace: `
        start agent
        client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"}}
        agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"}}
        client →1 session/resume {"sessionId":"s1","cwd":"/w"}
        agent ←1 result {}
        ${DONE}`,
      at: [6],
      verdict: 'undecidable',
    },
    // A child that was announced here did not begin before.
    {
      trace: `${V2_SESSION}${CHILD}agent update c1 tool_call_update {"toolCallId":"t1"}`,
      at: [7],
      seen: '"t1" without a title',
    },
  ],
  holds: [
    `${V2_SESSION}agent update s1 tool_call_update {"toolCallId":"t1","title":"Read"}
      agent update s1 tool_call_content_chunk {"toolCallId":"t1","content":{"type":"content","content":{"type":"text","text":"x"}}}
      ${DONE}`,
    `${V2_SESSION}${CHILD}agent update c1 tool_call_update {"toolCallId":"t1","title":"Read"}`,
  ],
});

ruleCase('tool/null-as-clear', {
  breaks: {
    trace: `${V1_SESSION}${CALL}
      agent update s1 tool_call_update {"toolCallId":"t1","title":null}`,
    at: [7],
    seen: '`title` of "t1" set to null',
    pointer: '/params/update/title',
    severity: 'hint',
  },
  holds: [
    // It had no content, so nothing would be cleared.
    `${V1_SESSION}${CALL}
      agent update s1 tool_call_update {"toolCallId":"t1","content":null,"title":"x"}`,
    `${V2_SESSION}agent update s1 tool_call_update {"toolCallId":"t1","title":"x"}
      agent update s1 tool_call_update {"toolCallId":"t1","title":null}`,
  ],
});

ruleCase('tool/path-absolute', {
  breaks: [
    {
      trace: `${V1_SESSION}agent update s1 tool_call {"toolCallId":"t1","title":"x","locations":[{"path":"/w/a"},{"path":"src/a.ts"}]}`,
      at: [6],
      seen: '`path` is "src/a.ts"',
      pointer: '/params/update/locations/1/path',
      severity: 'error',
    },
    {
      trace: `${V1_SESSION}agent update s1 tool_call {"toolCallId":"t1","title":"x","locations":[{"path":"/w/a","line":0}]}`,
      at: [6],
      pointer: '/params/update/locations/0/line',
      severity: 'warning',
    },
    {
      trace: `${V1_SESSION}agent update s1 tool_call {"toolCallId":"t1","title":"x","content":[{"type":"diff","path":"a.ts","newText":""}]}`,
      at: [6],
      pointer: '/params/update/content/0/path',
    },
    {
      trace: `${V2_SESSION}agent update s1 tool_call_content_chunk {"toolCallId":"t1","content":{"type":"diff","changes":[{"operation":"move","oldPath":"a","path":"/w/b"}]}}`,
      at: [6],
      pointer: '/params/update/content/changes/0/oldPath',
    },
    {
      trace: `${V2_SESSION}agent →9 session/request_permission {"sessionId":"s1","title":"?","subject":{"type":"tool_call","toolCall":{"toolCallId":"t1","title":"x","locations":[{"path":"/w/a","line":0}]}},"options":[]}`,
      at: [6],
      pointer: '/params/subject/toolCall/locations/0/line',
      severity: 'error',
    },
  ],
  holds: `${V1_SESSION}
    agent update s1 tool_call {"toolCallId":"t1","title":"x","locations":[{"path":"C:\\\\w\\\\a.ts","line":1}]}
    agent update s1 tool_call_update {"toolCallId":"t1","content":[{"type":"content","content":{"type":"text","text":"x"}}]}`,
});

function patch(text: string, changes = '[{"operation":"modify","path":"/w/a.ts"}]'): string {
  const body = JSON.stringify({ format: 'git_patch', text });
  return `${V2_SESSION}agent update s1 tool_call_update {"toolCallId":"t1","title":"x","content":[{"type":"diff","changes":${changes},"patch":${body}}]}`;
}

ruleCase('tool/diff-consistent', {
  breaks: [
    {
      trace: patch('diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+y\n'),
      at: [6],
      seen: /Git’s prefix/,
      pointer: '/params/update/content/0/patch/text',
      severity: 'warning',
    },
    { trace: patch('diff --git x y\n--- src/a.ts\n+++ /w/a.ts\n'), at: [6], seen: /not absolute/ },
    { trace: patch('diff --git x y\n--- /w/a.ts\n+++ /w/b.ts\n'), at: [6], seen: /not among/ },
    {
      trace: `${V2_SESSION}agent update s1 tool_call_content_chunk {"toolCallId":"t1","content":{"type":"diff","changes":[{"operation":"copy","path":"/w/b"}]}}`,
      at: [6],
      seen: 'a copy without `oldPath`',
      pointer: '/params/update/content/changes/0',
    },
  ],
  holds: [
    // A removed line that begins with two dashes is no header.
    patch('diff --git /w/a.ts /w/a.ts\n--- /w/a.ts\n+++ /w/a.ts\n@@ -1 +1 @@\n--- a/b\n+y\n'),
    patch(
      'diff --git /w/ü /w/ü\n--- /dev/null\n+++ "/w/\\303\\274"\n',
      '[{"operation":"add","path":"/w/ü"}]',
    ),
    patch(
      'diff --git "C:\\\\w" "C:\\\\w"\nrename from "C:\\\\w"\nrename to /w/a.ts\n',
      '[{"operation":"move","oldPath":"C:\\\\w","path":"/w/a.ts"}]',
    ),
  ],
});

const PNG = (data: string) => `{"type":"image","mimeType":"image/png","data":"${data}"}`;

ruleCase('content/base64', {
  breaks: [
    {
      trace: `${V1_SESSION}client →2 session/prompt {"sessionId":"s1","prompt":[${PNG('data:image/png;base64,AAAA')}]}`,
      at: [6],
      seen: '`data` is a data URL',
      due: 'base64 alone, without "data:image/png;base64,"',
      pointer: '/params/prompt/0/data',
      side: 'client',
    },
    {
      trace: `${V2_SESSION}agent update s1 agent_message {"messageId":"m1","content":[${PNG('AAA')}]}`,
      at: [6],
      seen: '3 characters',
      pointer: '/params/update/content/0/data',
    },
    {
      trace: `${V1_SESSION}agent update s1 tool_call {"toolCallId":"t1","title":"T","content":[{"type":"content","content":{"type":"resource","resource":{"uri":"file:///a","blob":"a b!"}}}]}`,
      at: [6],
      seen: '`blob` holds " "',
      pointer: '/params/update/content/0/content/resource/blob',
    },
  ],
  holds: [
    `${V1_SESSION}agent update s1 agent_message_chunk {"content":${PNG('AAAA')}}`,
    `${V1_SESSION}agent update s1 agent_message_chunk {"content":{"type":"resource","resource":{"uri":"file:///a","text":"a b!"}}}`,
  ],
});
