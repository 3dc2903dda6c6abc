// Traces as an intercept leaves them, made by its own engine: who is at fault of what is found there.
import { expect, test } from 'vitest';
import { PRESETS } from '../drive/intercept/table.ts';
import type { TraceEvent } from '../trace/event.ts';
import { intercepted } from '../test/traces/intercepted.ts';
import { checkTrace } from './check-trace.ts';
import { loadRemarks } from './steps.ts';

const remarksOf = await loadRemarks();

/** `side rule`, of all that failed. */
function found(picture: string, ...rules: readonly (object | string)[]): readonly string[] {
  const { findings } = checkTrace(intercepted(picture, rules), { remarksOf });
  return findings
    .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'hint')
    .map(({ side, rule }) => `${side} ${rule}`)
    .sort();
}

const HELLO = `
  start agent
  client  →0 initialize {"protocolVersion":1,"clientCapabilities":{},"clientInfo":{"name":"c","version":"1"}}
  agent   ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true},"agentInfo":{"name":"a","version":"1"}}`;
const NEW = `${HELLO}
  client  →1 session/new {"cwd":"/w","mcpServers":[]}
  agent   ←1 result {"sessionId":"s1"}`;
const ASKED = `${HELLO}
  client  →1 session/new {"cwd":"/w","mcpServers":[]}
  exit 0`;
const TURN = `${NEW}
  client  →2 session/prompt s1 "Hello"
  agent   update s1 tool_call {"toolCallId":"t1","title":"Look","status":"pending"}
  agent   update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
  agent   ←2 result {"stopReason":"end_turn"}
  exit 0`;
const TURNS = TURN.replace(
  'exit 0',
  `client  →3 session/prompt s1 "Again"
  agent   ←3 result {"stopReason":"end_turn"}
  exit 0`,
);
const LOAD = `${HELLO}
  client  →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent   update s1 user_message_chunk "Hi"
  agent   update s1 agent_message_chunk "Ho"
  agent   ←1 result {}
  exit 0`;

test('nothing is wrong with what these peers wrote', () => {
  for (const picture of [TURN, TURNS, LOAD]) expect(found(picture)).toEqual([]);
});

test.each([
  [
    'a value was set',
    TURN,
    { on: 'type:res method:session/prompt', edit: { set: { '$.result.stopReason': 7 } } },
  ],
  ['a line was cut short', TURN, { on: 'type:res method:session/prompt', truncate: 20 }],
  ['an answer was lost', TURNS, 'lose-prompt-answer'],
  ['an update was lost that another one builds on', TURN, { on: 'update:tool_call', drop: true }],
  ['a frame was sent twice', TURN, { on: 'type:res method:session/new', duplicate: 1 }],
  ['a capability was masked that the client then used', LOAD, 'mask-load-session'],
])('what is found where %s is no fault of a side', (_, picture, rule) => {
  const findings = found(picture, rule);
  expect(findings).not.toEqual([]);
  expect(findings.filter((one) => !one.startsWith('intercept '))).toEqual([]);
});

test('history that an intercept moved behind its answer is no fault of the replay', () => {
  expect(found(LOAD, 'replay-late')).toEqual([]);
});

test('what was answered in the place of the agent was asked, though the request did not cross', () => {
  const answer = { result: { sessionId: 's1' } };
  expect(found(ASKED, { on: 'type:req method:session/new', answer })).toEqual([]);
  expect(found(`${ASKED.replace('exit 0', 'agent ←9 result {}')}\n  exit 0`)).toEqual([
    'agent rpc/response-unknown-id',
  ]);
});

test('what a side did by itself stays its fault, also in a trace that was intercepted', () => {
  const wrong = TURN.replace('"end_turn"', '"end_trun"');
  const other = {
    on: 'update:tool_call_update',
    edit: { set: { '$.params.update.title': 'Other' } },
  };
  const alone = found(wrong);
  expect(alone.length).toBeGreaterThan(0);
  expect(alone.every((one) => one.startsWith('agent '))).toBe(true);
  expect(found(wrong, other)).toEqual(alone);
});

test('the same rule broken by a side and by an intercept is two findings', () => {
  const wrong = TURNS.replaceAll('"end_turn"', '"end_trun"');
  const set = {
    on: 'type:res method:session/prompt',
    times: 1,
    edit: { set: { '$.result.stopReason': 'refusl' } },
  };
  const rules = found(wrong, set);
  const [first] = rules.filter((one) => one.startsWith('agent '));
  expect(rules).toContain(first?.replace('agent', 'intercept'));
});

const WORK = (version: 1 | 2) => `
  start agent
  client  →0 initialize {"protocolVersion":${version},"clientCapabilities":{"fs":{"readTextFile":true}},"info":{"name":"c","version":"1"},"capabilities":{}}
  agent   ←0 result {"protocolVersion":${version},${
    version === 1
      ? '"agentCapabilities":{"loadSession":true}'
      : '"info":{"name":"a","version":"1"},"capabilities":{"session":{}}'
  }}
  client  →1 session/new {"cwd":"/w","mcpServers":[]}
  agent   ←1 result {"sessionId":"s1"}
  client  →2 session/prompt s1 "Hello"
  agent   update s1 ${version === 1 ? 'tool_call' : 'tool_call_update'} {"toolCallId":"t1","title":"Look","status":"pending"}
  agent   →7 session/request_permission {"sessionId":"s1","title":"Look","toolCall":{"toolCallId":"t1"},"options":[{"optionId":"o","name":"Yes","kind":"allow_once"}]}
  client  ←7 result {"outcome":{"outcome":"selected","optionId":"o"}}
  agent   update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
  agent   update s1 agent_message_chunk m1 "Done"
  agent   ←2 result ${version === 1 ? '{"stopReason":"end_turn"}' : '{"messageId":"u1"}'}
  client  →3 session/${version === 1 ? 'load' : 'resume'} {"sessionId":"s1","cwd":"/w","mcpServers":[]${version === 1 ? '' : ',"replayFrom":{"type":"start"}'}}
  agent   update s1 user_message_chunk u1 "Hello"
  agent   ←3 result {}
  exit 0`;

test.each(PRESETS.flatMap(({ name }) => [[name, 1] as const, [name, 2] as const]))(
  'the preset %s breaks no line in v%s',
  (name, version) => {
    const schemaFaults = (events: readonly TraceEvent[]) =>
      checkTrace(events, { remarksOf })
        .findings.filter(({ rule }) => rule.startsWith('schema/') || rule === 'rpc/invalid')
        .map(({ rule, pointer, seen }) => [rule, pointer, seen]);
    const events = intercepted(WORK(version), [name]);
    expect(schemaFaults(events)).toEqual(schemaFaults(intercepted(WORK(version), [])));
    const fields = events.filter(({ type }) => type === 'frame').map((one) => JSON.stringify(one));
    if (version === 2)
      expect(fields.filter((one) => one.includes('agentCapabilities'))).toEqual([]);
  },
);
