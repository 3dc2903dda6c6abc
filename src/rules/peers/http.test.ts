// The rules of the remote transports: the facts beside the frames break them or keep them.
import { ruleCase, V1_SESSION } from '../../test/traces/rule-case.ts';

const JSON_TYPE = '"content-type":"application/json"';
const ID = '"acp-connection-id":"c0ffee12…"';
const answered = (fact: string, request = '', response = '') =>
  `transport {"step":"answered",${fact},"request":{${request}},"response":{${response}}}`;
const post = (of: number, status: number, request = `${JSON_TYPE},${ID}`, more = '') =>
  answered(`"stream":"post","method":"POST","of":${of},"status":${status}${more}`, request);
const get = (session?: string) =>
  answered(
    session === undefined
      ? '"stream":"connection","method":"GET","status":200'
      : `"stream":"session","session":"${session}","method":"GET","status":200`,
    `"accept":"text/event-stream",${ID}`,
  );
const ASKS = `
  start http://127.0.0.1:9000/acp
  client@post/ →0 initialize {"protocolVersion":1,"clientCapabilities":{}}
`;
const met = (status = 200, response = `${JSON_TYPE},${ID}`, request = JSON_TYPE) =>
  `${answered(`"stream":"post","method":"POST","of":2,"status":${status}`, request, response)}
  agent@post/ ←0 result {"protocolVersion":1,"agentCapabilities":{}}`;
/** Four events; the stream of the connection is open after a fifth. */
const MET = `${ASKS}${met()}
  ${get()}`;
const NEW = `${MET}
  client@post/ →1 session/new {"cwd":"/w","mcpServers":[]}
  ${post(6, 202)}
  agent@ ←1 result {"sessionId":"s1"}
`;

ruleCase('http/init', {
  breaks: [
    { trace: `${ASKS}${met(202)}`, at: [2, 3], seen: 'the status 202', severity: 'error' },
    { trace: `${ASKS}${met(200, JSON_TYPE)}`, at: [2, 3], seen: 'no `Acp-Connection-Id`' },
    { trace: `${ASKS}${met(200, `"content-type":"text/plain",${ID}`)}`, at: [2, 3], side: 'agent' },
  ],
  holds: [MET, `${ASKS}${answered('"stream":"post","method":"POST","of":2,"status":401')}`],
});

ruleCase('http/accepted', {
  breaks: [
    {
      trace: `${MET}
        client@post/ →1 session/list {}
        ${post(6, 200)}
        agent@post/ ←1 result {"sessions":[]}`,
      at: [6, 7],
      seen: 'the status 200',
    },
    {
      trace: `${MET}
        client@post/ →1 session/list {}
        ${post(6, 202)}
        agent@post/ ←1 result {"sessions":[]}`,
      at: [8],
      seen: 'a message as the body of a 202',
    },
    {
      trace: `${MET}
        client@post/ →1 session/list {}
        ${post(6, 202, undefined, ',"body":"ok"')}`,
      at: [6, 7],
      seen: 'the body "ok"',
    },
  ],
  holds: NEW,
});

ruleCase('http/headers', {
  breaks: [
    {
      trace: `${NEW}client@post/ →2 session/prompt s1 "Hi"`,
      at: [9],
      pointer: '/params/sessionId',
    },
    {
      trace: `${NEW}client@post/s2 session/cancel s1`,
      at: [9],
      seen: '`Acp-Session-Id` "s2" beside the session "s1"',
      side: 'client',
    },
    {
      trace: `${MET}
        client@post/ →1 session/list {}
        ${post(6, 400, JSON_TYPE)}`,
      at: [7],
      seen: 'a POST without `Acp-Connection-Id`',
    },
    {
      trace: `${MET}
        client@post/ →1 session/list {}
        ${post(6, 404, `${JSON_TYPE},"acp-connection-id":"beef0000…"`)}`,
      at: [7],
      side: 'client',
      seen: 'a POST with `Acp-Connection-Id` "beef0000…"; the agent gave "c0ffee12…"',
    },
    {
      trace: `${MET}
        client@post/ →1 session/list {}
        ${answered('"stream":"post","method":"POST","of":6,"status":202', `${JSON_TYPE},${ID}`, '"acp-connection-id":"beef0000…"')}`,
      at: [7],
      side: 'agent',
      seen: '`Acp-Connection-Id` "beef0000…" in the response to a POST; before, the agent gave "c0ffee12…"',
    },
  ],
  holds: [
    `${NEW}client@post/s1 →2 session/prompt s1 "Hi"`,
    V1_SESSION,
    // The client connects again.
    `${NEW}
      client@post/ →9 initialize {"protocolVersion":1,"clientCapabilities":{}}
      ${answered('"stream":"post","method":"POST","of":9,"status":200', JSON_TYPE, `${JSON_TYPE},"acp-connection-id":"beef0000…"`)}
      client@post/ →10 session/list {}
      ${post(11, 202, `${JSON_TYPE},"acp-connection-id":"beef0000…"`)}`,
  ],
});

ruleCase('http/stream-open', {
  breaks: [
    {
      trace: `${NEW}
        client@post/s1 →2 session/prompt s1 "Hi"
        ${post(9, 202)}`,
      at: [9, 10],
      seen: 'a request was accepted while no stream of "s1" was open',
      severity: 'warning',
    },
    {
      trace: `${MET}
        transport {"step":"closed","stream":"connection","method":"GET"}
        client@post/ →1 session/new {"cwd":"/w","mcpServers":[]}
        ${post(7, 202)}`,
      at: [7, 8],
      seen: /of the connection was open/,
    },
  ],
  holds: [
    `${NEW}
    client@post/s1 →2 session/prompt s1 "Hi"
    ${get('s1')}
    ${post(9, 202)}`,
    // The stream of its parent is open.
    `${NEW}
    ${get('s1')}
    agent@s1 update s1 subagent_update {"sessionId":"c"}
    client@post/c →2 session/set_config_option {"sessionId":"c","configId":"m","value":"x"}
    ${post(11, 202)}`,
  ],
});

const PROMPTED = `${NEW}
  client@post/s1 →2 session/prompt s1 "Hi"
  ${get('s1')}
  ${post(9, 202)}
`;

const CHILD = `${PROMPTED}
  agent@s1 update s1 subagent_update {"sessionId":"c"}
`;

ruleCase('http/wrong-stream', {
  breaks: [
    {
      trace: `${PROMPTED}agent@ update s1 agent_message_chunk "Hi"`,
      at: [12],
      seen: 'on the stream of the connection',
      due: 'on the stream of "s1"',
    },
    { trace: `${PROMPTED}agent@ ←2 result {"stopReason":"end_turn"}`, at: [12], side: 'agent' },
    {
      trace: `${PROMPTED}
        client@post/ →3 session/list {}
        agent@s1 ←3 result {"sessions":[]}`,
      at: [13],
      due: 'on the stream of the connection',
    },
    // Not a child of s1.
    { trace: `${PROMPTED}agent@s1 update s9 agent_message_chunk "Hi"`, at: [12] },
    // A child of s1, on the stream of another session.
    { trace: `${CHILD}agent@s2 update c agent_message_chunk "Hi"`, at: [13] },
    { trace: `${CHILD}agent@c update s1 agent_message_chunk "Hi"`, at: [13] },
  ],
  holds: [
    `${PROMPTED}
      agent@s1 update s1 agent_message_chunk "Hi"
      agent@s1 ←2 result {"stopReason":"end_turn"}`,
    `${CHILD}
      agent@s1 update c agent_message_chunk "Hi"
      agent@s1 update c subagent_update {"sessionId":"g"}
      agent@s1 update g agent_message_chunk "Hi"
      agent@c update g agent_message_chunk "Hi"
      agent@s1 →9 session/request_permission {"sessionId":"c","title":"Run?","options":[]}
      client@post/c →7 session/set_config_option {"sessionId":"c","configId":"m","value":"x"}
      agent@s1 ←7 error -32602 Not for a child`,
  ],
});

ruleCase('http/status', {
  breaks: [
    {
      trace: `${MET}
        client@post/ →1 session/list {}
        ${post(6, 400, `"content-type":"text/plain",${ID}`)}`,
      at: [7],
      seen: '400 for a POST',
      due: '415',
    },
    {
      trace: `${MET}
        client@post/ →1 session/list {}
        ${post(6, 415)}`,
      at: [7],
      seen: /^415 for a POST whose method/,
    },
    {
      trace: `${MET}
        ${answered('"stream":"connection","method":"GET","status":200', ID)}`,
      at: [6],
      due: '406',
    },
  ],
  holds: [
    `${MET}
    client@post/ →1 session/list {}
    ${post(6, 400, JSON_TYPE)}`,
    `${MET}
    ${answered('"method":"DELETE","status":401', ID)}`,
  ],
});

const COOKIE = `${ASKS}${met(200, `${JSON_TYPE},${ID},"set-cookie":"a=…, b=…"`)}
  client@post/ →1 session/list {}
`;

ruleCase('http/cookies', {
  breaks: [
    {
      trace: `${COOKIE}${post(5, 202, `${JSON_TYPE},${ID},"cookie":"b=…"`)}`,
      at: [6],
      seen: 'no cookie "a"',
      side: 'client',
    },
  ],
  holds: `${COOKIE}${post(5, 202, `${JSON_TYPE},${ID},"cookie":"a=…; b=…"`)}`,
});

ruleCase('ws/first-frame', {
  breaks: [
    {
      trace: `
        start ws://127.0.0.1:9000/acp
        client@socket/ →0 session/list {}`,
      at: [2],
      seen: 'another frame before `initialize`',
    },
    {
      trace: `
        start ws://127.0.0.1:9000/acp
        client@socket/ →0 initialize {"protocolVersion":1}
        agent@socket/binary ←0 result {"protocolVersion":1}`,
      at: [3],
      seen: 'a binary frame',
      side: 'agent',
    },
  ],
  holds: `
    start ws://127.0.0.1:9000/acp
    client@socket/ →0 initialize {"protocolVersion":1}
    agent@socket/ ←0 result {"protocolVersion":1}`,
});
