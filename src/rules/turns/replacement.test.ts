import { ruleCase, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';

const PROMPT = 'client →2 session/prompt s1 "Grüße"\n';

ruleCase('content/replacement', {
  breaks: [
    {
      trace: `${V1_SESSION}${PROMPT}agent update s1 agent_message_chunk "Gr\ufffd\ufffde" "a \ufffd"`,
      at: [7],
      side: 'agent',
      severity: 'hint',
      seen: 'U+FFFD in “Gr\ufffd\ufffde”, which the client has not sent',
    },
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "Gr\ufffd\ufffde"`,
      at: [6],
      side: 'client',
      severity: 'hint',
    },
    // The agent repeats what the client sent.
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "Is it \ufffd?"\nagent update s1 agent_message_chunk "\ufffd"`,
      at: [6],
    },
    // A character was cut between two chunks.
    {
      trace: `${V2_SESSION}agent update s1 agent_message_chunk m1 "\ufffd" "a"
        agent update s1 agent_message_chunk m1 "b\ufffd" "\ufffdc"`,
      at: [8, 9, 6],
      severity: 'warning',
    },
  ],
  holds: [
    `${V1_SESSION}${PROMPT}agent update s1 agent_message_chunk "Grüße" "😀"`,
    // The agent repeats what a tool read.
    `${V1_SESSION}agent →9 fs/read_text_file {"sessionId":"s1","path":"/w/a"}
      client ←9 result {"content":"\ufffd"}
      agent update s1 agent_message_chunk "The file has \ufffd"`,
    `${V1_SESSION}
      agent update s1 tool_call {"toolCallId":"t","title":"Read","content":[{"type":"content","content":{"type":"text","text":"\ufffd"}}]}
      agent update s1 agent_message_chunk "The file has \ufffd" "\ufffd"`,
  ],
});
