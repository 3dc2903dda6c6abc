import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';
import { seq } from '../../trace/event.ts';
import { checkTrace } from '../check-trace.ts';
import { loadRemarks } from '../steps.ts';

const START = '{"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}';
const OMITTED = '{"sessionId":"s1","cwd":"/w"}';
const IDLE = 'agent update s1 state_update {"state":"idle"}';

/** A session of two prompts in v2, as it was lived. */
const LIVED_V2 = `${V2_SESSION}
  client →2 session/prompt s1 "First question"
  agent ←2 result {"messageId":"u1"}
  agent update s1 user_message u1 "First question"
  agent update s1 state_update {"state":"running"}
  agent update s1 agent_message a1 "The first answer"
  agent update s1 state_update {"state":"idle","stopReason":"end_turn"}
  client →3 session/prompt s1 "Second question"
  agent ←3 result {"messageId":"u2"}
  agent update s1 user_message u2 "Second question"
  agent update s1 agent_message a2 "The second answer"
  agent update s1 state_update {"state":"idle","stopReason":"end_turn"}
`;
const resumed = (params: string, ...frames: string[]) => `${V2}
  client →1 session/resume ${params}
  ${frames.join('\n')}
  agent ←1 result {}
`;
const from = (cursor: string) => `{"sessionId":"s1","cwd":"/w","replayFrom":${cursor}}`;
const U1 = 'agent update s1 user_message u1 "First question"';
const A1 = 'agent update s1 agent_message a1 "The first answer"';
const U2 = 'agent update s1 user_message u2 "Second question"';
const A2 = 'agent update s1 agent_message a2 "The second answer"';

ruleCase('resume/no-replay-without-cursor', {
  breaks: [
    {
      trace: `${V1}client →1 session/resume s1\nagent update s1 user_message_chunk "x"\nagent ←1 result {}`,
      at: [5],
      severity: 'error',
      side: 'agent',
      seen: /^1 update of history, none is allowed/,
    },
    { trace: resumed(from('null'), U1, A1, IDLE), at: [5, 6], severity: 'error' },
    {
      trace: resumed(OMITTED, 'agent update s1 tool_call_update {"toolCallId":"t1"}', IDLE),
      at: [5],
      severity: 'warning',
    },
    {
      trace: `${V1_SESSION}
        client →2 session/prompt s1 "go"
        client →3 session/resume s1
        agent update s1 agent_message_chunk "live"
        agent ←3 result {}`,
      at: [8],
      verdict: 'undecidable',
      seen: /perhaps live/,
    },
    {
      trace: resumed(OMITTED, A1, 'agent update s1 state_update {"state":"running"}'),
      at: [5],
      verdict: 'undecidable',
    },
  ],
  holds: [
    resumed(OMITTED, IDLE),
    `${V1}client →1 session/resume s1\nagent update s1 available_commands_update {"availableCommands":[]}\nagent ←1 result {}`,
    // Background work that the snapshot lists is announced before it.
    resumed(
      OMITTED,
      'agent update s1 terminal_update {"terminalId":"x"}',
      'agent update s1 state_update {"state":"idle","background":[{"type":"terminal","terminalId":"x"}]}',
    ),
    resumed(START, U1, IDLE),
    `${V1}client →1 session/resume s1\nagent update s1 user_message_chunk "x"\nagent ←1 error -32002 Gone`,
  ],
});

ruleCase('resume/state-snapshot', {
  breaks: [
    { trace: resumed(OMITTED), at: [4, 5], severity: 'error' },
    {
      trace: resumed(START, IDLE, U1, A1),
      at: [6, 7],
      severity: 'warning',
      seen: /^history after the state_update/,
    },
    {
      trace: resumed(OMITTED, 'gap 2 lost'),
      at: [6],
      verdict: 'undecidable',
    },
  ],
  holds: [
    resumed(OMITTED, IDLE),
    resumed(START, U1, A1, IDLE),
    resumed(START, 'agent update s1 state_update {"state":"running"}', A1),
    `${V2}client →1 session/resume ${OMITTED}\nagent ←1 error -32002 Gone {"sessionId":"s1"}`,
  ],
});
ruleCase(
  'resume/state-snapshot',
  {
    breaks: [],
    holds: [resumed(OMITTED), resumed(OMITTED, IDLE)],
    edition: 'v2-2026-08',
  },
  'in the August draft',
);

ruleCase('resume/snapshot-is-not-completion', {
  breaks: {
    trace: resumed(
      OMITTED,
      'agent update s1 state_update {"state":"idle","usage":{"totalTokens":5}}',
    ),
    at: [5],
    pointer: '/params/update/usage',
  },
  holds: [
    resumed(OMITTED, 'agent update s1 state_update {"state":"idle","stopReason":"end_turn"}'),
    LIVED_V2,
  ],
});

ruleCase('resume/cursor-unknown', {
  breaks: [
    {
      trace: `${V2}client →1 session/resume ${from('{"type":"checkpoint"}')}`,
      at: [4],
      seen: /checkpoint/,
      pointer: '/params/replayFrom',
      side: 'client',
    },
    {
      trace: `${V2}client →1 session/resume ${from('"start"')}`,
      at: [4],
      severity: 'error',
    },
    {
      trace: `${V2}client →1 session/resume ${from('{"type":5}')}`,
      at: [4],
      severity: 'error',
    },
  ],
  holds: [
    `${V2}client →1 session/resume ${START}`,
    `${V2}client →1 session/resume ${from('{"type":"_mine","n":1}')}`,
    `${V2}client →1 session/resume ${from('null')}`,
  ],
});

ruleCase('resume/cursor-unknown-reply', {
  breaks: [
    { trace: resumed(from('{"type":"checkpoint"}'), IDLE), at: [6], severity: 'error' },
    {
      trace: resumed(from('[]'), U1, IDLE),
      at: [7],
      seen: /^ignored: not a cursor, yet 1 update of history came/,
    },
    {
      trace: `${V2}client →1 session/resume ${from('{}')}\nagent ←1 error -32603 Oops`,
      at: [5],
      severity: 'error',
    },
    {
      trace: [LIVED_V2, resumed(from('{"type":"_no"}'), U1, A1, U2, A2, IDLE)],
      at: [10],
      severity: 'warning',
      seen: /replayed from the start/,
    },
    {
      trace: [LIVED_V2, resumed(from('{"type":"_message","messageId":"nope"}'), IDLE)],
      at: [6],
      severity: 'warning',
      seen: /without a replay/,
    },
  ],
  holds: [
    `${V2}client →1 session/resume ${from('{}')}\nagent ←1 error -32602 Bad cursor`,
    `${V2}client →1 session/resume ${from('{}')}\nagent ←1 error -32002 Gone`,
    // A cursor of the agent's own that leads somewhere.
    [LIVED_V2, resumed(from('{"type":"_last_turn"}'), U2, A2, IDLE)],
    [LIVED_V2, resumed(from('{"type":"_message","messageId":"u1"}'), U1, A1, U2, A2, IDLE)],
  ],
});

ruleCase('resume/cursor-inclusive', {
  breaks: [
    {
      trace: [LIVED_V2, resumed(from('{"type":"_message","messageId":"u2"}'), A2, IDLE)],
      at: [5],
      severity: 'error',
      seen: /^begins after the cursor: the named item is missing/,
    },
    {
      trace: [LIVED_V2, resumed(from('{"type":"_message","messageId":"u2"}'), A1, U2, A2, IDLE)],
      at: [5],
      severity: 'warning',
    },
    {
      trace: [LIVED_V2, resumed(from('{"type":"_message","messageId":"a2"}'), IDLE)],
      at: [6],
      seen: /^nothing replayed; expected the named item/,
    },
  ],
  holds: [
    [LIVED_V2, resumed(from('{"type":"_message","messageId":"u2"}'), U2, A2, IDLE)],
    [
      LIVED_V2,
      resumed(
        from('{"type":"_message","messageId":"u2"}'),
        'agent update s1 plan_update {"plan":{"type":"items","planId":"p","entries":[]}}',
        U2,
        IDLE,
      ),
    ],
    resumed(from('{"type":"_message","messageId":"u2"}'), A2, IDLE),
  ],
});

ruleCase('resume/replay-on-v1', {
  breaks: {
    trace: `${V1}client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}`,
    at: [4],
    pointer: '/params/replayFrom',
  },
  holds: [`${V1}client →1 session/resume s1`, `${V2}client →1 session/resume ${START}`],
});

const LOAD = '{"sessionId":"s1","cwd":"/w","mcpServers":[]}';
ruleCase('load/before-first-prompt', {
  breaks: {
    trace: [V1_SESSION, `${V1}client →1 session/load ${LOAD}`],
    at: [4],
    severity: 'hint',
    seen: /c1#5 and never prompted/,
  },
  holds: [
    [`${V1_SESSION}client →2 session/prompt s1 "x"`, `${V1}client →1 session/load ${LOAD}`],
    `${V1}client →1 session/load ${LOAD}`,
  ],
});

ruleCase('load/known-refused', {
  breaks: [
    {
      trace: [
        `${V1_SESSION}client →2 session/prompt s1 "x"`,
        `${V1}client →1 session/load ${LOAD}\nagent ←1 error -32603 No such file`,
      ],
      at: [5],
      severity: 'warning',
      seen: 'rejected: −32603 No such file, though there is such a session',
    },
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "x"\nagent ←2 result {"stopReason":"end_turn"}\nclient →3 session/close s1\nagent ←3 result {}\nclient →4 session/load ${LOAD}\nagent ←4 error -32002 Session not found`,
      at: [5, 10, 11],
      severity: 'error',
    },
  ],
  holds: [
    [V1_SESSION, `${V1}client →1 session/load ${LOAD}\nagent ←1 result {}`],
    // The agent may not have stored the session, or stored it on another machine.
    [
      `${V1_SESSION}client →2 session/prompt s1 "x"`,
      `${V1}client →1 session/load ${LOAD}\nagent ←1 error -32002 Session not found`,
    ],
    `${V1_SESSION}client →2 session/close s1\nagent ←2 result {}\nclient →3 session/load ${LOAD}\nagent ←3 error -32002 Session not found`,
    [V1_SESSION, `${V1}client →1 session/load ${LOAD}\nagent ←1 error -32002 Not found`],
    [V1_SESSION, `${V1}client →1 session/load ${LOAD}\nagent ←1 error -32603 No rollout found`],
    `${V1}client →1 session/load ${LOAD}\nagent ←1 error -32603 No such file`,
    [
      V1_SESSION,
      `${V1}client →1 session/load {"sessionId":"s1","cwd":"w","mcpServers":[]}\nagent ←1 error -32603 x`,
    ],
  ],
});

ruleCase('load/same-connection', {
  breaks: [
    { trace: `${V1_SESSION}client →2 session/load ${LOAD}`, at: [6], severity: 'hint' },
    { trace: `${V2_SESSION}client →2 session/resume ${OMITTED}`, at: [6] },
  ],
  holds: [
    `${V1_SESSION}client →2 session/close s1\nagent ←2 result {}\nclient →3 session/load ${LOAD}`,
    // An agent that does not find it to close has closed it.
    `${V1_SESSION}client →2 session/close s1\nagent ←2 error -32002 Resource not found\nclient →3 session/load ${LOAD}`,
    `${V1}client →1 session/load ${LOAD}`,
    // Another process has not opened it.
    `${V1_SESSION}exit 0\nclient →0 initialize {"protocolVersion":1}\nagent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}\nclient →1 session/load ${LOAD}`,
  ],
});

const MODES = (current: string) =>
  `{"modes":{"availableModes":[{"id":"ask"},{"id":"code"}],"currentModeId":"${current}"}}`;
const CHOSEN = `${V1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1","modes":{"availableModes":[],"currentModeId":"ask"}}
  client →2 session/set_mode {"sessionId":"s1","modeId":"code"}
  agent ←2 result {}
`;
ruleCase('resume/mode-config-lost', {
  breaks: [
    {
      trace: [CHOSEN, `${V1}client →1 session/load ${LOAD}\nagent ←1 result ${MODES('ask')}`],
      at: [5],
      severity: 'hint',
      seen: 'the mode was "code" and is "ask"',
    },
    {
      trace: `${V2_SESSION}
        agent update s1 config_option_update {"configOptions":[{"configId":"model","currentValue":"big"}]}
        client →2 session/resume ${OMITTED}
        ${IDLE}
        agent ←2 result {"configOptions":[{"configId":"model","currentValue":"small"}]}`,
      at: [9],
      seen: '"model" was "big" and is "small"',
    },
  ],
  holds: [
    [CHOSEN, `${V1}client →1 session/load ${LOAD}\nagent ←1 result ${MODES('code')}`],
    [CHOSEN, `${V1}client →1 session/load ${LOAD}\nagent ←1 result null`],
  ],
});

test.each(['"start"', '{"type":5}', '{"type":null}', '{}', '[]', '5', 'true'])(
  'the cursor %s is one fault, and told once, by its own rule',
  async (cursor) => {
    const trace = `${V2}client →1 session/resume ${from(cursor)}\nagent ←1 error -32602 No`;
    const { findings } = checkTrace(draw(trace), { remarksOf: await loadRemarks() });
    const told = findings.filter(
      ({ verdict, seqs }) => verdict === 'fail' && seqs.includes(seq(4)),
    );
    expect(told.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual([
      'resume/cursor-unknown error',
    ]);
  },
);
