import { ruleCase, V2_SESSION } from '../../test/traces/rule-case.ts';

const RUNNING = 'agent update s1 state_update {"state":"running"}';
const IDLE = 'agent update s1 state_update {"state":"idle","stopReason":"end_turn"}';
const ASKS = 'agent update s1 state_update {"state":"requires_action"}';
const PROMPT = `${V2_SESSION}
  client →2 session/prompt s1 "One"
  agent ←2 result {"messageId":"u1"}
  agent update s1 user_message u1 "One"
`;
const PERMISSION =
  'agent →9 session/request_permission {"sessionId":"s1","title":"Run?","options":[{"optionId":"a","name":"Yes","kind":"allow_once"}]}';
const ALLOWED = 'client ←9 result {"outcome":{"outcome":"selected","optionId":"a"}}';
const WATCHED = `${V2_SESSION}
  agent update s1 tool_call_update {"toolCallId":"t1","title":"Watch","status":"in_progress"}
  agent update s1 state_update {"state":"idle","background":[{"type":"tool_call","toolCallId":"t1"}]}
`;

ruleCase('state/running-missing', {
  breaks: [
    {
      trace: `${PROMPT}agent update s1 agent_message_chunk m1 "a" ×3\n${IDLE}`,
      at: [7, 9],
      seen: /agent_message_chunk/,
    },
    { trace: `${PROMPT}${IDLE}`, at: [7, 9], seen: /idle with "end_turn" after a prompt/ },
    // Work that no prompt began.
    {
      trace: `${PROMPT}${RUNNING}\n${IDLE}\nagent update s1 agent_message_chunk own "By the way"\n${IDLE}`,
      at: [11, 12],
      severity: 'warning',
      seen: /idle with "end_turn" after output/,
    },
    { trace: `${V2_SESSION}agent update s1 agent_message_chunk own "Hello"\n${IDLE}`, at: [6, 7] },
  ],
  holds: [
    `${PROMPT}${RUNNING}\nagent update s1 agent_message_chunk m1 "a"\n${IDLE}`,
    // It may run before the prompt is in.
    `${V2_SESSION}
      client →2 session/prompt s1 "One"
      ${RUNNING}
      agent update s1 user_message u1 "One"
      agent ←2 result {"messageId":"u1"}
      agent update s1 agent_message_chunk m1 "a"
      ${IDLE}`,
    // The answer may come when all is done.
    `${V2_SESSION}
      client →2 session/prompt s1 "One"
      ${RUNNING}
      agent update s1 user_message u1 "One"
      ${IDLE}
      agent ←2 result {"messageId":"u1"}
      agent update s1 agent_message_chunk m2 "by the way"`,
    // Background work speaks while the session is idle, also work of a type that nobody knows.
    `${WATCHED}agent update s1 agent_message_chunk m1 "It changed"`,
    `${V2_SESSION}
      agent update s1 state_update {"state":"idle","background":[{"type":"_job","jobId":"j1"}]}
      agent update s1 agent_message_chunk own "It changed"
      agent update s1 state_update {"state":"idle","stopReason":"end_turn","background":[]}`,
    `${V2_SESSION}agent update s1 agent_message_chunk m1 "Welcome"`,
    // What ended with its session is answered late, and the session restored.
    `${V2_SESSION}
      client →2 session/prompt s1 "One"
      client →3 session/close {"sessionId":"s1"}
      agent ←3 result {}
      agent ←2 result {"messageId":"u1"}
      client →4 session/resume {"sessionId":"s1","cwd":"/w"}
      ${IDLE}
      agent ←4 result {}
      agent update s1 agent_message_chunk m1 "a"`,
    // The agent begins work itself, and says so.
    `${PROMPT}${RUNNING}\n${IDLE}\n${RUNNING}\nagent update s1 agent_message_chunk own "By the way"\n${IDLE}`,
    // Background work ends, and the idle state comes again without it.
    `${WATCHED}agent update s1 agent_message_chunk m1 "It changed"\n${IDLE}`,
    // An idle state told again is nothing new.
    `${V2_SESSION}
      client →2 session/prompt s1 "One"
      ${RUNNING}
      ${IDLE}
      ${IDLE}`,
  ],
});

ruleCase('state/idle-missing', {
  breaks: [
    {
      trace: `${PROMPT}${RUNNING}\nexit 139`,
      at: [9],
      seen: /the agent exited with 139/,
      side: 'agent',
    },
    { trace: `${PROMPT}${RUNNING}\n+40000ms\nexit 0`, at: [9], seen: /40 s of silence/ },
    { trace: `${PROMPT}${RUNNING}`, at: [9], verdict: 'undecidable' },
    { trace: `${PROMPT}${RUNNING}\nexit SIGKILL`, at: [9], verdict: 'undecidable' },
    { trace: `${PROMPT}${RUNNING}\nexit 137`, at: [9], verdict: 'undecidable' },
    // A person may take as long as they like.
    {
      trace: `${PROMPT}${RUNNING}\n${PERMISSION}\n${ASKS}\n+40000ms\nexit 0`,
      at: [11],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${PROMPT}${RUNNING}\n${IDLE}\nexit 139`,
    // What becomes of a session that is deleted at work is left to the agent.
    `${PROMPT}${RUNNING}\n${IDLE}\n${RUNNING}
      client →3 session/delete {"sessionId":"s1"}
      agent ←3 result {}
      +40000ms
      exit 0`,
  ],
});

ruleCase('state/stop-reason-missing', {
  breaks: [
    {
      trace: `${PROMPT}${RUNNING}\nagent update s1 state_update {"state":"idle"}`,
      at: [9, 10],
      severity: 'warning',
    },
    {
      trace: `${PROMPT}${RUNNING}\nagent update s1 state_update {"state":"idle","stopReason":null}`,
      at: [9, 10],
      severity: 'error',
      edition: 'v2-2026-08',
    },
  ],
  holds: [
    `${V2_SESSION}
      agent update s1 state_update {"state":"idle"}
      ${RUNNING}
      ${IDLE}
      agent update s1 state_update {"state":"idle"}`,
    // claude-agent-acp 0.100.0: the past of a child that works on, in the restore of its parent.
    `${V2_SESSION}agent update s1 subagent_update {"sessionId":"k1"}
      agent update k1 state_update {"state":"running"}
      client →5 session/resume s1 {"cwd":"/w","replayFrom":{"type":"start"}}
      agent update s1 subagent_update {"sessionId":"k1"}
      agent update k1 state_update {"state":"idle"}
      agent update s1 state_update {"state":"idle"}
      agent ←5 result {}`,
  ],
});

ruleCase('state/requires-action-exit', {
  breaks: [
    {
      trace: `${PROMPT}${RUNNING}\n${PERMISSION}\n${ASKS}\n${ALLOWED}
        agent update s1 agent_message_chunk m1 "a" ×2`,
      at: [11, 13],
      severity: 'error',
    },
    {
      trace: `${PROMPT}${RUNNING}\n${PERMISSION}\n${ASKS}\n${ALLOWED}
        agent update s1 agent_message_chunk m1 "a"`,
      at: [11, 13],
      severity: 'warning',
      edition: 'v2-2026-08',
    },
  ],
  holds: [
    `${PROMPT}${RUNNING}\n${PERMISSION}\n${ASKS}\n${ALLOWED}\n${RUNNING}
      agent update s1 agent_message_chunk m1 "a"`,
    // Still asked, or cancelled meanwhile.
    `${PROMPT}${RUNNING}\n${PERMISSION}\n${ASKS}
      agent update s1 tool_call_update {"toolCallId":"t1","title":"Run"}`,
    `${PROMPT}${RUNNING}\n${PERMISSION}\n${ASKS}
      client session/cancel s1
      client ←9 result {"outcome":{"outcome":"cancelled"}}
      agent update s1 tool_call_update {"toolCallId":"t1","status":"cancelled"}`,
    // A tool call that is refused ends, before anything goes on.
    `${PROMPT}${RUNNING}\n${PERMISSION}\n${ASKS}\n${ALLOWED}
      agent update s1 tool_call_update {"toolCallId":"t1","status":"failed"}
      ${RUNNING}`,
    `${WATCHED}
      agent update s1 state_update {"state":"requires_action","background":[{"type":"tool_call","toolCallId":"t1"}]}
      agent update s1 tool_call_update {"toolCallId":"t1","title":"Watching"}`,
  ],
});

ruleCase('state/requires-action-absent', {
  breaks: {
    trace: `${PROMPT}${RUNNING}\n${PERMISSION}\n+2000ms\n${ALLOWED}`,
    at: [10, 11],
    severity: 'hint',
    seen: '`running` for the 2 s of the question',
  },
  holds: [
    `${PROMPT}${RUNNING}\n${PERMISSION}\n${ASKS}\n+2000ms\n${ALLOWED}`,
    `${PROMPT}${RUNNING}\n${PERMISSION}\n${ALLOWED}`,
    `${PROMPT}${RUNNING}\n${PERMISSION}
      agent update s1 agent_message_chunk m1 "Meanwhile"
      +2000ms
      ${ALLOWED}`,
  ],
});

ruleCase('state/error-detail', {
  breaks: [
    {
      trace: `${PROMPT}${RUNNING}\nagent update s1 state_update {"state":"idle","stopReason":"error"}`,
      at: [10],
      seen: 'nothing for an `error`',
    },
    {
      trace: `${PROMPT}${RUNNING}\nagent update s1 state_update {"state":"idle","stopReason":"end_turn","error":{"code":1,"message":"x"}}`,
      at: [10],
      pointer: '/params/update/error',
    },
  ],
  holds: `${PROMPT}${RUNNING}\nagent update s1 state_update {"state":"idle","stopReason":"error","error":{"code":1,"message":"x"}}`,
});

ruleCase('state/background-dropped', {
  breaks: [
    { trace: `${WATCHED}${RUNNING}`, at: [8], seen: /nothing for `background`/ },
    {
      trace: `${WATCHED}client →5 session/resume s1 {"cwd":"/w"}
        ${IDLE}
        agent ←5 result {}`,
      at: [9],
    },
  ],
  holds: [
    // A close ends the work, and what is restored after it reports anew.
    `${WATCHED}agent update s1 state_update {"state":"idle","background":[{"type":"tool_call","toolCallId":"t1"}]}
      client →4 session/close {"sessionId":"s1"}
      agent ←4 result {}
      client →5 session/resume s1 {"cwd":"/w"}
      ${IDLE}
      agent ←5 result {}`,
    `${WATCHED}agent update s1 state_update {"state":"running","background":[]}`,
    `${PROMPT}${RUNNING}`,
    // claude-agent-acp 0.100.0, restored twice on one connection: the second replay tells the child's past.
    `${V2_SESSION}agent update s1 subagent_update {"sessionId":"k1"}
      agent update k1 state_update {"state":"idle","background":[]}
      client →5 session/resume s1 {"cwd":"/w","replayFrom":{"type":"start"}}
      agent update s1 subagent_update {"sessionId":"k1"}
      agent update k1 state_update {"state":"idle","stopReason":"end_turn"}
      agent update s1 state_update {"state":"idle"}
      agent ←5 result {}`,
  ],
});

const LISTS = (list: string) =>
  `agent update s1 state_update {"state":"idle","background":[${list}]}`;
const T1 = '{"type":"tool_call","toolCallId":"t1"}';

ruleCase('state/background-unannounced', {
  breaks: [
    { trace: `${V2_SESSION}${LISTS(T1)}`, at: [6], seen: /not announced/ },
    {
      trace: `${V2_SESSION}${LISTS('{"type":"terminal","terminalId":"x1"}')}`,
      at: [6],
      seen: /terminal "x1", which was not announced/,
    },
    { trace: `${WATCHED}${LISTS(`${T1},${T1}`)}`, at: [8], pointer: '/params/update/background/1' },
    { trace: `${WATCHED}${LISTS('')}`, at: [8], seen: /left the list/ },
  ],
  holds: [
    `${WATCHED}agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}\n${LISTS('')}`,
    `${V2_SESSION}${LISTS('{"type":"_mine","id":"z"},null,4')}`,
  ],
});
