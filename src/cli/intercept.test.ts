// `--intercept FILE`, through the bin and real processes: what each side reads, and what the trace says.
import { execFile, spawn } from 'node:child_process';
import { rmSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test, vi } from 'vitest';
import { buildAgentProgram, type AgentProgram } from '../test/programs/agent-program.ts';
import { buildBin } from '../test/programs/built-bin.ts';
import type { TraceEvent } from '../trace/event.ts';
import { EXIT, runCommand } from './command.ts';
import { record } from './record.ts';

let bin: string;
let program: AgentProgram;
beforeAll(async () => {
  bin = await buildBin();
  program = await buildAgentProgram();
}, 120_000);

const folder = mkdtempSync(join(tmpdir(), 'intercept-'));
const at = (name: string) => join(folder, name);
const rules = (name: string, ...list: readonly (object | string)[]) => {
  writeFileSync(at(name), JSON.stringify({ rules: list }));
  return at(name);
};
const eventsIn = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line) as TraceEvent);
const textOf = (event: TraceEvent | undefined) =>
  event && 'line' in event && event.line && 'text' in event.line ? event.line.text : undefined;
const intercepted = (events: readonly TraceEvent[]) =>
  events.filter((event) => event.type === 'intercept');

const ECHO = 'process.stdin.pipe(process.stdout)';
const ask = (id: number, method: string) => `{"jsonrpc": "2.0","id":${id},"method":"${method}"}`;

/** What an editor reads that writes these lines to a tapped agent. */
async function tap(file: string, out: string, code: string, lines: readonly string[]) {
  const args = [bin, 'tap', '--intercept', file, '--out', out, '--', process.execPath, '-e', code];
  const child = spawn(process.execPath, args, { cwd: folder });
  const read: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => read.push(chunk));
  child.stdin.end(lines.map((line) => line + '\n').join(''));
  const code_ = await new Promise((resolve) => child.once('close', resolve));
  expect(code_).toBe(0);
  return Buffer.concat(read).toString().split('\n').slice(0, -1);
}

test('what a rule drops or changes on a tap reaches the other side so; the trace has both, and the rest is byte for byte', async () => {
  const file = rules(
    'a.json',
    { on: 'side:client method:lose', name: 'lost', drop: true },
    { on: 'side:client method:change', edit: { set: { '$.params.a': [1] } } },
    { on: 'side:client method:twice', duplicate: 1 },
  );
  const lines = [ask(1, 'as it is'), ask(2, 'lose'), ask(3, 'change'), ask(4, 'twice'), 'noise'];
  const out = at('a.acptrace.jsonl');
  const changed = '{"params":{"a":[1]},"jsonrpc": "2.0","id":3,"method":"change"}';
  const due = [ask(1, 'as it is'), changed, ask(4, 'twice'), ask(4, 'twice'), 'noise'];
  expect(await tap(file, out, ECHO, lines)).toEqual(due);
  const events = eventsIn(out);
  const frames = events.filter((event) => event.type === 'frame');
  expect(frames.filter(({ from }) => from === 'client').map(textOf)).toEqual(due);
  const [on, drop, edit, copy] = intercepted(events);
  expect(on).toMatchObject({ did: 'on', rules: ['lost', expect.anything(), expect.anything()] });
  expect(drop).toMatchObject({
    did: 'drop',
    rule: 'lost',
    from: 'client',
    line: { text: lines[1] },
  });
  expect(edit).toMatchObject({ did: 'edit', line: { text: lines[2] } });
  const sentAs = (did: TraceEvent | undefined) =>
    frames.filter(({ of }) => of === did?.seq).map(({ origin, line }) => ({ origin, line }));
  expect(sentAs(edit)).toEqual([{ origin: 'intercept', line: { text: changed } }]);
  expect(sentAs(copy)).toEqual([{ origin: 'intercept', line: { text: lines[3] } }]);
  expect(frames.find((frame) => textOf(frame) === lines[0])).toMatchObject({ origin: 'peer' });
});

test('what is held or late at the end of a stream goes on before the end; a held frame goes on at its deadline', async () => {
  const file = rules(
    'b.json',
    { on: 'side:client method:slow', delay: 600_000 },
    { on: 'side:client method:wait', hold: true },
    { on: 'side:agent method:wait', hold: true, deadline: 30 },
  );
  const lines = [ask(1, 'wait'), ask(2, 'slow'), ask(3, 'behind')];
  const out = at('b.acptrace.jsonl');
  expect((await tap(file, out, ECHO, lines)).sort()).toEqual([...lines].sort());
  const holds = intercepted(eventsIn(out)).filter(({ did }) => did === 'hold');
  expect(holds).toMatchObject([{ deadline: 60_000 }, { deadline: 30 }]);
});

test('an answer to an injected request does not reach the editor, and is in the trace', async () => {
  const file = rules('c.json', {
    ...{ on: 'side:client method:initialize', times: 1 },
    inject: { request: 'session/list', params: { x: 1 } },
  });
  const answers = `let rest = '';
    process.stdin.on('data', (data) => {
      const lines = (rest + data).split('\\n');
      rest = lines.pop();
      for (const { id } of lines.map((line) => JSON.parse(line)))
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    });`;
  const out = at('c.acptrace.jsonl');
  expect(await tap(file, out, answers, [ask(0, 'initialize'), ask(1, 'next')])).toEqual([
    '{"jsonrpc":"2.0","id":0,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
  ]);
  const kept = intercepted(eventsIn(out)).find(({ did }) => did === 'keep');
  expect(textOf(kept)).toMatch(/^\{"jsonrpc":"2.0","id":"acp-scope-[0-9a-f]+-1","result"/);
});

test('rules with a mistake start nothing: it is named with its file, line and place', async () => {
  writeFileSync(at('bad.json'), '{"rules": [\n{"on": "side:agent", "dropp": true}]}');
  const args = [
    bin,
    'tap',
    '--intercept',
    at('bad.json'),
    '--',
    process.execPath,
    '-e',
    'console.log("ran")',
  ];
  const failed: unknown = await promisify(execFile)(process.execPath, args).catch(
    (error: unknown) => error,
  );
  expect(failed).toMatchObject({ code: EXIT.usage, stdout: '' });
  expect((failed as { stderr: string }).stderr).toContain('bad.json: Line 2, /rules/0/dropp');
});

test('record --intercept: the client hears what the rules leave of the agent, by name of a preset too', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const out = at('d.acptrace.jsonl');
  const file = rules('d.json', 'mask-load-session', {
    ...{ name: 'lose', on: 'side:agent method:session/update', every: 3, drop: true },
  });
  const args = ['--out', out, '--protocol', '1', '--intercept', file, '--prompt', 'Hello'];
  expect(
    await runCommand(record, [...args, '--', ...program({ store: at('store'), pace: 0 })]),
  ).toBe(EXIT.ok);
  const events = eventsIn(out);
  const masked = events.find((event) => event.type === 'frame' && event.origin === 'intercept');
  expect(textOf(masked)).toContain('"loadSession":false');
  const was = events.find((event) => event.seq === (masked as { of?: number }).of);
  expect(textOf(was)).toBe(textOf(masked)?.replace('"loadSession":false', '"loadSession":true'));
  const updates = events.filter((event) => textOf(event)?.includes('session/update'));
  const lost = intercepted(events).filter(({ rule }) => rule === 'lose');
  expect(lost.length).toBe(Math.floor(updates.length / 3));
  vi.restoreAllMocks();
});

test('a turn that the intercept cuts fails with the rule that did it, and not as if the agent had ended by itself', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const out = at('cut.acptrace.jsonl');
  const args = ['--out', out, '--protocol', '1', '--intercept', rules('cut.json', 'cut-in-turn')];
  const agent = program({ store: at('cut'), pace: 0 });
  expect(await runCommand(record, [...args, '--', ...agent])).toBe(EXIT.failed);
  expect(said.mock.calls.flat()).toContainEqual(
    expect.stringMatching(
      /^The agent ended before the script did: the intercept cut the stream, by the rule cut-in-turn, and then: code 0\. The trace/,
    ),
  );
  vi.restoreAllMocks();
});

test('a scenario has rules as --intercept FILE has, of both sides, from the start or a step on, also after a restart; one that no frame met fails', async () => {
  const script = at('faults.scenario.json');
  const lost = { on: 'side:agent update:agent_message_chunk', name: 'lost', drop: true };
  const scenario = (...last: readonly object[]) => ({
    protocol: 1,
    intercept: ['mask-load-session'],
    steps: [
      { request: 'session/new', params: { cwd: '$cwd', mcpServers: [] } },
      { intercept: [lost, ...last] },
      { request: 'session/prompt', params: { sessionId: '$sessionId', prompt: [HELLO] } },
      { restart: true },
      { request: 'session/new', params: { cwd: '$cwd', mcpServers: [] } },
      { request: 'session/prompt', params: { sessionId: '$sessionId', prompt: [HELLO] } },
      { intercept: [] },
      { request: 'session/prompt', params: { sessionId: '$sessionId', prompt: [HELLO] } },
    ],
    assert: [
      'count(is:intercepted method:initialize) = 1',
      'count(type:req method:session/prompt) = 3',
      'none(connection:1 update:agent_message_chunk)',
      'exists(connection:2 update:agent_message_chunk)',
      'finding(error) = 0',
    ],
  });
  const run = async (document: object) => {
    writeFileSync(script, JSON.stringify(document));
    const out = at('f.acptrace.jsonl');
    for (const name of ['f', 'f.c2']) rmSync(at(`${name}.acptrace.jsonl`), { force: true });
    const agent = program({ store: at('faults'), pace: 0 });
    const args = [bin, 'record', '--script', script, '--out', out, '--', ...agent];
    const done = await promisify(execFile)(process.execPath, args).catch(
      (error: unknown) => error as { readonly code: number; readonly stdout: string },
    );
    return {
      status: 'code' in done ? done.code : EXIT.ok,
      report: done.stdout,
      traces: [out, at('f.c2.acptrace.jsonl')].map((path) => intercepted(eventsIn(path))),
    };
  };
  const { status, report, traces } = await run(scenario());
  expect(report).toContain('pass   8 steps');
  expect(status).toBe(EXIT.ok);
  const [first = [], second = []] = traces;
  expect(first.map(({ did }) => did).slice(0, 3)).toEqual(['on', 'edit', 'on']);
  expect(
    first
      .filter(({ did }) => did === 'drop')
      .map(textOf)
      .join(),
  ).toContain('chunk');
  expect(second[0]).toMatchObject({ did: 'on', rules: ['lost'] });
  expect(second.at(-1)).toMatchObject({ did: 'off' });
  const idle = await run(scenario({ on: 'method:session/fork', name: 'never', drop: true }));
  expect(idle.report).toContain('intercept: The rule never met no frame, so it was never tested.');
  expect(idle.status).toBe(EXIT.failed);
});

const HELLO = { type: 'text', text: 'hello' };
