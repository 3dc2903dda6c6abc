import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millis } from '../../lib/time.ts';
import { draw } from '../../test/traces/draw.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { seq, type Frame, type TraceEvent } from '../../trace/event.ts';
import { diffTraces } from './diff.ts';
import { DIFF_VIEWS, type DiffOptions, type TraceDiffReport } from './report/report.ts';

function compare(
  a: string | readonly TraceEvent[],
  b: string | readonly TraceEvent[],
  options?: DiffOptions,
): Promise<TraceDiffReport> {
  const [left, right] = sourcesOf([a, b]);
  if (!left || !right) throw new Error('two traces were given');
  return diffTraces(left, right, options);
}
const told = ({ differences }: TraceDiffReport) =>
  differences.map(({ kind, of, a, b }) => `${kind} ${of} ${a?.seq ?? '-'} ${b?.seq ?? '-'}`);

const NEW = `
  client →0 initialize {"protocolVersion":1}
  agent ←0 result {"protocolVersion":1}
  client →1 session/new {"cwd":"/home/mika/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}`;
const COMMANDS = '\nagent update s1 available_commands_update {"availableCommands":[]}';
const ASK = '\nclient →2 session/prompt s1 "Go"';
const SAYS = '\nagent update s1 agent_message_chunk "I " "go"';
const END = '\nagent ←2 result {"stopReason":"end_turn"}';

test('a prompt and what the agent tells by itself may cross on the wire', async () => {
  const before = NEW + COMMANDS + ASK + SAYS + END;
  const after = NEW + ASK + COMMANDS + SAYS + END;
  for (const view of DIFF_VIEWS)
    for (const [a, b] of [
      [before, after],
      [after, before],
    ] as const)
      expect([view, told(await compare(a, b, { view }))]).toEqual([view, []]);
});

test('rows stand in the order of the left trace', async () => {
  const after = NEW + ASK + COMMANDS + SAYS + END;
  const { rows } = await compare(after, NEW + COMMANDS + ASK + SAYS + END);
  const shown = Array.from({ length: rows.length }, (_, row) => rows.row(row).a?.seq ?? 0);
  expect(shown).toEqual([...shown].sort((one, other) => one - other));
});

test('a client that breaks off, sets or lists cuts no message in two', async () => {
  const cancel = '\nclient session/cancel s1';
  const words = (text: string) => `\nagent update s1 agent_message_chunk "${text}"`;
  const a = NEW + ASK + cancel + words('One ') + words('two') + END;
  const b = NEW + ASK + words('One ') + cancel + words('two') + END;
  for (const view of DIFF_VIEWS)
    expect([view, told(await compare(a, b, { view }))]).toEqual([view, []]);
});

test('what one side sends in another order is moved', async () => {
  const a = NEW + ASK + COMMANDS + SAYS + END;
  expect(told(await compare(a, NEW + ASK + SAYS + COMMANDS + END))).toEqual([
    'moved available_commands_update 6 8',
  ]);
  const list = '\nclient →7 session/list {}';
  const answer = '\nagent ←7 result {"sessions":[]}';
  const listed = await compare(NEW + list + ASK + answer + END, NEW + ASK + list + answer + END);
  expect(listed.counts.moved).toBe(1);
});

test('words that a side lacks are missing, and what the agent told by itself behind them is at its place', async () => {
  const words = (text: string) => `\nagent update s1 agent_message_chunk "${text}"`;
  const tool = '\nagent update s1 tool_call {"toolCallId":"t1","title":"Run"}';
  const whole = NEW + ASK + words('I go') + COMMANDS + tool + END;
  const less = NEW + ASK + COMMANDS + tool + END;
  for (const [view, of] of [
    ['story', 'agent'],
    ['frames', 'agent_message_chunk'],
  ] as const) {
    expect(told(await compare(whole, less, { view }))).toEqual([`missing ${of} 6 -`]);
    expect(told(await compare(less, whole, { view }))).toEqual([`extra ${of} - 6`]);
  }
  const other = COMMANDS.replace('[]', '[{"name":"plan","description":"Plan"}]');
  const { counts } = await compare(whole, NEW + ASK + other + tool + END, { view: 'frames' });
  expect(counts).toMatchObject({ missing: 1, changed: 1, moved: 0 });
});

test('what a turn tells after its end, or asks, has an order', async () => {
  const asks = `
    agent →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}
    client ←0 result {"outcome":{"outcome":"cancelled"}}`;
  const late = await compare(NEW + ASK + asks + END, NEW + ASK + END + asks);
  expect(late.counts.moved).toBe(1);
  const tool = '\nagent update s1 tool_call {"toolCallId":"t1","title":"Run","status":"completed"}';
  const [early, due] = [asks.replace('\n    client', `${tool}\n    client`), asks + tool];
  const frames = await compare(NEW + ASK + due + END, NEW + ASK + early + END, { view: 'frames' });
  expect(frames.equal).toBe(false);
});

const UNASKED = /"(?:available_commands_update|usage_update|session_info_update)"/;
const CHUNK = /"agent_(?:message|thought)_chunk"/;

/** Which of these two frames in a row was written down first says nothing. */
function mayCross(one: TraceEvent | undefined, other: TraceEvent | undefined): boolean {
  if (one?.type !== 'frame' || other?.type !== 'frame' || one.from === other.from) return false;
  const text = ({ line }: Frame) => ('text' in line ? line.text : '');
  const [client, agent] = one.from === 'client' ? [one, other] : [other, one];
  if (!text(agent).includes('"session/update"')) return false;
  const method = /"method":"([^"]*)"/.exec(text(client))?.[1];
  if (method === 'session/prompt') return UNASKED.test(text(agent));
  if (method === 'session/cancel') return UNASKED.test(text(agent)) || CHUNK.test(text(agent));
  return method === 'session/list';
}

function crossed(events: readonly TraceEvent[], swaps: readonly number[]): readonly TraceEvent[] {
  const all = [...events];
  for (const swap of swaps) {
    const places = all.flatMap((event, at) => (mayCross(event, all[at + 1]) ? [at] : []));
    const at = places[swap % Math.max(1, places.length)];
    if (at === undefined) break;
    const [one, other] = [all[at], all[at + 1]];
    if (one && other) all.splice(at, 2, other, one);
  }
  return all.map((event, at) => ({ ...event, seq: seq(at + 1), at: millis(at) }));
}

/** A conversation of any turns of two sessions, in which the client does this and that. */
const step = fc.constantFrom(
  ...['agent_message_chunk "Some " "words"', 'agent_thought_chunk "Hm"'],
  ...['available_commands_update {"availableCommands":[]}', 'session_info_update {"title":"A"}'],
  ...['tool_call {"toolCallId":"call_1","title":"Read"}', 'cancel', 'list'],
);
const turn = fc.tuple(fc.constantFrom('ses_one', 'ses_two'), fc.array(step, { maxLength: 9 }));
const conversation = fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) => {
  let id = 3;
  const lines = [
    'client →0 initialize {"protocolVersion":1}',
    'agent ←0 result {"protocolVersion":1}',
  ];
  for (const [at, session] of ['ses_one', 'ses_two'].entries())
    lines.push(
      `client →${at + 1} session/new {"cwd":"/w","mcpServers":[]}`,
      `agent ←${at + 1} result {"sessionId":"${session}"}`,
    );
  for (const [session, steps] of turns) {
    const prompt = id++;
    lines.push(`client →${prompt} session/prompt ${session} "Go on"`);
    for (const said of steps)
      if (said === 'cancel') lines.push(`client session/cancel ${session}`);
      else if (said === 'list')
        lines.push(`client →${id} session/list {}`, `agent ←${id++} result {"sessions":[]}`);
      else lines.push(`agent update ${session} ${said}`);
    lines.push(`agent ←${prompt} result {"stopReason":"end_turn"}`);
  }
  return draw(lines.join('\n'));
});
const swaps = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });

test('two interleavings of one conversation are equal, in every view', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, swaps, swaps, async (events, one, other) => {
      for (const view of DIFF_VIEWS) {
        const report = await compare(crossed(events, one), crossed(events, other), { view });
        expect([view, told(report)]).toEqual([view, []]);
      }
    }),
    { numRuns: 25 },
  );
});

test('so are those of real conversations', async () => {
  const live = recordings().map(({ events }) => events.filter(({ type }) => type === 'frame'));
  const recorded = fc.constantFrom(...live.filter((events) => events.length < 400));
  await fc.assert(
    fc.asyncProperty(recorded, swaps, async (events, one) => {
      for (const view of ['story', 'frames'] as const) {
        const report = await compare(events, crossed(events, one), { view, ignore: [] });
        expect([view, told(report)]).toEqual([view, []]);
      }
    }),
    { numRuns: 8 },
  );
});
