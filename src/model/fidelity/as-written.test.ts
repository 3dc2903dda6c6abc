// What an intercept did to the lines of an agent is not the agent's doing, on whichever connection.
import { expect, test } from 'vitest';
import { intercepted } from '../../test/traces/intercepted.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { fidelityOf } from './fidelity.ts';

const HELLO = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}`;
const LIVE = `${HELLO}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Look at the roof"
  agent  update s1 agent_message_chunk a1 "There is "
  agent  update s1 agent_message_chunk a1 "a leak "
  agent  update s1 tool_call {"toolCallId":"t1","title":"Look","kind":"read","status":"pending"}
  agent  update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
  agent  update s1 agent_message_chunk a2 "It is mended"
  agent  ←2 result {"stopReason":"end_turn"}
  exit 0`;
const TOOL =
  'agent update s1 tool_call {"toolCallId":"t1","title":"Look","kind":"read","status":"completed"}';
const CAME = [
  'agent update s1 user_message_chunk "Look at the roof"',
  'agent update s1 agent_message_chunk a1 "There is a leak "',
  TOOL,
  'agent update s1 agent_message_chunk a2 "It is mended"',
];
const load = (...came: string[]) => `${HELLO}
  client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  ${came.join('\n')}
  agent  ←1 result {}`;

const RULES = {
  'a chunk is dropped': { on: 'side:agent update:agent_message_chunk', skip: 1, drop: true },
  'every update is dropped': { on: 'side:agent method:session/update', drop: true },
  'a title is edited': {
    on: 'side:agent update:tool_call',
    edit: { set: { '$.params.update.title': 'Edited' } },
  },
  'an update is truncated': { on: 'side:agent update:tool_call', truncate: 30 },
  'an update is sent twice': { on: 'side:agent update:agent_message_chunk', duplicate: 1 },
  'an update is moved': { on: 'side:agent update:tool_call', reorder: 'side:agent type:res' },
  'an update of ours is added': {
    on: 'side:agent update:tool_call',
    to: 'client',
    inject: {
      notify: 'session/update',
      params: {
        sessionId: 's1',
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: 'I was never here' },
        },
      },
    },
  },
};

test.each(Object.entries(RULES))('%s live: a correct replay is faithful', (_, rule) => {
  const { windows } = fidelityOf(sourcesOf([intercepted(LIVE, [rule]), load(...CAME)]));
  expect(windows.map(({ verdict, faults }) => [verdict, faults])).toEqual([['cosmetic', []]]);
});

test.each(Object.entries(RULES))(
  '%s in the replay: the agent replayed it faithfully',
  (_, rule) => {
    const sources = sourcesOf([LIVE, intercepted(load(...CAME), [rule])]);
    const { windows } = fidelityOf(sources);
    expect(windows.map(({ verdict, faults }) => [verdict, faults])).toEqual([['cosmetic', []]]);
  },
);

test.each(Object.entries(RULES))('%s live: what the agent itself loses is named', (_, rule) => {
  const [user = '', said = '', tool = ''] = CAME;
  const sources = sourcesOf([intercepted(LIVE, [rule]), load(user, said, tool)]);
  expect(fidelityOf(sources).windows[0]).toMatchObject({
    verdict: 'lossy',
    differences: expect.arrayContaining([
      expect.objectContaining({ kind: 'missing', of: 'agent', verdict: 'lossy' }),
    ]),
  });
});

test('what an intercept sent to the agent in the place of a prompt is what the agent has to replay', () => {
  const rule = {
    on: 'side:client method:session/prompt',
    edit: { replace: { roof: 'floor' } },
  };
  const verdictOf = (...came: string[]) =>
    fidelityOf(sourcesOf([intercepted(LIVE, [rule]), load(...came)])).windows[0]?.verdict;
  const [user = '', ...rest] = CAME;
  expect(verdictOf(user.replace('roof', 'floor'), ...rest)).toBe('cosmetic');
});
