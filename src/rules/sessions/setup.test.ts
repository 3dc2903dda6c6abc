import { expect, test } from 'vitest';
import { ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';
import { sameDirectory } from '../../lib/absolute-path.ts';

ruleCase('setup/cwd-absolute', {
  breaks: [
    {
      trace: `${V1}client →1 session/new {"cwd":".","mcpServers":[]}`,
      at: [4],
      seen: '"."',
      pointer: '/params/cwd',
      side: 'client',
    },
    { trace: `${V2}client →1 session/list {"cwd":"~/code"}`, at: [4], seen: '"~/code"' },
    { trace: `${V2}client →1 session/resume {"sessionId":"s1","cwd":"file:///w"}`, at: [4] },
    {
      trace: `${V1}client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[],"additionalDirectories":["/a","b"]}`,
      at: [4],
      pointer: '/params/additionalDirectories/1',
      seen: '`additionalDirectories[1]` is "b"',
    },
    // Where an agent put a child session.
    {
      trace: `${V2_SESSION}agent update s1 subagent_update {"sessionId":"k1","cwd":"sub"}`,
      at: [6],
      pointer: '/params/update/cwd',
      side: 'agent',
    },
  ],
  holds: [
    V1_SESSION,
    `${V2_SESSION}agent update s1 subagent_update {"sessionId":"k1","cwd":"/w/sub"}`,
    `${V1}client →1 session/new {"cwd":"C:\\\\code","mcpServers":[],"additionalDirectories":["D:/x","\\\\\\\\srv\\\\share"]}`,
    `${V1}client →1 session/list {"cwd":null}`,
    `${V1}client →1 session/new {"cwd":5,"additionalDirectories":{"__proto__":1}}`,
  ],
});

ruleCase('setup/mcp-missing', {
  breaks: [
    {
      trace: `${V1}client →1 session/load {"sessionId":"s1","cwd":"/w"}`,
      at: [4],
      seen: 'no `mcpServers`',
      due: /most frequent/,
    },
    {
      trace: `${V1}client →1 session/new {"cwd":"/w","mcpServers":null}`,
      at: [4],
      seen: '`mcpServers` is null',
      pointer: '/params/mcpServers',
    },
  ],
  holds: [V1_SESSION, V2_SESSION, `${V1}client →1 session/resume {"sessionId":"s1","cwd":"/w"}`],
});

const server = (json: string) => `"cwd":"/w","mcpServers":[${json}]}`;
ruleCase('setup/mcp-stdio-fields', {
  breaks: [
    {
      trace: `${V1}client →1 session/new {${server('{"name":"fs","command":"/bin/fs","env":[]}')}`,
      at: [4],
      seen: 'no `args` in the server "fs"',
      severity: 'error',
    },
    {
      trace: `${V1}client →1 session/new {${server('{"name":"fs","command":"/bin/fs","args":[]}')}`,
      at: [4],
      seen: 'no `env` in the server "fs"',
      severity: 'warning',
    },
    {
      trace: `${V1}client →1 session/new {${server('{"type":"http","name":"h","url":"http://h"}')}`,
      at: [4],
      seen: /headers/,
    },
    {
      trace: `${V2}client →1 session/new {${server('{"type":"stdio","name":"fs","command":"./fs"}')}`,
      at: [4],
      seen: 'the command "./fs"',
      pointer: '/params/mcpServers/0/command',
      severity: 'error',
    },
    {
      trace: `${V2}client →1 session/new {${server('{"type":"stdio","name":"fs","command":"npx"}')}`,
      at: [4],
      severity: 'warning',
    },
  ],
  holds: [
    `${V1}client →1 session/new {${server('{"name":"fs","command":"/bin/fs","args":[],"env":[]}')}`,
    `${V2}client →1 session/new {${server('{"type":"stdio","name":"fs","command":"/bin/fs"}')}`,
    `${V2}client →1 session/new {${server('{"type":"_odd","name":"x"}')}`,
    `${V1}client →1 session/new {${server('null,5,"x"')}`,
    // The schema says that they are no arrays.
    `${V1}client →1 session/new {${server('{"name":"fs","command":"/bin/fs","args":[],"env":{}}')}`,
  ],
});

ruleCase('setup/mcp-type-missing', {
  breaks: {
    trace: `${V2}client →1 session/new {${server('{"name":"fs","command":"/bin/fs"}')}`,
    at: [4],
    pointer: '/params/mcpServers/0',
  },
  holds: [
    `${V2}client →1 session/new {${server('{"type":"http","name":"fs","url":"http://h"}')}`,
    `${V1}client →1 session/new {${server('{"name":"fs","command":"/bin/fs"}')}`,
  ],
});

const STDIO = '"type":"stdio","command":"/bin/fs"';
ruleCase('setup/mcp-duplicate-name', {
  breaks: [
    {
      trace: `${V2}client →1 session/new {${server(`{"name":"fs",${STDIO}},{"name":"fs",${STDIO}}`)}`,
      at: [4],
      seen: 'two servers are named "fs"',
    },
    {
      trace: `${V2}client →1 session/new {${server(`{"name":"fs",${STDIO},"env":[{"name":"A","value":"1"},{"name":"A","value":"2"}]}`)}`,
      at: [4],
      seen: 'two variables are named "A"',
      pointer: '/params/mcpServers/0/env',
    },
  ],
  holds: `${V2}client →1 session/new {${server(`{"name":"fs",${STDIO}},{"name":"git",${STDIO}}`)}`,
});

ruleCase('setup/null-arrays', {
  breaks: {
    trace: `${V2}client →1 session/new {"cwd":"/w"}\nagent ←1 result {"sessionId":"s1","configOptions":null}`,
    at: [5],
    pointer: '/result/configOptions',
  },
  holds: [V2_SESSION, V1_SESSION],
});

ruleCase('setup/null-result', {
  breaks: {
    trace: `${V1}client →1 session/load s1\nagent ←1 result null`,
    at: [5],
    severity: 'hint',
  },
  holds: `${V1}client →1 session/load s1\nagent ←1 result {}`,
});

ruleCase('setup/session-id-unique', {
  breaks: [
    {
      trace: `${V1_SESSION}client →2 session/new {"cwd":"/w"}\nagent ←2 result {"sessionId":"s1"}`,
      at: [7],
      seen: /"s1", which #5 named already/,
      severity: 'error',
    },
    {
      trace: `${V1_SESSION}client →2 session/delete s1
        agent ←2 result {}
        client →3 session/new {"cwd":"/w"}
        agent ←3 result {"sessionId":"s1"}`,
      at: [9],
      seen: '"s1", which named the session that #7 deleted',
      severity: 'warning',
    },
    {
      trace: `${V1_SESSION}client →2 session/fork s1\nagent ←2 result {"sessionId":"s1"}`,
      at: [7],
    },
    // Its source is no session of this connection.
    {
      trace: `${V1}client →2 session/fork s1\nagent ←2 result {"sessionId":"s1"}`,
      at: [5],
      seen: '"s1", which is the session to be forked',
    },
    { trace: [V1_SESSION, V1_SESSION], at: [5], verdict: 'undecidable', seen: /c1#5/ },
  ],
  holds: [
    V1_SESSION,
    `${V2}
      client →1 session/new {"cwd":"/w"}
      agent update s1 state_update {"state":"idle"}
      client →2 session/list {}
      agent ←2 result {"sessions":[{"sessionId":"s1","cwd":"/w"}]}
      agent ←1 result {"sessionId":"s1"}`,
  ],
});

ruleCase('setup/unknown-session', {
  breaks: [
    {
      trace: `${V1}client →1 session/prompt nope "hi"`,
      at: [4],
      seen: /neither made, loaded, resumed nor forked/,
      pointer: '/params/sessionId',
    },
    {
      trace: `${V2}
        client →1 session/list {}
        agent ←1 result {"sessions":[{"sessionId":"s1","cwd":"/w"}]}
        client session/cancel s1`,
      at: [6],
      seen: /listed, but neither/,
    },
    {
      trace: `${V1_SESSION}client →2 session/delete s1\nagent ←2 result {}\nclient →3 session/prompt s1 "x"`,
      at: [8],
      seen: /#7 deleted/,
    },
    { trace: `${V1}gap 3 lost\nclient →1 session/prompt s1 "x"`, at: [5], verdict: 'undecidable' },
    // The response of `session/new` may be missing in the log.
    {
      trace: `${V1_SESSION.replace(/agent ←1.*\n/, '')}client →2 session/prompt s2 "Hi"`,
      at: [5],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${V1_SESSION}client →2 session/prompt s1 "hi"`,
    // A restore on its way, a session of the past, a child, and what is asked of stored sessions.
    `${V1}client →1 session/load s1\nclient →2 session/prompt s1 "hi"`,
    `${V1_SESSION}client →2 session/close s1\nagent ←2 result {}\nclient →3 session/prompt s1 "x"`,
    `${V2_SESSION}agent update s1 subagent_update {"sessionId":"kid"}\nclient →2 session/prompt kid "x"`,
    `${V2}client →1 session/delete nope\nclient →2 session/fork nope\nclient →3 session/set_title nope`,
  ],
});

const STRANGE = `${V2}client →1 session/prompt nope "hi"\n`;
ruleCase('setup/unknown-session-reply', {
  breaks: [
    { trace: `${STRANGE}agent ←1 result {"messageId":"m1"}`, at: [5], severity: 'error' },
    { trace: `${STRANGE}agent ←1 error -32603 Internal error`, at: [5], severity: 'warning' },
    {
      trace: `${STRANGE}agent ←1 error -32002 Session not found`,
      at: [5],
      seen: /without `data.sessionId`/,
      severity: 'warning',
    },
    { trace: `${STRANGE}agent ←1 error -32002 Resource not found`, at: [5], severity: 'warning' },
    {
      trace: `${STRANGE}agent ←1 error -32002 Session not found {"sessionId":"s2"}`,
      at: [5],
      seen: /with `data.sessionId` "s2"/,
    },
    {
      trace: `${V2}client →1 session/resume s1\nagent ←1 error -32002 Resource not found`,
      at: [5],
    },
    {
      trace: `${V1}client →1 session/load s1\nagent ←1 error -32002 Not found {"sessionId":"s2"}`,
      at: [5],
    },
    {
      trace: `${V1}client →1 session/prompt nope "hi"\nagent ←1 result {}`,
      at: [5],
      severity: 'warning',
    },
    {
      trace: `${V1}client →1 session/load s1\nagent ←1 error -32603 Session s1 not found`,
      at: [5],
      severity: 'warning',
    },
    {
      trace: `${V2_SESSION}client →2 session/delete s1\nagent ←2 result {}\nclient →3 session/resume s1\nagent ←3 result {}`,
      at: [9],
      severity: 'error',
    },
  ],
  holds: [
    `${STRANGE}agent ←1 error -32002 Session not found {"sessionId":"nope"}`,
    `${STRANGE}agent ←1 error -32000 Sign in first`,
    `${V1}client →1 session/prompt nope "hi"\nagent ←1 error -32002 Resource not found: nope`,
    `${V2}client →1 session/resume s1\nagent ←1 error -32002 Not found {"path":"/w"}`,
    `${V2_SESSION}client →2 session/prompt s1 "hi"\nagent ←2 error -32002 Resource not found`,
    `${V1}client →1 session/load s1\nagent ←1 result {}`,
    `${V1}client →1 session/load s1\nagent ←1 error -32603 Disk full`,
  ],
});

const DENIED = 'error -32602 Session not found';
ruleCase('setup/open-session-denied', {
  breaks: [
    {
      trace: `${V1_SESSION}client →2 session/prompt s1 "x"\nagent ←2 ${DENIED}`,
      at: [5, 6, 7],
      severity: 'error',
      side: 'agent',
      seen: /-32602 "Session not found" for "s1", which #5 opened/,
      pointer: '/error',
    },
    {
      trace: `${V1}client →1 session/resume s1\nagent ←1 result {}\nclient →2 session/prompt s1 "x"\nagent ←2 ${DENIED}`,
      at: [5, 6, 7],
    },
    {
      trace: `${V1}client →1 session/load s1\nagent ←1 result {}\nclient →2 session/set_mode {"sessionId":"s1","modeId":"m"}\nagent ←2 error -32002 Resource not found: s1`,
      at: [5, 6, 7],
    },
    {
      trace: `${V1_SESSION}client →2 session/fork s1\nagent ←2 result {"sessionId":"s2"}\nclient →3 session/prompt s2 "x"\nagent ←3 error -32603 Internal error {"details":"Session not found"}`,
      at: [7, 8, 9],
    },
    {
      trace: `${V2_SESSION}client →2 session/prompt s1 "x"\nagent ←2 result {"messageId":"m1"}\nclient →3 session/resume s1\nagent ←3 ${DENIED}`,
      at: [5, 8, 9],
    },
    {
      trace: `${V1_SESSION}client →2 session/close s1\nagent ←2 result {}\nclient →3 session/load s1\nagent ←3 result {}\nclient →4 session/prompt s1 "x"\nagent ←4 ${DENIED}`,
      at: [9, 10, 11],
    },
    {
      trace: `${V1_SESSION}gap 1 lost\nclient →2 session/prompt s1 "x"\nagent ←2 ${DENIED}`,
      at: [8],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${V1_SESSION}client →2 session/prompt s1 "x"\nagent ←2 result {"stopReason":"end_turn"}`,
    // A session that was closed, is about to be closed, or was never opened here.
    `${V1_SESSION}client →2 session/close s1\nagent ←2 result {}\nclient →3 session/prompt s1 "x"\nagent ←3 ${DENIED}`,
    `${V1_SESSION}client →2 session/close s1\nclient →3 session/prompt s1 "x"\nagent ←3 ${DENIED}`,
    `${V1}client →1 session/prompt s1 "x"\nagent ←1 ${DENIED}`,
    `${V1}client →1 session/load s1\nclient →2 session/prompt s1 "x"\nagent ←1 result {}\nagent ←2 ${DENIED}`,
    // Something else is unknown, or the agent asks for a sign-in.
    `${V1_SESSION}client →2 session/set_mode {"sessionId":"s1","modeId":"m"}\nagent ←2 error -32602 Unknown mode for session s1`,
    `${V1_SESSION}client →2 session/prompt s1 "x"\nagent ←2 error -32000 Session not found`,
    `${V1_SESSION}client →2 session/prompt s1 "x"\nagent ←2 error -32002 Resource not found`,
    // Agents may store a session from its first prompt on.
    `${V1_SESSION}client →2 session/load s1\nagent ←2 ${DENIED}`,
    `${V2_SESSION}agent update s1 subagent_update {"sessionId":"kid"}\nclient →2 session/prompt kid "x"\nagent ←2 ${DENIED}`,
  ],
});

ruleCase('setup/update-unknown-session', {
  breaks: [
    { trace: `${V1_SESSION}agent update other agent_message_chunk "x"`, at: [6], seen: /"other"/ },
    { trace: `${V1}agent →9 fs/read_text_file {"sessionId":"s1","path":"/x"}`, at: [4] },
    {
      trace: `${V2}
        client →1 session/new {"cwd":"/w"}
        agent update s1 state_update {"state":"idle"}
        agent update s9 state_update {"state":"idle"}
        agent ←1 result {"sessionId":"s1"}`,
      at: [6],
      seen: /"s9", and no answer named it/,
    },
    {
      trace: `${V2}client →1 session/new {"cwd":"/w"}\nagent update s1 state_update {"state":"idle"}`,
      at: [5],
      verdict: 'undecidable',
    },
    {
      trace: `${V2}
        client →1 session/list {}
        agent ←1 result {"sessions":[{"sessionId":"s1","cwd":"/w"}]}
        agent update s1 session_info_update {"title":"t"}`,
      at: [6],
      severity: 'warning',
    },
    { trace: `${V1}gap 1 lost\nagent update s1 plan {}`, at: [5], verdict: 'undecidable' },
    {
      trace: `${V1}client →1 session/prompt s9 "x"\nagent ←1 error -32002 x\nagent update s9 agent_message_chunk "x"`,
      at: [6],
    },
  ],
  holds: [
    `${V1_SESSION}agent update s1 agent_message_chunk "x"`,
    `${V2}
      client →1 session/new {"cwd":"/w"}
      agent update s1 state_update {"state":"idle"}
      agent ←1 result {"sessionId":"s1"}`,
    `${V1}client →1 session/load s1\nagent update s1 agent_message_chunk "x"`,
    // Real agents replay a fork under its new id before its answer tells that.
    `${V1_SESSION}
      client →2 session/fork s1
      agent update s2 user_message_chunk "x"
      agent ←2 result {"sessionId":"s2"}`,
    `${V2_SESSION}agent update s1 subagent_update {"sessionId":"kid"}\nagent update kid plan_update {}`,
    `${V1_SESSION}client →2 session/close s1\nagent ←2 result {}\nagent update s1 plan {}`,
    `${V1}agent →5 _vendor/ask {"sessionId":"x"}`,
    // The client uses what it did not open; that the agent goes along is told of its answer.
    `${V1}client →1 session/prompt s9 "x"\nagent update s9 agent_message_chunk "x"\nagent ←1 result {"stopReason":"end_turn"}`,
  ],
});

ruleCase('setup/cwd-mismatch', {
  breaks: [
    {
      trace: [
        V1_SESSION,
        `${V1}client →1 session/load {"sessionId":"s1","cwd":"/other","mcpServers":[]}`,
      ],
      at: [4],
      seen: '"/other", where c1#4 has "/w"',
      severity: 'warning',
    },
    {
      trace: `${V2}
        client →1 session/list {}
        agent ←1 result {"sessions":[{"sessionId":"s1","cwd":"/w"}]}
        client →2 session/resume {"sessionId":"s1","cwd":"/x"}`,
      at: [6],
      seen: /#5/,
      severity: 'error',
    },
    {
      trace: [
        `${V1}client →1 session/new {"cwd":"/tmp/w","mcpServers":[]}\nagent ←1 result {"sessionId":"s1"}`,
        `${V1}client →1 session/load {"sessionId":"s1","cwd":"/private/tmp/w","mcpServers":[]}`,
      ],
      at: [4],
      verdict: 'undecidable',
    },
  ],
  holds: [
    // A fork is a new session with a directory of its own.
    `${V2_SESSION}client →2 session/fork {"sessionId":"s1","cwd":"/other"}
      agent ←2 result {"sessionId":"s2"}
      client →3 session/resume {"sessionId":"s1","cwd":"/w"}
      client →4 session/resume {"sessionId":"s2","cwd":"/other"}`,
    [V1_SESSION, `${V1}client →1 session/load {"sessionId":"s1","cwd":"/w/","mcpServers":[]}`],
    `${V1}client →1 session/load {"sessionId":"s1","cwd":"/other","mcpServers":[]}`,
  ],
});

test.each([
  ['/w', '/w/', 'same'],
  ['/w/a/../b', '/w/b', 'same'],
  ['C:\\code', 'C:/code/', 'same'],
  ['/w', '/x', 'different'],
  ['/', '/w', 'different'],
  ['/tmp/w', '/private/tmp/w', 'unclear'],
  ['c:\\Code', 'C:\\code', 'unclear'],
  ['\\\\?\\C:\\code', 'C:\\code', 'unclear'],
  ['/mnt/c/code', 'C:\\code', 'unclear'],
] as const)('%s and %s are %s', (a, b, sameness) => {
  expect(sameDirectory(a, b)).toBe(sameness);
  expect(sameDirectory(b, a)).toBe(sameness);
});

const ROOTED = `${V1}
  client →1 session/new {"cwd":"/w","mcpServers":[{"name":"fs","command":"/fs","args":[],"env":[]}],"additionalDirectories":["/lib"]}
  agent ←1 result {"sessionId":"s1"}`;
ruleCase('setup/dirs-not-restored', {
  breaks: {
    trace: [ROOTED, `${V1}client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}`],
    at: [4],
    seen: /c1#4 gave "\/lib"/,
    severity: 'hint',
  },
  holds: [
    [
      ROOTED,
      `${V1}client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[{"name":"x"}],"additionalDirectories":["/lib2"]}`,
    ],
    [V1_SESSION, `${V1}client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}`],
  ],
});

ruleCase('setup/concurrent-restore', {
  breaks: [
    { trace: `${V1}client →1 session/load s1\nclient →2 session/load s1`, at: [5] },
    { trace: `${V1}client →1 session/load s1\nclient →2 session/prompt s1 "x"`, at: [5] },
  ],
  holds: [
    `${V1}client →1 session/load s1\nagent ←1 result {}\nclient →2 session/prompt s1 "x"`,
    `${V1}client →1 session/load s1\nclient →2 session/load s2`,
  ],
});
