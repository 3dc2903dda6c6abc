import { ruleCase, V1, V1_SESSION, V2 } from '../../test/traces/rule-case.ts';

const PAGED = (handshake: string, first: string, second: string) => `${handshake}
  client →1 session/list {}
  agent ←1 result ${first}
  client →2 session/list {"cursor":"p2"}
  agent ←2 result ${second}
`;
const ENTRY = (id: string) => `{"sessionId":"${id}","cwd":"/w"}`;

ruleCase('list/cursor-opaque', {
  breaks: [
    {
      trace: `${V1}client →1 session/list {"cursor":"made up"}`,
      at: [4],
      seen: '"made up", which no list answer gave',
      side: 'client',
    },
    {
      trace: `${V1}
        client →1 session/list {"cwd":"/w"}
        agent ←1 result {"sessions":[],"nextCursor":"p2"}
        client →2 session/list {"cursor":"p2"}`,
      at: [6],
      seen: /#5 gave for another filter/,
    },
    {
      trace: `${V1}gap 2 lost\nclient →1 session/list {"cursor":"p2"}`,
      at: [5],
      verdict: 'undecidable',
    },
  ],
  holds: [
    PAGED(V1, '{"sessions":[],"nextCursor":"p2"}', '{"sessions":[]}'),
    `${V2}
      client →1 session/list {}
      agent ←1 result {"sessions":[],"nextCursor":""}
      client →2 session/list {"cursor":"","cwd":null}`,
  ],
});

ruleCase('list/cursor-error', {
  breaks: [
    {
      trace: `${V1}client →1 session/list {"cursor":"x"}\nagent ←1 result {"sessions":[]}`,
      at: [5],
      side: 'agent',
    },
    {
      trace: `${V2}client →1 session/list {"cursor":"x"}\nagent ←1 error -32603 Oops`,
      at: [5],
      severity: 'hint',
    },
  ],
  holds: [
    `${V1}client →1 session/list {"cursor":"x"}\nagent ←1 error -32603 Bad cursor`,
    `${V2}client →1 session/list {"cursor":"x"}\nagent ←1 error -32602 Bad cursor`,
    `${V2}client →1 session/list {"cursor":"x"}\nagent ←1 error -32000 Sign in`,
    PAGED(V1, '{"sessions":[],"nextCursor":"p2"}', '{"sessions":[]}'),
  ],
});

ruleCase('list/cwd-filter', {
  breaks: [
    {
      trace: `${V1}client →1 session/list {"cwd":"/w"}\nagent ←1 result {"sessions":[${ENTRY('a')},{"sessionId":"b","cwd":"/w/sub"}]}`,
      at: [5],
      pointer: '/result/sessions/1/cwd',
      seen: '"/w/sub" in a list of "/w"',
    },
    {
      trace: `${V1}client →1 session/list {"cwd":"/link/w"}\nagent ←1 result {"sessions":[${ENTRY('a')}]}`,
      at: [5],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${V1}client →1 session/list {"cwd":"/w/"}\nagent ←1 result {"sessions":[${ENTRY('a')},5,null]}`,
    `${V1}client →1 session/list {"cwd":"/w"}\nagent ←1 result {"sessions":[]}`,
  ],
});

const LISTED = (info: string) =>
  `client →1 session/list {}\nagent ←1 result {"sessions":[{"sessionId":"a",${info}}]}`;
ruleCase('list/cwd-absolute', {
  breaks: [
    { trace: V1 + LISTED('"cwd":"w"'), at: [5], pointer: '/result/sessions/0/cwd' },
    { trace: V1 + LISTED('"cwd":"/w","updatedAt":"yesterday"'), at: [5], seen: /yesterday/ },
    { trace: V2 + LISTED('"cwd":"/w","updatedAt":"2026-11-21"'), at: [5] },
    { trace: V2 + LISTED('"cwd":"/w","additionalDirectories":["x"]'), at: [5] },
    {
      trace: `${V1_SESSION}agent update s1 session_info_update {"updatedAt":"just now"}`,
      at: [6],
      pointer: '/params/update/updatedAt',
    },
  ],
  holds: [
    `${V1_SESSION}agent update s1 session_info_update {"updatedAt":"2026-11-21T03:03:43Z"}`,
    V1 + LISTED('"cwd":"/w","updatedAt":"2026-11-21T03:03:43.123Z"'),
    V1 + LISTED('"cwd":"C:\\\\w","updatedAt":"2026-11-21"'),
    V2 + LISTED('"cwd":"/w","updatedAt":"2026-11-21T03:03:43+01:00"'),
    V2 + LISTED('"cwd":"/w","updatedAt":null'),
  ],
});

ruleCase('list/duplicates', {
  breaks: [
    {
      trace: PAGED(
        V1,
        `{"sessions":[${ENTRY('a')}],"nextCursor":"p2"}`,
        `{"sessions":[${ENTRY('b')},${ENTRY('a')}]}`,
      ),
      at: [7],
      seen: '"a" is listed twice, first in #5',
      pointer: '/result/sessions/1',
    },
    {
      trace: PAGED(V2, '{"sessions":[],"nextCursor":"p2"}', '{"sessions":[],"nextCursor":"p2"}'),
      at: [7],
      seen: /never end/,
    },
    {
      trace: `${V1}client →1 session/list {}\nagent ←1 result {"sessions":[${ENTRY('a')},${ENTRY('a')}]}`,
      at: [5],
      seen: '"a" is listed twice',
    },
  ],
  holds: [
    PAGED(
      V1,
      `{"sessions":[${ENTRY('a')}],"nextCursor":"p2"}`,
      `{"sessions":[${ENTRY('b')}],"nextCursor":"p3"}`,
    ),
    // Two ways through the same pages.
    `${PAGED(V1, `{"sessions":[${ENTRY('a')}],"nextCursor":"p2"}`, `{"sessions":[${ENTRY('b')}]}`)}
      client →3 session/list {}
      agent ←3 result {"sessions":[${ENTRY('a')}],"nextCursor":"p2"}
      client →4 session/list {"cursor":"p2"}
      agent ←4 result {"sessions":[${ENTRY('b')}]}`,
  ],
});

ruleCase('list/not-null', {
  breaks: [
    {
      trace: `${V1}client →1 session/list {}\nagent ←1 result null`,
      at: [5],
      seen: /result is null/,
    },
    {
      trace: `${V1}client →1 session/list {}\nagent ←1 result {"sessions":null}`,
      at: [5],
      pointer: '/result/sessions',
    },
  ],
  holds: [
    `${V1}client →1 session/list {}\nagent ←1 result {"sessions":[]}`,
    `${V1}client →1 session/list {}\nagent ←1 error -32601 No list`,
  ],
});
