import { expect, test } from 'vitest';
import { nodeFinder } from './node-finder.ts';

const ENDLESS = 'a'.repeat(40) + '!';

test('attack row 7 (S-08): a catastrophic pattern is stopped, at the text that holds it up', async () => {
  const texts = ['aaa', 'b', ENDLESS, 'aaaa'];
  expect(
    await nodeFinder.find({ sought: { kind: 'pattern', pattern: /(a+)+$/i }, texts, most: 50 }),
  ).toMatchObject({
    ...{ kind: 'stopped', at: 2, found: new Uint8Array([1, 0]) },
  });
  // The next one is none the worse for it.
  expect(
    await nodeFinder.find({ sought: { kind: 'pattern', pattern: /a+$/i }, texts, most: 50 }),
  ).toMatchObject({
    ...{ kind: 'found', found: new Uint8Array([1, 0, 0, 1]) },
  });
});

test('a pattern that is slow everywhere is stopped too', async () => {
  const texts = Array.from({ length: 20_000 }, () => 'a'.repeat(14) + '!');
  const answer = await nodeFinder.find({
    sought: { kind: 'pattern', pattern: /(a+)+$/i },
    texts,
    most: 20,
  });
  expect(answer.kind).toBe('stopped');
});

test('what is called off is not begun', async () => {
  const stop = AbortSignal.abort();
  const answer = await nodeFinder.find(
    { sought: { kind: 'pattern', pattern: /(a+)+$/i }, texts: [ENDLESS], most: 1e6 },
    stop,
  );
  expect(answer).toEqual({ kind: 'aborted' });
});
