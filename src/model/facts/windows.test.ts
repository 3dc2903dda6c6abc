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

test('updates of the session between a load and its answer are history replay', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    agent  update s1 user_message_chunk "Hello"
    agent  update other agent_message_chunk "live elsewhere"
    agent  update s1 agent_message_chunk "Hi"
    agent  update s1 tool_call {"toolCallId":"t1","title":"x"}
    agent  update s1 plan {"entries":[]}
    agent  ←1 result {}
  `);
  expect(seqsOf(trace, 'is:replay')).toEqual([4, 6, 7, 8]);
  expect(trace.index.windows()).toEqual([
    expect.objectContaining({
      method: 'session/load',
      version: 1,
      outcome: 'answered',
      updates: 4,
      messages: 2,
      tools: 1,
      late: 0,
      forbidden: false,
    }),
  ]);
  expect(trace.index.windows()[0]).not.toHaveProperty('cursor');
});

test('what an agent may tell at any time is never late', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    agent  update s1 user_message_chunk "Hello"
    agent  ←1 result {}
    agent  update s1 available_commands_update {"availableCommands":[]}
    agent  update s1 config_option_update {"configOptions":[]}
    agent  update s1 current_mode_update {"currentModeId":"plan"}
    agent  update s1 usage_update {"used":1,"size":2}
    agent  update s1 session_info_update {"title":"T"}
    agent  update s1 plan {"entries":[]}
    agent  update s1 notice {"severity":"info","title":"n"}
  `);
  expect(seqsOf(trace, 'is:late')).toEqual([]);
});

test('messages and tools after the answer are late, until the next prompt of that session', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    agent  ←1 result {}
    agent  update s1 user_message_chunk "Hello"
    agent  update s1 available_commands_update {"availableCommands":[]}
    agent  update s1 tool_call {"toolCallId":"t1"}
    client →2 session/prompt other "go"
    agent  update other agent_message_chunk "live"
    agent  update s1 agent_message_chunk "still late"
    client →3 session/prompt s1 "go"
    agent  update s1 agent_message_chunk "live"
    agent  ←3 result {"stopReason":"end_turn"}
    agent  update s1 agent_message_chunk "afterthought"
  `);
  expect(seqsOf(trace, 'is:late')).toEqual([5, 7, 10]);
  expect(trace.index.windows()[0]).toMatchObject({ updates: 0, late: 3, forbidden: false });
});

test('a user message that nobody sent is late, also when a prompt is open already', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    agent  ←1 result {}
    client →2 session/prompt s1 "what did I ask first?"
    agent  update s1 user_message_chunk "mend the " "fault"
    agent  update s1 agent_message_chunk "may be live"
    agent  update s1 user_message_chunk "no longer judged"
  `);
  // One row, two frames.
  expect(seqsOf(trace, 'is:late')).toEqual([6]);
  expect(trace.index.windows()[0]).toMatchObject({ late: 2 });
});

test('the echo of an open prompt is live, whole or in pieces, and so is what follows it', () => {
  for (const echo of ['"what did  I ask?"', '"what did" "I ask?"', '"Note: what did I ask? Go."']) {
    const trace = indexed(`${V1}
      client →1 session/load s1
      agent  ←1 result {}
      client →2 session/prompt s1 "what did I ask?"
      agent  update s1 user_message_chunk ${echo}
      agent  update s1 agent_message_chunk "live"
    `);
    expect(seqsOf(trace, 'is:late')).toEqual([]);
  }
});

test('in v2 late history goes on under an open prompt until the agent says that it works', () => {
  const trace = indexed(`${V2}
    client →1 session/resume s1 {"replayFrom":{"type":"start"}}
    agent  update s1 state_update {"state":"idle"}
    agent  ←1 result {}
    client →2 session/prompt s1 "and now?"
    agent  update s1 user_message m1 {"content":[{"type":"text","text":"Hello"}]}
    agent  update s1 agent_message m2 {"content":[{"type":"text","text":"Hi"}]}
    agent  update s1 state_update {"state":"running"}
    agent  update s1 user_message m3 {"content":[{"type":"text","text":"and now?"}]}
    agent  update s1 agent_message_chunk m4 "live"
  `);
  expect(seqsOf(trace, 'is:late')).toEqual([7, 8]);
});

test('a prompt sent before the answer makes what follows live', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    client →2 session/prompt s1 "at once"
    agent  ←1 result {}
    agent  update s1 agent_message_chunk "live"
  `);
  expect(seqsOf(trace, 'is:late')).toEqual([]);
});

test('history behind the answers to a load and to a prompt that was sent with it is late', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    client →2 session/prompt s1 "at once"
    agent  ←1 result {}
    agent  update s1 user_message_chunk "at once"
    agent  update s1 agent_message_chunk "live"
    agent  ←2 result {"stopReason":"end_turn"}
    agent  update s1 agent_message_chunk " and its tail"
    agent  update s1 user_message_chunk "mend the fault"
    agent  update s1 agent_message_chunk "It is mended."
    client →3 session/prompt s1 "and now?"
    agent  update s1 agent_message_chunk "live again"
    agent  ←3 result {"stopReason":"end_turn"}
    agent  update s1 user_message_chunk "no longer judged"
  `);
  expect(seqsOf(trace, 'is:late')).toEqual([10, 11]);
});

test('history in a v1 resume was not allowed', () => {
  const trace = indexed(`${V1}
    client →1 session/resume s1
    agent  update s1 available_commands_update {"availableCommands":[]}
    agent  update s1 agent_message_chunk "Hi"
    agent  ←1 result {}
  `);
  expect(seqsOf(trace, 'is:replay')).toEqual([5]);
  expect(trace.index.windows()[0]).toMatchObject({ forbidden: true, updates: 1, messages: 1 });
  expect(trace.frame(5).tapes).toEqual([{ part: 'middle', lane: 0, forbidden: true }]);
});

test.each(['', ',"replayFrom":null'])(
  'v2 without a cursor (%s): the state is legal and live, history is not allowed',
  (cursor) => {
    const quiet = indexed(`${V2}
      client →1 session/resume {"sessionId":"s1","cwd":"/w"${cursor}}
      agent  update s1 state_update {"state":"idle"}
      agent  ←1 result {}
    `);
    expect(seqsOf(quiet, 'is:replay')).toEqual([]);
    expect(quiet.index.windows()[0]).toMatchObject({ forbidden: false, updates: 0 });
    expect(quiet.frame(4).tapes).toEqual([]);

    const loud = indexed(`${V2}
      client →1 session/resume {"sessionId":"s1","cwd":"/w"${cursor}}
      agent  update s1 user_message m1 "Hello"
      agent  update s1 state_update {"state":"idle"}
      agent  ←1 result {}
    `);
    expect(seqsOf(loud, 'is:replay')).toEqual([4]);
    expect(loud.index.windows()[0]).toMatchObject({
      forbidden: true,
      cursor: cursor === '' ? 'omitted' : 'null',
    });
  },
);

test('v2 work that a state_update announces is live; without one, history after the answer is late', () => {
  const announced = indexed(`${V2}
    client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
    agent  update s1 user_message m1 "Hello"
    agent  update s1 state_update {"state":"idle"}
    agent  ←1 result {}
    agent  update s1 state_update {"state":"running"}
    agent  update s1 agent_message_chunk m2 "by itself"
    agent  update s1 state_update {"state":"idle"}
    agent  update s1 agent_message_chunk m3 "and again"
  `);
  expect(seqsOf(announced, 'is:replay')).toEqual([4, 5]);
  expect(seqsOf(announced, 'is:late')).toEqual([]);

  const late = indexed(`${V2}
    client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
    agent  update s1 state_update {"state":"idle"}
    agent  ←1 result {}
    agent  update s1 user_message m1 "Hello"
    agent  update s1 terminal_update {"terminalId":"x"}
    agent  update s1 tool_call_update {"toolCallId":"t1"}
  `);
  expect(seqsOf(late, 'is:late')).toEqual([6, 7, 8]);
});

test('v2 background work that was listed goes on after the answer', () => {
  const trace = indexed(`${V2}
    client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
    agent  update s1 state_update {"state":"idle","background":[{"type":"tool_call","toolCallId":"t1"}]}
    agent  ←1 result {}
    agent  update s1 terminal_output_chunk {"terminalId":"x","data":"aGk="}
    agent  update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
  `);
  expect(seqsOf(trace, 'is:late')).toEqual([]);
});

test('a session at work while it is restored without a cursor is not blamed for its live updates', () => {
  const trace = indexed(`${V1}
    client →1 session/prompt s1 "go"
    client →2 session/resume s1
    agent  update s1 agent_message_chunk "live"
    agent  ←2 result {}
    agent  update s1 agent_message_chunk "live"
  `);
  expect(seqsOf(trace, 'is:replay')).toEqual([]);
  expect(seqsOf(trace, 'is:late')).toEqual([]);
});

test('a rejected restore says why, and makes nothing late', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    agent  ←1 error -32002 Resource not found
    agent  update s1 agent_message_chunk "odd"
  `);
  expect(trace.index.windows()[0]).toMatchObject({
    outcome: 'rejected',
    problem: '−32002 Resource not found',
    late: 0,
  });
});

test('an exit leaves the window incomplete, with a torn edge', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    agent  update s1 agent_message_chunk "Hi"
    exit 137
  `);
  expect(trace.index.windows()[0]).toMatchObject({
    outcome: 'incomplete',
    problem: 'agent exited with 137',
  });
  expect(trace.frame(5).tapes).toMatchObject([{ part: 'torn' }]);
});

test('two loads of one session at once take turns', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    client →2 session/load s1
    agent  update s1 agent_message_chunk "Hi"
    agent  ←1 result {}
    agent  update s1 agent_message_chunk "Hi"
    agent  ←2 result {}
    agent  update s1 agent_message_chunk "late"
  `);
  expect(trace.index.windows()).toMatchObject([
    { updates: 1, late: 0 },
    { updates: 1, late: 1 },
  ]);
  expect(trace.frame(5).tapes).toMatchObject([
    { part: 'middle', lane: 0 },
    { part: 'middle', lane: 1 },
  ]);
});

test('loading again after late history belongs to the new window', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    agent  ←1 result {}
    client →2 session/load s1
    agent  update s1 agent_message_chunk "Hi"
    agent  ←2 result {}
  `);
  expect(trace.index.windows()).toMatchObject([
    { updates: 0, late: 0 },
    { updates: 1, late: 0 },
  ]);
});

test('over HTTP, history that another stream brings behind the answer is replay, and not late', () => {
  const trace = indexed(`${V1}
    client →1 session/load s1
    agent@s1 update s1 user_message_chunk "Hello"
    agent@   ←1 result {}
    agent@s1 update s1 agent_message_chunk "Hi"
    agent@s1 update s1 tool_call {"toolCallId":"t1","title":"x"}
    client →2 session/prompt s1 "go on"
    agent@s1 update s1 agent_message_chunk "live"
  `);
  expect(seqsOf(trace, 'is:replay')).toEqual([4, 6, 7]);
  expect(seqsOf(trace, 'is:late')).toEqual([]);
  expect(trace.index.windows()[0]).toMatchObject({ updates: 3, messages: 2, tools: 1, late: 0 });
});

test('over HTTP, what the stream of the answer brings behind it is late', () => {
  const trace = indexed(`${V2}
    client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
    agent@s1 update s1 user_message_chunk m1 "Hello"
    agent@s1 ←1 result {}
    agent@s1 update s1 agent_message_chunk m2 "Hi"
  `);
  expect(seqsOf(trace, 'is:late')).toEqual([6]);
});

test('a restore that its transport could not hand over is over, and what comes next is live', () => {
  const trace = indexed(`${V1}
    client@post/s1 →1 session/load s1
    transport {"step":"answered","stream":"post","method":"POST","of":3,"status":500,"problem":"x answered 500."}
    agent@s1 update s1 agent_message_chunk "live"
    client@post/s1 →2 session/load s1
    agent@s1 update s1 agent_message_chunk "again"
    agent@ ←2 result {}
  `);
  expect(trace.index.windows()).toEqual([
    expect.objectContaining({ outcome: 'incomplete', problem: 'x answered 500.', updates: 0 }),
    expect.objectContaining({ outcome: 'answered', updates: 1 }),
  ]);
  expect(trace.index.windows()[0]).not.toHaveProperty('answer');
  expect(seqsOf(trace, 'is:replay')).toEqual([7]);
});
