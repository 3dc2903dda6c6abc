// Windows of more sessions than one: forks, children, and the marker that ends the history of each.
import { expect, test } from 'vitest';
import { indexed, seqsOf } from '../../test/traces/indexed.ts';

const V1 = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1}
`;
const V2 = `
  client →0 initialize {"protocolVersion":2}
  agent  ←0 result {"protocolVersion":2}
`;

const FORKED = `
  client →1 session/prompt s1 "go"
  client →2 session/fork s1
  agent  update s1 agent_message_chunk "still at work"
`;

test.each([
  ['v1', V1],
  ['v2', V2],
])('%s: a fork replays under the id that its answer tells later', (_, handshake) => {
  const trace = indexed(`${handshake}${FORKED}
    agent  update s2 available_commands_update {"availableCommands":[]}
    agent  update s2 user_message_chunk u1 "Hello"
    agent  update s2 agent_message_chunk a1 "Hi"
    agent  update s2 usage_update {"used":1,"size":2}
    agent  ←2 result {"sessionId":"s2"}
    agent  update s2 available_commands_update {"availableCommands":[]}
    agent  update s2 agent_message_chunk a2 "too late"
    client →3 session/prompt s2 "go on"
    agent  update s2 agent_message_chunk a3 "live"
  `);
  expect(seqsOf(trace, 'is:replay')).toEqual([7, 8, 9]);
  expect(seqsOf(trace, 'is:late')).toEqual([12]);
  const [window] = trace.index.windows();
  expect(window).toMatchObject({
    method: 'session/fork',
    sessionId: 's2',
    outcome: 'answered',
    updates: 3,
    late: 1,
    forbidden: false,
  });
  expect(window).not.toHaveProperty('cursor');
});

test('a fork that replays nothing has an empty window of the session it makes', () => {
  const trace = indexed(`${V1}${FORKED}
    agent  ←2 result {"sessionId":"s2"}
    client →3 session/prompt s2 "go on"
    agent  update s2 agent_message_chunk "live"
  `);
  expect(seqsOf(trace, 'is:replay')).toEqual([]);
  expect(seqsOf(trace, 'is:late')).toEqual([]);
  expect(trace.index.windows()).toMatchObject([{ sessionId: 's2', updates: 0 }]);
});

test('a rejected fork, and one that the agent did not live to answer', () => {
  const rejected = indexed(`${V1}
    client →1 session/fork s1
    agent  ←1 error -32002 Resource not found {"sessionId":"s1"}
    agent  update s2 agent_message_chunk "odd"
  `);
  expect(rejected.index.windows()).toMatchObject([
    { sessionId: 's1', outcome: 'rejected', late: 0 },
  ]);
  const killed = indexed(`${V1}
    client →1 session/fork s1
    client →2 session/fork s1
    agent  update s2 agent_message_chunk "Hi"
    exit SIGKILL
  `);
  expect(killed.index.windows()).toMatchObject([
    { sessionId: 's2', outcome: 'incomplete', updates: 1 },
    { sessionId: 's1', outcome: 'incomplete', updates: 0 },
  ]);
});

test('two forks at once take their sessions in order, and a restore keeps its own', () => {
  const trace = indexed(`${V1}
    client →1 session/fork s1
    client →2 session/fork s1
    client →3 session/load s9
    agent  update s9 agent_message_chunk "of the load"
    agent  update s2 agent_message_chunk "of the first"
    agent  update s3 agent_message_chunk "of the second"
    agent  update s4 agent_message_chunk "of nobody"
    agent  ←2 result {"sessionId":"s3"}
    agent  ←1 result {"sessionId":"s2"}
    agent  ←3 result {}
  `);
  expect(trace.index.windows()).toMatchObject([
    { sessionId: 's2', updates: 1 },
    { sessionId: 's3', updates: 1 },
    { sessionId: 's9', updates: 1 },
  ]);
  expect(seqsOf(trace, 'is:replay')).toEqual([6, 7, 8]);
});

const CHILD = '{"sessionId":"k1"}';

test('children announced while their parent is restored are replayed with it, nested ones too', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    agent  update s1 user_message_chunk "Delegate"
    agent  update s1 subagent_update ${CHILD}
    agent  update k1 agent_message_chunk "of the child"
    agent  update k1 subagent_update {"sessionId":"k2"}
    agent  update k2 tool_call {"toolCallId":"t1"}
    agent  update k3 agent_message_chunk "of nobody’s child"
    agent  update s1 agent_message_chunk "Done"
    agent  ←1 result {}
  `);
  expect(seqsOf(trace, 'is:replay')).toEqual([4, 5, 6, 7, 8, 10]);
  const [window] = trace.index.windowRecords;
  expect(window).toMatchObject({ updates: 6, messages: 2, tools: 0, root: { history: 2 } });
  expect(
    [...(window?.branches ?? [])].map(([{ sessionId }, { announced, history }]) => [
      sessionId,
      announced,
      history,
    ]),
  ).toEqual([
    ['s1', undefined, 2],
    ['k1', 4, 1],
    ['k2', 6, 1],
  ]);
  expect(trace.index.facts().sessions.map(({ sessionId, parent }) => [sessionId, parent])).toEqual([
    ['s1', undefined],
    ['k1', 's1'],
    ['k2', 'k1'],
    ['k3', undefined],
  ]);
});

test('a child’s history after the answer is late, until it may work', () => {
  const replayed = `${V1}
    client →1 session/load s1
    agent  update s1 subagent_update ${CHILD}
    agent  update k1 agent_message_chunk "in time"
    agent  update s1 subagent_update {"sessionId":"k1","state":{"state":"idle"}}
    agent  ←1 result {}
  `;
  const late = indexed(`${replayed}
    agent  update k1 agent_message_chunk "late"
    client →2 session/prompt other "go"
    agent  update k1 agent_message_chunk "late, too"
    client →3 session/prompt s1 "go"
    agent  update k1 agent_message_chunk "maybe of this prompt"
  `);
  // One row, two frames.
  expect(seqsOf(late, 'is:late')).toEqual([8]);
  const [window] = late.index.windowRecords;
  expect(window).toMatchObject({ late: 2, root: { late: 0 } });
  const told = (state: string) =>
    indexed(`${replayed}
      agent  update s1 subagent_update {"sessionId":"k1"${state}}
      agent  update k1 agent_message_chunk "after it was announced again"
    `);
  expect(seqsOf(told(''), 'is:late')).toEqual([]);
  expect(seqsOf(told(',"state":{"state":"running"}'), 'is:late')).toEqual([]);
  expect(seqsOf(told(',"state":{"state":"idle"}'), 'is:late')).toEqual([9]);
});

test('a child that was at work before its parent is restored may go on with that', () => {
  const known = (state: string) => `${V1}
    agent  update s1 subagent_update {"sessionId":"k1","state":{"state":"${state}"}}
    client →1 session/load s1
    agent  update k1 agent_message_chunk "live or replayed"
    agent  ←1 result {}
    agent  update k1 agent_message_chunk "more"
  `;
  const working = indexed(known('running'));
  expect(seqsOf(working, 'is:replay')).toEqual([]);
  expect(seqsOf(working, 'is:late')).toEqual([]);
  const branch = [...(working.index.windowRecords[0]?.branches.values() ?? [])].at(-1);
  expect(branch).toMatchObject({ busy: true, history: 0, meanwhile: 1, announced: undefined });
  expect(seqsOf(indexed(known('idle')), 'is:replay')).toEqual([5]);
});

test('without a cursor a child’s history is as forbidden as its parent’s', () => {
  const trace = indexed(`${V1}
    client →1 session/resume s1
    agent  update s1 subagent_update ${CHILD}
    agent  update k1 agent_message_chunk "nobody asked"
    agent  ←1 result {}
  `);
  expect(seqsOf(trace, 'is:replay')).toEqual([5]);
  expect(trace.index.windows()).toMatchObject([{ forbidden: true, updates: 1 }]);
});

test('a marker ends the history of its session: what follows is not replay, and may be late', () => {
  const trace = indexed(`${V2}
    client →1 session/resume s1 {"replayFrom":{"type":"start"}}
    agent  update s1 user_message m1 {"content":[]}
    agent  update s1 subagent_update ${CHILD}
    agent  update k1 agent_message m2 {"content":[]}
    agent  update k1 replay_complete
    agent  update s1 agent_message m3 {"content":[]}
    agent  update s1 replay_complete
    agent  update s1 available_commands_update {"availableCommands":[]}
    agent  update k1 agent_message m4 {"content":[]}
    agent  update s1 state_update {"state":"idle"}
    agent  ←1 result {}
    agent  update s1 agent_message m5 {"content":[]}
  `);
  expect(seqsOf(trace, 'is:replay')).toEqual([4, 5, 6, 7, 8, 9]);
  expect(seqsOf(trace, 'is:late')).toEqual([11, 14]);
  expect(trace.index.windows()).toMatchObject([{ complete: true, outcome: 'answered' }]);
  const [window] = trace.index.windowRecords;
  expect(window?.root).toMatchObject({ complete: 8, state: 'idle', stateAt: 11 });
  expect([...(window?.branches.values() ?? [])][1]).toMatchObject({ complete: 6, late: 1 });
});

test('history can be complete although the request then fails, or is torn', () => {
  const replay = `${V2}
    client →1 session/resume s1 {"replayFrom":{"type":"start"}}
    agent  update s1 user_message m1 {"content":[]}
  `;
  const marked = `${replay}
    agent  update s1 replay_complete
  `;
  const refusal = 'agent  ←1 error -32603 Internal error';
  expect(indexed(`${marked}\n${refusal}`).index.windows()).toMatchObject([
    { outcome: 'rejected', complete: true },
  ]);
  expect(indexed(`${marked}\nexit SIGKILL`).index.windows()).toMatchObject([
    { outcome: 'incomplete', complete: true },
  ]);
  expect(indexed(`${replay}\n${refusal}`).index.windows()[0]).not.toHaveProperty('complete');
});

/** What a child says after the answer to its parent's restore, in which it had no part. */
function afterwards(before: string, told: string) {
  return indexed(`${V1}
    ${before}
    client →1 session/load s1
    agent  update s1 user_message_chunk "Delegate"
    agent  ←1 result {}
    agent  update s1 subagent_update {"sessionId":"k1"${told}}
    agent  update k1 agent_message_chunk km "child says hi"
    agent  update k1 tool_call {"toolCallId":"kt"}
  `);
}

const LIVED = (state: string) => `
  client →7 session/prompt s1 "Delegate"
  agent  update s1 subagent_update {"sessionId":"k1","state":{"state":"running"}}
  agent  update k1 agent_message_chunk km "child says hi"
  agent  update s1 subagent_update {"sessionId":"k1","state":{"state":"${state}"}}
  agent  ←7 result {"stopReason":"end_turn"}
`;
const CAN = ',"capabilities":{"cancel":{}}';

test.each([
  ['which was idle', LIVED('idle'), '', [12, 13]],
  ['which was idle and may be cancelled', LIVED('idle'), CAN, [12, 13]],
  ['which goes on', LIVED('idle'), ',"state":{"state":"running"}', []],
  ['which was at work', LIVED('running'), '', []],
  ['of which nothing else is known', '', '', [7, 8]],
  ['that is idle', '', `${CAN},"state":{"state":"idle"}`, [7, 8]],
  ['that may go on', '', CAN, []],
])(
  'after the answer a child is first announced, %s: its history is late',
  (_, before, told, late) => {
    const trace = afterwards(before, told);
    expect(seqsOf(trace, 'is:late')).toEqual(late);
    expect(trace.index.windowRecords[0]).toMatchObject({ late: late.length, root: { late: 0 } });
  },
);

test('a child that its parent’s prompt after the restore may have made says nothing late', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    agent  ←1 result {}
    client →2 session/prompt s1 "Delegate"
    agent  update s1 subagent_update ${CHILD}
    agent  update k1 agent_message_chunk "live"
    agent  ←2 result {"stopReason":"end_turn"}
    agent  update s1 subagent_update {"sessionId":"k2"}
    agent  update k2 agent_message_chunk "live"
  `);
  expect(seqsOf(trace, 'is:late')).toEqual([]);
});

test('a child that is announced between the marker of its parent and the answer is late, too', () => {
  const trace = indexed(`${V2}
    client →1 session/resume s1 {"replayFrom":{"type":"start"}}
    agent  update s1 user_message m1 {"content":[]}
    agent  update s1 replay_complete
    agent  update s1 subagent_update ${CHILD}
    agent  update k1 agent_message m2 {"content":[]}
    agent  ←1 result {}
    agent  update k1 agent_message m3 {"content":[]}
  `);
  expect(seqsOf(trace, 'is:late')).toEqual([7, 9]);
});
