// Which rule tells a mistake is decided by codes: other sentences change no finding.
import { expect, test, vi } from 'vitest';
import { draw } from '../test/traces/draw.ts';
import { V1, V1_SESSION, V2_SESSION } from '../test/traces/rule-case.ts';
import { checkTrace } from './check-trace.ts';
import { loadRemarks } from './steps.ts';

vi.mock('../acp/schema/remark-words.ts', () => ({
  remarkWords: () => ({ seen: 'otherwise', due: 'otherwise', message: 'otherwise' }),
}));

const remarksOf = await loadRemarks();

test.each([
  [
    'a load without servers',
    `${V1}
  client →1 session/load {"sessionId":"s1","cwd":"/w"}
  agent ←1 error -32602 "no"`,
    ['setup/mcp-missing'],
  ],
  [
    'an empty prompt',
    `${V2_SESSION}
  client →2 session/prompt {"sessionId":"s1","prompt":[]}
  agent ←2 error -32602 "no"`,
    ['prompt/empty'],
  ],
  [
    'a number for a name',
    `${V1_SESSION}
  client →2 session/set_config_option {"sessionId":"s1","configId":5,"value":"a"}
  agent ←2 error -32602 "no"`,
    ['schema/params'],
  ],
  [
    'an option without the type of its value',
    `${V2_SESSION}
  client →2 session/set_config_option {"sessionId":"s1","configId":"a","value":"a"}
  agent ←2 error -32602 "no"`,
    ['config/unknown'],
  ],
  [
    'a replayed message without its id',
    `${V2_SESSION}
  client →2 session/resume {"sessionId":"s2","cwd":"/w","replayFrom":{"type":"start"}}
  agent update s2 agent_message_chunk "hi"
  agent update s2 state_update {"state":"idle"}
  agent ←2 result {}`,
    ['replay/message-id-missing'],
  ],
] as const)('%s', (_, trace, rules) => {
  const { findings } = checkTrace(draw(trace), { remarksOf });
  const errors = findings.filter(
    ({ verdict, severity }) => verdict === 'fail' && severity === 'error',
  );
  expect([...new Set(errors.map(({ rule }) => rule))].sort()).toEqual(rules);
  expect(JSON.stringify(errors).includes('otherwise')).toBe(
    errors.some(({ rule }) => rule.startsWith('schema/')),
  );
});
