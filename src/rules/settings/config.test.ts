import { ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';

const select = (id: string, value: string, ...values: string[]) =>
  JSON.stringify({
    configId: id,
    name: id,
    type: 'select',
    currentValue: value,
    options: values.map((one) => ({ value: one, name: one })),
  });
const FAST = '{"configId":"fast","name":"Fast","type":"boolean","currentValue":false}';
const MODEL = select('model', 'a', 'a', 'b');
const v1 = (list: string) => list.replaceAll('"configId"', '"id"');
const LIST = `"configOptions":[${MODEL},${FAST}]`;
const OFFERED = `${V2}
  client →1 session/new {"cwd":"/w"}
  agent ←1 result {"sessionId":"s1",${LIST}}
`;
const OFFERED_V1 = `${V1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1",${v1(LIST)}}
`;
const set = (id: string, value: string) =>
  `client →2 session/set_config_option {"sessionId":"s1","configId":"${id}",${value}}`;

ruleCase('config/unknown', {
  breaks: [
    {
      trace: `${OFFERED}${set('effort', '"type":"id","value":"a"')}`,
      at: [6],
      seen: '"effort", which was not offered',
      pointer: '/params/configId',
      severity: 'error',
    },
    {
      trace: `${OFFERED}${set('model', '"type":"id","value":"c"')}`,
      at: [6],
      seen: '"c" for "model", which offers "a", "b"',
      pointer: '/params/value',
    },
    { trace: `${OFFERED}${set('model', '"value":"a"')}`, at: [6], seen: 'no `type`' },
    { trace: `${OFFERED}${set('model', '"type":"boolean","value":true')}`, at: [6] },
    { trace: `${OFFERED}${set('fast', '"type":"id","value":"on"')}`, at: [6] },
    { trace: `${OFFERED_V1}${set('fast', '"value":true')}`, at: [6], seen: /with no `type`/ },
    { trace: `${V1_SESSION}${set('model', '"value":"a"')}`, at: [6], seen: /no config options/ },
    {
      trace: `${V1}client →2 session/set_config_option {"sessionId":"s9","configId":"x","value":"a"}`,
      at: [4],
      verdict: 'undecidable',
    },
    {
      trace: `${OFFERED}agent update s1 config_option_update {"configOptions":[${select('model', 'a', 'a')},${FAST}]}
        ${set('model', '"type":"id","value":"b"')}`,
      at: [7],
      severity: 'warning',
      seen: /possibly a race/,
    },
  ],
  holds: [
    `${OFFERED}${set('model', '"type":"id","value":"b"')}`,
    `${OFFERED}${set('fast', '"type":"boolean","value":true')}`,
    `${OFFERED_V1}${set('model', '"value":"b"')}`,
    // A type of the agent's own may take anything.
    `${V2}client →1 session/new {"cwd":"/w"}
      agent ←1 result {"sessionId":"s1","configOptions":[{"configId":"x","name":"x","type":"_dial"}]}
      ${set('x', '"type":"_dial","value":7')}`,
    `${V1}client →1 session/new {"cwd":"/w","mcpServers":[]}
      agent ←1 result {"sessionId":"s1",${v1(`"configOptions":[{"configId":"model","name":"m","type":"select","currentValue":"a","options":[{"group":"g","name":"g","options":[{"value":"a","name":"a"}]}]}]`)}}
      ${set('model', '"value":"a"')}`,
    // An agent that names the id as the other version does is blamed by its schema, and not the client.
    `${V1}client →1 session/new {"cwd":"/w","mcpServers":[]}
      agent ←1 result {"sessionId":"s1","configOptions":[${select('model', 'a', 'a', 'b')}]}
      ${set('model', '"value":"b"')}`,
  ],
});

ruleCase('config/unknown-reply', {
  breaks: [
    {
      trace: `${OFFERED}${set('effort', '"type":"id","value":"a"')}
        agent ←2 result {${LIST}}`,
      at: [6, 7],
      seen: /^a result for "effort"/,
      severity: 'error',
    },
    {
      trace: `${OFFERED_V1}${set('model', '"value":"c"')}
        agent ←2 error -32603 Oh no`,
      at: [6, 7],
      severity: 'warning',
      pointer: '/error/code',
    },
    {
      trace: `${V1_SESSION}${set('model', '"value":"c"')}
        agent ←2 error -32603 Oh no`,
      at: [6, 7],
      seen: 'the code -32603 for "model", and no config options were offered',
    },
  ],
  holds: [
    // An agent without config options need not know the method.
    `${V1_SESSION}${set('model', '"value":"c"')}
      agent ←2 error -32601 Method not found`,
    // The agent denies the session: setup/open-session-denied.
    `${V1_SESSION}${set('model', '"value":"c"')}
      agent ←2 error -32603 Session not found`,
    `${OFFERED}${set('effort', '"type":"id","value":"a"')}
      agent ←2 error -32602 No such option`,
    `${OFFERED}${set('model', '"type":"id","value":"b"')}
      agent ←2 error -32603 Oh no`,
  ],
});

const B = select('model', 'b', 'a', 'b');
ruleCase('config/complete', {
  breaks: [
    {
      trace: `${OFFERED}${set('model', '"type":"id","value":"b"')}
        agent ←2 result {"configOptions":[${B}]}`,
      at: [7],
      seen: '"model" alone, without "fast", listed in #5',
      severity: 'error',
      pointer: '/result/configOptions',
    },
    {
      trace: `${OFFERED}agent update s1 config_option_update {"configOptions":[]}`,
      at: [6],
      seen: / has none, without "model", "fast"/,
    },
    {
      trace: `${V2}client →1 session/new {"cwd":"/w"}
        agent ←1 result {"sessionId":"s1","configOptions":[${MODEL},${FAST},${select('x', 'y', 'y')}]}
        ${set('model', '"type":"id","value":"b"')}
        agent ←2 result {"configOptions":[${B},${FAST}]}`,
      at: [7],
      severity: 'hint',
      seen: /unless they depend/,
    },
    {
      trace: `${V2}client →1 session/new {"cwd":"/w"}
        agent ←1 result {"sessionId":"s1","configOptions":[${MODEL},${FAST},${select('x', 'y', 'y')}]}
        agent update s1 config_option_update {"configOptions":[${MODEL},${FAST}]}`,
      at: [6],
      severity: 'warning',
    },
  ],
  holds: [
    `${OFFERED}${set('model', '"type":"id","value":"b"')}
      agent ←2 result {"configOptions":[${B},${FAST},${select('x', 'y', 'y')}]}`,
    `${V2_SESSION}agent update s1 config_option_update {"configOptions":[${B}]}`,
  ],
});

const RESTORE = `${OFFERED}client →5 session/resume s1 {"cwd":"/w","replayFrom":{"type":"start"}}\n`;
const tells = (options: string) =>
  `agent update s1 config_option_update {"configOptions":[${options}]}\n`;

ruleCase(
  'config/complete',
  {
    breaks: {
      trace: `${RESTORE}${tells(`${MODEL},${FAST}`)}${tells(MODEL)}agent ←5 result {}`,
      at: [8],
      seen: '"model" alone, without "fast", listed in #7',
    },
    // claude-agent-acp 0.100.0: a session restored where it is open, the history of whose options begins with one.
    holds: [
      `${RESTORE}${tells(MODEL)}${tells(`${MODEL},${FAST}`)}agent ←5 result {}\n${tells(`${MODEL},${FAST}`)}`,
    ],
  },
  'in a replay, by what it told before',
);

ruleCase('config/current-value', {
  breaks: [
    {
      trace: `${V2_SESSION}agent update s1 config_option_update {"configOptions":[${select('model', 'c', 'a', 'b')}]}`,
      at: [6],
      seen: '"model" is "c" and offers "a", "b"',
      pointer: '/params/update/configOptions/0/currentValue',
    },
    {
      trace: `${V2_SESSION}agent update s1 config_option_update {"configOptions":[${FAST},${select('model', 'a', 'a', 'a')}]}`,
      at: [6],
      seen: '"model" offers "a" twice',
      pointer: '/params/update/configOptions/1/options',
    },
    {
      trace: `${V1}client →1 session/new {"cwd":"/w","mcpServers":[]}
        agent ←1 result {"sessionId":"s1",${v1(`"configOptions":[${select('model', 'a')}]`)}}`,
      at: [5],
      seen: '"model" offers no value',
    },
    {
      trace: `${V2_SESSION}agent update s1 config_option_update {"configOptions":[${select('model', 'a', 'a')},${select('model', 'b', 'b')}]}`,
      at: [6],
      seen: 'two options have the id "model"',
      pointer: '/params/update/configOptions/1',
      severity: 'warning',
    },
  ],
  holds: [OFFERED, OFFERED_V1],
});

ruleCase('config/not-applied', {
  breaks: {
    trace: `${OFFERED}${set('model', '"type":"id","value":"b"')}
      agent ←2 result {${LIST}}`,
    at: [6, 7],
    seen: '"model" is still "a", not "b"',
    severity: 'warning',
  },
  holds: [
    `${OFFERED}${set('model', '"type":"id","value":"b"')}
      agent ←2 result {"configOptions":[${B},${FAST}]}`,
    `${OFFERED}${set('model', '"type":"id","value":"a"')}
      agent ←2 result {${LIST}}`,
  ],
});
