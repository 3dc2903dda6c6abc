import { ruleCase, V2_SESSION } from '../../test/traces/rule-case.ts';

const WORK = `${V2_SESSION}
  agent update s1 tool_call_update {"toolCallId":"t1","title":"x","status":"in_progress","capabilities":{"cancel":{}}}
  agent update s1 terminal_update {"terminalId":"x1","command":"ls","capabilities":{"cancel":{}}}
`;
const CANCEL = `
  client →2 tool_call/cancel {"sessionId":"s1","toolCallId":"t1"}
  agent ←2 result {}
`;
const CANCELLED =
  'agent update s1 tool_call_update {"toolCallId":"t1","status":"cancelled","capabilities":null}';

ruleCase('tool/cancel-confirm', {
  breaks: [
    {
      trace: `${WORK}${CANCEL}`,
      at: [8, 9],
      verdict: 'undecidable',
      seen: 'no final status of the tool call "t1" after it was accepted, and the trace ends',
      side: 'agent',
    },
    {
      trace: `${WORK}${CANCEL}\n+31000ms\nagent update s1 session_info_update {"title":"Still here"}`,
      at: [8, 9],
      seen: 'no final status of the tool call "t1" after it was accepted, 31 s long',
    },
    {
      trace: `${WORK}${CANCEL}
        client →3 session/close {"sessionId":"s1"}
        agent ←3 result {}`,
      at: [8, 9],
      seen: /until the session was closed/,
    },
    {
      trace: `${WORK}
        client →2 terminal/cancel {"sessionId":"s1","terminalId":"x1"}
        agent ←2 result {}`,
      at: [8, 9],
      verdict: 'undecidable',
      seen: /no `exitStatus` of the terminal "x1"/,
    },
    {
      trace: `${V2_SESSION}
        client →2 tool_call/cancel {"sessionId":"s1","toolCallId":"t9"}
        agent ←2 error -32601 Method not found`,
      at: [6, 7],
      seen: 'the code -32601 for the unknown tool call "t9"',
      pointer: '/error/code',
    },
    {
      trace: `${WORK}${CANCELLED}${CANCEL}`,
      at: [9, 10],
      seen: 'a result for the ended tool call "t1"',
    },
  ],
  holds: [
    `${WORK}${CANCEL}${CANCELLED}`,
    `${WORK}${CANCELLED}
      client →2 tool_call/cancel {"sessionId":"s1","toolCallId":"t1"}
      agent ←2 error -32602 It is over`,
    // It ended while the request was on its way to an answer.
    `${WORK}
      client →2 terminal/cancel {"sessionId":"s1","terminalId":"x1"}
      agent update s1 terminal_update {"terminalId":"x1","exitStatus":{"signal":"SIGTERM"},"capabilities":null}
      agent ←2 result {}`,
  ],
});

ruleCase('tool/cap-after-final', {
  breaks: [
    {
      trace: `${WORK}agent update s1 tool_call_update {"toolCallId":"t1","status":"completed","capabilities":{"cancel":{}}}
        agent update s1 terminal_update {"terminalId":"x1","capabilities":null}`,
      at: [8],
      seen: '`capabilities.cancel` with the status completed',
    },
    {
      trace: `${WORK}agent update s1 terminal_update {"terminalId":"x1","exitStatus":{}}
        agent update s1 tool_call_update {"toolCallId":"t1","title":"y"}`,
      at: [8],
      seen: '"x1" has ended, and may still be cancelled',
      side: 'agent',
    },
  ],
  holds: [
    `${WORK}${CANCELLED}`,
    // It may still be taken back.
    `${WORK}agent update s1 tool_call_update {"toolCallId":"t1","status":"completed"}`,
  ],
});
