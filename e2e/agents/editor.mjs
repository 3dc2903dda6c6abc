// A small editor: starts the agent it was told to, says hello, makes a session, prompts it once, and
// ends it. Prints one JSON object: what it was answered, and how the agent ended.
// Usage: node editor.mjs [--wait] CMD ARGS…   --wait: it prompts when a line comes on its stdin
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const waits = process.argv[2] === '--wait';
const [command, ...args] = process.argv.slice(waits ? 3 : 2);
const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
createInterface({ input: agent.stdout }).on('line', (line) => {
  const { id, result } = JSON.parse(line);
  waiting.get(id)?.(result);
});

let id = 0;
function ask(method, params) {
  agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
  return new Promise((resolve) => waiting.set(id, resolve));
}

const hello = await ask('initialize', {
  protocolVersion: 1,
  clientCapabilities: {},
  clientInfo: { name: 'small-editor', version: '1.0' },
});
const { sessionId } = await ask('session/new', { cwd: process.cwd(), mcpServers: [] });
if (waits) {
  await once(process.stdin, 'data');
  process.stdin.unref();
}
const prompt = [{ type: 'text', text: 'quick' }];
const turn = await ask('session/prompt', { sessionId, prompt });
agent.stdin.end();
const [code] = await once(agent, 'exit');
console.log(JSON.stringify({ version: hello.protocolVersion, ...turn, code }));
