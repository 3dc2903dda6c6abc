// What the session view says of several restores at once.
import { expect, test } from 'vitest';
import type { Held } from '../../model/restore/restore-words.ts';
import { clockWords, dueCounts, verdictCounts } from './words.ts';

const held = (mark: Held['mark'], whole: string) => ({ mark, whole, rest: '' }) as Held;

test('of several restores it says how often each verdict came, the most frequent first', () => {
  const several = [held('err', 'late'), held('ok', 'as due'), held('ok', 'as due')];
  expect(verdictCounts(several)).toEqual([
    { mark: 'ok', whole: 'as due', times: 2 },
    { mark: 'err', whole: 'late', times: 1 },
  ]);
  expect(dueCounts(several).map(({ words }) => words)).toEqual(['2 as due', '1 not']);
});

test('where a trace has no clock, a time is since it began', () => {
  expect(clockWords(3380, true, 0)).toBe('0:03');
  expect(clockWords(65_000, false, 5000)).toBe('1:00');
});
