// The lab against the bundled agent: what it should do it does, and each misbehaviour that the lab is
// meant to see is seen in the cell that is meant for it.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { MisbehaviourName } from '../../agent/misbehaviours.ts';
import { objects, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { NodeLauncher } from '../../cli/parts/launcher.ts';
import { buildAgentProgram, type AgentProgram } from '../../test/programs/agent-program.ts';
import { freshStore } from '../../test/programs/bundled-agent.ts';
import { ArrayAgent } from '../../test/programs/driven-agent.ts';
import { complaints, lab, verdictsOf } from '../../test/programs/lab-environment.ts';
import { axisValues } from './axes.ts';
import type { LabReport, LabRun } from './report.ts';

let program: AgentProgram;

beforeAll(async () => {
  program = await buildAgentProgram();
});

const verdicts = ({ cells }: LabReport) => cells.map(({ verdict }) => verdict);

/** Agents that a signal really ends, slow enough to be caught in mid-stream. */
function processes(): NodeLauncher {
  const store = freshStore();
  const traces = mkdtempSync(join(tmpdir(), 'acp-scope-lab-test-'));
  const launcher = new NodeLauncher(
    { argv: program({ store, pace: 0.05 }) },
    traces,
    () => undefined,
  );
  onTestFinished(async () => void (await launcher.endAll()));
  return launcher;
}

vi.mock('@modelcontextprotocol/sdk/client/stdio.js', async () => {
  const { CanaryTransport } = await import('../../test/programs/canary-transport.ts');
  return { StdioClientTransport: CanaryTransport, getDefaultEnvironment: () => ({}) };
});

/** Each axis but the stop: what an agent in this process does as well as a program. */
const AXES_HERE = ['variant', 'cwd', 'id', 'capabilities', 'subagents', 'mcp'] as const;
const VERSIONS = [1, 2] as const;

test.each(VERSIONS.flatMap((protocol) => AXES_HERE.map((axis) => ({ protocol, axis }))))(
  'v$protocol: the bundled agent does all that is due, whatever the $axis',
  async ({ protocol, axis }) => {
    const report = await lab({ protocol, values: { [axis]: axisValues(axis, protocol) } });
    expect(complaints(report)).toEqual([]);
    expect(verdicts(report)).toContain('pass');
    expect(report.promptsSent).toBeLessThanOrEqual(report.cost.expected);
  },
);

test.each(VERSIONS)(
  'v%i: the bundled agent does all that is due, however it is stopped',
  async (protocol) => {
    const values = { stop: axisValues('stop', protocol), mcp: ['none'] };
    const report = await lab({ protocol, launcher: processes(), values });
    // Where the child is met at a call, nobody can know how that would have ended.
    const open = / stop=child: info: .*: live never said how it ended\.$/;
    expect(complaints(report).filter((one) => !open.test(one))).toEqual([]);
    expect(report.cells).toHaveLength(values.stop.length);
    const cut = report.cells.find(({ axes }) => axes.stop === 'permission')?.runs[0];
    expect(cut?.reconnect?.open.map(({ kind, fate }) => [kind, fate])).toEqual([
      ['turn', protocol === 1 ? 'cannot be known' : 'settled'],
      ['permission', 'settled'],
      ['tool', 'settled'],
    ]);
    const child = report.cells.find(({ axes }) => axes.stop === 'child')?.runs[0];
    const left = child?.reconnect?.open.find(({ kind }) => kind === 'child');
    expect(['settled', 'seen again']).toContain(left?.fate);
  },
);

test.each(VERSIONS)('v%i: each child of the tree has a verdict of its own', async (protocol) => {
  const values = { subagents: ['with'], mcp: ['none'] };
  const [run] = (await lab({ protocol, values })).cells[0]?.runs ?? [];
  expect(run?.fidelity?.children).toMatchObject([{ verdict: 'cosmetic' }]);
  const lossy = await lab({ protocol, agent: { misbehave: 'lossy-replay' }, values });
  expect(lossy.cells[0]?.why).toMatch(/replay is lossy/);
});

test('v2: all laws of cursors hold', async () => {
  const report = await lab({ protocol: 2, values: { variant: ['custom'] }, cursors: true });
  expect(report.cursors).toMatchObject({ verdict: 'pass', why: 'All laws of cursors hold.' });
});

interface Fault {
  readonly misbehave: MisbehaviourName;
  readonly protocol: 1 | 2;
  readonly variant: string;
  readonly why: RegExp;
}

const FAULTS: readonly Fault[] = [
  { misbehave: 'lossy-replay', protocol: 1, variant: 'load', why: /replay is lossy/ },
  { misbehave: 'lossy-replay', protocol: 2, variant: 'start', why: /replay is lossy/ },
  { misbehave: 'replay-after-answer', protocol: 1, variant: 'load', why: /after the answer/ },
  { misbehave: 'replay-after-answer', protocol: 2, variant: 'start', why: /after the answer/ },
  { misbehave: 'replay-without-cursor', protocol: 1, variant: 'resume', why: /none is allowed/ },
  { misbehave: 'replay-without-cursor', protocol: 2, variant: 'omitted', why: /none is allowed/ },
  { misbehave: 'unstable-message-ids', protocol: 2, variant: 'start', why: /replay is/ },
  {
    misbehave: 'missing-state-snapshot',
    protocol: 2,
    variant: 'null',
    why: /^No state_update before/,
  },
  { misbehave: 'missing-baseline', protocol: 2, variant: 'start', why: /replay is/ },
  { misbehave: 'forgets-context', protocol: 1, variant: 'resume', why: /not remember turn 1/ },
  { misbehave: 'forgets-context', protocol: 2, variant: 'omitted', why: /not remember turn 1/ },
  {
    misbehave: 'accepts-unknown-cursor',
    protocol: 2,
    variant: 'unknown',
    why: /^Ignored: .* expected −32602/,
  },
  {
    misbehave: 'accepts-unknown-cursor',
    protocol: 2,
    variant: 'malformed',
    why: /^Ignored: .* expected −32602/,
  },
  { misbehave: 'exclusive-cursor', protocol: 2, variant: 'custom', why: /after the cursor/ },
  { misbehave: 'replay-after-answer', protocol: 2, variant: 'custom', why: /after the answer/ },
  { misbehave: 'missing-state-snapshot', protocol: 2, variant: 'custom', why: /state_update/ },
  {
    misbehave: 'lossy-replay',
    protocol: 2,
    variant: 'custom',
    why: /^The replay is lossy: a client/,
  },
  {
    misbehave: 'unstable-message-ids',
    protocol: 2,
    variant: 'custom',
    why: /^The named id did not.*; the named item is there under another id/,
  },
  { misbehave: 'crash-mid-turn', protocol: 1, variant: 'load', why: /Turn 1 did not end.*139/ },
];

test.each(FAULTS)(
  'v$protocol: $misbehave fails the cell $variant',
  async ({ misbehave, protocol, variant, why }) => {
    const values = { variant: [variant] };
    const report = await lab({ protocol, agent: { misbehave }, values });
    expect(verdictsOf(report)).toEqual({ [variant]: 'fail' });
    expect(report.cells[0]?.why).toMatch(why);
  },
);

test('v1: ids that are made anew are a warning, for v1 does not make stable ones due', async () => {
  const report = await lab({
    protocol: 1,
    agent: { misbehave: 'unstable-message-ids' },
    values: { variant: ['load'] },
  });
  expect(verdictsOf(report)).toEqual({ load: 'warn' });
  expect(report.cells[0]).toMatchObject({
    why: /^\d items? came back without the ids they had live; v1 leaves it open/,
    runs: [{ fidelity: { verdict: 'cosmetic' } }],
  });
});

test('exclusive cursors break the law that cursors are inclusive', async () => {
  const report = await lab({
    protocol: 2,
    agent: { misbehave: 'exclusive-cursor' },
    values: { variant: ['start'] },
    cursors: true,
  });
  expect(report.cursors).toMatchObject({ verdict: 'fail', why: /^inclusive: begins with/ });
  expect(report.cursors?.laws.filter(({ verdict }) => verdict === 'fails')).toHaveLength(1);
});

test('a prompt that is never answered fails in bounded time', async () => {
  const report = await lab({
    protocol: 1,
    agent: { misbehave: 'never-answers' },
    values: { variant: ['load'] },
    patience: 300,
  });
  expect(report.cells[0]).toMatchObject({ verdict: 'fail', why: /^Turn 1 did not end: no answer/ });
});

test('no prompt more is sent than may be, and what was not tried says so', async () => {
  const report = await lab({ protocol: 1, values: { variant: ['load', 'resume'] }, prompts: 3 });
  expect(report.promptsSent).toBe(3);
  expect(verdictsOf(report)).toEqual({ load: 'pass', resume: 'info' });
  expect(report.cells[1]?.why).toMatch(/All 3 prompts that may be sent have been sent/);
  const none = await lab({ protocol: 1, values: { variant: ['load'] }, prompts: 0 });
  expect(verdictsOf(none)).toEqual({ load: 'skip' });
  expect(none.ended).toMatch(/^Nothing was tried/);
  expect(report.ended).toBeUndefined();
});

test('each cell has its traces, its tools, and frames to look at', async () => {
  const report = await lab({ protocol: 1, values: { variant: ['load'], mcp: ['same', 'none'] } });
  const [same, none] = report.cells.map(({ runs }) => runs[0]);
  const shown = (run: LabRun | undefined) =>
    run?.tools && { ...run.tools, given: run.tools.given.length };
  expect(shown(same)).toMatchObject({ given: 1, listed: same?.tools?.given, before: true });
  expect(shown(none)).toMatchObject({ given: 0, listed: [], uninvited: [] });
  expect(same?.traces).toEqual({ before: 'before', after: 'after' });
  expect(same?.excerpts.map(({ title }) => title)).toEqual([
    'The last frames before the stop',
    'The restore, to its answer',
    'What it was asked, and said',
  ]);
});

test('a cell that is repeated has a rate', async () => {
  const report = await lab({ protocol: 1, values: { variant: ['resume'] }, repeat: 2 });
  expect(report.cells[0]?.runs).toHaveLength(2);
  expect(report.cost).toEqual({ expected: 4, most: 6 });
});

test('another version than the agent speaks is a sentence with the way out', async () => {
  await expect(lab({ protocol: 2, agent: { protocol: 1 } })).rejects.toThrow(
    /speaks v1, not v2. Run again with --protocol 1/,
  );
});

test('commands that a slow agent tells only after the next prompt are not missed', async () => {
  const said: string[] = [];
  const launch = ({ label }: { readonly label: string }) => {
    const agent = new ArrayAgent(label);
    agent.inputEnded = () => agent.exit({ code: 0 });
    const update = (sessionUpdate: string, more: object) => {
      const params = { sessionId: 's', update: { sessionUpdate, ...more } };
      agent.say(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params }));
    };
    const chunk = (of: string, text: string) =>
      update(`${of}_message_chunk`, { content: { type: 'text', text } });
    agent.write = (line) => {
      const message: unknown = JSON.parse(line);
      const { id, method, params } = message as { id: number; method: string; params: Json };
      const text = str(objects(params, 'prompt')[0], 'text') ?? '';
      if (method === 'session/load') {
        chunk('user', said[0] ?? '');
        chunk('agent', 'Yes.');
      }
      if (method === 'session/prompt') {
        chunk('agent', said.length === 0 ? 'Yes.' : (/LAB-\w{6}/.exec(said[0] ?? '')?.[0] ?? ''));
        said.push(text);
        update('available_commands_update', {
          availableCommands: [{ name: 'x', description: '' }],
        });
      }
      const result = {
        initialize: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
        'session/new': { sessionId: 's' },
        'session/prompt': { stopReason: 'end_turn' },
      }[method];
      agent.say(JSON.stringify({ jsonrpc: '2.0', id, result: result ?? {} }));
    };
    return Promise.resolve({ ok: true, agent } as const);
  };
  const report = await lab({ protocol: 1, launcher: { launch }, values: { variant: ['load'] } });
  const [run] = report.cells[0]?.runs ?? [];
  expect(run?.memory?.remembers).toBe('yes');
  expect(run?.fidelity?.differences).toEqual([]);
});

test('from a cursor, a turn that was cut need not come back whole', async () => {
  const values = { variant: ['custom'], stop: ['mid-stream', 'permission'], mcp: ['none'] };
  const report = await lab({ protocol: 2, launcher: processes(), values });
  expect(complaints(report)).toEqual([]);
  expect(report.cells.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
});
