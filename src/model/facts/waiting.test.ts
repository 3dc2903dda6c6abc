import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexed } from '../../test/traces/indexed.ts';
import { waitingAt, type Waiting } from './waiting.ts';

function waiting(picture: string, until = Infinity): Waiting {
  return waitingAt(indexed(picture).index, until);
}
const seqs = (picture: string, { open }: Waiting) =>
  open.map((place) => indexed(picture).events[place]?.seq);

const TURN = `
  client →1 session/prompt s1 "Go"
  +200ms
  agent  update s1 agent_message_chunk "Let me"
  +3000ms
  agent  →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}
  +8000ms
  client ←0 result {"outcome":{"outcome":"cancelled"}}
  +100ms
  agent  ←1 result {"stopReason":"cancelled"}
  +60000ms
  client →2 session/prompt s1 "Again"
`;

describe('who waits for whom', () => {
  test('requests are open from their frame to their answer, for each side', () => {
    expect(seqs(TURN, waiting(TURN, 2))).toEqual([1]);
    expect(seqs(TURN, waiting(TURN, 3))).toEqual([1, 3]);
    expect(seqs(TURN, waiting(TURN, 4))).toEqual([1]);
    expect(seqs(TURN, waiting(TURN, 5))).toEqual([]);
    expect(seqs(TURN, waiting(TURN))).toEqual([6]);
  });

  test('the last sign of life of each side is its last frame before the moment', () => {
    expect(waiting(TURN, 3).last).toMatchObject({
      client: { seq: 1, name: 'session/prompt' },
      agent: { seq: 3, at: 3200 },
    });
  });

  test('the longest silences say what ended them, and who was waited for', () => {
    const { silences, usual } = waiting(TURN);
    expect(
      silences.map(({ length, after, endedBy, waitedFor }) => [
        length,
        after,
        endedBy.seq,
        waitedFor,
      ]),
    ).toEqual([
      [60000, 5, 6, 'nobody'],
      [8000, 3, 4, 'both'],
      [3000, 2, 3, 'agent'],
    ]);
    expect(usual).toBe(3000);
  });

  test('silence goes on to the moment shown: what is no frame ends none', () => {
    const { silence, at } = waiting(`
      client →1 session/prompt s1 "Go"
      +5000ms
      stderr still here
    `);
    expect([silence, at]).toEqual([5000, 5000]);
  });

  test('an exit leaves nobody waiting', () => {
    expect(waiting('client →1 session/prompt s1 "Go"\nexit 1').open).toEqual([]);
  });
});

describe('history replay', () => {
  const RESTORE = `
    client →1 session/prompt s1 "Go"
    agent  ←1 result {"stopReason":"end_turn"}
    +500ms
    client →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    +20000ms
    agent  update s1 user_message_chunk "Go"
    +20000ms
    agent  ←2 result {}
    +2000ms
    client →3 session/prompt s1 "More"
  `;

  test('is no stall: a window of 40 s is no silence', () => {
    const { silences } = waiting(RESTORE);
    expect(silences.map(({ length, after }) => [length, after])).toEqual([
      [2000, 5],
      [500, 2],
    ]);
  });

  test('is no sign of life', () => {
    expect(waiting(RESTORE, 4).last.agent).toMatchObject({ seq: 2 });
    expect(waiting(RESTORE, 4).silence).toBe(0);
  });
});

test('silences and moments are never negative, whatever the times', () => {
  const line = fc.oneof(
    fc.nat(9).map((id) => `client →${id} session/prompt s1 "x"`),
    fc.nat(9).map((id) => `client →${id} session/load {"sessionId":"s1"}`),
    fc.nat(9).map((id) => `agent ←${id} result {}`),
    fc.constant('agent update s1 agent_message_chunk "x"'),
    fc.constant('exit 0'),
    fc.nat(3000).map((pause) => `+${pause}ms`),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.nat(30), (lines, until) => {
      const { index } = indexed(lines.join('\n'));
      const view = waitingAt(index, until);
      expect(view.silence).toBeGreaterThanOrEqual(0);
      for (const { length } of view.silences) expect(length).toBeGreaterThanOrEqual(0);
      for (const place of view.open) expect(index.columns.partner.get(place)).not.toBe(place);
    }),
  );
});
