// An agent (v1) that asks this machine for things no request should hold. At each prompt it sends all
// of them, one after another, waits for each answer, and says in the conversation which errors came.
import { createInterface } from 'node:readline';

const deep = '['.repeat(20_000) + ']'.repeat(20_000);
const READ = 'fs/read_text_file';
const CREATE = 'terminal/create';

/** Method, params as they go over the wire. */
const ASKED = [
  [READ, '{"sessionId":"s","path":"/a","line":1e999}'],
  [READ, '{"sessionId":"s","path":"/a","line":-1e999}'],
  [READ, '{"sessionId":"s","path":"/a","limit":1e999}'],
  [READ, '{"sessionId":"s","path":"/a","line":-1}'],
  [READ, '{"sessionId":"s","path":"/a","line":0.5}'],
  [READ, '{"sessionId":"s","path":"/a","line":1e300}'],
  [READ, '{"sessionId":"s","path":"/a","line":"1"}'],
  [READ, `{"sessionId":"s","path":"/a","line":${deep}}`],
  [READ, '{"sessionId":"s","path":"/a\\u0000b"}'],
  [READ, '{"sessionId":"s","path":"/\\ud800"}'],
  [READ, `{"sessionId":"s","path":"${'/a'.repeat(20_000)}"}`],
  [READ, '{"sessionId":"s","path":{}}'],
  [READ, '[1e999]'],
  [READ, '"text"'],
  ['fs/write_text_file', '{"sessionId":"s","path":"/a","content":1e999}'],
  [CREATE, '{"sessionId":"s","command":"ls","outputByteLimit":1e999}'],
  [CREATE, '{"sessionId":"s","command":"l\\u0000s"}'],
  [CREATE, '{"sessionId":"s","command":"ls","args":[1e999]}'],
  [CREATE, `{"sessionId":"s","command":"ls","args":[${'"a",'.repeat(20_000)}"a"]}`],
  [CREATE, '{"sessionId":"s","command":"ls","env":[{"name":"A=B","value":"\\u0000"}]}'],
  [CREATE, '{"sessionId":"s","command":"ls","env":{"A":"b"}}'],
  [CREATE, '{"sessionId":"s","command":"ls","cwd":7}'],
  ['terminal/output', '{"sessionId":"s","terminalId":1e999}'],
  ['terminal/kill', `{"sessionId":"s","terminalId":"${'t'.repeat(100_000)}"}`],
  ['terminal/explode', '{"a":1e999}'],
];
let next = 0;
const waiting = new Map();
const say = (line) => process.stdout.write(`${line}\n`);
const answer = (id, result) => say(JSON.stringify({ jsonrpc: '2.0', id, result }));

function ask([method, params]) {
  const id = `h${next++}`;
  say(`{"jsonrpc":"2.0","id":"${id}","method":"${method}","params":${params}}`);
  return new Promise((resolve) => waiting.set(id, resolve));
}

async function turn(id) {
  const codes = [];
  for (const asked of ASKED) codes.push((await ask(asked)).error?.code ?? 'result');
  const text = `${codes.length} of ${ASKED.length} answered: ${codes.join(' ')}`;
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  say(
    JSON.stringify({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId: 's', update },
    }),
  );
  answer(id, { stopReason: 'end_turn' });
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method === 'initialize')
    answer(message.id, { protocolVersion: 1, agentCapabilities: {}, authMethods: [] });
  else if (message.method === 'session/new') answer(message.id, { sessionId: 's' });
  else if (message.method === 'session/prompt') void turn(message.id);
  else if (message.method === undefined) waiting.get(message.id)?.(message);
}
