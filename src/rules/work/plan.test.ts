import { ruleCase, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';

const entries = (...of: string[]) =>
  JSON.stringify(of.map((content) => ({ content, priority: 'low', status: 'pending' })));
const plan = (...of: string[]) => `agent update s1 plan {"entries":${entries(...of)}}`;
const planV2 = (id: string, ...of: string[]) =>
  `agent update s1 plan_update {"plan":{"type":"items","planId":"${id}","entries":${entries(...of)}}}`;

ruleCase('plan/partial', {
  breaks: [
    {
      trace: `${V1_SESSION}${plan('a', 'b')}\n${plan('b')}`,
      at: [6, 7],
      seen: 'without "a", open in #6',
      severity: 'hint',
    },
    {
      trace: `${V2_SESSION}${planV2('p', 'a', 'b')}\n${planV2('p', 'a')}`,
      at: [6, 7],
      pointer: '/params/update/plan/entries',
    },
  ],
  holds: [
    `${V1_SESSION}${plan('a', 'b')}\n${plan('a', 'b', 'c')}`,
    // Another plan, no plan, and what is over taken away.
    `${V1_SESSION}${plan('a', 'b')}\n${plan('c')}\n${plan()}`,
    `${V1_SESSION}agent update s1 plan {"entries":[{"content":"a","status":"completed"},{"content":"b","status":"pending"}]}\n${plan('b')}`,
    `${V2_SESSION}${planV2('p', 'a', 'b')}\n${planV2('q', 'a')}`,
  ],
});

const commands = (...names: string[]) =>
  JSON.stringify(names.map((name) => ({ type: 'command', name, description: '' })));

ruleCase('commands/name', {
  breaks: [
    {
      trace: `${V2_SESSION}agent update s1 available_commands_update {"availableCommands":${commands('a', '/b')}}`,
      at: [6],
      seen: 'named "/b", with its slash',
      pointer: '/params/update/availableCommands/1/name',
      severity: 'error',
    },
    {
      trace: `${V2_SESSION}agent update s1 available_commands_update {"availableCommands":${commands('a', 'a')}}`,
      at: [6],
      seen: 'the command "a" is there twice',
    },
    {
      trace: `${V2_SESSION}client →2 session/new {"cwd":"/w"}
        agent ←2 result {"sessionId":"s2","availableCommands":${commands('a b')}}`,
      at: [7],
      seen: 'named "a b", with white space',
      pointer: '/result/availableCommands/0/name',
    },
    {
      trace: `${V1_SESSION}agent update s1 available_commands_update {"availableCommands":${commands('a b')}}`,
      at: [6],
      severity: 'hint',
    },
  ],
  holds: `${V1_SESSION}agent update s1 available_commands_update {"availableCommands":${commands('a', 'mcp:b:c')}}`,
});

const compaction = (status: string, more = '') =>
  `agent update s1 compaction_update {"compactionId":"k1","status":"${status}"${more}}`;
const SUMMARY = ',"summary":[{"type":"text","text":"x"}]';
const CHUNK =
  'agent update s1 compaction_summary_chunk {"compactionId":"k1","content":{"type":"text","text":"x"}}';

ruleCase('compaction/order', {
  breaks: [
    {
      trace: `${V2_SESSION}${compaction('completed')}\n${compaction('failed')}`,
      at: [6, 7],
      seen: '"k1" from completed to failed',
      severity: 'error',
    },
    { trace: `${V2_SESSION}${CHUNK}`, at: [6], seen: /before its/, severity: 'warning' },
    {
      trace: `${V2_SESSION}${compaction('completed')}\n${CHUNK}`,
      at: [7],
      seen: /which ended in #6/,
    },
    {
      trace: `${V1_SESSION}${compaction('completed', ',"error":"x"')}`,
      at: [6],
      pointer: '/params/update/error',
    },
    {
      trace: `${V2_SESSION}${compaction('in_progress', SUMMARY)}`,
      at: [6],
      seen: 'a summary with the status in_progress',
    },
    {
      trace: `
        start agent
        client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"}}
        agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"}}
        client →1 session/resume {"sessionId":"s1","cwd":"/w"}
        agent ←1 result {}
        ${CHUNK}`,
      at: [6],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${V2_SESSION}${compaction('in_progress')}\n${CHUNK}\n${compaction('completed', SUMMARY)}\n${compaction('completed')}`,
    `${V2_SESSION}${compaction('failed', ',"error":"x","summary":[]')}`,
    `${V2_SESSION}${compaction('completed')}
      client →2 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
      ${compaction('in_progress')}
      agent ←2 result {}`,
  ],
});
