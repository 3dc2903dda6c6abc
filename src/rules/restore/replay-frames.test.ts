import {
  LOAD,
  START,
  IDLE,
  LIVED,
  loaded,
  USER,
  TOOL,
  ANSWER,
  WHOLE,
  LIVED_V2,
  resumed,
  U1,
  A1,
} from '../../test/traces/restored-turns.ts';
import { ruleCase, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';

ruleCase('replay/after-response', {
  breaks: [
    {
      trace: [LIVED, `${loaded()}${USER}\n${TOOL}\n${ANSWER}`],
      at: [6, 7, 8],
      severity: 'error',
      seen: /the prompt "Mend the roof" \(c1#6\) after #4 was answered/,
    },
    { trace: [LIVED_V2, `${resumed()}${A1}`], at: [7], severity: 'error' },
    { trace: `${loaded()}${USER}`, at: [6], severity: 'warning', seen: /^a user message after #4/ },
    { trace: `${loaded()}${ANSWER}`, at: [6], verdict: 'undecidable' },
  ],
  holds: [
    [LIVED, loaded(...WHOLE)],
    // Background work goes on, and a fork owes no replay.
    [
      LIVED_V2,
      `${resumed(U1)}agent update s1 state_update {"state":"running"}\nagent update s1 agent_message_chunk a9 "By myself"`,
    ],
    `${V1_SESSION}client →2 session/fork s1\nagent ←2 result {"sessionId":"s2"}\nagent update s2 user_message_chunk "x"`,
  ],
});

ruleCase('replay/chunks-without-reset', {
  breaks: {
    trace: resumed('agent update s1 agent_message_chunk a1 "It is " "mended."'),
    at: [5],
    severity: 'error',
  },
  holds: [
    resumed(
      'agent update s1 agent_message a1 {"content":[]}',
      'agent update s1 agent_message_chunk a1 "It is " "mended."',
    ),
    `${V2_SESSION}
      client →2 session/prompt s1 "go"
      client →3 session/resume ${START}
      agent update s1 agent_message_chunk a1 "live"
      ${IDLE}
      agent ←3 result {}`,
  ],
});

const NOTICED = `${V1_SESSION}agent update s1 notice {"severity":"info","title":"Rate limit near"}`;
ruleCase('replay/notice', {
  breaks: {
    trace: [
      NOTICED,
      loaded('agent update s1 notice {"severity":"info","title":"Rate limit near"}'),
    ],
    at: [5],
    seen: '"Rate limit near" is told again',
  },
  holds: [[NOTICED, loaded('agent update s1 notice {"severity":"info","title":"Loaded"}')]],
});

ruleCase('replay/compaction-transient', {
  breaks: {
    trace: resumed(
      'agent update s1 compaction_update {"compactionId":"k","status":"in_progress"}',
      'agent update s1 compaction_summary_chunk {"compactionId":"k","content":{"type":"text","text":"x"}}',
    ),
    at: [5, 6],
  },
  holds: resumed(
    'agent update s1 compaction_update {"compactionId":"k","status":"completed","summary":[]}',
  ),
});

ruleCase('replay/interactive-request', {
  breaks: [
    {
      trace: loaded('agent →7 session/request_permission s1 {"options":[]}'),
      at: [5],
      severity: 'warning',
      seen: /while `session\/load` \(#4\) is open/,
    },
    {
      trace: loaded('agent →7 fs/read_text_file s1 {"path":"/w/AGENTS.md"}'),
      at: [5],
      severity: 'hint',
    },
  ],
  holds: [
    loaded(USER),
    `${V1_SESSION}
      client →2 session/prompt s1 "go"
      client →3 session/load ${LOAD}
      agent →7 session/request_permission s1 {"options":[]}
      agent ←3 result {}`,
  ],
});

ruleCase('replay/message-id-collision', {
  breaks: {
    trace: resumed(U1, A1, 'agent update s1 user_message u1 "Another thing entirely"'),
    at: [5, 7],
  },
  holds: [
    resumed(U1, A1, 'agent update s1 user_message u2 "Mend the roof"'),
    resumed(U1, 'agent update s1 agent_message u1 "One id, two kinds"'),
    resumed(
      'agent update s1 agent_message a1 {"content":[]}',
      A1,
      U1,
      'agent update s1 agent_message a1 "It is mended. Really."',
    ),
  ],
});

const EMPTIED = 'agent update s1 agent_message a1 {"content":[]}';

ruleCase('replay/duplicate', {
  breaks: [
    { trace: resumed(A1, U1, A1), at: [5, 7] },
    { trace: loaded(TOOL, TOOL), at: [5, 6] },
    {
      trace: loaded(
        'agent update s1 agent_message_chunk "A sentence that is long enough to be told but once."',
        'agent update s1 agent_message_chunk "A sentence that is long enough to be told but once."',
      ),
      at: [5, 6],
    },
    // In chunks, under its id.
    {
      trace: resumed(
        EMPTIED,
        'agent update s1 agent_message_chunk a1 "It is" " mended."',
        U1,
        EMPTIED,
        'agent update s1 agent_message_chunk a1 "It is mended."',
      ),
      at: [5, 9],
    },
    {
      trace: loaded(
        'agent update s1 agent_message_chunk a1 "It is" " mended."',
        USER,
        'agent update s1 agent_message_chunk a1 "It is mended."',
      ),
      at: [5, 8],
    },
  ],
  holds: [
    resumed(
      EMPTIED,
      'agent update s1 agent_message_chunk a1 "It is"',
      U1,
      EMPTIED,
      'agent update s1 agent_message_chunk a1 "It is mended."',
    ),
    loaded('agent update s1 agent_message_chunk "ha" "ha"'),
    resumed('agent update s1 agent_message a1 {"content":[]}', A1),
    LIVED,
  ],
});
