import { expect, test } from 'vitest';
import { densityOf } from '../../../model/timeline/density.ts';
import { indexed } from '../../../test/traces/indexed.ts';
import { seq } from '../../../trace/event.ts';
import { blockHit, laneWords, restoreHit } from './strip-hits.ts';
import { placedBlocks } from './strip-shapes.ts';

const facts = densityOf(
  indexed(`
    client →0 session/load s1
    agent  update s1 agent_message_chunk "Hello"
    agent  ←0 result {}
    +500ms
    client →1 session/prompt s1 "Read a file"
    agent  update s1 tool_call {"toolCallId":"t1","kind":"read","status":"pending"}
    +100ms
    agent  update s1 tool_call_update {"toolCallId":"t1","status":"failed"}
    +390ms
    exit SIGSEGV
  `),
  100,
);

test('the pointer is on a tool call: a click leads to its first frame, its last one says how it ended', () => {
  const agent = placedBlocks(facts.lanes.agent, 100);
  const { x = 0 } = agent[0] ?? {};
  expect(blockHit(agent, x + 1)).toEqual({ what: 'Tool call #5', seq: 5, says: 6 });
  expect(blockHit(agent, x - 20)).toBeUndefined();
});

test('several that are drawn as one are counted', () => {
  const block = { kind: 'tool', from: 0, to: 1, seq: seq(4) } as const;
  const all = placedBlocks([{ ...block, last: block.seq, count: 3, failed: true }], 10);
  expect(blockHit(all, 2)).toEqual({ what: '3 tool calls from #4 · failed', seq: 4 });
});

test('a replay window and a crash are named in the lane of restores', () => {
  expect(restoreHit(facts, 1)).toEqual({ what: 'Restore #1', seq: 1, says: 1 });
  expect(restoreHit(facts, 99 * 4)).toEqual({ what: 'Agent crashed #7', seq: 7, says: 7 });
  expect(restoreHit(facts, 200)).toBeUndefined();
});

test('what is in the lanes is counted in words', () => {
  expect(laneWords(facts)).toEqual([
    '1 prompt',
    '1 tool call',
    '1 replay window',
    'a crash of the agent',
  ]);
});
