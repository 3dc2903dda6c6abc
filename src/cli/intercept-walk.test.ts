// Every action and preset of the intercept on a tap between our own client and the bundled agent, with a
// restore in the session. A plain tap behind it records what really reached the agent.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { buildAgentProgram, type AgentProgram } from '../test/programs/agent-program.ts';
import { buildBin } from '../test/programs/built-bin.ts';
import type { Frame, Intercept, Side, TraceEvent } from '../trace/event.ts';
import { lineText } from '../trace/line.ts';
import { runCommand } from './command.ts';
import { record } from './record.ts';

let bin: string;
let program: AgentProgram;
beforeAll(async () => {
  bin = await buildBin();
  program = await buildAgentProgram();
}, 120_000);

const STEPS = [
  { request: 'session/new', params: { cwd: '$cwd', mcpServers: [] } },
  {
    request: 'session/prompt',
    params: { sessionId: '$sessionId', prompt: [{ type: 'text', text: 'Hello' }] },
    within: 4000,
  },
  {
    request: 'session/load',
    params: { sessionId: '$sessionId', cwd: '$cwd', mcpServers: [] },
    within: 4000,
  },
  { quiet: 100 },
];

interface Walked {
  readonly client: readonly TraceEvent[];
  readonly tap: readonly TraceEvent[];
  readonly agent: readonly TraceEvent[];
}

/** What the client, the tap with these rules and the agent's side each have of one run. */
async function walk(rules: readonly (object | string)[]): Promise<Walked> {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const folder = mkdtempSync(join(tmpdir(), 'intercept-walk-'));
  const at = (name: string) => join(folder, name);
  writeFileSync(at('rules.json'), JSON.stringify({ rules }));
  writeFileSync(at('steps.jsonl'), STEPS.map((step) => JSON.stringify(step)).join('\n'));
  const tap = (...more: string[]) => [process.execPath, bin, 'tap', ...more, '--'];
  const chain = [
    ...tap('--intercept', at('rules.json'), '--out', at('tap.acptrace.jsonl')),
    ...tap('--out', at('agent.acptrace.jsonl')),
    ...program({ store: at('store'), pace: 0 }),
  ];
  const out = ['--out', at('client.acptrace.jsonl'), '--script', at('steps.jsonl')];
  await runCommand(record, [...out, '--protocol', '1', '--', ...chain]);
  vi.restoreAllMocks();
  const read = (name: string) =>
    readFileSync(at(`${name}.acptrace.jsonl`), 'utf8')
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as TraceEvent);
  return { client: read('client'), tap: read('tap'), agent: read('agent') };
}

const framesOf = (events: readonly TraceEvent[], side: Side): readonly Frame[] =>
  events.filter((event) => event.type === 'frame').filter(({ from }) => from === side);
const linesOf = (events: readonly TraceEvent[], side: Side) =>
  framesOf(events, side).map(({ line }) => lineText(line));
const deedsOf = (events: readonly TraceEvent[]): readonly Intercept[] =>
  events.filter((event) => event.type === 'intercept');

/** What a side wrote, as the tap tells it: what crossed untouched, and what something was done to. */
function written(events: readonly TraceEvent[], side: Side): string[] {
  return events.flatMap((event) => {
    if (event.type === 'frame')
      return event.from === side && event.of === undefined ? [lineText(event.line)] : [];
    if (event.type !== 'intercept' || event.from !== side || event.of !== undefined) return [];
    // Beside these the line itself crosses, as it was.
    const isBeside = event.did === 'duplicate' || event.did === 'inject';
    return event.line && !isBeside ? [lineText(event.line)] : [];
  });
}

const UPDATE = 'side:agent method:session/update';
const CASES: readonly (readonly [
  string,
  readonly (object | string)[],
  (walked: Walked) => void,
])[] = [
  [
    'hold, inject, duplicate, delay',
    [
      { on: 'side:agent method:session/new', hold: true, deadline: 300 },
      {
        ...{ on: 'side:agent method:initialize type:res' },
        inject: { request: 'session/list', params: {} },
      },
      { on: UPDATE, times: 1, duplicate: 2 },
      { on: 'side:client', delay: 50 },
    ],
    did('hold', 'keep', 'duplicate', 'delay'),
  ],
  [
    'answer, truncate, reorder',
    [
      { on: 'side:client method:session/load', answer: { error: { code: -1, message: 'no' } } },
      { on: UPDATE, times: 1, truncate: 20 },
      { on: UPDATE, skip: 2, times: 1, reorder: true },
    ],
    did('answer', 'truncate', 'reorder'),
  ],
  [
    'edit, drop',
    [
      { on: UPDATE, every: 2, edit: { set: { '$.params._x': 1 } } },
      { on: UPDATE, every: 3, drop: true },
    ],
    did('edit', 'drop'),
  ],
  [
    'mask-load-session, mask-client-files, answer-permission-twice, lose-updates',
    ['mask-load-session', 'mask-client-files', 'answer-permission-twice', 'lose-updates'],
    did('edit', 'duplicate', 'drop'),
  ],
  ['lose-prompt-answer', ['lose-prompt-answer'], did('drop')],
  [
    'replay-late',
    ['replay-late'],
    ({ client, tap }) => {
      const heard = linesOf(client, 'agent');
      const asked = linesOf(client, 'client').find((line) => line.includes('session/load')) ?? '';
      const id = /"id":(\d+)/.exec(asked)?.[1];
      const answer = heard.findIndex((line) => line.includes(`"id":${id},"result"`));
      const moved = deedsOf(tap).filter(({ did: deed }) => deed === 'reorder');
      expect(moved.length).toBeGreaterThan(10);
      // All of the history, behind the answer that should have come after it.
      const behind = heard.slice(answer + 1, answer + 1 + moved.length);
      expect(behind).toEqual(moved.map(({ line }) => line && lineText(line)));
    },
  ],
  [
    'hold-permissions',
    ['hold-permissions'],
    ({ tap, agent }) => {
      const [held] = deedsOf(tap).filter(({ did: deed }) => deed === 'hold');
      expect(held).toMatchObject({ rule: 'hold-permissions', from: 'agent', deadline: 60_000 });
      expect(linesOf(agent, 'agent')).toContain(held?.line && lineText(held.line));
      expect(lineText(held?.line ?? { text: '' })).toContain('"session/request_permission"');
    },
  ],
  ['slow', ['slow'], did('delay')],
  ['cut-in-turn', ['cut-in-turn'], did('cut')],
];

function did(...deeds: readonly Intercept['did'][]): (walked: Walked) => void {
  return ({ tap }) =>
    expect(deedsOf(tap).map((event) => event.did)).toEqual(expect.arrayContaining([...deeds]));
}

test.each(CASES)('%s: what reached each side is what the trace says', async (name, rules, look) => {
  const walked = await walk(rules);
  const { client, tap, agent } = walked;
  look(walked);
  // What crossed, in its order and byte for byte.
  expect(linesOf(client, 'agent')).toEqual(linesOf(tap, 'agent'));
  const said = linesOf(client, 'client');
  const read = written(tap, 'client');
  // What is on its way when the stream is cut is read by nobody.
  if (name === 'cut-in-turn') return expect(read).toEqual(said.slice(0, read.length));
  expect(read).toEqual(said);
  expect(linesOf(agent, 'client')).toEqual(linesOf(tap, 'client'));
  expect(written(tap, 'agent')).toEqual(linesOf(agent, 'agent'));
});
