import { ruleCase, V1, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';

/** A handshake with these capabilities of the agent. */
const V2_AGENT = (capabilities: string) => `start agent
  client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"}}
  agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":${capabilities}}\n`;

/** A handshake with these capabilities of the client. */
const V1_CLIENT = (capabilities: string) => `start agent
  client →0 initialize {"protocolVersion":1,"clientCapabilities":${capabilities}}
  agent ←0 result {"protocolVersion":1}\n`;

ruleCase('cap/client-fs', {
  breaks: [
    {
      trace: `${V1_CLIENT('{"fs":{"readTextFile":true}}')}agent →1 fs/write_text_file {}`,
      at: [4],
      side: 'agent',
      seen: 'the client does not advertise `fs.writeTextFile`',
    },
    {
      trace: `${V1_CLIENT('{"fs":{"readTextFile":false}}')}agent →1 fs/read_text_file {}`,
      at: [4],
      seen: 'the client says false of `fs.readTextFile`',
    },
  ],
  holds: `${V1_SESSION}agent →1 fs/read_text_file s1`,
});

ruleCase('cap/client-terminal', {
  breaks: [
    { trace: `${V1_CLIENT('{}')}agent →1 terminal/create {}`, at: [4] },
    { trace: `${V1_CLIENT('{"terminal":{}}')}agent →1 terminal/create {}`, at: [4] },
  ],
  holds: `${V1_SESSION}agent →1 terminal/create s1`,
});

const ELICIT = (mode: string) => `agent →1 elicitation/create {"sessionId":"s1","mode":"${mode}"}`;
ruleCase('cap/elicitation-mode', {
  breaks: [
    {
      trace: `${V1_CLIENT('{"elicitation":{}}')}${ELICIT('form')}`,
      at: [4],
      seen: 'mode "form", and the client does not advertise `elicitation.form`',
    },
    { trace: `${V1_CLIENT('{"elicitation":{"form":{}}}')}${ELICIT('url')}`, at: [4] },
    { trace: `${V2_AGENT('{}')}${ELICIT('form')}`, at: [4] },
  ],
  holds: [
    `${V2_SESSION}${ELICIT('url')}`,
    `${V2_SESSION}${ELICIT('_mine')}`,
    // An agent that speaks both versions has understood what was offered in v2's shape.
    `client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"},"capabilities":{"elicitation":{"form":{}}}}
    agent ←0 result {"protocolVersion":1}
    ${ELICIT('form')}`,
  ],
});

ruleCase('cap/elicitation-reply', {
  breaks: [
    {
      trace: `${V1_CLIENT('{"elicitation":{"form":{}}}')}${ELICIT('url')}\nclient ←1 result {"action":"accept"}`,
      at: [5],
      side: 'client',
      severity: 'warning',
    },
    {
      trace: `${V1_CLIENT('{"elicitation":{"form":{}}}')}${ELICIT('url')}\nclient ←1 error -32601 No`,
      at: [5],
    },
  ],
  holds: [
    `${V1_CLIENT('{"elicitation":{"form":{}}}')}${ELICIT('url')}\nclient ←1 error -32602 No`,
    `${V1_CLIENT('{}')}${ELICIT('url')}\nclient ←1 error -32601 No`,
    `${V1_SESSION}${ELICIT('url')}\nclient ←1 result {"action":"accept"}`,
  ],
});

const SWITCH = '"configOptions":[{"id":"a","type":"boolean","name":"A","currentValue":true}]';
ruleCase('cap/bool-config', {
  breaks: [
    {
      trace: `${V1_CLIENT('{}')}client →1 session/new {"cwd":"/w","mcpServers":[]}\nagent ←1 result {"sessionId":"s1",${SWITCH}}`,
      at: [5],
      pointer: '/result/configOptions/0',
    },
    {
      trace: `${V1_CLIENT('{"session":{}}')}agent update s1 config_option_update {${SWITCH}}`,
      at: [4],
      pointer: '/params/update/configOptions/0',
    },
  ],
  holds: [
    `${V1_SESSION}agent update s1 config_option_update {${SWITCH}}`,
    `${V1_CLIENT('{}')}agent update s1 config_option_update {"configOptions":[]}`,
  ],
});

ruleCase('cap/gated-update', {
  breaks: [
    {
      trace: `${V1_CLIENT('{}')}agent update s1 notice {"severity":"info","title":"T"}`,
      at: [4],
      seen: '`notice`, and the client does not advertise `session.notices`',
    },
    { trace: `${V1_SESSION}agent update s1 plan_update {"plan":{}}`, at: [6], seen: /`plan`/ },
  ],
  holds: [
    `${V1_SESSION}agent update s1 compaction_update {"compactionId":"c","status":"in_progress"}`,
    `${V1_CLIENT('{"subagents":{}}')}agent update s1 subagent_update {"sessionId":"s2"}`,
  ],
});

const IN_TERMINAL = '"authMethods":[{"type":"terminal","id":"t","methodId":"t","name":"T"}]';
ruleCase('cap/terminal-auth', {
  breaks: [
    {
      trace: `client →0 initialize {"protocolVersion":1}\nagent ←0 result {"protocolVersion":1,${IN_TERMINAL}}`,
      at: [2],
      pointer: '/result/authMethods/0',
    },
    {
      trace: `client →0 initialize {"protocolVersion":2}\nagent ←0 result {"protocolVersion":2,${IN_TERMINAL}}`,
      at: [2],
    },
    {
      trace: `client →0 initialize {"protocolVersion":2,"clientCapabilities":{"auth":{"terminal":true}},"capabilities":{}}\nagent ←0 result {"protocolVersion":2,${IN_TERMINAL}}`,
      at: [2],
    },
  ],
  holds: [
    `client →0 initialize {"protocolVersion":1,"clientCapabilities":{"auth":{"terminal":true}}}
    agent ←0 result {"protocolVersion":1,${IN_TERMINAL}}`,
    `client →0 initialize {"protocolVersion":1,"clientCapabilities":{"_meta":{"terminal-auth":true}}}
    agent ←0 result {"protocolVersion":1,${IN_TERMINAL}}`,
    `client →0 initialize {"protocolVersion":2,"capabilities":{"auth":{"terminal":{}}}}
    agent ←0 result {"protocolVersion":1,${IN_TERMINAL}}`,
    // Both shapes: that of the version agreed on counts.
    `client →0 initialize {"protocolVersion":2,"clientCapabilities":{"fs":{}},"capabilities":{"auth":{"terminal":{}}}}
    agent ←0 result {"protocolVersion":2,${IN_TERMINAL}}`,
    `client →0 initialize {"protocolVersion":2,"clientCapabilities":{"auth":{"terminal":true}},"capabilities":{}}
    agent ←0 result {"protocolVersion":1,${IN_TERMINAL}}`,
    V1,
  ],
});
