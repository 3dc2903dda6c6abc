import { expect, test } from 'vitest';
import { found, ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';

/** A handshake with these capabilities of the agent. */
const V1_AGENT = (capabilities: string) => `start agent
  client →0 initialize {"protocolVersion":1,"clientCapabilities":{}}
  agent ←0 result {"protocolVersion":1,"agentCapabilities":${capabilities}}\n`;
const V2_AGENT = (capabilities: string) => `start agent
  client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"}}
  agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":${capabilities}}\n`;

test('what is quoted is about the method that was called, not about session/load', () => {
  const quoted = (method: string) =>
    found('cap/session-method', `${V1_AGENT('{}')}client →1 ${method} {"sessionId":"s1"}`).map(
      ({ source }) => source.quote,
    );
  expect(quoted('session/load')[0]).toContain('`loadSession`');
  expect(quoted('session/list')[0]).toContain('treat all capabilities omitted');
});

ruleCase('cap/session-method', {
  breaks: [
    {
      trace: `${V1_AGENT('{}')}client →1 session/load {"sessionId":"s1"}`,
      at: [4],
      seen: 'the agent does not advertise `loadSession`',
      side: 'client',
    },
    {
      trace: `${V1_AGENT('{"sessionCapabilities":{"list":null}}')}client →1 session/list {}`,
      at: [4],
      seen: /sessionCapabilities\.list/,
    },
    { trace: `${V2_AGENT('{"session":{}}')}client →1 session/delete s1`, at: [4] },
    { trace: `${V2_SESSION}client →2 session/fork s1`, at: [6], seen: /session\.fork/ },
    {
      trace: 'client →1 session/list {}',
      at: [1],
      verdict: 'undecidable',
      edition: 'v1-2.4.0',
    },
  ],
  holds: [
    `${V1_SESSION}client →2 session/load s1\nclient →3 session/close s1`,
    `${V2_SESSION}client →2 session/delete s1`,
    // What was agreed on holds while a second handshake waits, and when that fails.
    `${V1}client →7 initialize {"protocolVersion":1}\nclient →1 session/load s1
    agent ←7 error -32600 Initialized already\nclient →2 session/load s1`,
    // That is cap/session-surface, and that method/wrong-version.
    `${V2_AGENT('{}')}client →1 session/delete s1`,
    `${V2}client →1 session/load s1`,
  ],
});

ruleCase('cap/session-surface', {
  breaks: [
    {
      trace: `${V2_AGENT('{}')}client →1 session/new {"cwd":"/w"}`,
      at: [4],
      seen: 'the agent does not advertise `session`',
    },
    { trace: `${V2_AGENT('{}')}client session/cancel s1`, at: [4] },
  ],
  holds: [V2_SESSION, `${V2_AGENT('{"session":{}}')}client session/cancel s1`],
});

ruleCase('cap/baseline-missing', {
  breaks: [
    {
      trace: `${V2_AGENT('{"session":{}}')}client →1 session/list {}\nagent ←1 error -32601 Method not found`,
      at: [5],
      side: 'agent',
      seen: '-32601 for `session/list`',
    },
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "Hi"\nagent ←2 error -32601 Method not found`,
      at: [7],
    },
  ],
  holds: [
    V2_SESSION,
    V1_SESSION,
    // In v1 that is cap/advertised-missing.
    `${V1}client →1 session/list {}\nagent ←1 error -32601 Method not found`,
    `${V2_AGENT('{}')}client →1 session/list {}\nagent ←1 error -32601 Method not found`,
  ],
});

ruleCase('cap/advertised-missing', {
  breaks: [
    {
      trace: `${V1}client →1 session/list {}\nagent ←1 error -32601 Method not found`,
      at: [5],
      seen: '-32601 for `session/list`, although `sessionCapabilities.list` is advertised',
      side: 'agent',
    },
    {
      trace: `${V2_SESSION}client →2 session/delete s1\nagent ←2 error -32601 Method not found`,
      at: [7],
      edition: 'v2-2.4.0',
    },
    {
      trace: `${V1_SESSION}agent →1 fs/read_text_file s1\nclient ←1 error -32601 Method not found`,
      at: [7],
      side: 'client',
    },
    {
      trace: `${V1_SESSION}agent →1 elicitation/create {"sessionId":"s1","mode":"form"}\nclient ←1 error -32601 No`,
      at: [7],
    },
  ],
  holds: [
    `${V1}client →1 session/list {}\nagent ←1 result {"sessions":[]}`,
    `${V1_AGENT('{}')}client →1 session/list {}\nagent ←1 error -32601 Method not found`,
    `${V2}client →1 session/list {}\nagent ←1 error -32601 Method not found`,
  ],
});

const TOOL = (more: string) =>
  `agent update s1 tool_call_update {"toolCallId":"t1","title":"T"${more}}`;
ruleCase('cap/entity-cancel', {
  breaks: [
    {
      trace: `${V2_SESSION}${TOOL('')}\nclient →2 tool_call/cancel {"sessionId":"s1","toolCallId":"t1"}`,
      at: [7],
      severity: 'error',
      seen: 'the tool call "t1" does not advertise `capabilities.cancel`',
    },
    {
      trace: `${V2_SESSION}client →2 terminal/cancel {"sessionId":"s1","terminalId":"x"}`,
      at: [6],
      seen: 'the terminal "x" was never told of',
    },
    {
      trace: `${V2_SESSION}${TOOL(',"capabilities":{"cancel":{}}')}\n${TOOL(',"capabilities":{}')}
      client →2 tool_call/cancel {"sessionId":"s1","toolCallId":"t1"}`,
      at: [8],
      severity: 'warning',
      seen: /may have crossed/,
    },
    {
      trace: `${V2_SESSION}${TOOL(',"capabilities":{"cancel":{}}')}\n${TOOL(',"capabilities":null')}
      +900ms
      client →2 tool_call/cancel {"sessionId":"s1","toolCallId":"t1"}`,
      at: [8],
      severity: 'error',
    },
    {
      trace: `${V2_SESSION}${TOOL('')}\ngap 1 the disk was full
      client →2 tool_call/cancel {"sessionId":"s1","toolCallId":"t1"}`,
      at: [8],
      verdict: 'undecidable',
    },
    {
      trace: `${V2}client →1 session/resume {"sessionId":"s1","cwd":"/w"}
      agent ←1 result {}
      client →2 tool_call/cancel {"sessionId":"s1","toolCallId":"t1"}`,
      at: [6],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${V2_SESSION}${TOOL(',"capabilities":{"cancel":{}}')}
    client →2 tool_call/cancel {"sessionId":"s1","toolCallId":"t1"}`,
    `${V2_SESSION}agent update s1 terminal_update {"terminalId":"x","capabilities":{"cancel":{}}}
    agent update s1 terminal_update {"terminalId":"x","size":{"cols":80,"rows":24}}
    client →2 terminal/cancel {"sessionId":"s1","terminalId":"x"}`,
  ],
});

const ARCHIVING = V2_AGENT('{"session":{"archive":{}}}');
ruleCase('cap/archived-field', {
  breaks: [
    {
      trace: `${V2}client →1 session/list {"archived":"only"}`,
      at: [4],
      side: 'client',
      seen: '`archived` is "only", and the agent does not advertise it',
    },
    {
      trace: `${ARCHIVING}client →1 session/list {}\nagent ←1 result {"sessions":[{"sessionId":"s1","archived":true},{"sessionId":"s2"}]}`,
      at: [5],
      side: 'agent',
      pointer: '/result/sessions/1',
    },
  ],
  holds: [
    `${ARCHIVING}client →1 session/list {"archived":"include"}
    agent ←1 result {"sessions":[{"sessionId":"s1","archived":false}]}`,
    `${V2}client →1 session/list {"archived":null}\nagent ←1 result {"sessions":[{"sessionId":"s1"}]}`,
  ],
});

ruleCase('cap/prompt-content', {
  breaks: [
    {
      trace: `${V1_SESSION}client →2 session/prompt {"sessionId":"s1","prompt":[{"type":"text","text":"x"},{"type":"audio","data":"","mimeType":"a/b"}]}`,
      at: [6],
      pointer: '/params/prompt/1',
      seen: 'a block of type "audio", and the agent does not advertise `promptCapabilities.audio`',
    },
    {
      trace: `${V2_SESSION}client →2 session/prompt {"sessionId":"s1","prompt":[{"type":"resource","resource":{}}]}`,
      at: [6],
      seen: /session\.prompt\.embeddedContext/,
    },
  ],
  holds: [
    `${V1_SESSION}client →2 session/prompt {"sessionId":"s1","prompt":[{"type":"image","data":"","mimeType":"i/p"},{"type":"resource_link","name":"a","uri":"file:///a"}]}`,
    `${V2_SESSION}client →2 session/prompt s1 "Hi"`,
  ],
});

ruleCase('cap/additional-dirs', {
  breaks: [
    {
      trace: `${V1}client →1 session/new {"cwd":"/w","mcpServers":[],"additionalDirectories":["/x"]}`,
      at: [4],
      pointer: '/params/additionalDirectories',
    },
    {
      trace: `${V2}client →1 session/resume {"sessionId":"s1","cwd":"/w","additionalDirectories":["/x"]}`,
      at: [4],
      seen: /session\.additionalDirectories/,
    },
  ],
  holds: [
    `${V2_AGENT('{"session":{"additionalDirectories":{}}}')}client →1 session/new {"cwd":"/w","additionalDirectories":["/x"]}`,
    `${V1}client →1 session/new {"cwd":"/w","mcpServers":[],"additionalDirectories":[]}`,
  ],
});

const SERVER = (type: string) =>
  `client →1 session/new {"cwd":"/w","mcpServers":[{"type":"${type}","name":"m","url":"https://m"}]}`;
ruleCase('cap/mcp-transport', {
  breaks: [
    {
      trace: `${V1}${SERVER('http')}`,
      at: [4],
      side: 'client',
      pointer: '/params/mcpServers/0',
      seen: 'a server over "http", and the agent does not advertise `mcpCapabilities.http`',
    },
    { trace: `${V2}${SERVER('http')}`, at: [4] },
    { trace: `${V2_AGENT('{"session":{}}')}${SERVER('stdio')}`, at: [4] },
  ],
  holds: [
    `${V1_AGENT('{"mcpCapabilities":{"http":true}}')}${SERVER('http')}`,
    `${V2}${SERVER('stdio')}`,
    `${V1}client →1 session/new {"cwd":"/w","mcpServers":[{"name":"m","command":"/m","args":[],"env":[]}]}`,
  ],
});

test('cap/mcp-transport: in v2 the agent refuses what it does not advertise', () => {
  const ask = `${V2}${SERVER('http')}\n`;
  const told = (answer: string) =>
    found('cap/mcp-transport', `${ask}agent ←1 ${answer}`).map(({ side, seqs }) => ({
      side,
      seqs,
    }));
  const client = { side: 'client', seqs: [4] };
  expect(told('error -32602 Invalid params')).toEqual([client]);
  expect(told('result {"sessionId":"s1"}')).toEqual([client, { side: 'agent', seqs: [5] }]);
  expect(told('error -32603 Internal error')).toEqual([client, { side: 'agent', seqs: [5] }]);
});

const APPEND = '"systemPrompt":{"mode":"append","content":[{"type":"text","text":"x"}]}';
ruleCase('cap/system-prompt', {
  breaks: [
    {
      trace: `${V2}client →1 session/new {"cwd":"/w",${APPEND}}`,
      at: [4],
      pointer: '/params/systemPrompt',
    },
    {
      trace: `${V2_AGENT('{"session":{"systemPrompt":{}}}')}client →1 session/new {"cwd":"/w","systemPrompt":{"mode":"override","content":[{"type":"text","text":"x"}]}}`,
      at: [4],
      seen: /`mode` is "override"/,
    },
    {
      trace: `${V1_AGENT('{"sessionCapabilities":{"systemPrompt":{}}}')}client →1 session/new {"cwd":"/w","mcpServers":[],"systemPrompt":{"mode":"append","content":[]}}`,
      at: [4],
      seen: '`content` is empty',
    },
    {
      trace: `${V2_AGENT('{"session":{"systemPrompt":{}}}')}client →1 session/new {"cwd":"/w","systemPrompt":{"mode":"append","content":[{"type":"image"}]}}`,
      at: [4],
      seen: 'a block of type "image"',
    },
  ],
  holds: [
    `${V2_AGENT('{"session":{"systemPrompt":{}}}')}client →1 session/new {"cwd":"/w",${APPEND}}`,
    V2_SESSION,
  ],
});
