import { ruleCase, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';

const QUEUE = V1_SESSION.replace(
  '"loadSession":true',
  '"loadSession":true,"_meta":{"x":{"promptQueueing":true}}',
);

ruleCase('prompt/empty', {
  breaks: [
    {
      trace: `${V2_SESSION}client →2 session/prompt {"sessionId":"s1","prompt":[]}`,
      at: [6],
      pointer: '/params/prompt',
      side: 'client',
      severity: 'error',
    },
    {
      trace: `${V1_SESSION}client →2 session/prompt {"sessionId":"s1","prompt":[]}`,
      at: [6],
      severity: 'hint',
    },
  ],
  holds: `${V2_SESSION}client →2 session/prompt s1 "Hi"`,
});

ruleCase('prompt/overlap', {
  breaks: [
    {
      trace: `${V1_SESSION}
        client →2 session/prompt s1 "One"
        client →3 session/prompt s1 "Two"`,
      at: [6, 7],
      severity: 'warning',
      seen: 'a prompt while #6 waits for its answer',
    },
    {
      trace: `${QUEUE}
        client →2 session/prompt s1 "One"
        client →3 session/prompt s1 "Two"`,
      at: [6, 7],
      severity: 'hint',
    },
    // The agent was silent for long, and the turn still ended.
    {
      trace: `${V1_SESSION}
        client →2 session/prompt s1 "One"
        +31000ms
        client →3 session/prompt s1 "Two"
        agent ←2 result {"stopReason":"end_turn"}`,
      at: [6, 7],
      severity: 'warning',
    },
    // It waited for the client.
    {
      trace: `${V1_SESSION}
        client →2 session/prompt s1 "One"
        agent →9 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t"},"options":[]}
        +31000ms
        client →3 session/prompt s1 "Two"`,
      at: [6, 8],
    },
  ],
  holds: [
    `${V1_SESSION}
      client →2 session/prompt s1 "One"
      agent ←2 result {"stopReason":"end_turn"}
      client →3 session/prompt s1 "Two"`,
    // The process that had the first turn has ended.
    `${V1_SESSION}
      client →2 session/prompt s1 "One"
      exit SIGKILL
      client →0 initialize {"protocolVersion":1}
      agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
      client →1 session/load s1 {"cwd":"/w","mcpServers":[]}
      agent ←1 result {}
      client →3 session/prompt s1 "Two"`,
    // Another session has a turn of its own.
    `${V1_SESSION}
      client →2 session/prompt s1 "One"
      client →3 session/prompt s2 "Two"`,
    // The agent lost the first turn: it was silent for long, and ends the next one.
    `${V1_SESSION}
      client →2 session/prompt s1 "One"
      agent update s1 agent_message_chunk "one"
      +31000ms
      client →3 session/prompt s1 "Two"
      agent ←3 result {"stopReason":"end_turn"}
      client →4 session/prompt s1 "Three"`,
  ],
});

const TURN = `${V1_SESSION}
  client →2 session/prompt s1 "One"
  agent update s1 tool_call {"toolCallId":"t1","title":"Read"}
`;

ruleCase('prompt/update-after-turn', {
  breaks: [
    {
      trace: `${TURN}
        agent ←2 result {"stopReason":"end_turn"}
        agent update s1 agent_message_chunk "more"`,
      at: [8, 9],
      severity: 'hint',
    },
    {
      trace: `${TURN}
        client session/cancel s1
        agent ←2 result {"stopReason":"cancelled"}
        agent update s1 tool_call_update {"toolCallId":"t1","status":"failed"}`,
      at: [9, 10],
      severity: 'error',
      seen: '`tool_call_update` after #9 ended the cancelled turn',
    },
    // Without an id nobody knows what a chunk goes on with.
    {
      trace: `${TURN}
        client session/cancel s1
        agent ←2 result {"stopReason":"cancelled"}
        agent update s1 agent_message_chunk "more"`,
      at: [9, 10],
      severity: 'warning',
    },
    // What begins after a cancelled turn need not be of it.
    {
      trace: `${TURN}
        client session/cancel s1
        agent ←2 result {"stopReason":"cancelled"}
        agent update s1 tool_call {"toolCallId":"t2","title":"Watch"}`,
      at: [9, 10],
      severity: 'hint',
      seen: '`tool_call` of new work after #9 ended the cancelled turn, without a prompt',
    },
    // claude-agent-acp 0.101.0 reports by itself on a command that ended in the background.
    {
      trace: `${TURN}
        agent update s1 agent_message_chunk m1 "It runs."
        client session/cancel s1
        agent ←2 result {"stopReason":"cancelled"}
        agent update s1 agent_message_chunk m2 "It has "
        agent update s1 agent_message_chunk m2 "ended."`,
      at: [10, 11, 12],
      severity: 'hint',
      seen: '`agent_message_chunk` of new work after #10 ended the cancelled turn, without a prompt',
    },
    {
      trace: `${TURN}
        agent update s1 agent_message_chunk m1 "It "
        client session/cancel s1
        agent ←2 result {"stopReason":"cancelled"}
        agent update s1 agent_message_chunk m1 "runs."`,
      at: [10, 11],
      severity: 'error',
      seen: '`agent_message_chunk` after #10 ended the cancelled turn',
    },
  ],
  holds: [
    `${TURN}
      agent ←2 result {"stopReason":"end_turn"}
      agent update s1 usage_update {"used":1,"size":2}`,
    `${TURN}
      agent ←2 result {"stopReason":"end_turn"}
      client →3 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent update s1 agent_message_chunk "again"`,
  ],
});

ruleCase('prompt/open-tools-at-end', {
  breaks: [
    {
      trace: `${TURN}
      agent update s1 tool_call_update {"toolCallId":"t1","status":"in_progress"}
      agent ←2 result {"stopReason":"end_turn"}`,
      at: [7, 9],
      seen: 'the turn ends, and "t1" did not',
    },
    {
      trace: `${TURN}
      agent update s1 tool_call_update {"toolCallId":"t1","title":"Read a"}
      agent ←2 result {"stopReason":"end_turn"}`,
      at: [7, 9],
    },
  ],
  holds: [
    `${TURN}
      agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
      agent ←2 result {"stopReason":"end_turn"}`,
    // What v1 leaves out, or gives as null, stays as it was.
    `${TURN}
      agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
      agent update s1 tool_call_update {"toolCallId":"t1","title":"Read a"}
      agent update s1 tool_call_update {"toolCallId":"t1","status":null}
      agent ←2 result {"stopReason":"end_turn"}`,
    `${TURN}
      client session/cancel s1
      agent ←2 result {"stopReason":"cancelled"}`,
    // Said once: the next turn has nothing to do with it.
    `${V1_SESSION}
      client →1 session/prompt s1 "One"
      agent update s1 tool_call {"toolCallId":"t1","title":"Read"}
      agent ←1 result {"stopReason":"max_tokens"}
      client →2 session/prompt s1 "Two"
      agent ←2 result {"stopReason":"end_turn"}`,
  ],
});

const RUNNING = `${V2_SESSION}
  client →2 session/prompt s1 "One"
  agent ←2 result {"messageId":"u1"}
  agent update s1 user_message u1 "One"
  agent update s1 state_update {"state":"running"}
`;

ruleCase('prompt/client-waits-answer', {
  breaks: [
    {
      trace: `${RUNNING}client →3 session/close {"sessionId":"s1"}`,
      at: [9, 10],
      severity: 'hint',
      side: 'client',
    },
    { trace: `${RUNNING}exit 0`, at: [9], side: 'client' },
  ],
  holds: [
    `${RUNNING}
      agent update s1 state_update {"state":"idle","stopReason":"end_turn"}
      client →3 session/close {"sessionId":"s1"}`,
    `${RUNNING}
      client session/cancel s1
      client →3 session/close {"sessionId":"s1"}`,
    `${RUNNING}exit 1`,
    // The parent is idle, and its child goes on in the background.
    `${RUNNING}agent update s1 subagent_update {"sessionId":"k1"}
      agent update k1 state_update {"state":"running"}
      agent update s1 state_update {"state":"idle","stopReason":"end_turn"}
      exit 0`,
  ],
});
