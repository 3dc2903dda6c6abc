import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMessage } from '../../acp/message.ts';
import { millis } from '../../lib/time.ts';
import { indexed } from '../../test/traces/indexed.ts';
import { seq } from '../../trace/event.ts';
import { described, errorWords, oneLine, shortId } from '../words.ts';

const ID = '7c1e4f2a-90d3-4c55-8e1b-0b6fd9c7a2d1';

/** The summary of the last row of a drawing. */
function last(picture: string): string {
  const row = indexed(picture).rows().at(-1);
  return row?.type === 'frame' ? row.summary : '';
}

const V2 = `
  client →0 initialize {"protocolVersion":2}
  agent  ←0 result {"protocolVersion":2}
`;

test.each([
  [
    'initialize {"protocolVersion":2,"info":{"name":"scope","version":"1.0"},"capabilities":{"elicitation":{"form":{},"url":{}}}}',
    'protocol 2 · scope 1.0 · offers elicitation',
  ],
  [
    'initialize {"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":false},"terminal":true,"_meta":{}}}',
    'protocol 1 · offers terminal',
  ],
  ['initialize {"protocolVersion":1}', 'protocol 1 · offers nothing'],
  ['authenticate {"methodId":"api-key"}', 'api-key'],
  ['session/new {"cwd":"/home/ann/parcel-api","mcpServers":[{}]}', 'parcel-api · 1 MCP server'],
  ['session/new {"cwd":"C:\\\\work\\\\parcel\\\\"}', 'parcel'],
  [`session/load {"sessionId":"${ID}","cwd":"/w/parcel"}`, '7c1e4f2a · parcel'],
  ['session/resume {"sessionId":"s1"}', 's1'],
  ['session/list {"cursor":"p2","cwd":"/w"}', 'next page from p2 · in w'],
  ['session/list', 'first page'],
  ['session/prompt s1 "Add a\\n  test"', '“Add a test”'],
  [
    'session/prompt {"prompt":[{"type":"text","text":"See"},{"type":"image","mimeType":"image/png","data":""},{"type":"resource_link","uri":"file:///a/b.ts","name":"b.ts"}]}',
    '“See” · image image/png · link to b.ts',
  ],
  ['session/prompt {"prompt":[]}', 'an empty prompt'],
  ['session/set_mode {"sessionId":"s1","modeId":"plan"}', 'mode plan'],
  ['session/set_config_option {"configId":"model","value":"opus"}', 'model = opus'],
  ['session/set_title {"title":"T"}', '“T”'],
  ['session/close s1', 's1'],
  ['session/status s1', 's1'],
  ['session/request_permission {"title":"Edit x","options":[{},{},{}]}', 'Edit x · 3 options'],
  [
    'elicitation/create {"mode":"form","message":"Who?","requestedSchema":{"properties":{"a":{}}}}',
    '“Who?” · 1 field',
  ],
  [
    'elicitation/create {"mode":"url","message":"Go","url":"https://x.test"}',
    '“Go” · https://x.test',
  ],
  [
    'fs/read_text_file {"path":"/a/config.json","line":10,"limit":20}',
    'config.json · from line 10 · 20 lines',
  ],
  ['fs/write_text_file {"path":"/a/x","content":"a\\nb"}', 'x · 2 lines'],
  [
    'terminal/create {"command":"npm","args":["test","--","retry"],"cwd":"/w/p"}',
    'npm test -- retry · in p',
  ],
  ['terminal/wait_for_exit {"sessionId":"s1","terminalId":"t1"}', 't1'],
  ['tool_call/cancel {"toolCallId":"c9"}', 'c9'],
  ['mcp/message {"method":"tools/list","serverId":"srv"}', 'tools/list · srv'],
  [
    '_acme/thing {"authStatus":{"kind":"key","label":"A"},"n":3,"list":[1,2]}',
    'kind key · label A · n 3 · 2 list',
  ],
])('request %s', (request, summary) => {
  expect(last(`client →1 ${request}`)).toBe(summary);
});

test.each([
  ['', 'replayFrom omitted'],
  [',"replayFrom":null', 'replayFrom null'],
  [',"replayFrom":{"type":"start"}', 'replayFrom start'],
  [',"replayFrom":{"type":"_message","messageId":"m7"}', 'replayFrom _message m7'],
  [',"replayFrom":"m7"', 'replayFrom m7'],
  [',"replayFrom":{"id":7}', 'replayFrom without a type 7'],
])('a v2 resume with %s says its cursor', (cursor, words) => {
  const line = `client →1 session/resume {"sessionId":"${ID}","cwd":"/w/parcel-api"${cursor}}`;
  expect(last(V2 + line)).toBe(`7c1e4f2a · ${words} · parcel-api`);
});

test.each([
  ['session/list', '{"sessions":[{},{}]}', '2 sessions · end of list'],
  ['session/list', '{"sessions":[{}],"nextCursor":"x"}', '1 session · more to list'],
  [
    'session/new',
    `{"sessionId":"${ID}","configOptions":[{}],"modes":{"currentModeId":"ask"}}`,
    '7c1e4f2a · mode ask · 1 config option',
  ],
  ['session/new', '{}', 'no sessionId'],
  [
    'session/resume',
    '{"configOptions":[{},{},{}],"availableCommands":[{}]}',
    '3 config options · 1 command',
  ],
  ['session/load', 'null', 'null'],
  ['session/close', '{}', 'done'],
  [
    'session/prompt',
    '{"stopReason":"end_turn","usage":{"totalTokens":1200}}',
    'end_turn · 1,200 tokens',
  ],
  ['session/prompt', `{"messageId":"${ID}"}`, 'inserted as 7c1e4f2a'],
  ['session/status', '{"status":"open","state":{"state":"idle"}}', 'open · idle'],
  ['elicitation/create', '{"action":"accept","content":{"a":1,"b":2}}', 'accept · 2 values'],
  ['fs/read_text_file', '{"content":"a\\nbé"}', '2 lines · 5 B'],
  ['terminal/create', '{"terminalId":"t1"}', 't1'],
  [
    'terminal/output',
    '{"output":"abc","truncated":true,"exitStatus":{"exitCode":0}}',
    '3 B · truncated · exit 0',
  ],
  ['terminal/output', '{"output":""}', '0 B · still running'],
  ['terminal/wait_for_exit', '{"signal":"SIGKILL"}', 'ended by SIGKILL'],
  ['_acme/thing', '{"ok":true}', 'ok true'],
])('answer to %s: %s', (method, result, summary) => {
  expect(last(`client →1 ${method} {}\nagent ←1 result ${result}`)).toBe(summary);
});

test.each([
  ['{"outcome":"selected","optionId":"y"}', 'Yes · allow_once'],
  ['{"outcome":"selected","optionId":"z"}', 'z · not one of the options'],
  ['{"outcome":"cancelled"}', 'cancelled'],
])('an answered permission %s', (outcome, summary) => {
  expect(
    last(`
      agent  →1 session/request_permission {"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}
      client ←1 result {"outcome":${outcome}}
    `),
  ).toBe(summary);
});

test.each([
  ['agent_message_chunk "text so far"', '“text so far”'],
  ['agent_message_chunk {"content":{"type":"image","mimeType":"image/png"}}', 'image image/png'],
  ['user_message m1 "One" "Two"', '“One Two”'],
  ['user_message {"messageId":"m1","content":[]}', 'empty'],
  ['user_message {"messageId":"m1","content":null}', 'cleared'],
  ['user_message {"messageId":"m1"}', 'content unchanged'],
  [
    'tool_call {"toolCallId":"t","title":"config.json","kind":"read","status":"pending"}',
    'read config.json · pending',
  ],
  ['tool_call {"toolCallId":"t","title":"Read config.json","kind":"read"}', 'Read config.json'],
  ['tool_call {"toolCallId":"t","title":"Write out.txt","kind":"edit"}', 'Write out.txt'],
  [
    'tool_call {"toolCallId":"t","title":"x","kind":"other","content":[{"type":"diff"},{"type":"terminal"}]}',
    'x · 1 diff · terminal',
  ],
  [
    'tool_call_update {"toolCallId":"call_1","rawInput":{},"rawOutput":1}',
    'call_1 · input, output',
  ],
  [
    'tool_call_content_chunk {"toolCallId":"t","content":{"type":"content","content":{"type":"text","text":"hi"}}}',
    't · “hi”',
  ],
  [
    'terminal_update {"terminalId":"x","command":"npm test","exitStatus":{"exitCode":1}}',
    'npm test · exit 1',
  ],
  ['terminal_update {"terminalId":"x","output":{"data":"aGk="}}', 'output of 2 B'],
  ['terminal_output_chunk {"terminalId":"x","data":"aGk="}', '“hi”'],
  [
    'plan {"entries":[{"content":"A","status":"completed"},{"content":"B","status":"pending"},{"content":"C","status":"in_progress"}]}',
    '1 of 3 done · “C”',
  ],
  ['plan_update {"plan":{"type":"items","planId":"p","entries":[]}}', 'empty plan'],
  [
    'plan_update {"plan":{"type":"markdown","planId":"p","content":"# Plan"}}',
    'markdown · “# Plan”',
  ],
  ['plan_removed {"planId":"p"}', 'plan p removed'],
  ['available_commands_update {"availableCommands":[{},{}]}', '2 commands'],
  ['current_mode_update {"currentModeId":"code"}', 'mode code'],
  ['config_option_update {"configOptions":[{}]}', '1 config option'],
  ['session_info_update {"title":"T"}', '“T”'],
  ['session_info_update {"title":null}', 'title cleared'],
  [
    'usage_update {"used":1234,"size":200000,"cost":{"amount":0.01234567,"currency":"USD"}}',
    '1,234 of 200,000 tokens · 0.0123 USD',
  ],
  ['state_update {"state":"idle","stopReason":"end_turn"}', 'idle · end_turn'],
  ['state_update {"state":"running","background":[{},{}]}', 'running · 2 in the background'],
  ['notice {"severity":"warning","title":"Low disk"}', 'warning · “Low disk”'],
  [
    'compaction_update {"compactionId":"c","status":"completed","summary":[{"type":"text","text":"So far"}]}',
    'completed · “So far”',
  ],
  [
    'subagent_update {"sessionId":"child","title":"Search","state":{"state":"idle"}}',
    '“Search” · idle',
  ],
  [
    'subagent_update {"sessionId":"01a217df-9a64-76e0-b778-f215e8edcb5a:subagent:01a217df-9f00-73a3-b6ca-3e4244a69575","state":{"state":"running"}}',
    '…3e4244a69575 · running',
  ],
  [
    'subagent_update {"sessionId":"child","description":"Count the lines","capabilities":{}}',
    '“Count the lines”',
  ],
  [
    'subagent_update {"sessionId":"child","capabilities":{"cancel":{}}}',
    'child · can be cancelled',
  ],
  [
    'subagent_update {"sessionId":"child","capabilities":{"cancel":null},"cwd":"/w"}',
    'child · cannot be cancelled · /w',
  ],
  ['session_info_update {"_meta":{"acme":{"threadStatus":{"type":"idle"}}}}', 'type idle'],
  [
    'session_message {"messageId":"m","senderSessionId":"a","content":[{"type":"text","text":"hi"}]}',
    '“hi” · from a · to this session',
  ],
  ['_acme_update {"level":3,"what":"odd"}', 'level 3 · what odd'],
])('update %s', (update, summary) => {
  expect(last(`agent update s1 ${update}`)).toBe(summary);
});

test('a later update of a tool call takes title and kind from before', () => {
  expect(
    last(`
      agent update s1 tool_call {"toolCallId":"t","title":"config.json","kind":"read"}
      agent update s1 tool_call_update {"toolCallId":"t","status":"completed"}
    `),
  ).toBe('read config.json · completed');
});

test.each([
  ['agent raw npm warn deprecated inflight@1.0.6', 'npm warn deprecated inflight@1.0.6'],
  ['agent raw [{"jsonrpc":"2.0"}]', 'a batch of 1; ACP sends one message a line'],
  ['agent bytes ff fe', 'not UTF-8, which every ACP message must be'],
  ['agent session/update {"sessionId":"s1"}', 'no update'],
  ['client $/cancel_request {"requestId":3}', 'cancels 3'],
  ['client session/cancel s1', 'cancels the turn'],
  ['stderr \u001b[31mred\u001b[0m alert', 'red alert'],
  ['exit SIGKILL', 'Agent was killed (SIGKILL)'],
  ['exit problem Cannot start opencode.', 'Cannot start opencode.'],
  ['sleep 28800000 0', 'The machine slept for 8:00:00 · times here stood still'],
  ['gap 1 the disk was full', '1 event is missing: the disk was full'],
])('%s', (line, summary) => {
  expect(last(line)).toBe(summary);
});

test('an error is told with a true minus, and with what its data add', () => {
  expect(errorWords({ code: -32602, message: 'Invalid params', data: 'unsupported cursor' })).toBe(
    '−32602 Invalid params: unsupported cursor',
  );
  expect(errorWords({ code: 7, message: 'No: x', data: { details: 'x' } })).toBe('7 No: x');
});

test('an error that is a sentence ends without its stop, so that ours can go on', () => {
  expect(errorWords({ code: -32603, message: 'No sessions.' })).toBe('−32603 No sessions');
  expect(errorWords({ code: 1, message: 'Wait...' })).toBe('1 Wait...');
});

test('S-09, S-11: terminal codes are dropped, and characters that hide or turn text are shown', () => {
  expect(oneLine('a\u001b]0;title\u0007b\u001b[2Jc\u0000d')).toBe('abc d');
  expect(oneLine('rm -rf ~\u202egpj.exe\u200b')).toBe('rm -rf ~\\u202egpj.exe\\u200b');
});

test('a long line is cut between characters, and says so', () => {
  expect(oneLine('x'.repeat(300))).toBe(`${'x'.repeat(240)}…`);
  expect(oneLine('😀'.repeat(200), 3)).toBe('😀…');
  expect(shortId('ses_e03f19975ffejL8rGZNZrTULdH')).toBe('ses_…rTULdH');
});

test('JSON nested deep is described without end', () => {
  const deep = parseMessage(
    `{"jsonrpc":"2.0","method":"x","params":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
  );
  expect(deep.kind === 'notification' && described(deep.params)).toBe('');
});

test('any message of any shape has a line', () => {
  const methods = [
    'initialize',
    'session/new',
    'session/prompt',
    'session/resume',
    'session/update',
    'session/list',
    'session/request_permission',
    'elicitation/create',
    'terminal/output',
    '_x',
  ];
  const variants = [
    'agent_message_chunk',
    'tool_call_update',
    'plan',
    'plan_update',
    'usage_update',
    'state_update',
    'terminal_update',
    'session_info_update',
    'session_message',
    'compaction_update',
  ];
  const value = fc.json({ maxDepth: 3 });
  fc.assert(
    fc.property(
      fc.constantFrom(...methods),
      fc.constantFrom(...variants),
      value,
      value,
      (method, variant, params, result) => {
        const update = `{"sessionId":"s","update":{"sessionUpdate":"${variant}","content":${params},"plan":${params},"entries":${params},"cost":${params},"title":${params},"toolCallId":${params},"exitStatus":${params},"output":${params}}}`;
        const { rows, index, view } = indexed(
          [
            `client →1 ${method} {"x":${params},"prompt":${params},"replayFrom":${params},"options":${params},"sessionId":${params}}`,
            `agent ←1 result ${result}`,
            `agent session/update ${update}`,
          ].join('\n'),
        );
        for (const row of rows())
          expect(row.type === 'frame' ? row.summary : 'head').toBeTypeOf('string');
        index.facts();
        index.windows();
        view.state();
      },
    ),
    { numRuns: 300 },
  );
});

test('what a transport did says what went wrong without the URL, which the start has', () => {
  const { frame } = indexed([
    {
      ...{ type: 'transport', seq: seq(1), at: millis(1), step: 'answered', method: 'POST' },
      ...{ stream: 'post', status: 500, body: 'Oops' },
      problem: 'http://127.0.0.1:9/acp answered 500. It says: “Oops”',
    },
  ]);
  expect(frame(1).summary).toBe('POST 500 · answered 500. It says: “Oops”');
});
