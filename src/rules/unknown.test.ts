import { expect, test } from 'vitest';
import { checkTrace } from './check-trace.ts';
import { loadRemarks } from './steps.ts';
import { draw } from '../test/traces/draw.ts';
import { found, V1, V1_SESSION, V2_SESSION } from '../test/traces/rule-case.ts';

const remarksOf = await loadRemarks();

/** Returns `severity side rule` of all that fails, in a trace whose peers announce these names. */
function failed(trace: string, agent = ['a', '1'], client = ['c', '1']): readonly string[] {
  const named = trace
    .replace('{"name":"a","version":"1"}', JSON.stringify({ name: agent[0], version: agent[1] }))
    .replace('{"name":"c","version":"1"}', JSON.stringify({ name: client[0], version: client[1] }));
  return checkTrace(draw(named), { remarksOf })
    .findings.filter(({ verdict }) => verdict === 'fail')
    .map(({ severity, side, rule }) => `${severity} ${side} ${rule}`);
}

const CLOSED = `${V1_SESSION}agent update s1`;

test.each<readonly [what: string, trace: string, finding: string]>([
  ['an update of v1', `${CLOSED} weather_update {}`, 'hint agent schema/update'],
  [
    'a type of content in v1',
    `${CLOSED} agent_message_chunk {"content":{"type":"video","data":"x"}}`,
    'hint agent schema/update',
  ],
  [
    'a kind of tool call in v1',
    `${CLOSED} tool_call {"toolCallId":"t","title":"T","kind":"dream"}`,
    'hint agent schema/update',
  ],
  [
    'a stop reason in v1',
    `${V1_SESSION}client →2 session/prompt s1 "Hi"\nagent ←2 result {"stopReason":"paused"}`,
    'hint agent schema/result',
  ],
  [
    'an update of v2',
    `${V2_SESSION}agent update s1 weather_update {}`,
    'hint agent enum/unprefixed',
  ],
  [
    'a field of the agent',
    `${CLOSED} agent_message_chunk {"content":{"type":"text","text":"x"},"speed":1}`,
    'hint agent shape/extra-root-field',
  ],
  [
    'a field of the client',
    `${V1}client →1 session/new {"cwd":"/w","mcpServers":[],"budget":5}`,
    'hint client shape/extra-root-field',
  ],
  ['a method of the client', `${V1}client →1 session/weather {}`, 'hint client method/unknown'],
  ['a method of the agent', `${V2_SESSION}agent weather/read {}`, 'hint agent method/unknown'],
])(
  '%s that no edition has is a hint while the age of its sender is unknown',
  (_, trace, finding) => {
    expect(failed(trace)).toEqual([finding]);
    expect(failed(trace, ['OpenCode', '9.0.0'], ['acp-scope', '7.0.0'])).toEqual([finding]);
  },
);

test.each<readonly [what: string, trace: string, finding: string]>([
  ['an update', `${CLOSED} weather_update {}`, 'error agent schema/update'],
  [
    'a field',
    `${CLOSED} agent_message_chunk {"content":{"type":"text","text":"x"},"speed":1}`,
    'warning agent shape/extra-root-field',
  ],
  ['a method', `${V1}agent weather/read {}`, 'error agent method/unknown'],
  [
    'an update of v2',
    `${V2_SESSION}agent update s1 weather_update {}`,
    'warning agent enum/unprefixed',
  ],
])(
  '%s that no edition has is a fault of a release that is older than the edition',
  (_, trace, finding) => {
    expect(failed(trace, ['OpenCode', '1.18.33'])).toEqual([finding]);
    expect(failed(trace, ['OpenCode', '1.17'])).toEqual([finding]);
    expect(failed(trace, ['OpenCode', '1.18.34'])[0]).toMatch(/^hint/);
    expect(failed(trace, ['OpenCode', 'main'])[0]).toMatch(/^hint/);
    expect(failed(trace, ['a', '1'], ['acp-scope', '0.1.0'])[0]).toMatch(/^hint/);
  },
);

test('an unknown field of a handshake is judged by the release that the same message announces', () => {
  const ask = (version: string) => `start agent
  client →0 initialize {"protocolVersion":1,"clientCapabilities":{"weather":{}},"clientInfo":{"name":"acp-scope","version":"${version}"}}
  agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true,"weather":{}},"agentInfo":{"name":"pi-acp","version":"${version}"}}`;
  expect(failed(ask('0.0.1'))).toEqual([
    'warning client shape/extra-root-field',
    'warning agent shape/extra-root-field',
  ]);
  expect(failed(ask('5.0.0'))).toEqual([
    'hint client shape/extra-root-field',
    'hint agent shape/extra-root-field',
  ]);
});

test.each([
  'tool_cal',
  'tool_calll',
  'tol_call',
  'tool_clal',
  'tool_xall',
  'toolCall',
  'Tool-Call',
])('the update %s is one slip away from a known one, which is an error', (variant) => {
  expect(failed(`${CLOSED} ${variant} {"toolCallId":"t","title":"T"}`)).toEqual([
    'error agent schema/update',
  ]);
});

test.each(['tool_cl', 'tool_calls2', 'weather_update', 'tool_result', 'call'])(
  'the update %s is more than one slip away from any known one',
  (variant) => {
    expect(failed(`${CLOSED} ${variant} {"toolCallId":"t","title":"T"}`)).toEqual([
      'hint agent schema/update',
    ]);
  },
);

test('a status that only version 2 has is no newer name in version 1', () => {
  const update = (status: string) =>
    failed(`${CLOSED} tool_call {"toolCallId":"t","title":"T"}
      agent update s1 tool_call_update {"toolCallId":"t","status":"${status}"}`);
  expect(update('cancelled')).toEqual(['warning agent schema/update']);
  expect(update('weathered')).toEqual(['hint agent schema/update']);
});

test('a method that is one slip away from a known one is an error, and two are a hint', () => {
  expect(failed(`${V1}client →1 session/lod {}`)).toEqual(['error client method/unknown']);
  expect(failed(`${V1}client →1 sesion/lod {}`)).toEqual(['hint client method/unknown']);
});

test('an unknown name is a finding of its own beside a fault of the same rule', () => {
  const findings = found(
    'schema/update',
    `${CLOSED} weather_update {}\nagent update s1 tool_call {}`,
  );
  expect(findings.map(({ severity, seqs }) => [severity, ...seqs])).toEqual([
    ['error', 7],
    ['hint', 6],
  ]);
});

test('an agent that knows the method that no edition has may answer it as it likes', () => {
  const asked = `${V1}client →1 session/weather {}\n`;
  const rule = 'rpc/unknown-method-code';
  expect(found(rule, `${asked}agent ←1 result {}`)).toEqual([]);
  expect(found(rule, `${asked}agent ←1 error -32602 Invalid params`)).toEqual([]);
  const old = `${asked}agent ←1 result {}`.replace(
    '{"name":"a","version":"1"}',
    '{"name":"pi-acp","version":"0.0.34"}',
  );
  expect(found(rule, old)).toMatchObject([{ severity: 'warning' }]);
});
