import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { ruleCase, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';
import { checkTrace } from '../check-trace.ts';

const PROMPT1 = `${V1_SESSION}
  client →2 session/prompt s1 "One"
  agent update s1 agent_message_chunk "a"
`;
const CANCEL = 'client session/cancel s1';
const MORE1 = 'agent update s1 agent_message_chunk "b"';
const RUNNING = 'agent update s1 state_update {"state":"running"}';
const idle = (reason: string) =>
  `agent update s1 state_update {"state":"idle","stopReason":"${reason}"}`;
const WORKS = `${V2_SESSION}
  client →2 session/prompt s1 "One"
  agent ←2 result {"messageId":"u1"}
  agent update s1 user_message u1 "One"
  ${RUNNING}
`;
const MORE2 = 'agent update s1 agent_message_chunk m1 "b"';

ruleCase('cancel/prompt-result', {
  breaks: [
    // It never came to an answer: the agent did not hear of it.
    {
      trace: `${PROMPT1}${CANCEL}\n${MORE1}\n+31000ms\n${MORE1}`,
      at: [8, 10],
      seen: 'the agent still speaks 31 s after #8',
      severity: 'warning',
    },
    {
      trace: `${PROMPT1}${CANCEL}\n${MORE1}\n+400ms\n${MORE1}\nagent ←2 result {"stopReason":"end_turn"}`,
      at: [8, 10, 11],
      severity: 'error',
      pointer: '/result/stopReason',
      seen: 'the stop reason "end_turn" after #8, and #10 between',
    },
    // An answer to the notification proves that the agent has read it.
    {
      trace: `${PROMPT1}${CANCEL}\nagent raw {"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Unsupported"}}\n${MORE1}\nagent ←2 result {"stopReason":"end_turn"}`,
      at: [8, 10, 11],
      severity: 'error',
    },
    // A new tool call, long after the cancel.
    {
      trace: `${PROMPT1}${CANCEL}\n+400ms\nagent update s1 tool_call {"toolCallId":"t1","title":"T"}\nagent ←2 result {"stopReason":"end_turn"}`,
      at: [8, 9, 10],
      severity: 'error',
    },
    // opencode 1.18.33: the last output may have crossed the cancel, and the turn may have been over.
    {
      trace: `${PROMPT1}${CANCEL}\n+24ms\n${MORE1}\n+576ms\nagent ←2 result {"stopReason":"end_turn"}`,
      at: [8, 9, 10],
      verdict: 'undecidable',
      seen: /only #9, which may have crossed it/,
      due: /later than it can have read the cancel/,
    },
    {
      trace: `${PROMPT1}${CANCEL}\n${MORE1}\nagent ←2 result {"stopReason":"end_turn"}`,
      at: [8, 9, 10],
      verdict: 'undecidable',
    },
    {
      trace: `${PROMPT1}${CANCEL}\n+400ms\nagent ←2 result {"stopReason":"end_turn"}`,
      at: [8, 9],
      verdict: 'undecidable',
    },
    {
      trace: `${PROMPT1}${CANCEL}\n+400ms\nagent ←2 error -32603 Aborted`,
      at: [8, 9],
      severity: 'error',
    },
    {
      trace: `${PROMPT1}${CANCEL}\nagent ←2 error -32603 Aborted`,
      at: [8, 9],
      severity: 'warning',
    },
    // The error may have been on its way.
    {
      trace: `${PROMPT1}${CANCEL}\nagent ←2 error -32603 Overloaded`,
      at: [8, 9],
      verdict: 'undecidable',
      pointer: '/error',
    },
    {
      trace: `${PROMPT1}
        client →3 session/prompt s1 "Two"
        ${CANCEL}
        agent ←2 result {"stopReason":"cancelled"}
        ${MORE1}
        +400ms
        agent ←3 result {"stopReason":"end_turn"}`,
      at: [9, 12],
      verdict: 'undecidable',
    },
  ],
  holds: [
    // What a tool call comes to may take its time.
    `${PROMPT1}${CANCEL}\n+31000ms\nagent update s1 tool_call {"toolCallId":"t1","title":"T"}\nagent ←2 result {"stopReason":"cancelled"}`,
    `${PROMPT1}${CANCEL}\n${MORE1}\n+400ms\nagent ←2 result {"stopReason":"cancelled"}`,
    `${PROMPT1}agent ←2 result {"stopReason":"end_turn"}\n${CANCEL}`,
    `${PROMPT1}${CANCEL}\nclient $/cancel_request {"requestId":2}\nagent ←2 error -32800 Cancelled`,
  ],
});

ruleCase('cancel/idle', {
  breaks: [
    {
      trace: `${WORKS}${CANCEL}\n+31000ms\n${MORE2}`,
      at: [10, 11],
      seen: 'the agent still speaks 31 s after #10',
      severity: 'warning',
    },
    {
      trace: `${WORKS}${CANCEL}\n${MORE2}\n+400ms\n${MORE2}\n${idle('end_turn')}`,
      at: [10, 12, 13],
      severity: 'error',
      pointer: '/params/update/stopReason',
    },
    {
      trace: `${WORKS}${CANCEL}\n${MORE2}\n+400ms\n${idle('error')}`,
      at: [10, 11, 12],
      verdict: 'undecidable',
    },
    // Output of a tool call in the background goes on after a cancel.
    {
      trace: `${WORKS}
        agent update s1 tool_call_update {"toolCallId":"t1","title":"Watch"}
        agent update s1 state_update {"state":"running","background":[{"type":"tool_call","toolCallId":"t1"}]}
        ${CANCEL}
        +400ms
        agent update s1 tool_call_update {"toolCallId":"t1","status":"in_progress"}
        agent update s1 state_update {"state":"idle","stopReason":"end_turn","background":[{"type":"tool_call","toolCallId":"t1"}]}`,
      at: [12, 14],
      verdict: 'undecidable',
    },
    { trace: `${WORKS}${CANCEL}\n${idle('end_turn')}`, at: [10, 11], verdict: 'undecidable' },
    {
      trace: `${WORKS}${MORE2}\n${CANCEL}\n${idle('cancelled')}\n${MORE2}`,
      at: [12, 13],
      severity: 'warning',
    },
  ],
  holds: [
    `${WORKS}${CANCEL}\n${MORE2}\n+400ms\n${idle('cancelled')}`,
    // Nothing went on.
    `${WORKS}${idle('end_turn')}\n${CANCEL}\n${idle('end_turn')}`,
    // Another message, or a tool call in the background, is no work that was cancelled.
    `${WORKS}${MORE2}\n${CANCEL}\n${idle('cancelled')}\nagent update s1 agent_message_chunk m2 "c"`,
    `${WORKS}
      agent update s1 tool_call_update {"toolCallId":"t1","title":"Watch"}
      ${CANCEL}
      agent update s1 state_update {"state":"idle","stopReason":"cancelled","background":[{"type":"tool_call","toolCallId":"t1"}]}
      agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}`,
    // claude-agent-acp 0.100.0: a child, where its parent was cancelled.
    `${WORKS}agent update s1 subagent_update {"sessionId":"k1"}
      agent update k1 state_update {"state":"running"}
      agent update k1 tool_call_update {"toolCallId":"t1","title":"ls"}
      ${CANCEL}
      agent update k1 state_update {"state":"idle","stopReason":"cancelled"}
      agent update k1 tool_call_update {"toolCallId":"t1","status":"cancelled"}
      ${idle('cancelled')}`,
  ],
});

const HELD = `${WORKS}
  client →3 session/prompt s1 "Two"
  +300ms
  ${CANCEL}
`;

const SENT = `${V2_SESSION}
  agent update s1 state_update {"state":"idle"}
  client →3 session/prompt s1 "Two"
  +300ms
`;

ruleCase('cancel/held-prompt', {
  breaks: [
    {
      trace: `${HELD}+300ms\nagent ←3 result {"messageId":"u2"}`,
      at: [10, 11, 12],
      edition: 'v2-2.4.0',
    },
    {
      trace: `${HELD}+300ms\nagent ←3 error -32603 Stopped`,
      at: [10, 11, 12],
      pointer: '/error/code',
    },
    {
      trace: `${HELD}agent ←3 result {"messageId":"u2"}`,
      at: [10, 11, 12],
      verdict: 'undecidable',
    },
    {
      trace: `${WORKS}${CANCEL}
        client →3 session/prompt s1 "Two"
        agent ←3 error -32800 Cancelled`,
      at: [10, 11, 12],
      seen: /sent after the cancel #10/,
    },
    // Sent into idle and never echoed: that it failed says that it waited, cancelled or closed.
    {
      trace: `${SENT}${CANCEL}\n+300ms\nagent ←3 error -32603 Stopped`,
      at: [7, 8, 9],
      severity: 'error',
    },
    {
      trace: `${SENT}${CANCEL}\nagent ←3 error -32603 Stopped`,
      at: [7, 8, 9],
      severity: 'warning',
    },
    {
      trace: `${SENT}client →4 session/close s1\n+300ms\nagent ←3 error -32603 Stopped`,
      at: [7, 8, 9],
    },
  ],
  holds: [
    `${SENT}${CANCEL}\n+300ms\nagent ←3 error -32800 Cancelled`,
    // Refused for what it is; or taken in before the cancel, as its echo says.
    `${SENT}${CANCEL}\n+300ms\nagent ←3 error -32602 No images here`,
    `${HELD}+300ms\nagent ←3 error -32602 No images here`,
    `${SENT}agent update s1 user_message u3 "Two"\n${CANCEL}\n+300ms\nagent ←3 error -32603 Stopped`,
    `${HELD}agent ←3 error -32800 Cancelled`,
    `${WORKS}${CANCEL}\nclient →3 session/prompt s1 "Two"\nagent ←3 result {"messageId":"u2"}`,
    `${WORKS}client →3 session/prompt s1 "Two"
      client $/cancel_request {"requestId":3}
      agent ←3 error -32800 Cancelled`,
  ],
});

const ASK =
  'agent →9 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"Run"},"options":[{"optionId":"no","name":"No","kind":"reject_once"}]}';

ruleCase('cancel/unsolicited', {
  breaks: [
    {
      trace: `${PROMPT1}agent ←2 result {"stopReason":"cancelled"}`,
      at: [6, 8],
      severity: 'warning',
    },
    {
      trace: `${PROMPT1}${ASK}
        client ←9 result {"outcome":{"outcome":"selected","optionId":"no"}}
        agent ←2 result {"stopReason":"cancelled"}`,
      at: [6, 10],
      severity: 'hint',
    },
  ],
  holds: [
    `${PROMPT1}${CANCEL}\nagent ←2 result {"stopReason":"cancelled"}`,
    `${PROMPT1}client →3 session/close {"sessionId":"s1"}\nagent ←2 result {"stopReason":"cancelled"}`,
    `${PROMPT1}client →3 session/delete {"sessionId":"s1"}\nagent ←2 result {"stopReason":"cancelled"}`,
    `${PROMPT1}client $/cancel_request {"requestId":2}\nagent ←2 result {"stopReason":"cancelled"}`,
    `${PROMPT1}${ASK}
      client ←9 result {"outcome":{"outcome":"cancelled"}}
      agent ←2 result {"stopReason":"cancelled"}`,
  ],
});

ruleCase('cancel/request-target', {
  breaks: [
    {
      trace: `${PROMPT1}client $/cancel_request {"requestId":77}`,
      at: [8],
      severity: 'warning',
      side: 'client',
      seen: '77, under which the client asked nothing',
    },
    // Ids of the other side, and of the other JSON type, are others.
    { trace: `${PROMPT1}agent $/cancel_request {"requestId":2}`, at: [8], side: 'agent' },
    { trace: `${PROMPT1}client $/cancel_request {"requestId":"2"}`, at: [8] },
    { trace: `${PROMPT1}client $/cancel_request {"requestId":1}`, at: [5, 8], severity: 'hint' },
    {
      trace: `${PROMPT1}gap 2 the disk was full\nclient $/cancel_request {"requestId":77}`,
      at: [9],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${PROMPT1}client $/cancel_request {"requestId":2}`,
    `${PROMPT1}${ASK}\nagent $/cancel_request {"requestId":9}`,
    // It crossed the answer.
    `${PROMPT1}agent ←2 result {"stopReason":"end_turn"}\nclient $/cancel_request {"requestId":2}`,
  ],
});

const WITHDRAWN = `${PROMPT1}
  agent →9 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t"},"options":[]}
  agent $/cancel_request {"requestId":9}
  agent ←2 result {"stopReason":"end_turn"}
`;

ruleCase('cancel/request-unanswered', {
  breaks: [
    {
      trace: `${PROMPT1}client $/cancel_request {"requestId":2}
        client →3 session/list {}
        agent ←3 result {"sessions":[]}`,
      at: [6, 8],
      side: 'agent',
      severity: 'error',
    },
    { trace: `${PROMPT1}client $/cancel_request {"requestId":2}\n+40000ms\nexit 0`, at: [6, 8] },
    {
      trace: `${PROMPT1}client $/cancel_request {"requestId":2}`,
      at: [6, 8],
      verdict: 'undecidable',
    },
    // The client goes on, and never answers what the agent withdrew.
    {
      trace: `${WITHDRAWN}
        client →3 session/prompt s1 "Two"
        agent ←3 result {"stopReason":"end_turn"}`,
      at: [8, 9],
      side: 'client',
      severity: 'error',
      seen: /the turn of #11, sent later, ended/,
    },
    {
      trace: `${WITHDRAWN}\n+40000ms\nclient →3 session/list {}`,
      at: [8, 9],
      side: 'client',
      seen: /the client sent #11 40 s later/,
    },
    { trace: WITHDRAWN, at: [8, 9], side: 'client', verdict: 'undecidable' },
    {
      trace: `${PROMPT1}agent →9 fs/read_text_file {"sessionId":"s1","path":"/w/a"}
        agent $/cancel_request {"requestId":9}
        agent ←2 result {"stopReason":"end_turn"}
        client →3 session/prompt s1 "Two"
        agent ←3 result {"stopReason":"end_turn"}`,
      at: [8, 9],
      side: 'client',
      seen: /the turn of #11, sent later, ended/,
    },
    // A command may run on, if the client does not know `$/cancel_request`.
    {
      trace: `${PROMPT1}agent →9 terminal/wait_for_exit {"sessionId":"s1","terminalId":"x"}
        agent $/cancel_request {"requestId":9}
        +40000ms
        client →3 session/list {}`,
      at: [8, 9],
      side: 'client',
      verdict: 'undecidable',
    },
  ],
  holds: `${PROMPT1}client $/cancel_request {"requestId":2}\nagent ←2 result {"stopReason":"cancelled"}`,
});

const READ = 'agent →9 fs/read_text_file {"sessionId":"s1","path":"/w/a"}';

ruleCase('cancel/stop-sending', {
  breaks: {
    trace: `${PROMPT1}${READ}\n${CANCEL}\n+40000ms\nexit 0`,
    at: [8, 9],
    side: 'client',
    severity: 'warning',
  },
  holds: [
    `${PROMPT1}${READ}\n${CANCEL}\nclient ←9 result {"content":""}`,
    `${PROMPT1}${READ}\n${CANCEL}`,
  ],
});

test('a client that goes after a cancel is told of once, though every request is to be answered', () => {
  const rulesOf = (picture: string) =>
    checkTrace(draw(picture))
      .findings.filter(({ verdict }) => verdict === 'fail')
      .map(({ rule, severity }) => `${rule} ${severity}`)
      .filter((one) => /stop-sending|response-missing/.test(one));
  const silent = '\n+40000ms\nexit 0';
  expect(rulesOf(`${PROMPT1}${READ}\n${CANCEL}${silent}`)).toEqual(['cancel/stop-sending warning']);
  expect(rulesOf(`${PROMPT1}${READ}${silent}`)).toEqual(['rpc/response-missing warning']);
  // A later request was answered: the cancel, turns later, has no part in it.
  const later = `${READ.replaceAll('→9', '→8')}\nclient ←8 result {"content":""}`;
  expect(rulesOf(`${PROMPT1}${READ}\n${later}\n${CANCEL}`)).toEqual([
    'rpc/response-missing warning',
  ]);
});
