import { ruleCase, V1, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';

const MODES =
  '"modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"code","name":"Code"}]}';
const WITH_MODES = `${V1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1",${MODES}}
`;

ruleCase('mode/unknown', {
  breaks: [
    {
      trace: `${WITH_MODES}client →2 session/set_mode {"sessionId":"s1","modeId":"plan"}`,
      at: [6],
      seen: '"plan"; offered are "ask", "code"',
      side: 'client',
      pointer: '/params/modeId',
    },
    {
      trace: `${WITH_MODES}agent update s1 current_mode_update {"currentModeId":"plan"}`,
      at: [6],
      side: 'agent',
    },
    {
      trace: `${V1}
        client →1 session/new {"cwd":"/w","mcpServers":[]}
        agent ←1 result {"sessionId":"s1","modes":{"currentModeId":"x","availableModes":[]}}`,
      at: [5],
      side: 'agent',
      pointer: '/result/modes/currentModeId',
    },
    {
      trace: WITH_MODES.replace('"code"', '"ask"'),
      at: [5],
      seen: 'two modes have the id "ask"',
      severity: 'warning',
    },
    {
      trace: `${V1_SESSION}agent update s1 current_mode_update {"currentModeId":"plan"}`,
      at: [6],
      seen: '"plan", and #5, which opened the session, has no `modes`',
      severity: 'warning',
    },
  ],
  holds: [
    `${WITH_MODES}client →2 session/set_mode {"sessionId":"s1","modeId":"code"}
      agent update s1 current_mode_update {"currentModeId":"code"}`,
    // What a fork answers without a session is nothing of the one it came from.
    `${WITH_MODES}client →2 session/fork {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent ←2 result {"modes":{"currentModeId":"y","availableModes":[{"id":"y","name":"Y"}]}}
      client →3 session/set_mode {"sessionId":"s1","modeId":"code"}`,
    // What the restore offers comes with its answer.
    `${WITH_MODES}client →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent update s1 current_mode_update {"currentModeId":"plan"}
      agent ←2 result {}`,
  ],
});

ruleCase('mode/no-modes', {
  breaks: [
    {
      trace: `${V1_SESSION}client →2 session/set_mode {"sessionId":"s1","modeId":"plan"}`,
      at: [6],
      seen: /no `modes` in #5/,
      severity: 'warning',
    },
    {
      trace: `${V1}client →2 session/set_mode {"sessionId":"s9","modeId":"plan"}`,
      at: [4],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${WITH_MODES}client →2 session/set_mode {"sessionId":"s1","modeId":"code"}`,
    // An answer to a restore may leave out the modes that were offered before.
    `${WITH_MODES}client →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent ←2 result {}
      client →3 session/set_mode {"sessionId":"s1","modeId":"code"}`,
  ],
});

const TITLED = `${V2_SESSION}
  client →2 session/set_title {"sessionId":"s1","title":" Mine "}
  agent ←2 result {"title":"Mine"}
`;
ruleCase('title/normalised', {
  breaks: [
    {
      trace: `${TITLED}agent update s1 session_info_update {"title":"A chat"}`,
      at: [7, 8],
      seen: '"A chat", after "Mine" was stored in #7',
      severity: 'hint',
    },
    {
      trace: `${TITLED}client →3 session/list {}
        agent ←3 result {"sessions":[{"sessionId":"s1","cwd":"/w","title":" Mine "}]}`,
      at: [7, 9],
      pointer: '/result/sessions/0/title',
    },
  ],
  holds: [
    `${TITLED}agent update s1 session_info_update {"title":"Mine"}
      client →3 session/list {}
      agent ←3 result {"sessions":[{"sessionId":"s1","cwd":"/w"}]}`,
    `${V2_SESSION}agent update s1 session_info_update {"title":"A chat"}`,
  ],
});
