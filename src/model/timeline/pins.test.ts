import { expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';

const LIVE = `
  client →0 initialize {"protocolVersion":2}
  agent  ←0 result {"protocolVersion":2}
  agent  update s1 user_message m1 "One"
  agent  update s1 agent_message_chunk m2 "Two"
  agent  update s1 tool_call_update {"toolCallId":"t1","title":"read x"}
  agent  update s1 agent_message_chunk m3 "Three"
`;
const resume = (id: number, cursor: string): string =>
  `client →${id} session/resume {"sessionId":"s1","cwd":"/w","replayFrom":${cursor}}`;
const from = (messageId: string): string => `{"type":"_message","messageId":"${messageId}"}`;

test('cursors are lettered in the order sent, one letter a distinct value of a session', () => {
  const { index } = indexed(`${LIVE}
    ${resume(1, '{"type":"start"}')}
    agent ←1 result {}
    ${resume(2, from('m2'))}
    agent ←2 result {}
    ${resume(3, '{"type":"start"}')}
    agent ←3 result {}
    client →4 session/resume {"sessionId":"s2","cwd":"/w","replayFrom":{"type":"start"}}
  `);
  expect(index.windows().map(({ pin, session }) => [session, pin?.letter])).toEqual([
    ['S1', 'A'],
    ['S1', 'B'],
    ['S1', 'A'],
    ['S2', 'A'],
  ]);
});

test('a pin stands on the frame that first named its value, and its leader ends on the request', () => {
  const { frame, rows } = indexed(`${LIVE}
    ${resume(1, from('m2'))}
    agent update s1 agent_message_chunk m2 "Two"
    agent ←1 result {}
  `);
  const pin = { letter: 'A', fate: 'accepted', value: from('m2') };
  expect(frame(4)).toMatchObject({ pins: [pin], leader: 'begin' });
  expect(frame(5)).toMatchObject({ pins: [], leader: 'middle' });
  expect(rows()[6]).toMatchObject({ type: 'window', pins: [], leader: 'middle' });
  expect(frame(7)).toMatchObject({ pins: [pin], leader: 'end' });
  expect(frame(8).leader).toBeUndefined();
});

test('a value that no frame named has its pin on the request only', () => {
  const { frame, rows } = indexed(`${LIVE}
    ${resume(1, from('elsewhere'))}
  `);
  expect(frame(7).pins).toMatchObject([{ letter: 'A', fate: 'open' }]);
  expect(rows().filter(({ leader }) => leader !== undefined)).toEqual([]);
});

test.each([
  ['starts at the value', from('m2'), ['m2', 'm3'], 'accepted'],
  ['starts after the value', from('m2'), ['m3'], 'accepted'],
  ['starts before the value', from('m2'), ['m1', 'm2', 'm3'], 'ignored'],
  ['brings nothing', from('m2'), [], 'ignored'],
  ['starts at the first item for a type nobody knows', '{"type":"_odd"}', ['m1', 'm2'], 'ignored'],
  ['starts elsewhere for a type of its own', '{"type":"_odd","n":3}', ['m2'], 'accepted'],
  ['brings nothing from the start of an empty session', '{"type":"start"}', [], 'accepted'],
])('a cursor whose replay %s', (_, cursor, replayed, fate) => {
  const updates = replayed.map(
    (id) => `agent update s1 ${id === 'm1' ? 'user_message' : 'agent_message'} ${id} "x"`,
  );
  const { index } = indexed(`${LIVE}
    ${resume(1, cursor)}
    ${updates.join('\n')}
    agent ←1 result {}
  `);
  expect(index.windows()[0]?.pin?.fate).toBe(fate);
});

test('a value of another trace is ignored where the replay begins before it', () => {
  const replay = (...ids: string[]): string => `
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2}
    ${resume(1, from('m2'))}
    ${ids.map((id) => `agent update s1 agent_message ${id} "x"`).join('\n')}
    agent ←1 result {}
  `;
  const fate = (picture: string) => indexed(picture).index.windows()[0]?.pin?.fate;
  expect(fate(replay('m1', 'm2'))).toBe('ignored');
  expect(fate(replay('m2', 'm3'))).toBe('accepted');
  expect(fate(replay('m3'))).toBe('accepted');
});

test('a cursor that is refused is rejected, one whose agent dies stays open', () => {
  const refused = indexed(`${LIVE}
    ${resume(1, '{"type":"bogus"}')}
    agent ←1 error -32602 Invalid params
  `);
  expect(refused.frame(7).pins).toMatchObject([{ fate: 'rejected' }]);
  const dead = indexed(`${LIVE}
    ${resume(1, '{"type":"start"}')}
    exit SIGKILL
  `);
  expect(dead.index.windows()[0]).toMatchObject({ outcome: 'incomplete', pin: { fate: 'open' } });
});
