import { ruleCase, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';

const LOAD = 'client →8 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}';

ruleCase('message/id-reopened', {
  breaks: [
    {
      trace: `${V1_SESSION}
        agent update s1 agent_message_chunk m1 "a"
        agent update s1 agent_message_chunk m2 "b"
        agent update s1 agent_message_chunk m1 "c" ×2`,
      at: [6, 7, 8],
      severity: 'hint',
    },
    // A replay told it, and another after it.
    {
      trace: `${V1_SESSION}
        ${LOAD}
        agent update s1 agent_message_chunk m1 "a"
        agent update s1 agent_message_chunk m2 "b"
        agent ←8 result {}
        client →9 session/prompt s1 "Two"
        agent update s1 agent_message_chunk m1 "a"`,
      at: [7, 8, 11],
      severity: 'hint',
    },
  ],
  holds: [
    // It was not over when the replay was.
    `${V1_SESSION}
      ${LOAD}
      agent update s1 agent_message_chunk m1 "a"
      agent ←8 result {}
      client →9 session/prompt s1 "Two"
      agent update s1 agent_message_chunk m1 "b"`,
    `${V1_SESSION}
      agent update s1 agent_message_chunk m1 "a" ×2
      agent update s1 agent_message_chunk m2 "b"`,
    // A replay tells the same ids again; so does the next one.
    `${V1_SESSION}
      client →2 session/prompt s1 "One"
      agent update s1 agent_message_chunk m1 "a"
      agent update s1 agent_message_chunk m2 "b"
      agent ←2 result {"stopReason":"end_turn"}
      ${LOAD}
      agent update s1 agent_message_chunk m1 "a"
      agent update s1 agent_message_chunk m2 "b"
      agent ←8 result {}
      ${LOAD}
      agent update s1 agent_message_chunk m1 "a"
      agent update s1 agent_message_chunk m2 "b"`,
  ],
});

ruleCase('message/mixed-ids', {
  breaks: [
    {
      trace: `${V1_SESSION}
        agent update s1 agent_message_chunk m1 "a"
        agent update s1 agent_message_chunk "b" "c"`,
      at: [6, 7],
      seen: 'a `agent_message_chunk` without `messageId` after one with',
      severity: 'hint',
    },
    {
      trace: `${V1_SESSION}
        agent update s1 agent_message_chunk "b"
        agent update s1 agent_message_chunk m1 "a"`,
      at: [6, 7],
      seen: /with `messageId` after one without/,
    },
  ],
  holds: [
    `${V1_SESSION}
      agent update s1 user_message_chunk "q"
      agent update s1 agent_message_chunk m1 "a" ×2`,
    // What a replay leaves out is for another rule.
    `${V1_SESSION}
      client →2 session/prompt s1 "One"
      agent update s1 agent_message_chunk m1 "a"
      agent ←2 result {"stopReason":"end_turn"}
      ${LOAD}
      agent update s1 agent_message_chunk "a"`,
  ],
});

const USED = (rest: string) => `agent update s1 usage_update {"used":1,"size":9,"cost":${rest}}`;

ruleCase('usage/range', {
  breaks: [
    {
      trace: `${V2_SESSION}agent update s1 usage_update {"used":10,"size":9}`,
      at: [6],
      seen: '`used` is 10, more than `size`, 9',
      severity: 'hint',
    },
    {
      trace: `${V1_SESSION}${USED('{"amount":2,"currency":"USD"}')}\n${USED('{"amount":1,"currency":"USD"}')}`,
      at: [6, 7],
      seen: 'a cost of 1 after 2',
    },
    {
      trace: `${V1_SESSION}${USED('{"amount":2,"currency":"USD"}')}\n${USED('{"amount":3,"currency":"EUR"}')}`,
      at: [6, 7],
      seen: '"EUR" after "USD"',
    },
  ],
  holds: [
    `${V1_SESSION}${USED('{"amount":2,"currency":"USD"}')}\n${USED('{"amount":2,"currency":"USD"}')}`,
    `${V2_SESSION}${USED('{"amount":2,"currency":"USD"}')}\n${USED('null')}\n${USED('{"amount":1,"currency":"EUR"}')}`,
    `${V1_SESSION}${USED('7')}\n${USED('{"amount":"x"}')}`,
  ],
});

const chunks = (...texts: readonly string[]) =>
  texts.map((text) => `agent update s1 agent_message_chunk m1 "${text}"`).join('\n');

ruleCase('message/told-again', {
  breaks: [
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "Do"
        ${chunks('I will read ', 'the file now.', 'I will read the file now.')}`,
      at: [7, 9],
      seen: 'all of the message again',
      pointer: '/params/update/content/text',
      severity: 'warning',
    },
    // Chunks without an id, and all of them again with one.
    {
      trace: `${V1_SESSION}${chunks('I will read ', 'the file now.').replaceAll('m1 ', '')}
        ${chunks('I will read the file now.')}`,
      at: [6, 8],
      seen: 'all of the message again',
    },
    // Everything so far each time.
    {
      trace: `${V2_SESSION}${chunks('I will re', 'I will read it', 'I will read it now')}`,
      at: [6, 8],
      seen: 'all of the chunk before and more',
    },
  ],
  holds: [
    `${V1_SESSION}${chunks('I will ', 'read. ', 'I will ', 'read it.')}`,
    // Another message, and another turn.
    `${V1_SESSION}${chunks('I will read ', 'the file now.')}
      agent update s1 tool_call {"toolCallId":"t1","title":"T","status":"completed"}
      ${chunks('I will read the file now.')}`,
    `${V1_SESSION}${chunks('I will read ', 'the file now.').replaceAll('m1 ', '')}
      client →2 session/prompt s1 "Again"
      ${chunks('I will read the file now.').replaceAll('m1 ', '')}`,
    // Two messages of the same words, and one of other words.
    `${V1_SESSION}${chunks('I will read ', 'the file now.')}
      ${chunks('I will read the file now.').replaceAll('m1 ', 'm2 ')}`,
    `${V1_SESSION}${chunks('I will read ', 'the file now.').replaceAll('m1 ', '')}
      ${chunks('I will read the file now, too.')}`,
    `${V1_SESSION}${chunks('I will read the file now.').replaceAll('m1 ', '')}
      ${chunks('I will read the file now.')}`,
    // A line that is longer than the one before.
    `${V1_SESSION}${chunks('----------', '------------', 'x')}`,
  ],
});
