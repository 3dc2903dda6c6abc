import { ruleCase, V1, V1_SESSION, V2 } from '../../test/traces/rule-case.ts';

const V1_METHODS = (methods: string, capabilities = '{}') => `start agent
  client →0 initialize {"protocolVersion":1,"clientCapabilities":{"auth":{"terminal":true}}}
  agent ←0 result {"protocolVersion":1,"authMethods":${methods},"agentCapabilities":${capabilities}}\n`;
const V2_METHODS = (methods: string) => `start agent
  client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"}}
  agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"authMethods":${methods},"capabilities":{"session":{}}}\n`;
const KEY_V1 = '[{"id":"key","name":"K"},{"type":"terminal","id":"tty","name":"T"}]';
const KEY_V2 =
  '[{"type":"agent","methodId":"key","name":"K"},{"type":"terminal","methodId":"tty","name":"T"}]';
const NEW_SESSION = 'client →5 session/new {"cwd":"/w","mcpServers":[]}\n';

ruleCase('auth/unknown-method', {
  breaks: [
    {
      trace: `${V1_METHODS(KEY_V1)}client →1 authenticate {"methodId":"ky"}`,
      at: [4],
      seen: '`methodId` is "ky"',
      due: 'one of "key", "tty"',
    },
    { trace: `${V2_METHODS(KEY_V2)}client →1 auth/login {"methodId":"ky"}`, at: [4] },
    { trace: `${V1}client →1 authenticate {"methodId":"key"}`, at: [4], due: /none is advertised/ },
  ],
  holds: [
    `${V1_METHODS(KEY_V1)}client →1 authenticate {"methodId":"key"}`,
    `${V2_METHODS(KEY_V2)}client →1 auth/login {"methodId":"key"}`,
    `${V2}client →1 auth/login {"methodId":"key"}`,
    `${V2_METHODS('[{"id":"key","name":"K"}]')}client →1 auth/login {"methodId":"key"}`,
    // That is method/wrong-version.
    `${V1}client →1 auth/login {"methodId":"ky"}`,
  ],
});

ruleCase('auth/unknown-reply', {
  breaks: [
    {
      trace: `${V1_METHODS(KEY_V1)}client →1 authenticate {"methodId":"ky"}\nagent ←1 result {}`,
      at: [3, 4, 5],
      seen: 'a result for "ky"',
      side: 'agent',
      severity: 'warning',
    },
    {
      trace: `${V2_METHODS(KEY_V2)}client →1 auth/login {"methodId":"ky"}\nagent ←1 result {}`,
      at: [3, 4, 5],
    },
  ],
  holds: [
    `${V1_METHODS(KEY_V1)}client →1 authenticate {"methodId":"ky"}\nagent ←1 error -32602 Unknown`,
    `${V1_METHODS(KEY_V1)}client →1 authenticate {"methodId":"ky"}\nagent ←1 error -32603 No`,
    `${V1_METHODS(KEY_V1)}client →1 authenticate {"methodId":"key"}\nagent ←1 result {}`,
    // Nobody says which methods there are.
    `${V1}client →1 authenticate {"methodId":"key"}\nagent ←1 result {}`,
  ],
});

ruleCase('auth/terminal-login', {
  breaks: [
    {
      trace: `${V1_METHODS(KEY_V1)}client →1 authenticate {"methodId":"tty"}`,
      at: [4],
      seen: '"tty", which is of type "terminal"',
    },
    { trace: `${V2_METHODS(KEY_V2)}client →1 auth/login {"methodId":"tty"}`, at: [4] },
  ],
  holds: `${V2_METHODS(KEY_V2)}client →1 auth/login {"methodId":"key"}`,
});

ruleCase('auth/no-surface', {
  breaks: [
    { trace: `${V2}client →1 auth/login {"methodId":"key"}`, at: [4], side: 'client' },
    { trace: `${V2_METHODS('[]')}client →1 auth/logout {}`, at: [4] },
    { trace: `${V1_METHODS(KEY_V1)}client →1 logout {}`, at: [4], seen: /auth\.logout/ },
  ],
  holds: [
    `${V2_METHODS(KEY_V2)}client →1 auth/logout {}`,
    `${V1_METHODS('[]', '{"auth":{"logout":{}}}')}client →1 logout {}`,
  ],
});

ruleCase('auth/login-unimplemented', {
  breaks: {
    trace: `${V2_METHODS(KEY_V2)}client →1 auth/logout {}\nagent ←1 error -32601 Method not found`,
    at: [5],
    side: 'agent',
  },
  holds: [
    `${V2_METHODS(KEY_V2)}client →1 auth/login {"methodId":"key"}\nagent ←1 error -32603 Failed`,
    `${V2}client →1 auth/login {}\nagent ←1 error -32601 Method not found`,
  ],
});

const sign = (answer: string) => `client →1 authenticate {"methodId":"key"}\nagent ←1 ${answer}`;
ruleCase('auth/refused', {
  breaks: [
    {
      trace: `${V1_METHODS(KEY_V1)}${sign('error -32602 Unknown auth method: key')}`,
      at: [3, 4, 5],
      side: 'agent',
      severity: 'warning',
    },
    { trace: `${V1_METHODS(KEY_V1)}${sign('error -32603 Unsupported method')}`, at: [3, 4, 5] },
    { trace: `${V1_METHODS(KEY_V1)}${sign('error -32602 Invalid params')}`, at: [3, 4, 5] },
  ],
  holds: [
    `${V1_METHODS(KEY_V1)}${sign('result {}')}`,
    // The user has no such key, or went away.
    `${V1_METHODS(KEY_V1)}${sign('error -32602 The API key is invalid')}`,
    `${V1_METHODS(KEY_V1)}${sign('error -32603 Internal error')}`,
    `${V1_METHODS(KEY_V1)}${sign('error -32800 Cancelled')}`,
    `${V1_METHODS(KEY_V1)}client →1 authenticate {"methodId":"x"}\nagent ←1 error -32602 Unknown method`,
  ],
});

ruleCase('auth/required-without-methods', {
  breaks: {
    trace: `${V1}${NEW_SESSION}agent ←5 error -32000 Authentication required`,
    at: [5],
    severity: 'hint',
  },
  holds: `${V1_METHODS(KEY_V1)}${NEW_SESSION}agent ←5 error -32000 Authentication required`,
});

const SIGN_IN = `client →1 authenticate {"methodId":"key"}\nagent ←1 result {}\n`;
const REFUSED = 'agent ←5 error -32000 Authentication required\n';
ruleCase('auth/still-required', {
  breaks: {
    trace: `${V1_METHODS(KEY_V1)}${SIGN_IN}${NEW_SESSION}${REFUSED}`,
    at: [7],
    seen: '-32000, although the sign-in succeeded in #5',
  },
  holds: [
    `${V1_METHODS(KEY_V1)}${SIGN_IN}${NEW_SESSION}agent ←5 result {"sessionId":"s1"}`,
    // It ran out later.
    `${V1_METHODS(KEY_V1)}${SIGN_IN}client →4 session/new {}\nagent ←4 result {"sessionId":"s1"}\n${NEW_SESSION}${REFUSED}`,
    // Asked before the sign-in was done.
    `${V1_METHODS(KEY_V1)}${NEW_SESSION}${SIGN_IN}${REFUSED}`,
    `${V1_METHODS(KEY_V1)}${SIGN_IN}client →2 logout {}\nagent ←2 result {}\n${NEW_SESSION}${REFUSED}`,
    `${V1_METHODS(KEY_V1)}${SIGN_IN}agent auth/status_update {"state":"unauthenticated"}\n${NEW_SESSION}${REFUSED}`,
  ],
});

ruleCase('auth/duplicate-ids', {
  breaks: [
    {
      trace: V1_METHODS('[{"id":"key","name":"K"},{"id":"key","name":"L"}]'),
      at: [3],
      seen: 'the id "key" twice',
      severity: 'warning',
    },
    {
      trace: V2_METHODS(
        '[{"type":"terminal","methodId":"t","name":"T","env":[{"name":"A","value":"1"},{"name":"A","value":"2"}]}]',
      ),
      at: [3],
      severity: 'error',
    },
  ],
  holds: [V1_METHODS(KEY_V1), V2_METHODS(KEY_V2)],
});

ruleCase('auth/status-gated', {
  breaks: [
    {
      trace: `${V1}client →1 auth/status {}\nagent ←1 error -32000 Sign in`,
      at: [5],
      side: 'agent',
    },
    {
      trace: `${V1}agent auth/status_update {"state":"authenticated"}`,
      at: [4],
      seen: 'the agent does not advertise `auth.status`',
    },
    { trace: 'agent auth/status_update {}', at: [1], verdict: 'undecidable', edition: 'v1-2.4.0' },
  ],
  holds: [
    `${V1_METHODS('[]', '{"auth":{"status":{}}}')}agent auth/status_update {"state":"unknown"}`,
    V1_SESSION,
  ],
});
