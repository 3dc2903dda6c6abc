import { ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';

const CLOSE = 'client →5 session/close {"sessionId":"s1"}';
const CLOSED = `${CLOSE}\nagent ←5 result {}`;
const MORE = 'agent update s1 agent_message_chunk m1 "b"';
const RUNNING = 'agent update s1 state_update {"state":"running"}';
const idle = (reason: string) =>
  `agent update s1 state_update {"state":"idle","stopReason":"${reason}"}`;
const WORKS = `${V2_SESSION}
  client →2 session/prompt s1 "One"
  agent ←2 result {"messageId":"u1"}
  agent update s1 user_message u1 "One"
  ${RUNNING}
`;

ruleCase('close/update-after', {
  breaks: [
    { trace: `${V2_SESSION}${CLOSED}\n${MORE}`, at: [8, 7], severity: 'error' },
    { trace: `${V1_SESSION}${CLOSED}\n${MORE}`, at: [8, 7], severity: 'hint' },
    {
      trace: `${V2_SESSION}${CLOSED}\nagent →9 session/request_permission {"sessionId":"s1","title":"?","options":[]}`,
      at: [8, 7],
    },
  ],
  holds: [
    `${V2_SESSION}${CLOSE}\n${MORE}\nagent ←5 result {}`,
    // Restored: what comes is history, and then live again.
    `${V2_SESSION}${CLOSED}
      client →6 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
      ${MORE}
      agent ←6 result {}
      ${MORE}`,
    `${V2_SESSION}${CLOSED}\nagent update s2 agent_message_chunk m1 "b"`,
  ],
});

ruleCase('close/cancel-first', {
  breaks: [
    { trace: `${WORKS}${CLOSED}`, at: [10, 11], severity: 'error' },
    {
      trace: `${WORKS}${CLOSE}\n+400ms\n${MORE}\n${idle('end_turn')}\nagent ←5 result {}`,
      at: [10, 11, 12, 13],
    },
    {
      trace: `${WORKS}${CLOSE}\n${MORE}\n+400ms\n${idle('end_turn')}\nagent ←5 result {}`,
      at: [10, 11, 12, 13],
      verdict: 'undecidable',
    },
    {
      trace: `${WORKS}${CLOSE}\n${idle('end_turn')}\nagent ←5 result {}`,
      at: [10, 11, 12],
      verdict: 'undecidable',
    },
    {
      trace: `${V1_SESSION}
        client →2 session/prompt s1 "One"
        ${CLOSE}
        +400ms
        ${MORE}
        agent ←2 result {"stopReason":"end_turn"}`,
      at: [7, 8, 9],
      pointer: '/result/stopReason',
    },
    // The response to the close proves that the agent has read it.
    {
      trace: `${V1_SESSION}
        client →2 session/prompt s1 "One"
        ${CLOSED}
        ${MORE}
        agent ←2 result {"stopReason":"end_turn"}`,
      at: [7, 9, 10],
      seen: 'the stop reason "end_turn" after #7, and #9 between',
    },
    {
      trace: `${V1_SESSION}
        client →2 session/prompt s1 "One"
        ${CLOSED}
        agent ←2 result {"stopReason":"end_turn"}`,
      at: [7, 9],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${WORKS}${CLOSE}\n${idle('cancelled')}\nagent ←5 result {}`,
    `${WORKS}${idle('end_turn')}\n${CLOSED}`,
    `${V1_SESSION}
      client →2 session/prompt s1 "One"
      ${CLOSED}
      agent ←2 result {"stopReason":"cancelled"}`,
    // Cancelled before: that is cancel/idle.
    `${WORKS}client session/cancel s1\n${CLOSE}\n${idle('end_turn')}\nagent ←5 result {}`,
  ],
});

ruleCase('close/unknown', {
  breaks: {
    trace: `${V2}client →5 session/close {"sessionId":"zz"}\nagent ←5 error -32603 What`,
    at: [4, 5],
    edition: 'v2-2.4.0',
  },
  holds: [
    `${V2}client →5 session/close {"sessionId":"zz"}\nagent ←5 error -32002 Not found`,
    `${V2}client →5 session/close {"sessionId":"zz"}\nagent ←5 result {}`,
    `${V2_SESSION}${CLOSE}\nagent ←5 error -32603 Broken`,
  ],
  edition: 'v2-2.4.0',
});

ruleCase('close/use-after', {
  breaks: [
    {
      trace: `${V1_SESSION}${CLOSED}\nclient →6 session/prompt s1 "Two"`,
      at: [8, 7],
      side: 'client',
    },
    { trace: `${V2_SESSION}${CLOSED}\nclient session/cancel s1`, at: [8, 7] },
  ],
  holds: [
    `${V1_SESSION}client →6 session/prompt s1 "Two"`,
    `${V1_SESSION}${CLOSED}
      client →6 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent ←6 result {}
      client →7 session/prompt s1 "Two"`,
  ],
});

const DELETE = 'client →6 session/delete {"sessionId":"s1"}';
const DELETED = `${DELETE}\nagent ←6 result {}`;
const LISTED = 'agent ←7 result {"sessions":[{"sessionId":"s1","cwd":"/w"}]}';

ruleCase('delete/idempotent', {
  breaks: [
    { trace: `${V1_SESSION}${DELETED}\n${DELETE}\nagent ←6 error -32603 Gone`, at: [7, 9] },
    { trace: `${V2}${DELETE}\nagent ←6 error -32002 Not found`, at: [5] },
  ],
  holds: [
    `${V1_SESSION}${DELETED}\n${DELETED}`,
    // The store may be out of order.
    `${V1_SESSION}${DELETE}\nagent ←6 error -32603 Disk full`,
  ],
});

ruleCase('delete/still-listed', {
  breaks: [
    {
      trace: `${V1_SESSION}${DELETED}\nclient →7 session/list {}\n${LISTED}`,
      at: [7, 9],
      pointer: '/result/sessions/0/sessionId',
    },
    {
      trace: [`${V1_SESSION}${DELETED}`, `${V1}client →7 session/list {}\n${LISTED}`],
      at: [5],
      seen: '"s1", deleted in c1#7',
    },
  ],
  holds: [
    `${V1_SESSION}client →7 session/list {}\n${DELETED}\n${LISTED}`,
    `${V1_SESSION}${DELETED}\nclient →7 session/list {}\nagent ←7 result {"sessions":[]}`,
    `${V1_SESSION}${DELETED}
      client →8 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent ←8 result {}
      client →7 session/list {}
      ${LISTED}`,
  ],
});
