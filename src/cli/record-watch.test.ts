// `record --watch` with an agent that is a program on disk, changed as editors and builds change one.
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EXIT, runCommand } from './command.ts';
import { record } from './record.ts';
import { until } from '../test/programs/until.ts';

let folder: string;
let out: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-'));
  out = [];
  vi.spyOn(console, 'log').mockImplementation((text: string) => void out.push(text));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
const at = (name: string) => join(folder, name);

/** Answers what a scenario asks, says a word to each prompt, and notes its process. */
const agentThatSays = (word: string) => `
  import { appendFileSync } from 'node:fs';
  appendFileSync(${JSON.stringify(at('pids'))}, process.pid + ' ');
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '${word}' } };
  let rest = '';
  process.stdin.on('data', (data) => {
    const lines = (rest + data).split('\\n');
    rest = lines.pop();
    for (const { id, method } of lines.map((line) => JSON.parse(line))) {
      if (method === 'initialize') say({ id, result: { protocolVersion: 1 } });
      if (method === 'session/new') say({ id, result: { sessionId: 's1' } });
      if (method !== 'session/prompt' || '${word}' === 'nothing') continue;
      say({ method: 'session/update', params: { sessionId: 's1', update } });
      say({ id, result: { stopReason: 'end_turn' } });
    }
  });`;

/** As an editor does that writes a file beside it and puts it in its place. */
function replaceAgent(word: string): void {
  writeFileSync(at('new.mjs'), agentThatSays(word));
  renameSync(at('new.mjs'), at('agent.mjs'));
}

function watch(): Promise<number> {
  const params = { sessionId: '$sessionId', prompt: [{ type: 'text', text: 'Hi' }] };
  const scenario = {
    steps: [
      { request: 'session/new', params: { cwd: '$cwd', mcpServers: [] } },
      { request: 'session/prompt', params },
    ],
    assert: [{ that: 'exists(update:agent_message_chunk hello)', name: 'it greets' }],
  };
  writeFileSync(at('s.json'), JSON.stringify(scenario));
  const files = ['--out', at('run.acptrace.jsonl'), '--script', at('s.json')];
  const agent = [process.execPath, at('agent.mjs')];
  return runCommand(record, [...files, '--watch', at('agent.mjs'), '--', ...agent]);
}

const waits = () => out.filter((text) => text.includes('Waiting for ')).length;
const told = (runs: number) => until(() => expect(waits()).toBeGreaterThanOrEqual(runs));
const started = () => readFileSync(at('pids'), 'utf8').trim().split(' ').map(Number);

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('what is different since the last run is shown, and no more; Ctrl+C leaves nothing running', async () => {
  replaceAgent('hello');
  const over = watch();
  await told(1);
  expect(out[0]).toContain('pass   it greets');
  expect(out[1]).toMatch(/^✓ {2}Waiting for .*agent\.mjs to change\.$/);

  const before = out.length;
  writeFileSync(at('agent.mjs'), '');
  writeFileSync(at('agent.mjs'), agentThatSays('goodbye'));
  replaceAgent('farewell');
  await told(2);
  const [second = ''] = out.slice(before);
  expect(second).toContain('now FAIL  it greets; no frame matches');
  expect(second).toMatch(/hello/);
  expect(second).toMatch(/farewell/);
  expect(second).not.toMatch(/goodbye|session\/new/);
  expect(out.at(-1)).toMatch(/^✓✗ {2}/);

  replaceAgent('farewell');
  await told(3);
  expect(out.at(-2)).toMatch(/^Run 3: nothing is different\.$/);

  // What dies in the handshake has nothing to be compared by.
  writeFileSync(at('new.mjs'), 'process.exit(3);');
  renameSync(at('new.mjs'), at('agent.mjs'));
  await told(4);
  expect(out.at(-2)).toMatch(/^Run 4:\nFAIL {3}the handshake: /);
  replaceAgent('farewell');
  await told(5);
  expect(out.at(-2)).toBe('Run 5: nothing is different.');

  process.emit('SIGINT');
  expect(await over).toBe(EXIT.failed);
  expect(started().filter(lives)).toEqual([]);
  replaceAgent('hello');
  expect(waits()).toBe(5);
  expect(process.listenerCount('SIGINT')).toBe(0);
});

test('Ctrl+C in the middle of a run ends its agent', async () => {
  replaceAgent('nothing');
  const over = watch();
  await until(() => expect(started().some(lives)).toBe(true));
  process.emit('SIGINT');
  expect(await over).toBe(EXIT.failed);
  expect(started().filter(lives)).toEqual([]);
  expect(waits()).toBe(0);
});
