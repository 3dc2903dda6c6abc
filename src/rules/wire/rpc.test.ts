import { ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';

ruleCase('rpc/version-tag', {
  breaks: [
    { trace: `${V1}client raw {"id":1,"method":"session/list"}`, at: [4], seen: 'no `jsonrpc`' },
    {
      trace: `${V1}agent raw {"jsonrpc":"1.0","method":"_x"}`,
      at: [4],
      seen: '`jsonrpc` is "1.0"',
      pointer: '/jsonrpc',
      side: 'agent',
    },
  ],
  // A line that was never meant as a message is one fault, frame/not-json.
  holds: [V1, `${V1}agent raw {"level":"info"}`],
});

ruleCase('rpc/shape', {
  breaks: [
    {
      trace: `${V1}agent raw {"jsonrpc":"2.0","id":9}`,
      at: [4],
      seen: 'neither `method`, `result` nor `error`',
    },
    {
      trace: `${V1}agent raw {"jsonrpc":"2.0","id":9,"result":1,"error":{"code":1,"message":"x"}}`,
      at: [4],
      seen: 'both `result` and `error`',
    },
    {
      trace: `${V1}client raw {"jsonrpc":"2.0","method":"_x","result":1}`,
      at: [4],
      seen: '`method` beside `result`',
    },
    { trace: `${V1}agent raw {"jsonrpc":"2.0","result":1}`, at: [4], seen: /without `id`/ },
    { trace: `${V1}agent raw {"jsonrpc":"2.0","method":3}`, at: [4], pointer: '/method' },
  ],
  // What else is wrong with it is another rule's.
  holds: [
    V1,
    `${V1}agent raw {"jsonrpc":"2.0","id":{},"result":1}`,
    `${V1}agent raw 42`,
    `${V1}agent raw {"level":"info"}`,
  ],
});

ruleCase('rpc/params-type', {
  breaks: [
    { trace: `${V1}client →1 session/list []`, at: [4], seen: '`params` is an array' },
    {
      trace: `${V1}client raw {"jsonrpc":"2.0","method":"_x","params":"y"}`,
      at: [4],
      pointer: '/params',
    },
  ],
  holds: `${V1}client →1 session/list`,
});

ruleCase('rpc/id-type', {
  breaks: [
    { trace: `${V2}client →1.5 session/list {}`, at: [4], seen: 'the id is 1.5', pointer: '/id' },
    { trace: `${V2}client →null session/list {}`, at: [4], seen: 'the id is null' },
    { trace: `${V2}client →[1] session/list {}`, at: [4], seen: 'the id is an array' },
    {
      trace: `${V1}client →true session/list {}`,
      at: [4],
      seen: 'the id is a boolean',
      severity: 'error',
    },
  ],
  // In v1 null is discouraged only.
  holds: [V2_SESSION, `${V2}client →"a" session/list {}`, `${V1}client →null session/list {}`],
});

ruleCase('rpc/id-null', {
  breaks: [
    { trace: `${V1}client →null session/list {}`, at: [4], severity: 'warning' },
    { trace: `${V1}client →15e-1 session/list {}`, at: [4], seen: 'the id is 15e-1' },
  ],
  holds: [V1_SESSION, `${V1}client →1e3 session/list {}`],
});

ruleCase(
  'rpc/response-unknown-id',
  {
    breaks: [
      { trace: `${V1}client →1e3 session/list {}\nagent ←100 result {"sessions":[]}`, at: [5] },
      { trace: `${V1}client →1.5 session/list {}\nagent ←1 result {"sessions":[]}`, at: [5] },
    ],
    holds: [
      `${V1}client →1e3 session/list {}\nagent ←1000 result {"sessions":[]}`,
      `${V1}client →7 session/list {}\nagent ←7.0 result {"sessions":[]}`,
      `${V2}client →1E3 session/list {}\nagent ←1000 result {"sessions":[]}`,
      `${V2}client →-0 session/list {}\nagent ←0 result {"sessions":[]}`,
    ],
  },
  'whole numbers in other spellings',
);

ruleCase('rpc/id-unsafe-int', {
  breaks: { trace: `${V2}client →9007199254740993 session/list {}`, at: [4], severity: 'hint' },
  holds: [V2_SESSION, `${V2}client →9007199254740991 session/list {}`],
});

ruleCase('rpc/request-as-notification', {
  breaks: [
    {
      trace: `${V1_SESSION}client session/prompt s1 "Hi"`,
      at: [6],
      seen: 'the request `session/prompt` without an `id`',
    },
    {
      trace: `${V1_SESSION}client →2 session/cancel s1`,
      at: [6],
      seen: 'the notification `session/cancel` with an `id`',
    },
  ],
  holds: [V1_SESSION, `${V1}agent _own {}`],
});

ruleCase('rpc/error-shape', {
  breaks: [
    {
      trace: `${V1}client →1 session/list {}\nagent raw {"jsonrpc":"2.0","id":1,"error":"no"}`,
      at: [5],
      seen: '`error` is a string',
    },
    {
      trace: `${V1}agent raw {"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"y"}}`,
      at: [4],
      pointer: '/error/code',
    },
    {
      trace: `${V1}client →1 session/list {}\nagent raw {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"a\\nb"}}`,
      at: [5],
      severity: 'warning',
    },
    {
      trace: `${V1}client →1 session/list {}\nagent raw {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":""}}`,
      at: [5],
      seen: '`error.message` is empty',
    },
  ],
  holds: `${V1}client →1 session/list {}\nagent ←1 error -32603 Internal error`,
});

ruleCase('rpc/error-code-range', {
  breaks: {
    trace: `${V1}client →1 session/list {}\nagent ←1 error -32050 Too busy`,
    at: [5],
    severity: 'warning',
    seen: /-32050/,
  },
  holds: [
    `${V1}client →1 session/list {}\nagent ←1 error -32603 Internal error`,
    `${V1}client →1 session/list {}\nagent ←1 error 17 Too busy`,
  ],
});

ruleCase('rpc/id-reuse', {
  breaks: [
    {
      trace: `${V2_SESSION}client →7 session/list {}\nclient →7 session/list {}`,
      at: [6, 7],
      severity: 'error',
    },
    {
      trace: `${V1_SESSION}client →7 session/list {}\nclient →7 session/list {}`,
      at: [6, 7],
      severity: 'warning',
    },
  ],
  holds: [
    // Both sides count on their own, and an id is free again once it was answered.
    `${V1_SESSION}client →7 session/list {}\nagent →7 fs/read_text_file {"sessionId":"s1","path":"/w/a"}`,
    `${V1}client →7 session/list {}\nagent ←7 result {"sessions":[]}\nclient →7 session/list {}`,
  ],
});

ruleCase('rpc/response-unknown-id', {
  breaks: [
    { trace: `${V1}agent ←9 result {}`, at: [4], side: 'agent', seen: /no request of the client/ },
    {
      trace: `${V1}client →1 session/list {}\nagent ←"1" result {"sessions":[]}`,
      at: [5],
      due: 'the id comes back with its JSON type',
    },
    { trace: `${V1}gap 3 disk full\nagent ←9 result {}`, at: [5], verdict: 'undecidable' },
  ],
  holds: [V1_SESSION, `${V1}agent ←null error -32700 Parse error`],
});

ruleCase('rpc/response-duplicate', {
  breaks: {
    trace: `${V1}client →1 session/list {}\nagent ←1 result {"sessions":[]}\nagent ←1 result {"sessions":[]}`,
    at: [6],
    seen: 'a second answer to `session/list` (#4), answered in #5',
  },
  holds: `${V1}client →1 session/list {}\nagent ←1 result {"sessions":[]}\nclient →1 session/list {}\nagent ←1 result {"sessions":[]}`,
});

ruleCase('rpc/response-missing', {
  breaks: [
    {
      trace: `${V1}client →1 session/list {}\nclient →2 session/list {}\nagent ←2 result {"sessions":[]}\nexit 0`,
      at: [4],
      side: 'agent',
      seen: 'no answer to `session/list`: #5, asked later, has one',
    },
    {
      trace: `${V1}client →1 session/list {}\n+40000ms\nstderr still here`,
      at: [4, 5],
      seen: /40 s/,
    },
    { trace: `${V1}client →1 session/list {}\nexit SIGKILL`, at: [4], verdict: 'undecidable' },
    // A prompt of v1 may take as long as there are signs of life; a person as long as they like.
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "Hi"\n+90000ms\nagent update s1 agent_message_chunk "Still"\nexit SIGKILL`,
      at: [6],
      verdict: 'undecidable',
    },
    {
      trace: `${V1_SESSION}agent →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t"},"options":[]}\n+90000ms\nexit SIGKILL`,
      at: [6],
      verdict: 'undecidable',
      side: 'client',
    },
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "Hi"\n+90000ms\nexit SIGKILL`,
      at: [6],
      seen: 'no answer to `session/prompt`: 90 s of silence',
    },
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "Hi"\nexit 139`,
      at: [6],
      seen: 'no answer to `session/prompt`: the agent exited with 139',
    },
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "Hi"\nexit SIGSEGV`,
      at: [6],
      seen: 'no answer to `session/prompt`: the agent was ended by SIGSEGV',
    },
    // Somebody stopped it.
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "Hi"\nexit 143`,
      at: [6],
      verdict: 'undecidable',
    },
    // Later turns ended one after the other, and nothing was sent for this one.
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "One"
        agent update s1 agent_message_chunk "one"
        client →3 session/prompt s1 "Two"
        agent update s1 agent_message_chunk "two"
        agent ←3 result {"stopReason":"end_turn"}
        client →4 session/prompt s1 "Three"
        agent ←4 result {"stopReason":"end_turn"}`,
      at: [6],
      side: 'agent',
      seen: 'no answer to `session/prompt`: the turns of #8 and #11, sent later, ended one after the other',
    },
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "One"
        +31000ms
        client →3 session/prompt s1 "Two"
        agent ←3 result {"stopReason":"end_turn"}`,
      at: [6],
      seen: /after a long silence the turn of #7/,
    },
    // An agent that takes prompts into a running turn ends each at once, and then speaks on.
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "One"
        client →3 session/prompt s1 "Two"
        agent ←3 result {"stopReason":"end_turn"}
        agent update s1 agent_message_chunk "one"
        client →4 session/prompt s1 "Three"
        agent ←4 result {"stopReason":"end_turn"}`,
      at: [6],
      verdict: 'undecidable',
    },
    // Two prompts that overlap each other are one turn.
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "One"
        client →3 session/prompt s1 "Two"
        client →4 session/prompt s1 "Three"
        agent ←3 result {"stopReason":"end_turn"}
        agent ←4 result {"stopReason":"end_turn"}`,
      at: [6],
      verdict: 'undecidable',
    },
    // A session takes its time to come back; what it answers then, it can only answer when it is there.
    {
      trace: `${V1}client →1 session/load s1\nclient →2 session/prompt s1 "Hi"\nagent ←2 error -32002 Not yet\nclient →3 session/list {}\nagent ←3 result {"sessions":[]}`,
      at: [4],
      verdict: 'undecidable',
    },
    {
      trace: `${V1}client →1 session/load s1\nclient →2 session/prompt s1 "Hi"\nagent ←2 result {"stopReason":"end_turn"}`,
      at: [4],
      seen: 'no answer to `session/load`: #5, asked later, has one',
    },
    // In v2 the answer only says that the prompt was taken in.
    {
      trace: `${V2_SESSION}client →2 session/prompt s1 "Hi"\nclient →3 session/list {}\nagent ←3 result {"sessions":[]}\nexit 0`,
      at: [6],
      seen: /#7, asked later/,
    },
  ],
  // The transport could not hand it over: the agent never got it.
  holds: [
    V1_SESSION,
    `${V1_SESSION}client@post/s1 →2 session/prompt s1 "Hi"
      transport {"step":"answered","stream":"post","method":"POST","of":6,"status":500,"problem":"x"}
      exit 1`,
  ],
});

ruleCase('rpc/response-to-notification', {
  breaks: {
    trace: `${V1_SESSION}client session/cancel s1\nagent ←null error -32603 No such thing`,
    at: [7],
    seen: 'an error right after the notification `session/cancel`',
  },
  holds: V1_SESSION,
});

ruleCase('rpc/null-id-error', {
  breaks: [
    {
      trace: `${V1_SESSION}agent ←null error -32603 Oops`,
      at: [6],
      seen: 'an error with a null id after the well-formed #4',
    },
    { trace: `${V1}agent ←null result {}`, at: [4], seen: 'a result with a null id' },
  ],
  holds: `${V1}client raw {"jsonrpc"\nagent ←null error -32700 Parse error`,
});

ruleCase('rpc/unknown-method-code', {
  breaks: [
    {
      trace: `${V1}client →1 session/lst {}\nagent ←1 error -32603 What?`,
      at: [5],
      severity: 'warning',
    },
    {
      trace: `${V2}client →1 session/lst {}\nagent ←1 result {}`,
      at: [5],
      severity: 'error',
      edition: 'v2-2.4.0',
    },
  ],
  holds: `${V1}client →1 session/lst {}\nagent ←1 error -32601 Method not found`,
});

const NO_LIST = V1.replace('"list":{},', '');
const readFile = (error: string) =>
  `agent →1 fs/read_text_file {"sessionId":"s1","path":"/w/a"}\nclient ←1 error ${error}`;
const list = (answer: string) => `client →1 session/list {}\nagent ←1 ${answer}`;
ruleCase(
  'rpc/unknown-method-code',
  {
    breaks: [
      {
        trace: `${NO_LIST}${list('error -32603 Internal error')}`,
        at: [5],
        side: 'agent',
        severity: 'warning',
        seen: 'the code -32603 for `session/list`, although `sessionCapabilities.list` is not advertised',
      },
      { trace: `${NO_LIST}${list('error -32602 Invalid params')}`, at: [5] },
      {
        trace: `${V1.replaceAll('"readTextFile":true', '"readTextFile":false')}${readFile('-32603 Internal error')}`,
        at: [5],
        side: 'client',
        severity: 'warning',
        seen: 'the code -32603 for `fs/read_text_file`, although `fs.readTextFile` is not advertised',
      },
    ],
    holds: [
      `${V1}${readFile('-32603 Internal error')}`,
      // An earlier schema had the method, so that its params may be wrong.
      `${V1}client →1 session/set_model {"sessionId":"s1","modelId":"x"}\nagent ←1 error -32602 Unknown model`,
      `${NO_LIST}${list('error -32601 Method not found')}`,
      `${NO_LIST}${list('error -32000 Authentication required')}`,
      `${NO_LIST}${list('result {"sessions":[]}')}`,
      `${V1}${list('error -32603 Internal error')}`,
      `start agent\n${list('error -32603 Internal error')}`,
      `${NO_LIST}client →1 authenticate {"methodId":"x"}\nagent ←1 error -32602 Unknown method`,
    ],
  },
  'a method that is not advertised',
);

ruleCase('rpc/extra-member', {
  breaks: [
    {
      trace: `${V1_SESSION}agent raw {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}},"traceId":"a","x":1}`,
      at: [6],
      side: 'agent',
      severity: 'hint',
      seen: '`traceId`, `x`',
      pointer: '/traceId',
    },
    {
      trace: `${V2}client →1 session/list {}\nagent raw {"jsonrpc":"2.0","id":1,"result":{"sessions":[]},"durationMs":5}`,
      at: [5],
      pointer: '/durationMs',
    },
    {
      trace: `${V1}client →1 session/list {}\nagent raw {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Oops","stack":"at a"}}`,
      at: [5],
      seen: '`error/stack`',
      pointer: '/error/stack',
    },
  ],
  holds: [
    V1_SESSION,
    `${V1}client →1 session/list {"x":1,"_meta":{}}\nagent ←1 error -32603 Oops {"y":2}`,
  ],
});
