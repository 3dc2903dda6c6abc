import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { StatsFold } from './stats.ts';
import { rateWords } from './words.ts';

function statsOf(picture: string) {
  const fold = new StatsFold();
  for (const event of draw(picture)) fold.append(event);
  return fold.stats();
}

test('what a person was asked is apart from what the agent took, and together they are the whole time', () => {
  const { spent, turns, duration, methods } = statsOf(`
    client →1 session/prompt s1 "Hi"
    +100ms
    agent  update s1 agent_message_chunk "Let me"
    +100ms
    agent  →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}
    +9000ms
    client ←0 result {"outcome":{"outcome":"cancelled"}}
    +50ms
    agent  →1 fs/read_text_file {"sessionId":"s1","path":"/a"}
    +30ms
    client ←1 result {"content":""}
    +20ms
    agent  ←1 result {"stopReason":"end_turn"}
    +4000ms
    client →2 session/prompt s1 "More"
  `);
  expect(spent).toEqual({
    ...{ asleep: 0, person: 9000, client: 30, restore: 0, agent: 270, idle: 4000 },
  });
  expect(Object.values(spent).reduce((sum, one) => sum + one, 0)).toBe(duration);
  expect(turns).toMatchObject([
    { took: 9300, person: 9000, client: 30, agent: 270, toFirst: 100, stalls: 0 },
  ]);
  const answeredBy = (wanted: string) =>
    methods.find(({ method }) => method === wanted)?.answeredBy;
  expect(answeredBy('session/prompt')).toBe('agent');
  expect(answeredBy('fs/read_text_file')).toBe('client');
  expect(answeredBy('session/request_permission')).toBe('person');
});

test('a stall that ends with a response names it as one', () => {
  const { stalls } = statsOf(`
    client →1 session/prompt s1 "Hi"
    +6000ms
    agent  ←1 result {"stopReason":"end_turn"}
  `);
  expect(stalls).toMatchObject([
    { afterName: 'session/prompt', name: 'response to session/prompt' },
  ]);
});

test('a stall is silence of 5 s of a session whose agent waits for nobody, whatever another session says', () => {
  const { turns, stalls } = statsOf(`
    client →1 session/prompt s1 "Hi"
    agent  update s1 tool_call {"toolCallId":"t1","title":"build"}
    client →2 session/list {}
    +7000ms
    agent  ←2 result {"sessions":[]}
    agent  update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
    +4999ms
    agent  update s1 agent_message_chunk "ok"
    agent  ←1 result {"stopReason":"end_turn"}
    +60000ms
    client →3 session/prompt s1 "More"
    agent  ←3 result {"stopReason":"end_turn"}
  `);
  expect(stalls).toEqual([
    {
      ...{ length: 7002, after: 2, endedBy: 5, session: 'S1' },
      ...{ afterName: 'tool_call', name: 'tool_call_update' },
    },
  ]);
  expect(turns).toMatchObject([
    { stalls: 1, stalled: 7002, toFirst: 1 },
    { stalls: 0, stalled: 0 },
  ]);
  expect(turns[1]).not.toHaveProperty('toFirst');
});

test('the work of a subagent is a sign of life of the turn it belongs to', () => {
  const { stalls } = statsOf(`
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2}
    client →1 session/prompt s1 "Hi"
    agent  update s1 state_update {"state":"running"}
    agent  ←1 result {}
    agent  update s1 subagent_update {"subagentId":"k1","sessionId":"k1","state":"running"}
    +4000ms
    agent  update k1 agent_message_chunk "…"
    +4000ms
    agent  update s1 state_update {"state":"idle","stopReason":"end_turn"}
  `);
  expect(stalls).toEqual([]);
});

test('history that is replayed is no piece of a turn, and its time is the time of the restore', () => {
  const { spent, turns, restores } = statsOf(`
    client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    +100ms
    agent  update s1 agent_message_chunk "old"
    +100ms
    agent  update s1 agent_message_chunk "old"
    +50ms
    agent  ←1 result {}
    +10ms
    client →2 session/prompt s1 "Hi"
    +40ms
    agent  ←2 result {"stopReason":"end_turn"}
  `);
  expect(spent).toEqual({ asleep: 0, person: 0, client: 0, restore: 250, agent: 40, idle: 10 });
  expect(turns[0]).not.toHaveProperty('toFirst');
  expect(restores).toMatchObject([{ rate: 10, took: 250, figures: { toFirst: 100, toLast: 200 } }]);
});

test('the first piece of a v2 turn is counted from where it is told to go on, as how long it took', () => {
  const { turns } = statsOf(`
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2}
    client →1 session/prompt s1 "Hi"
    +20ms
    agent  ←1 result {}
    +30ms
    agent  update s1 state_update {"state":"running"}
    +50ms
    agent  update s1 agent_thought_chunk "hm"
    agent  update s1 state_update {"state":"idle","stopReason":"end_turn"}
    +500ms
    agent  update s1 state_update {"state":"running"}
    +7ms
    agent  update s1 agent_message_chunk "done"
    agent  update s1 state_update {"state":"idle"}
  `);
  expect(turns.map(({ took, toFirst }) => [took, toFirst])).toEqual([
    [51, 50],
    [8, 7],
  ]);
});

test('a v2 turn that nothing ended yet is time of the agent, until the agent itself ends', () => {
  const begun = `
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2}
    client →1 session/prompt s1 "Hi"
    agent  ←1 result {}
    agent  update s1 state_update {"state":"running"}
    +500ms
    agent  update s1 agent_message_chunk "hm"
    +300ms
  `;
  expect(statsOf(`${begun} stderr still here`).spent).toMatchObject({ agent: 803, idle: 1 });
  const { spent } = statsOf(`${begun} exit 1
    +1000ms
    stderr bye`);
  expect(spent).toMatchObject({ agent: 803, idle: 1001 });
});

test('idle stretches are those of a second and more in which nobody is waited for', () => {
  const { idle } = statsOf(`
    client →1 session/prompt s1 "Hi"
    +3000ms
    agent  ←1 result {"stopReason":"end_turn"}
    +900ms
    client →2 session/prompt s1 "Hi"
    agent  ←2 result {"stopReason":"end_turn"}
    +1500ms
    stderr still here
    +1500ms
    client →3 session/prompt s1 "Hi"
  `);
  expect(idle).toEqual([{ from: 3901, to: 6901 }]);
});

test('usage is by session, replayed usage is none, and of very many points a few hundred stand for all', () => {
  const many = Array.from(
    { length: 1000 },
    (_, i) => `agent update s1 usage_update {"used":${i},"size":9999}`,
  );
  const { usage } = statsOf(`
    client →1 session/load {"sessionId":"s2","cwd":"/w","mcpServers":[]}
    agent  update s2 usage_update {"used":1,"size":2}
    agent  ←1 result {}
    ${many.join('\n')}
    agent  update s1 usage_update {"used":5,"size":9999,"cost":{"amount":0.5,"currency":"USD"}}
  `);
  expect(usage).toMatchObject([{ sessionId: 's1' }]);
  const points = usage[0]?.points ?? [];
  expect(points.length).toBeLessThan(402);
  expect(points[0]).toMatchObject({ used: 0, seq: 4 });
  expect(points.at(-1)).toMatchObject({ used: 5, cost: { amount: 0.5, currency: 'USD' } });
});

test('R-30: what a machine slept through makes nobody slow, whether or not times count it', () => {
  const { spent, turns, stalls, duration, methods, sleeps } = statsOf(`
    client →1 session/prompt s1 "Hi"
    +100ms
    agent  update s1 agent_message_chunk "Let me"
    +60000ms
    sleep 59000 59000
    +100ms
    agent  →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}
    +9000ms
    sleep 9000 9000
    +300ms
    client ←0 result {"outcome":{"outcome":"cancelled"}}
    +50ms
    sleep 28800000 0
    +20ms
    agent  ←1 result {"stopReason":"end_turn"}
  `);
  expect(spent).toEqual({
    ...{ asleep: 68_000, person: 300, client: 0, restore: 0, agent: 1270, idle: 0 },
  });
  expect(Object.values(spent).reduce((sum, one) => sum + one, 0)).toBe(duration);
  expect(turns).toMatchObject([{ took: 1570, person: 300, agent: 1270, toFirst: 100 }]);
  expect(stalls).toEqual([]);
  const slowest = methods.map(({ method, latency }) => [method, latency?.max]);
  expect(slowest).toContainEqual(['session/prompt', 1570]);
  expect(slowest).toContainEqual(['session/request_permission', 300]);
  expect(sleeps).toEqual({ count: 3, ms: 28_868_000 });
});

test('a restore with few updates in many seconds does not have 0 updates a second', () => {
  expect([undefined, 0.3, 9.96, 12.4, 1234.5].map(rateWords)).toEqual([
    '',
    '0.3',
    '10',
    '12',
    '1,235',
  ]);
});
