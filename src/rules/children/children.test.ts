import { describe, expect, test } from 'vitest';
import { found, ruleCase, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';

/** v1 whose client takes child sessions, and a session `s1`: five events. */
const V1 = `
  start agent
  client →0 initialize {"protocolVersion":1,"clientCapabilities":{"subagents":{}},"clientInfo":{"name":"c","version":"1"}}
  agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":{},"close":{}}},"agentInfo":{"name":"a","version":"1"},"authMethods":[]}
`;
const OWN = `${V1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}
`;
/** The sixth event. */
const CHILD = 'agent update s1 subagent_update {"sessionId":"k1","capabilities":{"cancel":{}}}\n';
const RUNS = 'agent update s1 subagent_update {"sessionId":"k1","state":{"state":"running"}}\n';
const ended = (reason: string) =>
  `agent update s1 subagent_update {"sessionId":"k1","state":{"state":"idle","stopReason":"${reason}"}}\n`;
const SAYS = 'agent update k1 agent_message_chunk "Reading the file from its begin"\n';
const START = 'client →5 session/resume s1 {"cwd":"/w","replayFrom":{"type":"start"}}\n';
const LOAD = 'client →5 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}\n';
const LOADED = 'agent ←5 result {}\n';

ruleCase('child/unannounced', {
  breaks: [
    {
      trace: `${V2_SESSION}agent update s1 session_message m1 {"senderSessionId":"s1","recipientSessionId":"k1","content":[]}`,
      at: [6],
      seen: /`recipientSessionId` is "k1", which nothing announced/,
      pointer: '/params/update/recipientSessionId',
    },
    {
      trace: `${V2_SESSION}gap 2 lost\nagent update s1 session_message m1 {"senderSessionId":"k1","content":[]}`,
      at: [7],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${V2_SESSION}${CHILD}agent update s1 session_message m1 {"senderSessionId":"s1","recipientSessionId":"k1","content":[]}`,
    `${V2_SESSION}agent update s1 session_message m1 {"content":[]}`,
  ],
});

const LINK =
  'agent update s1 tool_call {"toolCallId":"t1","title":"x","content":[{"type":"session","sessionId":"k1"}]}\n';

ruleCase('child/not-gated', {
  breaks: { trace: `${V1_SESSION}${LINK}`, at: [6], pointer: '/params/update/content/0' },
  holds: [
    `${OWN}${CHILD}${LINK}`,
    `${V1_SESSION}agent update s1 tool_call {"toolCallId":"t1","title":"x"}`,
  ],
});

ruleCase('content/session-unknown', {
  breaks: [
    { trace: `${OWN}${LINK}`, at: [6], seen: /a link to "k1"/, severity: 'warning' },
    {
      trace: `${V2_SESSION}gap 1 lost\nagent update s1 tool_call_content_chunk {"toolCallId":"t1","content":{"type":"session","sessionId":"k1"}}`,
      at: [7],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${OWN}${CHILD}${LINK}`,
    // A child may link to its parent.
    `${OWN}${CHILD}agent update k1 tool_call {"toolCallId":"t1","title":"x","content":[{"type":"session","sessionId":"s1"}]}`,
  ],
});

ruleCase('child/ownership', {
  breaks: [
    {
      trace: `${V2_SESSION}agent update s1 subagent_update {"sessionId":"s1"}`,
      at: [6],
      seen: /its own child/,
    },
    {
      trace: `${V2_SESSION}${CHILD}agent update k1 subagent_update {"sessionId":"s1"}`,
      at: [7],
      seen: /it owns/,
    },
    {
      trace: `${V2_SESSION}client →2 session/new {"cwd":"/w"}\nagent ←2 result {"sessionId":"s2"}
        ${CHILD}agent update s2 subagent_update {"sessionId":"k1"}`,
      at: [9],
      seen: /a second parent; it is "s1"’s/,
    },
    {
      trace: `${V2_SESSION}client →2 session/new {"cwd":"/w"}\nagent ←2 result {"sessionId":"s2"}
        agent update s1 subagent_update {"sessionId":"s2"}`,
      at: [8],
      seen: /a session of the client/,
    },
  ],
  holds: `${V2_SESSION}${CHILD}${CHILD}agent update k1 subagent_update {"sessionId":"k2"}`,
});

ruleCase('child/mutation', {
  breaks: [
    {
      trace: `${OWN}${CHILD}client →2 session/prompt k1 "and now?"`,
      at: [7],
      seen: /`session\/prompt` on "k1"/,
      side: 'client',
    },
    { trace: `${V2_SESSION}${CHILD}client →2 session/close k1`, at: [7] },
    {
      trace: `${OWN}${CHILD}client →2 session/load {"sessionId":"k1","cwd":"/w","mcpServers":[]}`,
      at: [7],
    },
    // It was announced on another connection.
    {
      trace: [
        `${OWN}${CHILD}`,
        `${V1}client →2 session/load {"sessionId":"k1","cwd":"/w","mcpServers":[]}`,
      ],
      at: [4],
    },
  ],
  holds: [
    `${OWN}${CHILD}client session/cancel k1\nclient →2 session/prompt s1 "x"`,
    `${OWN}${CHILD}agent →1 session/request_permission k1 {"toolCall":{"toolCallId":"t1"},"options":[]}\nclient ←1 result {"outcome":{"outcome":"cancelled"}}`,
  ],
});

ruleCase('child/cancel-ungated', {
  breaks: [
    {
      trace: `${OWN}agent update s1 subagent_update {"sessionId":"k1"}\nclient session/cancel k1`,
      at: [7],
      seen: /#6 took|have no/,
    },
    {
      trace: `${OWN}${CHILD}agent update s1 subagent_update {"sessionId":"k1","capabilities":null}\n+1000ms\nclient session/cancel k1`,
      at: [8],
      seen: /#7 took `cancel` back/,
      severity: 'error',
    },
    // They may have crossed.
    {
      trace: `${OWN}${CHILD}agent update s1 subagent_update {"sessionId":"k1","capabilities":{}}\nclient session/cancel k1`,
      at: [8],
      severity: 'warning',
    },
    {
      trace: `${OWN}${CHILD}${LOAD}${LOADED}client session/cancel k1`,
      at: [9],
      seen: /told before its parent’s restore/,
    },
  ],
  holds: [
    `${OWN}${CHILD}${RUNS}client session/cancel k1`,
    `${OWN}${CHILD}${LOAD}${LOADED}${CHILD}client session/cancel k1`,
  ],
});

const WORKS = `${OWN}${CHILD}${RUNS}client session/cancel k1\n`;
ruleCase('child/cancel-confirm', {
  breaks: [
    {
      trace: `${WORKS}+400ms\n${SAYS}${ended('end_turn')}`,
      at: [8, 9, 10],
      seen: /"end_turn" after #8/,
      severity: 'warning',
    },
    { trace: `${WORKS}${ended('end_turn')}`, at: [8, 9], verdict: 'undecidable' },
    {
      trace: `${V2_SESSION}${CHILD}agent update k1 state_update {"state":"running"}\nclient session/cancel k1\n+400ms\n${SAYS.replace('chunk ', 'chunk m1 ')}agent update k1 state_update {"state":"idle","stopReason":"end_turn"}`,
      at: [8, 9, 10],
    },
  ],
  holds: [
    `${WORKS}${SAYS}${ended('cancelled')}`,
    // What rests has no work to end.
    `${WORKS}${ended('cancelled')}client session/cancel k1\n${RUNS}${SAYS}${ended('end_turn')}`,
  ],
});

ruleCase('child/listed', {
  breaks: {
    trace: `${OWN}${CHILD}client →2 session/list {}\nagent ←2 result {"sessions":[{"sessionId":"s1","cwd":"/w"},{"sessionId":"k1","cwd":"/w"}]}`,
    at: [8],
    seen: /"k1", a child session/,
    pointer: '/result/sessions/1',
  },
  holds: `${OWN}${CHILD}client →2 session/list {}\nagent ←2 result {"sessions":[{"sessionId":"s1","cwd":"/w"}]}`,
});

ruleCase('child/reannounce', {
  breaks: [
    {
      trace: `${OWN}${CHILD}${LOAD}${LOADED}${SAYS}`,
      at: [9],
      seen: /^the answer .* of a child that was not announced/,
      severity: 'warning',
    },
    {
      trace: `${OWN}${CHILD}${LOAD}${LOADED}agent →1 session/request_permission k1 {"toolCall":{"toolCallId":"t1"},"options":[]}`,
      at: [9],
    },
    // Over HTTP the announcement comes on the stream of the parent.
    {
      trace: `${OWN}${CHILD}${LOAD}agent@ ←5 result {}\nagent@k1 update k1 usage_update {"used":1,"size":2}`,
      at: [9],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${OWN}${CHILD}${LOAD}${LOADED}${CHILD}${SAYS}`,
    `${OWN}${CHILD}${SAYS}${LOAD}agent@s1 ${CHILD.slice('agent '.length)}agent@ ←5 result {}\nagent@k1 ${SAYS.slice('agent '.length)}`,
    // Its history, inside the restore and told as such.
    `${OWN}${CHILD}${SAYS}${LOAD}${CHILD}${SAYS}${LOADED}${CHILD}${SAYS}`,
  ],
});

const ASKS =
  'agent →1 session/request_permission k1 {"toolCall":{"toolCallId":"t1"},"options":[]}\n';
ruleCase('child/replay-request', {
  breaks: {
    trace: `${OWN}${LOAD}${CHILD}${SAYS}${ASKS}`,
    at: [9],
    seen: /while `session\/load` \(#6\) is open/,
  },
  holds: [
    `${OWN}${LOAD}${CHILD}${SAYS}${LOADED}${CHILD}${ASKS}`,
    // It was at work before.
    `${OWN}${CHILD}${RUNS}${LOAD}${SAYS}${ASKS}${LOADED}`,
  ],
});

const HISTORY = 'agent update s1 user_message m1 {"content":[{"type":"text","text":"Hello"}]}\n';
const MARK = 'agent update s1 replay_complete\n';
const IDLE = 'agent update s1 state_update {"state":"idle"}\n';
const AFTER = 'agent update s1 agent_message m2 {"content":[{"type":"text","text":"Hi there"}]}\n';

ruleCase('replay/complete-order', {
  breaks: [
    { trace: `${V2}${START}${MARK}${AFTER}${LOADED}`, at: [4, 6], seen: /after the marker #5/ },
    { trace: `${V2}${START}${HISTORY}${MARK}${MARK}${LOADED}`, at: [7], seen: /second/ },
    { trace: `${V2}${START}${HISTORY}${LOADED}${MARK}`, at: [7], seen: /no restore/ },
    {
      trace: `${V2}client →5 session/resume s1 {"cwd":"/w"}\n${MARK}${LOADED}`,
      at: [4],
      seen: /asked for no history/,
    },
  ],
  holds: `${V2}${START}${HISTORY}${MARK}${IDLE}${LOADED}${AFTER}`,
});

const PROMPT = `client →2 session/prompt s1 "Hello"
agent update s1 user_message m1 {"content":[{"type":"text","text":"Hello"}]}
agent ←2 result {"messageId":"m1"}
agent update s1 state_update {"state":"running"}
agent update s1 agent_message m2 {"content":[]}
agent update s1 agent_message_chunk m2 "Hi "
`;
const MORE = 'agent update s1 agent_message_chunk m2 "there"\n';
const RUNNING = 'agent update s1 state_update {"state":"running"}\n';

ruleCase('replay/live-early', {
  breaks: {
    trace: `${V2_SESSION}${PROMPT}${START}${HISTORY}${MORE}${MARK}${RUNNING}${LOADED}`,
    at: [12, 13, 14],
    seen: '`agent_message_chunk` of "m2" amid the replay, before its marker',
    severity: 'error',
  },
  holds: [
    // The message is replayed as far as it goes, and goes on after the marker.
    `${V2_SESSION}${PROMPT}${START}${HISTORY}agent update s1 agent_message m2 {"content":[]}\nagent update s1 agent_message_chunk m2 "Hi "\n${MARK}${RUNNING}${LOADED}${MORE}`,
    // It was sent before the agent read the request.
    `${V2_SESSION}${PROMPT}${START}${MORE}${HISTORY}${AFTER}${MARK}${RUNNING}${LOADED}`,
    `${V2_SESSION}${PROMPT}client →5 session/resume s1 {"cwd":"/w"}\n${MORE}${RUNNING}${LOADED}`,
    // Another prompt, which may be a part of the replay or not.
    `${V2_SESSION}${PROMPT}${START}agent update s1 user_message m3 {"content":[]}\n${MORE}${MARK}${RUNNING}${LOADED}`,
    // An agent that knows no marker.
    `${V2_SESSION}${PROMPT}${START}${HISTORY}${MORE}${RUNNING}${LOADED}`,
    `${V2_SESSION}${PROMPT}${START}${HISTORY}gap 1 lost\n${MORE}${MARK}${RUNNING}${LOADED}`,
  ],
});

const KID = 'agent update s1 subagent_update {"sessionId":"k1"}\n';
ruleCase('replay/complete-missing', {
  breaks: [
    {
      trace: `${V2}${START}${HISTORY}${KID}${MARK}${IDLE}${LOADED}`,
      at: [4, 9],
      seen: /of "k1"/,
    },
    {
      trace: `${V2}${START}${HISTORY}${IDLE}${LOADED}`,
      at: [4, 7],
      seen: /of "s1"/,
      edition: 'v2-2026-11',
    },
    // The agent has sent the marker before on this connection.
    {
      trace: `${V2}${START}${MARK}${IDLE}${LOADED}client →6 session/resume s1 {"cwd":"/w","replayFrom":{"type":"start"}}\n${IDLE}agent ←6 result {}`,
      at: [8, 10],
      seen: /of "s1"/,
    },
  ],
  holds: [
    `${V2}${START}${HISTORY}${KID}agent update k1 replay_complete\n${MARK}${IDLE}${LOADED}`,
    // A restore without a cursor has none.
    `${V2}${START}${MARK}${IDLE}${LOADED}client →6 session/resume s1 {"cwd":"/w"}\n${IDLE}agent ←6 result {}`,
    // Nor does a refusal.
    `${V2}${START}${HISTORY}${KID}${MARK}agent ←5 error -32603 no`,
  ],
});

describe('what holds of sessions is not asked of children', () => {
  const none = (rule: string, trace: string) =>
    expect(found(rule, trace).filter(({ verdict }) => verdict !== 'pass')).toEqual([]);

  test('a refusal of what may not be asked of a child is none of an unknown session', () => {
    none(
      'setup/unknown-session-reply',
      `${OWN}${CHILD}client →2 session/prompt k1 "x"\nagent ←2 error -32602 No such session`,
    );
  });

  test('a child works on when its parent rests, and its end may not be in the trace', () => {
    none(
      'state/idle-missing',
      `${V2_SESSION}${CHILD}agent update k1 state_update {"state":"running"}\n+40000ms\n${IDLE}`,
    );
    none('cancel/idle', `${WORKS}+400ms\n${SAYS}${ended('end_turn')}`);
  });

  test('a life with child sessions is not missed by a client that takes none', () => {
    const live = `${OWN}client →2 session/prompt s1 "Count the lines"\n${CHILD}${SAYS}agent update s1 tool_call {"toolCallId":"t1","title":"Count","status":"completed"}\nagent ←2 result {"stopReason":"end_turn"}`;
    const v1 = V1.replace('"subagents":{}', '');
    const load = `${LOAD}agent update s1 user_message_chunk "Count the lines"\n${LOADED}`;
    const taken = found('replay/missing-history', [live, `${v1}${load}`]);
    expect(taken.map(({ verdict }) => verdict)).toEqual(['undecidable']);
    expect(found('replay/missing-history', [live, `${V1}${load}`])).toHaveLength(1);
  });
});
