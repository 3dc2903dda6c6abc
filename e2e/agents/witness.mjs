// Stands between the relay and an agent, and writes down every byte before passing it on:
// wire.client and wire.agent in its own folder. What the page has stored is compared with it.
// Usage: node witness.mjs CMD ARGS…
import { spawn } from 'node:child_process';
import { openSync, writeSync } from 'node:fs';

const [command, ...args] = process.argv.slice(2);
const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const wire = { client: openSync('wire.client', 'a'), agent: openSync('wire.agent', 'a') };

process.stdin.on('data', (bytes) => {
  writeSync(wire.client, bytes);
  agent.stdin.write(bytes);
});
process.stdin.on('end', () => agent.stdin.end());
agent.stdin.on('error', () => undefined);
agent.stdout.on('data', (bytes) => {
  writeSync(wire.agent, bytes);
  process.stdout.write(bytes);
});
agent.on('close', (code) => {
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
