import { expect, test } from 'vitest';
import { storySoFar } from '../../drive/replay/divergence.ts';
import { Folders } from '../../drive/replay/bindings.ts';
import { draw } from '../../test/traces/draw.ts';
import { rerunRows } from './rerun-rows.ts';

const START = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Hi"`;
const WHOLE = `${START}
  agent  update s1 agent_message_chunk "Hello" " there"
  agent  ←2 result {"stopReason":"end_turn"}`;

async function rows(live: string, isOver: boolean) {
  const story = await storySoFar(draw(WHOLE), draw(live), new Folders());
  return rerunRows(story, { isOver });
}

test('what has come is matched, what is still recorded ahead is waited for', async () => {
  const { rows: all, counts } = await rows(START, false);
  expect(all[0]).toMatchObject({ state: 'matched', recorded: { seq: 1 }, live: { seq: 1 } });
  expect(counts.waiting).toBeGreaterThan(0);
  expect(counts).not.toHaveProperty('missing');
  expect(counts).not.toHaveProperty('different');
});

test('a message that goes on as recorded is coming, and no difference', async () => {
  const { counts } = await rows(`${START}\n agent update s1 agent_message_chunk "Hel"`, false);
  expect(counts.coming).toBeGreaterThan(0);
  expect(counts).not.toHaveProperty('different');
});

test('a message that says something else is different at once', async () => {
  const { rows: all } = await rows(`${START}\n agent update s1 agent_message_chunk "Bye"`, false);
  expect(all.filter(({ state }) => state === 'different')).toMatchObject([{ of: 'agent' }]);
});

test('at the end all that did not come is missing or different', async () => {
  const { counts } = await rows(START, true);
  expect(counts).not.toHaveProperty('waiting');
  expect(counts).not.toHaveProperty('coming');
  expect((counts.missing ?? 0) + (counts.different ?? 0)).toBeGreaterThan(0);
});

test('a rerun that says the same is matched throughout', async () => {
  const { rows: all, counts } = await rows(WHOLE, true);
  expect(counts).toEqual({ matched: all.length });
});

test('rows beyond what is kept are counted', async () => {
  const story = await storySoFar(draw(WHOLE), draw(WHOLE), new Folders());
  const { rows: kept, leftOut, counts } = rerunRows(story, { isOver: true, most: 2 });
  expect(kept).toHaveLength(2);
  expect(leftOut + 2).toBe(counts.matched);
});

test('what was let pass is no difference, and still says what it was', async () => {
  const live = START.replace('"Hi"', '"Hey"');
  const story = await storySoFar(draw(WHOLE), draw(live), new Folders());
  const prompt = draw(live).at(-1)?.seq;
  const { rows: all, counts } = rerunRows(story, {
    isOver: false,
    letPass: new Set(prompt && [prompt]),
  });
  expect(counts).not.toHaveProperty('different');
  expect(all.find(({ state }) => state === 'passed')).toMatchObject({
    live: { seq: prompt },
    fields: [{ before: 'Hi', after: 'Hey' }],
  });
});

test('where all may be asked in any order, nothing is missing before the end', async () => {
  const live = `${START}\nclient →9 session/list {}\nagent ←9 result {"sessions":[]}`;
  const story = await storySoFar(draw(WHOLE), draw(live), new Folders());
  const states = (more: object) => {
    const { rows: all } = rerunRows(story, { isOver: false, ...more });
    return new Set(all.map(({ state }) => state));
  };
  expect(states({}).has('missing')).toBe(true);
  expect(states({ anyOrder: true }).has('missing')).toBe(false);
  expect(states({ anyOrder: true, isOver: true }).has('missing')).toBe(true);
});
