// What an agent offers and then refuses, and what it may refuse.
import { ruleCase, V1, V1_SESSION, V2 } from '../../test/traces/rule-case.ts';

const opened = (offer: string) => `${V1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1",${offer}}
`;
const MODES = opened(
  '"modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"code","name":"Code"}]}',
);
const mode = (id: string) => `client →2 session/set_mode {"sessionId":"s1","modeId":"${id}"}`;

ruleCase('mode/refused', {
  breaks: [
    {
      trace: `${MODES}${mode('code')}\nagent ←2 error -32601 Method not found`,
      at: [5, 6, 7],
      side: 'agent',
      severity: 'error',
      seen: '-32601 "Method not found" for the mode "code", offered in #5',
    },
    {
      trace: `${MODES}${mode('code')}\nagent ←2 error -32602 Invalid params`,
      at: [5, 6, 7],
      severity: 'warning',
    },
    { trace: `${MODES}${mode('ask')}\nagent ←2 error -32603 Unknown mode: ask`, at: [5, 6, 7] },
    {
      trace: `${opened('"models":{"currentModelId":"a","availableModels":[{"modelId":"a","name":"A"}]}')}
        client →2 session/set_model {"sessionId":"s1","modelId":"a"}
        agent ←2 error -32601 Method not found`,
      at: [5, 6, 7],
      seen: /the model "a"/,
    },
  ],
  holds: [
    `${MODES}${mode('code')}\nagent ←2 result {}`,
    `${MODES}${mode('nope')}\nagent ←2 error -32602 Unknown mode`,
    `${V1_SESSION}${mode('nope')}\nagent ←2 error -32601 Method not found`,
    // It failed for another reason.
    `${MODES}${mode('code')}\nagent ←2 error -32603 Internal error`,
    `${MODES}${mode('code')}\nagent ←2 error -32000 Authentication required`,
    `${MODES}${mode('code')}\nagent ←2 error -32602 Session not found`,
    // The session is closed, or what was offered last is not known.
    `${MODES}client →3 session/close s1\nagent ←3 result {}\n${mode('code')}\nagent ←2 error -32602 Unknown mode`,
    `${MODES}gap 1 lost\n${mode('code')}\nagent ←2 error -32602 Unknown mode`,
  ],
});

const MODEL = (values: string) =>
  `{"id":"model","name":"Model","type":"select","currentValue":"a","options":[${values}]}`;
const A = '{"value":"a","name":"A"}';
const B = '{"value":"b","name":"B"}';
const OPTIONS = opened(`"configOptions":[${MODEL(`${A},${B}`)}]`);
const set = (value: string) =>
  `client →2 session/set_config_option {"sessionId":"s1","configId":"model","value":"${value}"}`;

ruleCase('config/refused', {
  breaks: [
    {
      trace: `${OPTIONS}${set('b')}\nagent ←2 error -32601 Method not found`,
      at: [5, 6, 7],
      side: 'agent',
      severity: 'error',
      seen: '-32601 "Method not found" for "b" for the option "model", offered in #5',
    },
    {
      trace: `${OPTIONS}${set('b')}\nagent ←2 error -32602 Invalid value`,
      at: [5, 6, 7],
      severity: 'warning',
    },
    {
      trace: `${V2}client →1 session/new {"cwd":"/w"}
        agent ←1 result {"sessionId":"s1","configOptions":[{"configId":"fast","name":"Fast","type":"boolean","currentValue":false}]}
        client →2 session/set_config_option {"sessionId":"s1","configId":"fast","type":"boolean","value":true}
        agent ←2 error -32601 Method not found`,
      at: [5, 6, 7],
    },
  ],
  holds: [
    `${OPTIONS}${set('b')}\nagent ←2 result {"configOptions":[${MODEL(`${A},${B}`)}]}`,
    `${OPTIONS}${set('c')}\nagent ←2 error -32602 Invalid value`,
    `${OPTIONS}${set('b')}\nagent ←2 error -32603 The model is overloaded`,
    // The list changed while the request was on its way.
    `${OPTIONS}${set('b')}
      agent update s1 config_option_update {"configOptions":[${MODEL(A)}]}
      agent ←2 error -32602 Invalid value`,
  ],
});

const COMMANDS = `${V1_SESSION}
  agent update s1 available_commands_update {"availableCommands":[{"name":"plan","description":"Plan"}]}
`;
ruleCase('prompt/command-refused', {
  breaks: [
    {
      trace: `${COMMANDS}client →2 session/prompt s1 "/plan a trip"\nagent ←2 error -32602 Unknown command: plan`,
      at: [6, 7, 8],
      side: 'agent',
      severity: 'warning',
    },
    // Offered in the answer that opened the session.
    {
      trace: `${V2}
        client →1 session/resume {"sessionId":"s1","cwd":"/w"}
        agent ←1 result {"availableCommands":[{"type":"command","name":"plan","description":"Plan"}]}
        client →2 session/prompt s1 "/plan"
        agent ←2 error -32602 Unknown command: plan`,
      at: [5, 6, 7],
    },
  ],
  holds: [
    `${COMMANDS}client →2 session/prompt s1 "/plan"\nagent ←2 result {"stopReason":"end_turn"}`,
    `${COMMANDS}client →2 session/prompt s1 "/deploy"\nagent ←2 error -32602 Unknown command: deploy`,
    `${COMMANDS}client →2 session/prompt s1 "/plan"\nagent ←2 error -32602 Invalid params`,
    `${COMMANDS}client →2 session/prompt s1 "Use /plan"\nagent ←2 error -32602 Unknown command`,
    `${COMMANDS}agent update s1 available_commands_update {"availableCommands":[]}
      client →2 session/prompt s1 "/plan"\nagent ←2 error -32602 Unknown command: plan`,
  ],
});
