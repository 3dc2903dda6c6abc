// The agent as its clients meet it: bundled, in a process of its own, on real pipes.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { AgentClient } from '../test/programs/agent-client.ts';
import {
  buildAgentProgram,
  type AgentProgram,
  type ProgramOptions,
} from '../test/programs/agent-program.ts';
import { CWD, freshStore, newSession, saidBy, textPrompt } from '../test/programs/bundled-agent.ts';

let program: AgentProgram;

beforeAll(async () => {
  program = await buildAgentProgram();
});

interface Started {
  readonly client: AgentClient;
  readonly child: ChildProcess;
  readonly stderr: string[];
  readonly exit: Promise<[code: number | null, signal: string | null]>;
}

function start(options: ProgramOptions): Started {
  const [node, ...args] = program({ seed: 1, ...options });
  const child = spawn(node, args);
  onTestFinished(() => void child.kill('SIGKILL'));
  const stderr: string[] = [];
  child.stderr.on('data', (data: Buffer) => stderr.push(data.toString('utf8')));
  const exit = once(child, 'exit') as Started['exit'];
  return { client: new AgentClient(child.stdin, child.stdout), child, stderr, exit };
}

const HELLO = { protocolVersion: 2, info: { name: 'test', version: '1' } };

test('it ends by itself, with status 0, when its client goes away', async () => {
  const store = freshStore();
  const { client, stderr, exit } = start({ store });
  await client.call('initialize', HELLO);
  const sessionId = await newSession(client);
  await client.call('session/prompt', textPrompt(sessionId, 'slow'));
  await client.end();
  expect(await exit).toEqual([0, null]);
  expect(stderr.join('')).toBe(`acp-scope agent: 0.0.0, ACP 1 and 2, sessions in ${store}\n`);
});

test('it ends as well when nobody ever said a word', async () => {
  const { client, exit } = start({ store: freshStore() });
  await client.end();
  expect(await exit).toEqual([0, null]);
});

test('killed in mid-stream, it has stored all that it had sent', async () => {
  const store = freshStore();
  const { client, child, exit } = start({ store });
  await client.call('initialize', HELLO);
  const sessionId = await newSession(client);
  client.send('session/prompt', textPrompt(sessionId, 'slow'));
  for (let words = 0; words < 8; words++)
    await client.untilUpdate(
      ({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk',
      client.now,
    );
  child.kill('SIGKILL');
  await exit;
  await client.ended;

  const again = start({ store });
  await again.client.call('initialize', HELLO);
  const replayFrom = { type: 'start' };
  await again.client.call('session/resume', { sessionId, cwd: CWD, replayFrom });
  const replayed = saidBy('agent', again.client.updates());
  expect(replayed.startsWith(saidBy('agent', client.updates()))).toBe(true);
  await again.client.end();
  expect(again.stderr.join('')).toContain(`${sessionId}: read from the store, 2 item(s)`);
});

test('crash-mid-turn exits with 139', async () => {
  const { client, exit } = start({ store: freshStore(), misbehave: 'crash-mid-turn', pace: 0 });
  await client.call('initialize', HELLO);
  client.send('session/prompt', textPrompt(await newSession(client), 'slow'));
  expect(await exit).toEqual([139, null]);
});

test('every chunk of a flood arrives, at the pace of a slow reader', async () => {
  const { client, child } = start({ store: freshStore() });
  await client.call('initialize', HELLO);
  const sessionId = await newSession(client);
  child.stdout?.pause();
  client.send('session/prompt', textPrompt(sessionId, 'run 5000'));
  setTimeout(() => child.stdout?.resume(), 300);
  await client.untilUpdate(({ state }) => state === 'idle');
  const numbers = saidBy('agent', client.updates()).trim().split(' ').map(Number);
  expect(numbers).toEqual(Array.from({ length: 5000 }, (_, at) => at + 1));
});
