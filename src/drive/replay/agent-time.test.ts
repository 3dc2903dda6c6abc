import { describe, expect, test } from 'vitest';
import { agentOf, kinds } from '../../test/programs/replay-agent.ts';
import { clock } from '../../test/programs/clock.ts';

describe('time', () => {
  const SLOW = `
    client →0 session/prompt s1 "Go"
    +100ms
    agent  update s1 agent_message_chunk "One"
    +300ms
    agent  update s1 agent_message_chunk "Two"
    +100ms
    agent  ←0 result {"stopReason":"end_turn"}`;

  test.each([
    [1, [100, 300, 100]],
    [4, [25, 75, 25]],
  ] as const)('%d times as fast', (speed, steps) => {
    const { timers, pass } = clock();
    const { hears, said } = agentOf(SLOW, { speed, timers });
    expect(hears('client →0 session/prompt s1 "Go"')).toEqual([]);
    steps.forEach((ms, at) => {
      pass(ms - 1);
      expect(said).toHaveLength(at);
      pass(1);
      expect(said).toHaveLength(at + 1);
    });
  });

  test('a client that is faster than the recorded one hears first what came before', () => {
    const { timers } = clock();
    const more = `${SLOW}\n+500ms\nclient →1 session/prompt s1 "On"\n+5ms\nagent ←1 result {}`;
    const { hears } = agentOf(more, { speed: 1, timers });
    hears('client →0 session/prompt s1 "Go"');
    expect(kinds(hears('client →1 session/prompt s1 "On"'))).toEqual([
      'session/update',
      'session/update',
      '←0',
    ]);
  });

  test('what is due at the end is said at once', () => {
    const { timers } = clock();
    const { agent, hears, said } = agentOf(SLOW, { speed: 1, timers });
    hears('client →0 session/prompt s1 "Go"');
    expect(agent.end().unsaid).toBe(0);
    expect(said).toHaveLength(3);
  });

  test('as fast as it goes, nothing waits for a clock', () => {
    const { timers } = clock();
    const { hears } = agentOf(SLOW, { speed: 'max', timers });
    expect(hears('client →0 session/prompt s1 "Go"')).toHaveLength(3);
  });
});

describe.each([
  ['v1', 1],
  ['v2', 2],
] as const)('barriers, %s', (_, version) => {
  const idle = 'agent update s1 state_update {"state":"idle"}';
  const ends = version === 1 ? 'agent ←2 result {"stopReason":"end_turn"}' : idle;
  const PICTURE = `
    client →0 initialize {"protocolVersion":${version}}
    agent  ←0 result {"protocolVersion":${version}}
    client →1 session/new {"cwd":"/w","mcpServers":[]}
    agent  ←1 result {"sessionId":"s1"}
    client →2 session/prompt s1 "Go"
    ${version === 2 ? 'agent ←2 result {}' : ''}
    agent  update s1 agent_message_chunk "Asking."
    agent  →9 session/request_permission {"sessionId":"s1","options":[{"optionId":"y","kind":"allow_once"}]}
    client ←9 result {"outcome":{"outcome":"selected","optionId":"y"}}
    agent  update s1 agent_message_chunk "Done."
    ${ends}
    client →3 session/set_mode {"sessionId":"s1","modeId":"m"}
    agent  ←3 result {}`;
  const begun = () => {
    const it = agentOf(PICTURE);
    it.hears(
      `client →0 initialize {"protocolVersion":${version}}`,
      'client →1 session/new {"cwd":"/w","mcpServers":[]}',
    );
    return it;
  };

  test('what follows a permission waits for it, and no other request lets it go', () => {
    const { hears } = begun();
    const asked = hears('client →2 session/prompt s1 "Go"');
    expect(asked.at(-1)).toContain('session/request_permission');
    expect(
      hears('client →3 session/set_mode {"sessionId":"s1","modeId":"m"}').join(),
    ).not.toContain('Done.');
    expect(
      hears('client ←9 result {"outcome":{"outcome":"selected","optionId":"y"}}').join(),
    ).toContain('Done.');
  });

  test('what came behind a turn does not come before it', () => {
    const { hears } = begun();
    expect(hears('client →7 session/set_mode {"sessionId":"s1","modeId":"m"}').join()).not.toMatch(
      /Asking|Done/,
    );
    expect(hears('client →2 session/prompt s1 "Go"').join()).toContain('Asking.');
  });
});
