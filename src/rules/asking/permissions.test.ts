import { ruleCase, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';

const OPTIONS =
  '[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]';
const ask1 = (call: string, options = OPTIONS) =>
  `agent →9 session/request_permission {"sessionId":"s1","toolCall":${call},"options":${options}}`;
const ask2 = (subject: string, options = OPTIONS) =>
  `agent →9 session/request_permission {"sessionId":"s1","title":"Run?","subject":${subject},"options":${options}}`;
const chosen = (id: string) =>
  `client ←9 result {"outcome":{"outcome":"selected","optionId":"${id}"}}`;
const CANCELLED = 'client ←9 result {"outcome":{"outcome":"cancelled"}}';

const TOOL1 = 'agent update s1 tool_call {"toolCallId":"t1","title":"Run","status":"pending"}';
const ASKED1 = `${V1_SESSION}
  client →2 session/prompt s1 "One"
  ${TOOL1}
  ${ask1('{"toolCallId":"t1"}')}
`;
const TOOL2 = '{"type":"tool_call","toolCall":{"toolCallId":"t1","title":"Run"}}';
const ASKED2 = `${V2_SESSION}
  client →2 session/prompt s1 "One"
  agent ←2 result {"messageId":"u1"}
  agent update s1 user_message u1 "One"
  agent update s1 state_update {"state":"running"}
  ${ask2(TOOL2)}
`;
const becomes = (status: string) =>
  `agent update s1 tool_call_update {"toolCallId":"t1","status":"${status}"}`;
const IDLE = 'agent update s1 state_update {"state":"idle","stopReason":"cancelled"}';

ruleCase('perm/options', {
  breaks: [
    {
      trace: `${V2_SESSION}${ask2(TOOL2, '[]')}`,
      at: [6],
      pointer: '/params/options',
      severity: 'error',
    },
    {
      trace: `${V1_SESSION}${ask1('{"toolCallId":"t1"}', OPTIONS.replace('"no"', '"yes"'))}`,
      at: [6],
      seen: 'the id "yes" twice',
      severity: 'warning',
    },
  ],
  holds: [ASKED1, ASKED2],
});

ruleCase('perm/unknown-option', {
  breaks: {
    trace: `${ASKED1}${chosen('maybe')}`,
    at: [8, 9],
    side: 'client',
    seen: '"maybe"; offered: "yes", "no"',
    pointer: '/result/outcome/optionId',
  },
  holds: [`${ASKED1}${chosen('no')}`, `${ASKED2}${CANCELLED}`],
});

const END_TURN = 'agent ←2 result {"stopReason":"end_turn"}';
const NEXT = `client →3 session/prompt s1 "Two"
  agent ←3 result {"stopReason":"end_turn"}`;

ruleCase('perm/cancelled-alone', {
  breaks: [
    {
      trace: `${ASKED1}${CANCELLED}\n${END_TURN}`,
      at: [8, 9, 10],
      side: 'client',
      severity: 'warning',
      pointer: '/result/outcome',
    },
    // The turn before was cancelled.
    {
      trace: `${V1_SESSION}client →1 session/prompt s1 "Zero"
        client session/cancel s1
        agent ←1 result {"stopReason":"cancelled"}
        client →2 session/prompt s1 "One"
        ${ask1('{"toolCallId":"t1"}')}
        ${CANCELLED}
        ${END_TURN}`,
      at: [10, 11, 12],
    },
  ],
  holds: [
    `${ASKED1}${chosen('no')}\n${END_TURN}`,
    `${ASKED1}client session/cancel s1\n${CANCELLED}\nagent ←2 result {"stopReason":"cancelled"}`,
    // The client cancels after its response.
    `${ASKED1}${CANCELLED}\nclient session/cancel s1\nagent ←2 result {"stopReason":"cancelled"}`,
    `${ASKED1}${CANCELLED}\nclient $/cancel_request {"requestId":2}\nagent ←2 error -32800 Cancelled`,
    `${ASKED1}client $/cancel_request {"requestId":2}\n${CANCELLED}\nagent ←2 error -32800 Cancelled`,
    `${ASKED1}agent $/cancel_request {"requestId":9}\n${CANCELLED}\n${END_TURN}`,
    // Nothing to reject with.
    `${V1_SESSION}client →2 session/prompt s1 "One"
      ${ask1('{"toolCallId":"t1"}', '[{"optionId":"yes","name":"Yes","kind":"allow_once"}]')}
      ${CANCELLED}\n${END_TURN}`,
    // The turn goes on: the client may be about to cancel.
    `${ASKED1}${CANCELLED}`,
    `${ASKED1}${CANCELLED}\ngap 1 lost\n${END_TURN}`,
    // v2 says so of a dismissed question, too.
    `${ASKED2}${CANCELLED}\nagent update s1 state_update {"state":"idle","stopReason":"end_turn"}`,
  ],
});

ruleCase('perm/left-waiting', {
  breaks: [
    {
      trace: `${ASKED1}${END_TURN}\n${NEXT}`,
      at: [8, 9],
      side: 'agent',
      severity: 'warning',
      seen: /#9 ends the turn while #8 waits, and the next turn \(#10\) ended too/,
    },
    { trace: `${ASKED1}${END_TURN}\n+31000ms\nstderr idle`, at: [8, 9], seen: /30 s/ },
  ],
  holds: [
    `${ASKED1}${chosen('yes')}\n${END_TURN}\n${NEXT}`,
    // The client may have answered by now.
    `${ASKED1}${END_TURN}`,
    `${ASKED1}${END_TURN}\n${chosen('yes')}\n${NEXT}`,
    `${ASKED1}agent $/cancel_request {"requestId":9}\n${END_TURN}\n${NEXT}`,
    // The client cancelled: it has to answer.
    `${ASKED1}client session/cancel s1\nagent ←2 result {"stopReason":"cancelled"}\n${NEXT}`,
    // Another turn still runs, which may have asked.
    `${ASKED1}client →4 session/prompt s1 "Two"\n${END_TURN}`,
    // Background work asks between turns.
    `${V1_SESSION}client →2 session/prompt s1 "One"\n${END_TURN}\n${ask1('{"toolCallId":"t1"}')}\n${NEXT}`,
  ],
});

ruleCase('perm/answer-after-cancel', {
  breaks: [
    {
      trace: `${ASKED1}client session/cancel s1\n${chosen('yes')}`,
      at: [8, 9, 10],
      side: 'client',
    },
    {
      trace: `${ASKED1}client session/cancel s1\nclient ←9 error -32800 Cancelled`,
      at: [8, 9, 10],
      severity: 'hint',
    },
    { trace: `${ASKED1}client session/cancel s1`, at: [8, 9], verdict: 'undecidable' },
    { trace: `${ASKED1}client session/cancel s1\n+40000ms\nexit 0`, at: [8, 9] },
    {
      trace: `${ASKED1}client session/cancel s1
        agent ←2 result {"stopReason":"cancelled"}
        client →3 session/prompt s1 "Two"`,
      at: [8, 9],
      seen: /#11 is the next prompt/,
    },
    {
      trace: `${ASKED1}client session/cancel s1
        agent ←2 result {"stopReason":"cancelled"}
        client →3 session/prompt s1 "Two"
        agent ←3 result {"stopReason":"end_turn"}`,
      at: [8, 9],
      seen: /#11 is the next prompt/,
    },
  ],
  holds: [
    `${ASKED1}client session/cancel s1\n${CANCELLED}`,
    `${ASKED1}${chosen('yes')}\nclient session/cancel s1`,
  ],
});

ruleCase('perm/withdrawn-answer', {
  breaks: [
    {
      trace: `${ASKED2}agent $/cancel_request {"requestId":9}\n+300ms\n${chosen('yes')}`,
      at: [10, 11, 12],
      side: 'client',
      severity: 'error',
      edition: 'v2-2.4.0',
    },
    {
      trace: `${ASKED2}agent $/cancel_request {"requestId":9}\nclient ←9 error -32800 Cancelled`,
      at: [10, 11, 12],
      severity: 'warning',
      edition: 'v2-2.4.0',
    },
    {
      trace: `${ASKED2}agent $/cancel_request {"requestId":9}\n${chosen('yes')}`,
      at: [10, 11, 12],
      verdict: 'undecidable',
      edition: 'v2-2.4.0',
    },
  ],
  holds: [
    `${ASKED2}agent $/cancel_request {"requestId":9}\n${CANCELLED}`,
    `${ASKED2}${chosen('yes')}\nagent $/cancel_request {"requestId":9}`,
  ],
});

ruleCase('perm/withdraw-missing', {
  breaks: {
    trace: `${ASKED2}client session/cancel s1\n${IDLE}`,
    at: [10, 11, 12],
    severity: 'warning',
    edition: 'v2-2.4.0',
  },
  holds: [
    `${ASKED2}client session/cancel s1\nagent $/cancel_request {"requestId":9}\n${IDLE}`,
    // The client was quicker.
    `${ASKED2}client session/cancel s1\n${CANCELLED}\n${IDLE}`,
    // Background work is not cancelled, so its question stands.
    `${ASKED2}
      agent update s1 state_update {"state":"running","background":[{"type":"tool_call","toolCallId":"t1"}]}
      client session/cancel s1
      agent update s1 state_update {"state":"idle","stopReason":"cancelled","background":[{"type":"tool_call","toolCallId":"t1"}]}`,
  ],
});

ruleCase('perm/proceed-anyway', {
  breaks: [
    {
      trace: `${ASKED2}${CANCELLED}\n${becomes('in_progress')}\n${becomes('completed')}`,
      at: [10, 11, 12, 13],
      severity: 'error',
      seen: '"t1" is completed, though the question was cancelled',
    },
    {
      trace: `${ASKED2}${chosen('no')}\n${becomes('in_progress')}`,
      at: [10, 11, 12],
      verdict: 'undecidable',
    },
    {
      trace: `${ASKED2}${chosen('maybe')}\n${becomes('completed')}`,
      at: [10, 11, 12],
      severity: 'error',
    },
    {
      trace: `${ASKED2}client ←9 result {"outcome":{"outcome":"deferred"}}\n${becomes('completed')}`,
      at: [10, 11, 12],
      severity: 'error',
    },
    {
      trace: `${ASKED2}${chosen('no')}\n${becomes('completed')}`,
      at: [10, 11, 12],
      severity: 'warning',
    },
    {
      trace: `${ASKED1}${CANCELLED}\n${becomes('completed')}`,
      at: [8, 9, 10],
      severity: 'warning',
    },
    // Nobody was waited for.
    {
      trace: `${ASKED1}${becomes('completed')}\n${chosen('yes')}`,
      at: [8, 9],
      seen: '"t1" is completed, though #8 asks whether it may run',
      pointer: '/params/update/status',
      severity: 'warning',
    },
    {
      trace: `${V2_SESSION}agent update s1 tool_call_update {"toolCallId":"t1","title":"Run","status":"completed"}\n${ask2(TOOL2)}`,
      at: [6, 7],
      seen: 'asks whether "t1" may run, which was completed in #6',
    },
  ],
  holds: [
    // Taken back, or part of it is missing.
    `${ASKED2}agent $/cancel_request {"requestId":9}\n${becomes('completed')}`,
    `${ASKED1}agent $/cancel_request {"requestId":9}\nclient ←9 error -32800 Cancelled\n${becomes('completed')}`,
    `${ASKED1}gap 3 the disk was full\n${becomes('completed')}`,
    `${ASKED2}${chosen('yes')}\n${becomes('in_progress')}\n${becomes('completed')}`,
    `${ASKED2}${chosen('no')}\n${becomes('failed')}`,
    // It was about to run when it was asked about.
    `${ASKED1}${chosen('no')}\n${becomes('in_progress')}\n${becomes('failed')}`,
    // Asked anew, and allowed.
    `${ASKED1}${chosen('no')}\n${ask1('{"toolCallId":"t1"}')}\n${chosen('yes')}\n${becomes('completed')}`,
    // It ran before it asked, and the report is told again.
    `${V1_SESSION}
      ${TOOL1}
      ${becomes('in_progress')}
      ${ask1('{"toolCallId":"t1"}')}
      ${chosen('no')}
      ${becomes('in_progress')}
      ${becomes('failed')}`,
  ],
});

const LATE = `${ASKED2}
  client session/cancel s1
  ${IDLE}
  ${CANCELLED}
`;

ruleCase('perm/late-resume', {
  breaks: [
    {
      trace: `${LATE}agent update s1 state_update {"state":"running"}`,
      at: [10, 13, 14],
      severity: 'warning',
    },
    {
      trace: `${ASKED2}${IDLE.replace('cancelled', 'end_turn')}
        ${chosen('yes')}
        agent update s1 state_update {"state":"running"}`,
      at: [10, 12, 13],
      severity: 'hint',
    },
  ],
  holds: [
    `${LATE}${IDLE}`,
    `${LATE}client →3 session/prompt s1 "Two"\nagent update s1 state_update {"state":"running"}`,
    `${ASKED2}${chosen('yes')}\nagent update s1 state_update {"state":"running"}`,
  ],
});

ruleCase('perm/unknown-tool', {
  breaks: {
    trace: `${V1_SESSION}${ask1('{"toolCallId":"t9"}')}`,
    at: [6],
    severity: 'hint',
    pointer: '/params/toolCall/toolCallId',
  },
  holds: [ASKED1, `${V1_SESSION}${ask1('{"toolCallId":"t9","title":"Run"}')}`],
});

ruleCase('perm/title-pollution', {
  breaks: {
    trace: `${V1_SESSION}
      ${TOOL1}
      ${ask1('{"toolCallId":"t1","title":"May I run this?"}')}
      ${chosen('yes')}
      agent update s1 tool_call_update {"toolCallId":"t1","title":"Run"}`,
    at: [7, 9],
    severity: 'hint',
    seen: '"Run" again, after "May I run this?" in the request',
  },
  holds: [
    // The request is an update of the tool call, so it may give it a better title.
    `${V1_SESSION}
      ${TOOL1}
      ${ask1('{"toolCallId":"t1","title":"Run ls"}')}
      ${chosen('yes')}
      agent update s1 tool_call_update {"toolCallId":"t1","title":"Run ls"}`,
    ASKED1,
  ],
});
