import { ruleCase, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';

const chunk = (data: string) =>
  `agent update s1 terminal_output_chunk {"terminalId":"x1","data":${JSON.stringify(data)}}`;
const EXITED = `${V2_SESSION}
  agent update s1 terminal_update {"terminalId":"x1","command":"ls","cwd":"/w"}
  agent update s1 terminal_update {"terminalId":"x1","exitStatus":{"exitCode":0}}
`;

ruleCase('term/base64', {
  breaks: [
    { trace: `${V2_SESSION}${chunk('a_b=')}`, at: [6], seen: '`data` holds "_"' },
    { trace: `${V2_SESSION}${chunk('YQ')}`, at: [6], seen: /2 characters/ },
    { trace: `${V2_SESSION}${chunk('YQ==YQ==')}`, at: [6], seen: /padding before its end/ },
    {
      trace: `${V2_SESSION}agent update s1 terminal_update {"terminalId":"x1","output":{"data":"\\n"}}`,
      at: [6],
      pointer: '/params/update/output/data',
    },
  ],
  holds: `${V2_SESSION}${chunk('YQ==')}\n${chunk('')}\n${chunk('YWI=')}`,
});

ruleCase('term/output-after-exit', {
  breaks: [
    { trace: `${EXITED}${chunk('YQ==')}`, at: [7, 8], severity: 'hint' },
    {
      trace: `${EXITED}agent update s1 terminal_update {"terminalId":"x1","command":"pwd"}`,
      at: [7, 8],
      seen: 'the terminal "x1" is used again, for "pwd"',
    },
  ],
  holds: [
    `${V2_SESSION}agent update s1 terminal_update {"terminalId":"x1"}\n${chunk('YQ==')}`,
    `${EXITED}agent update s1 terminal_update {"terminalId":"x1","command":"ls"}`,
    // Told again from the start.
    `${EXITED}
      client →2 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
      ${chunk('YQ==')}
      agent ←2 result {}`,
  ],
});

ruleCase('term/cwd-absolute', {
  breaks: [
    {
      trace: `${V2_SESSION}agent update s1 terminal_update {"terminalId":"x1","cwd":"src"}`,
      at: [6],
      seen: '`cwd` is "src"',
      pointer: '/params/update/cwd',
    },
    {
      trace: `${V2_SESSION}agent →9 session/request_permission {"sessionId":"s1","title":"?","subject":{"type":"command","command":"ls","cwd":"."},"options":[]}`,
      at: [6],
      pointer: '/params/subject/cwd',
    },
    {
      trace: `${V1_SESSION}agent →9 terminal/create {"sessionId":"s1","command":"ls","cwd":"src"}`,
      at: [6],
      pointer: '/params/cwd',
    },
  ],
  holds: [
    EXITED,
    `${V1_SESSION}agent →9 terminal/create {"sessionId":"s1","command":"ls","cwd":null}`,
  ],
});
