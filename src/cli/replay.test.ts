// Trace replay in processes of its own, and the official SDK's client against a recorded agent.
import {
  client as clientV1,
  ndJsonStream,
  type SessionNotification,
} from '@agentclientprotocol/sdk';
import {
  client as clientV2,
  type UpdateSessionNotification,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Json } from '../acp/message.ts';
import { get, obj, parseJson, str } from '../acp/json.ts';
import { buildBin } from '../test/programs/built-bin.ts';
import { EXIT, runCommand } from './command.ts';
import { replay } from './replay.ts';
import { until } from '../test/programs/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'acp-scope-replay-'));
let scope: string;
const fixture = (name: string) =>
  fileURLToPath(new URL(`../test/fixtures/${name}`, import.meta.url));

beforeAll(async () => {
  scope = await buildBin();
});

/** The recorded agent in a process, on a stream for the SDK. */
function recordedAgent(name: string, ...args: readonly string[]) {
  const report = join(folder, `${Math.random()}.json`);
  const argv = [scope, 'replay', fixture(name), '--as', 'agent', '--report', report, ...args];
  const child = spawn(process.execPath, argv, { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stderr.resume();
  const exit = once(child, 'exit');
  const input = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
  const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  return {
    stream: ndJsonStream(input, output),
    /** How it ended, and what it had to report. */
    async ended(): Promise<{ readonly code: unknown; readonly report: Json }> {
      child.stdin.end();
      const [code] = (await exit) as [unknown];
      return { code, report: parseJson(readFileSync(report, 'utf8')) ?? null };
    },
  };
}

/** The recorded `session/update`s of a session, with another folder in the place of the recorded. */
function recordedUpdates(name: string, from: number, to: number, was: string): Json[] {
  const lines = readFileSync(fixture(name), 'utf8')
    .trim()
    .split('\n')
    .slice(from - 1, to);
  return lines.flatMap((line) => {
    const raw = str(parseJson(line), 'raw') ?? '';
    const message = parseJson(raw.replaceAll(was, folder));
    return str(message, 'method') === 'session/update' ? [get(message, 'params') ?? null] : [];
  });
}

describe('the SDK’s client, version 2.4.0', () => {
  test('v1: takes two turns of a recorded agent and loads their session', async () => {
    const name = 'opencode/1.18.33/live-v1.ndjson';
    const agent = recordedAgent(name);
    const updates: SessionNotification[] = [];
    const permissions: string[] = [];
    const app = clientV1({ name: 'sdk' })
      .onNotification('session/update', ({ params }) => void updates.push(params))
      .onRequest('session/request_permission', ({ params }) => {
        permissions.push(params.toolCall.title ?? '');
        const optionId = params.options.find(({ kind }) => kind === 'allow_once')?.optionId ?? '';
        return { outcome: { outcome: 'selected', optionId } };
      });
    const read = `[[think The user wants a file read.]]Please read the file [[read ${folder}/hello.txt]]`;
    const run = 'Now run a command [[run echo hi > made.txt; cat made.txt]]';
    const loaded = await app.connectWith(agent.stream, async (context) => {
      await context.request('initialize', {
        protocolVersion: 1,
        clientInfo: { name: 'sdk', version: '2.4.0' },
      });
      const { sessionId } = await context.request('session/new', { cwd: folder, mcpServers: [] });
      for (const text of [read, run]) {
        const prompt = [{ type: 'text', text } as const];
        const answer = await context.request('session/prompt', { sessionId, prompt });
        expect(answer).toMatchObject({ stopReason: 'end_turn' });
      }
      await until(() =>
        expect(updates).toEqual(recordedUpdates(name, 5, 55, '/home/dev/projects/opencode')),
      );
      const before = updates.length;
      await context.request('session/load', { sessionId, cwd: folder, mcpServers: [] });
      // The SDK hands on what came before an answer in its own time.
      const isLast = ({ update }: SessionNotification) =>
        JSON.stringify(update).includes(run) && update.sessionUpdate === 'user_message_chunk';
      await until(() => expect(updates.slice(before).some(isLast)).toBe(true));
      return updates.slice(before);
    });
    expect(permissions).toHaveLength(1);
    const said = (variant: string) =>
      loaded.filter(({ update }) => update.sessionUpdate === variant);
    expect(
      said('user_message_chunk').map(({ update }) => get(obj(update as Json, 'content'), 'text')),
    ).toEqual([read, run]);
    expect(said('tool_call').length).toBeGreaterThan(0);
    const { code, report } = await agent.ended();
    expect(report).toMatchObject({
      ok: true,
      mismatches: [],
      rebuilt: [{ method: 'session/load' }],
    });
    expect(code).toBe(0);
  });

  test('v2: takes a turn of a recorded agent and resumes its session from the start', async () => {
    const name = 'claude-agent-acp/0.100.0/live-v2.ndjson';
    const agent = recordedAgent(name);
    const updates: UpdateSessionNotification[] = [];
    let idle: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (idle = resolve));
    const app = clientV2({ name: 'sdk' }).onNotification('session/update', ({ params }) => {
      updates.push(params);
      if (get(params.update as Json, 'state') === 'idle') idle();
    });
    const resumed = await app.connectWith(agent.stream, async (context) => {
      const info = { name: 'sdk', version: '2.4.0' };
      await context.request('initialize', { protocolVersion: 2, info });
      const { sessionId } = await context.request('session/new', { cwd: folder });
      const text = `[[think The user wants a file read.]]Please read the file [[read ${folder}/hello.txt]]`;
      await context.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
      await turn;
      await until(() =>
        expect(updates).toEqual(
          recordedUpdates(name, 16, 51, '/home/dev/projects/claude-agent-acp-latest.v2'),
        ),
      );
      const before = updates.length;
      await context.request('session/resume', {
        sessionId,
        cwd: folder,
        replayFrom: { type: 'start' },
      });
      const kinds = () => updates.slice(before).map(({ update }) => update.sessionUpdate);
      await until(() => expect(kinds().at(-1)).toBe('state_update'));
      return kinds();
    });
    expect(resumed).toContain('user_message');
    const { code, report } = await agent.ended();
    expect(report).toMatchObject({
      ok: true,
      mismatches: [],
      rebuilt: [{ method: 'session/resume' }],
    });
    expect(code).toBe(0);
  });

  test('v2: lists and resumes as recorded, and is refused a cursor that was not', async () => {
    const name = 'claude-agent-acp/0.100.0/replay-v2.ndjson';
    const agent = recordedAgent(name);
    const updates: UpdateSessionNotification[] = [];
    const app = clientV2({ name: 'sdk' }).onNotification('session/update', ({ params }) => {
      updates.push(params);
    });
    await app.connectWith(agent.stream, async (context) => {
      await context.request('initialize', {
        protocolVersion: 2,
        info: { name: 'sdk', version: '2.4.0' },
      });
      const { sessions } = await context.request('session/list', {});
      const { sessionId = '', cwd = '' } = sessions[0] ?? {};
      const session = { sessionId, cwd };
      await context.request('session/resume', { ...session, replayFrom: { type: 'start' } });
      await until(() => expect(updates).toEqual(recordedUpdates(name, 7, 78, 'no such folder')));
      const replayFrom = { type: '_message', messageId: 'm1' } as const;
      const refused = context.request('session/resume', { ...session, replayFrom });
      await expect(refused).rejects.toMatchObject({ code: -32602 });
    });
    const { code, report } = await agent.ended();
    expect(report).toMatchObject({ ok: false, mismatches: [{ method: 'session/resume' }] });
    expect(code).toBe(1);
  });
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A recording as the client of another as the agent, each in its process. */
function rerun(asClient: string, asAgent: string, ...args: readonly string[]): Promise<Ran> {
  const agent = [process.execPath, scope, 'replay', asAgent, '--as', 'agent'];
  const argv = [scope, 'replay', asClient, '--as', 'client', ...args, '--', ...agent];
  return new Promise((resolve) =>
    execFile(process.execPath, argv, { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    ),
  );
}

describe('the client in a process', () => {
  const recording = fixture('codex-acp/0.16.0/turn-v1.acptrace.jsonl');

  test('finds no divergence from itself, and says of each line it sent that it is a rerun', async () => {
    const out = join(folder, 'rerun.acptrace.jsonl');
    const { code, stdout } = await rerun(recording, recording, '--out', out);
    expect(stdout).toMatch(/^No divergence/);
    expect(code).toBe(0);
    const sent = readFileSync(out, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"from":"client"'));
    expect(sent).toHaveLength(3);
    for (const line of sent) expect(line).toContain('"origin":"rerun"');
  });

  test('one frame changed is the one divergence, as JSON and by the exit status', async () => {
    const other = join(folder, 'other.acptrace.jsonl');
    writeFileSync(other, readFileSync(recording, 'utf8').replace('answer)', 'answer), and more'));
    const { code, stdout } = await rerun(recording, other, '--format', 'json');
    const differences = (view: string) => ({
      view,
      kind: 'changed',
      after: expect.stringContaining('and more') as string,
    });
    expect(parseJson(stdout)).toMatchObject({
      role: 'client',
      divergence: { equal: false, differences: [differences('story'), differences('state')] },
      mismatches: [],
    });
    expect(code).toBe(1);
  });
});

test('what is replayed is never written over', async () => {
  const recording = join(folder, 'kept.acptrace.jsonl');
  copyFileSync(fixture('codex-acp/0.16.0/turn-v1.acptrace.jsonl'), recording);
  const before = readFileSync(recording);
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  for (const args of [
    ['--as', 'agent', '--report', recording],
    ['--as', 'client', '--out', recording, '--', process.execPath, '-e', ''],
  ])
    expect(await runCommand(replay, [recording, ...args])).toBe(EXIT.usage);
  expect(said.mock.calls[0]?.[0]).toContain(
    'that is read: it would be lost. Give another --report.',
  );
  expect(readFileSync(recording).equals(before)).toBe(true);
});

test.skipIf(process.platform !== 'linux')(
  'every write can fail (R-21): a report that the disk takes at first and refuses at last is said, with 3, and on stderr it stands',
  async () => {
    const recording = fixture('codex-acp/0.16.0/turn-v1.acptrace.jsonl');
    const argv = [scope, 'replay', recording, '--as', 'agent', '--report', '/dev/full'];
    const child = spawn(process.execPath, argv, { cwd: folder });
    let said = '';
    child.stderr.on('data', (data) => (said += String(data)));
    child.stdin.end();
    const [code] = (await once(child, 'close')) as [unknown];
    expect([code, said]).toEqual([
      EXIT.environment,
      expect.stringMatching(/frames[^]*The report cannot be written to \/dev\/full \(ENOSPC\)\./),
    ]);
  },
);

test.each([
  [['--as', 'agent'], /takes one trace file/],
  [['a', '--as', 'client'], /needs the agent’s command/],
  [['a', '--as', 'agent', '--', 'x'], /starts no command/],
  [['a', '--as', 'agent', '--loose', '--strict'], /not both/],
  [['a', '--as', 'agent', '--out', 'x'], /--out belongs to --as client/],
  [['a', '--as', 'agent', '--speed', 'warp'], /--speed warp is none/],
  [['a'], /give --as agent or --as client/],
])('%j is a mistake, told in a sentence', async (args, sentence) => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  expect(await runCommand(replay, args)).toBe(2);
  expect(said.mock.calls[0]?.[0]).toMatch(sentence);
});
