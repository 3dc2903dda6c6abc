// The adapter as an editor meets it: the bin in a process of its own, before the bundled agent in
// another, which can resume its sessions and not replay them.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../acp/message.ts';
import { AgentClient } from '../../test/programs/agent-client.ts';
import { newSession, saidBy, textPrompt, turn } from '../../test/programs/bundled-agent.ts';
import { buildBin } from '../../test/programs/built-bin.ts';
import { checkLines } from '../../test/traces/check-lines.ts';
import { foldUpdates } from '../../test/traces/fold-updates.ts';

let bin: string;
const CWD = mkdtempSync(join(tmpdir(), 'acp-scope-project-'));
const KILLS = 4;

/** An agent that resumes, and says a whole turn with its end in one go: `node -e … 1|2`. */
const BURSTS = `
  const acp = Number(process.argv[1]);
  const update = (said) => ({method:'session/update',params:{sessionId:'s',update:said}});
  const chunk = {sessionUpdate:'agent_message_chunk',messageId:'m',content:{type:'text',text:'word '}};
  const results = {
    initialize: acp === 1
      ? {protocolVersion:1,agentCapabilities:{sessionCapabilities:{resume:{}}}}
      : {protocolVersion:2,capabilities:{session:{}}},
    'session/new': {sessionId:'s'},
    'session/prompt': acp === 1 ? {stopReason:'end_turn'} : {messageId:'u'},
  };
  require('readline').createInterface({input:process.stdin}).on('line', (line) => {
    const {id, method} = JSON.parse(line);
    const answer = {id, result: results[method] ?? {}};
    const words = Array.from({length: 300}, () => update(chunk));
    const idle = update({sessionUpdate:'state_update',state:'idle'});
    const all = method !== 'session/prompt' ? [answer] : acp === 1 ? [...words, answer] : [answer, ...words, idle];
    process.stdout.write(all.map((said) => JSON.stringify({jsonrpc:'2.0',...said})+'\\n').join(''));
  });`;

beforeAll(async () => {
  bin = await buildBin();
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'acp-scope-adapt-'));
});

interface Editor {
  readonly client: AgentClient;
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly exit: Promise<[code: number | null, signal: string | null]>;
}

const SCOPE = () => bin;

/** An editor that has shaken hands with the adapter before the bundled agent. */
async function start(acp: 1 | 2, ...agent: readonly string[]): Promise<Editor> {
  const pace = agent.includes('--pace') ? [] : ['--pace', '0'];
  const command = ['agent', '--no-replay', ...pace, '--store', join(folder, 'agent')];
  return startBefore(acp, [process.execPath, SCOPE(), ...command, ...agent]);
}

/** The same with an agent of another command. */
async function startBefore(acp: 1 | 2, argv: readonly string[]): Promise<Editor> {
  const adapt = ['adapt', '--load-over-resume', '--store', join(folder, 'adapt'), '--', ...argv];
  const child = spawn(process.execPath, [SCOPE(), ...adapt], { cwd: CWD });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
  const exit = once(child, 'exit') as Editor['exit'];
  const client = new AgentClient(child.stdin, child.stdout);
  client.answering = ({ method }) =>
    method === 'session/request_permission'
      ? { outcome: { outcome: 'selected', optionId: 'allow-once' } }
      : undefined;
  const info = { name: 'test', version: '1' };
  const offer =
    acp === 1 ? { clientCapabilities: {}, clientInfo: info } : { capabilities: {}, info };
  await client.call('initialize', { protocolVersion: acp, ...offer });
  return { client, child, stderr: () => stderr, exit };
}

async function leave({ client, exit }: Editor): Promise<void> {
  await client.end();
  expect(await exit).toEqual([0, null]);
}

const restore = (sessionId: string) => ({ sessionId, cwd: CWD, mcpServers: [] });
const linesOf = ({ client }: Editor) => client.crossed;

/** What a restore from the start brings. */
async function loaded(
  { client }: Editor,
  sessionId: string,
  acp: 1 | 2,
): Promise<readonly JsonObject[]> {
  const from = client.now;
  if (acp === 1) await client.call('session/load', restore(sessionId));
  else {
    const replayFrom = { type: 'start' };
    await client.call('session/resume', { ...restore(sessionId), replayFrom });
  }
  return client.updates(from);
}

/** Loads the session in a new process, and what the load brought. */
async function load(sessionId: string): Promise<{ editor: Editor; updates: JsonObject[] }> {
  const editor = await start(1);
  return { editor, updates: [...(await loaded(editor, sessionId, 1))] };
}

test.skipIf(process.platform === 'win32').each([1, 2] as const)(
  'R-67 v%i: killed the moment a turn has ended, the adapter has stored all that the editor saw',
  async (acp) => {
    const agent = [process.execPath, '-e', BURSTS, String(acp)];
    let editor = await startBefore(acp, agent);
    const sessionId = await newSession(editor.client, { cwd: CWD });
    let lived = '';
    for (let round = 0; round < KILLS; round++) {
      const { client, child, exit } = editor;
      const from = client.now;
      child.stdout?.on('data', () => {
        if (/"end_turn"|"idle"/.test(client.crossed.at(-1)?.line ?? '')) child.kill('SIGKILL');
      });
      client.send('session/prompt', textPrompt(sessionId, `${round}`));
      expect(await exit).toEqual([null, 'SIGKILL']);
      lived += saidBy('agent', client.updates(from));
      editor = await startBefore(acp, agent);
      expect(saidBy('agent', await loaded(editor, sessionId, acp))).toBe(lived);
    }
    await leave(editor);
  },
);

describe('v1', () => {
  test('a session is loaded whole after every process has gone, and goes on', async () => {
    const first = await start(1);
    const sessionId = await newSession(first.client, { cwd: CWD });
    await turn(first.client, sessionId, 'Mend the roof');
    await turn(first.client, sessionId, 'quick, please');
    const lived = first.client.updates();
    await leave(first);

    const { editor, updates } = await load(sessionId);
    const items = (all: readonly JsonObject[]) =>
      Object.entries(foldUpdates(all)).filter(([key]) => !key.startsWith('user'));
    expect(items(updates)).toEqual(items(lived));
    expect(saidBy('user', updates)).toBe('Mend the roofquick, please');
    const from = editor.client.now;
    await turn(editor.client, sessionId, 'what did I ask first?');
    expect(saidBy('agent', editor.client.updates(from))).toContain('Mend the roof');
    await leave(editor);
    const crossed = [linesOf(first), linesOf(editor)];
    expect(JSON.stringify(crossed)).not.toContain('acp-scope-adapt-');
    expect(await checkLines(crossed)).toEqual([]);
  });

  test('R-44 the agent crashes in mid-turn: its exit is handed on, and the cut is told', async () => {
    const first = await start(1, '--misbehave', 'crash-mid-turn');
    const sessionId = await newSession(first.client, { cwd: CWD });
    first.client.send('session/prompt', textPrompt(sessionId, 'Go'));
    expect(await first.exit).toEqual([139, null]);
    const { editor, updates } = await load(sessionId);
    expect(saidBy('user', updates)).toBe('Go');
    expect(saidBy('agent', updates)).toMatch(
      /\[acp-scope adapt: The record of this turn stops here/,
    );
    const open = Object.entries(foldUpdates(updates)).filter(
      ([, { status }]) => status === 'pending' || status === 'in_progress',
    );
    expect(open).toEqual([]);
    await leave(editor);
    expect(await checkLines([linesOf(first), linesOf(editor)])).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')(
    'R-67 the adapter is killed in mid-turn: the lock is taken over, the history is there',
    async () => {
      const first = await start(1, '--pace', '1');
      const sessionId = await newSession(first.client, { cwd: CWD });
      first.client.send('session/prompt', textPrompt(sessionId, 'slow'));
      await first.client.untilUpdate(
        ({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk',
      );
      first.child.kill('SIGKILL');
      await first.exit;
      expect(readdirSync(join(folder, 'adapt')).some((name) => name.endsWith('.lock'))).toBe(true);
      const { editor, updates } = await load(sessionId);
      expect(saidBy('user', updates)).toBe('slow');
      expect(saidBy('agent', updates)).toContain('The record of this turn stops here');
      await leave(editor);
      expect(readdirSync(join(folder, 'adapt')).filter((name) => !name.endsWith('.jsonl'))).toEqual(
        [],
      );
    },
  );

  test('a second process does not load a session that the first one records', async () => {
    const first = await start(1);
    const sessionId = await newSession(first.client, { cwd: CWD });
    await turn(first.client, sessionId, 'quick');
    const second = await start(1);
    const why = new RegExp(`process ${first.child.pid} has its history open`);
    await expect(second.client.call('session/load', restore(sessionId))).rejects.toThrow(why);
    await second.client.call('session/resume', restore(sessionId));
    await expect.poll(() => second.stderr()).toMatch(why);
    await turn(second.client, sessionId, 'quick: unseen');
    await leave(second);
    await turn(first.client, sessionId, 'quick: seen');
    await leave(first);
    const { editor, updates } = await load(sessionId);
    expect(saidBy('user', updates)).toBe('quickquick: seen');
    expect(saidBy('agent', updates)).toMatch(/Turns that were made in another process .* missing/);
    await leave(editor);
  });

  test('a session from before the adapter is loaded with a sentence that says so', async () => {
    const plain = await start(1);
    const sessionId = await newSession(plain.client, { cwd: CWD });
    await turn(plain.client, sessionId, 'quick');
    await leave(plain);
    for (const name of readdirSync(join(folder, 'adapt'))) rmSync(join(folder, 'adapt', name));
    const { editor, updates } = await load(sessionId);
    expect(saidBy('agent', updates)).toBe(
      '[acp-scope adapt: Earlier messages of this session were not recorded.]',
    );
    await leave(editor);
  });

  test('close gives the session free; delete takes its history away', async () => {
    const first = await start(1);
    const sessionId = await newSession(first.client, { cwd: CWD });
    await turn(first.client, sessionId, 'quick');
    await first.client.call('session/close', { sessionId });
    const { editor } = await load(sessionId);
    await editor.client.call('session/delete', { sessionId });
    expect(readdirSync(join(folder, 'adapt'))).toEqual([]);
    await leave(editor);
    await leave(first);
  });

  test.skipIf(process.platform === 'win32')(
    'L-02 folder and files are the owner’s alone',
    async () => {
      const first = await start(1);
      await newSession(first.client, { cwd: CWD });
      const store = join(folder, 'adapt');
      expect(statSync(store).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(store))
        expect(statSync(join(store, name)).mode & 0o777).toBe(0o600);
      await leave(first);
    },
  );
});

describe('v2', () => {
  test('replayFrom start brings the recorded history, then the snapshot, then the answer', async () => {
    const first = await start(2);
    const sessionId = await newSession(first.client, { cwd: CWD });
    await turn(first.client, sessionId, 'Mend the roof');
    const lived = first.client.updates();
    await leave(first);

    const second = await start(2);
    const updates = await loaded(second, sessionId, 2);
    expect(foldUpdates(updates)).toEqual(foldUpdates(lived));
    expect(updates.at(-1)).toMatchObject({ sessionUpdate: 'state_update', state: 'idle' });
    await leave(second);
    expect(await checkLines([linesOf(first), linesOf(second)])).toEqual([]);
  });

  test('a cursor of the agent’s own is refused by the agent', async () => {
    const first = await start(2);
    const sessionId = await newSession(first.client, { cwd: CWD });
    await turn(first.client, sessionId, 'quick');
    const replayFrom = { type: '_message', messageId: 'x' };
    const asked = first.client.call('session/resume', { ...restore(sessionId), replayFrom });
    await expect(asked).rejects.toThrow(/-32602/);
    await leave(first);
  });
});

test.runIf(process.platform === 'linux')(
  'R-40 P-12: a program that left the group of the agent is named on stderr, with how to end it',
  async () => {
    const leaver = `
      const left = require('node:child_process').spawn('setsid', ['sleep', '1000'], {stdio:'ignore'});
      require('node:readline').createInterface({input:process.stdin})
        .on('line', (line) => {
          const {id} = JSON.parse(line);
          console.log(JSON.stringify({jsonrpc:'2.0',id,result:{protocolVersion:1,_meta:{pid:left.pid}}}));
        })
        .on('close', () => process.exit(0));`;
    const editor = await startBefore(1, [process.execPath, '-e', leaver]);
    await leave(editor);
    const pid = Number(/\(pid (\d+)\)/.exec(editor.stderr())?.[1]);
    process.kill(pid, 'SIGKILL');
    expect(editor.stderr().split('\n').at(-2)).toBe(
      `acp-scope adapt: 1 program that the agent started still runs: sleep (pid ${pid}). To end it: kill ${pid}`,
    );
    expect(JSON.stringify(editor.client.crossed)).toContain(`{"pid":${pid}}`);
  },
);
