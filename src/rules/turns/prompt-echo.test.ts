import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { ruleCase, V2_SESSION } from '../../test/traces/rule-case.ts';
import { checkTrace } from '../check-trace.ts';
import { loadRemarks } from '../steps.ts';

const PROMPT = `${V2_SESSION}
  client →2 session/prompt s1 "One"
`;
const RUNNING = 'agent update s1 state_update {"state":"running"}';
const IDLE = 'agent update s1 state_update {"state":"idle","stopReason":"end_turn"}';
const WHOLE = `${PROMPT}
  agent update s1 user_message u1 "One"
  agent ←2 result {"messageId":"u1"}
  ${RUNNING}
  ${IDLE}
`;
/** Two prompts, the second one sent while the first one works. */
const QUEUED = `${PROMPT}
  agent ←2 result {"messageId":"u1"}
  agent update s1 user_message u1 "One"
  ${RUNNING}
  client →3 session/prompt s1 "Two"
  agent ←3 result {"messageId":"u2"}
`;

ruleCase('prompt/receipt-id', {
  breaks: {
    trace: `${WHOLE}
      client →3 session/prompt s1 "Two"
      agent ←3 result {"messageId":"u1"}`,
    at: [8, 12],
    pointer: '/result/messageId',
  },
  holds: `${WHOLE}
    client →3 session/prompt s1 "Two"
    agent ←3 result {"messageId":"u2"}`,
});

ruleCase('prompt/echo-missing', {
  breaks: [
    {
      trace: `${PROMPT}
        agent ←2 result {"messageId":"u1"}
        ${RUNNING}
        ${IDLE}`,
      at: [6, 7, 9],
      seen: 'no user message "u1" until the work ended',
    },
    {
      trace: `${PROMPT}agent ←2 result {"messageId":"u1"}`,
      at: [6, 7],
      verdict: 'undecidable',
    },
    // An idle state that ends nothing comes first: the one that says why work ended is the end.
    {
      trace: `${PROMPT}
        agent ←2 result {"messageId":"u1"}
        agent update s1 state_update {"state":"idle"}
        ${IDLE}`,
      at: [6, 7, 9],
    },
    { trace: `${QUEUED}${IDLE}\n${RUNNING}\n${IDLE}`, at: [10, 11, 14] },
  ],
  holds: [
    WHOLE,
    `${PROMPT}
      agent ←2 result {"messageId":"u1"}
      agent update s1 state_update {"state":"idle"}
      agent update s1 user_message u1 "One"
      ${IDLE}`,
    // The answer may come first.
    `${PROMPT}
      agent ←2 result {"messageId":"u1"}
      ${RUNNING}
      agent update s1 user_message_chunk u1 "One"
      ${IDLE}`,
    // The work that ends is that of the prompt before.
    `${QUEUED}${IDLE}
      agent update s1 user_message u2 "Two"
      ${RUNNING}
      ${IDLE}`,
    `${PROMPT}agent ←2 error -32602 No`,
  ],
});

ruleCase('prompt/echo-id-mismatch', {
  breaks: [
    {
      trace: `${PROMPT}
        agent update s1 user_message u9 "One"
        agent ←2 result {"messageId":"u1"}
        ${RUNNING}
        ${IDLE}`,
      at: [7, 8],
      seen: 'the message "u9" for the answer’s "u1"',
    },
    {
      trace: `${PROMPT}
        agent ←2 result {"messageId":"u1"}
        agent update s1 user_message u9 "One"
        ${RUNNING}
        ${IDLE}`,
      at: [7, 8],
    },
  ],
  holds: [
    WHOLE,
    // Another message as well, whosever it is.
    `${PROMPT}
      agent update s1 user_message u9 "Aside"
      agent update s1 user_message u1 "One"
      agent ←2 result {"messageId":"u1"}
      ${RUNNING}
      ${IDLE}`,
    `${PROMPT}
      agent ←2 result {}
      agent update s1 user_message u9 "One"
      ${RUNNING}
      ${IDLE}`,
  ],
});

ruleCase('prompt/echo-content', {
  breaks: {
    trace: WHOLE.replace('user_message u1 "One"', 'user_message u1 "Eins"'),
    at: [6, 7],
    severity: 'hint',
    seen: '"Eins" is shown for "One"',
  },
  holds: [
    WHOLE,
    `${PROMPT}
      agent update s1 user_message_chunk u1 "O" "ne"
      agent ←2 result {"messageId":"u1"}
      ${RUNNING}
      ${IDLE}`,
  ],
});

ruleCase('prompt/error-after-insert', {
  breaks: {
    trace: `${PROMPT}
      agent update s1 user_message u1 "One"
      agent ←2 error -32603 Broken`,
    at: [7, 8],
    pointer: '/error',
    edition: 'v2-2.4.0',
  },
  holds: [
    WHOLE,
    `${PROMPT}agent ←2 error -32603 Broken`,
    // The message may be that of the first one.
    `${PROMPT}
      client →3 session/prompt s1 "Two"
      agent update s1 user_message u1 "One"
      agent ←3 error -32800 Cancelled`,
  ],
  edition: 'v2-2.4.0',
});

test('of work that ended before its prompt was answered, no end is awaited', async () => {
  const trace = `${PROMPT}${IDLE}\nagent ←2 result {"messageId":"u1"}`;
  const { findings } = checkTrace(draw(trace), { remarksOf: await loadRemarks() });
  const found = findings.find(({ rule }) => rule === 'prompt/echo-missing');
  expect(found).toMatchObject({ verdict: 'undecidable', seqs: [6, 8] });
  expect(JSON.stringify(found)).toContain('the work ended in #7, before the answer');
});
