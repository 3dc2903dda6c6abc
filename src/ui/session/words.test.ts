// What the session view says of several restores at once.
import { expect, test } from 'vitest';
import type { Held } from '../../model/restore/restore-words.ts';
import { clockWords, dueCounts, listChange, verdictCounts } from './words.ts';

const held = (mark: Held['mark'], whole: string) => ({ mark, whole, rest: '' }) as Held;

test('of several restores it says how often each verdict came, the most frequent first', () => {
  const several = [held('err', 'late'), held('ok', 'as due'), held('ok', 'as due')];
  expect(verdictCounts(several)).toEqual([
    { mark: 'ok', whole: 'as due', times: 2 },
    { mark: 'err', whole: 'late', times: 1 },
  ]);
  expect(dueCounts(several).map(({ words }) => words)).toEqual(['2 as due', '1 not as due']);
});

test('where a trace has no clock, a time is since it began', () => {
  expect(clockWords(3380, true, 0)).toBe('0:03');
  expect(clockWords(65_000, false, 5000)).toBe('1:00');
});

test('of two long lists is said what one has and the other lacks', () => {
  expect(listChange('/a /b /c', '/a /c /d /e')).toBe('3 → 4: + /d /e − /b');
  expect(listChange('/a /b', '/b /a')).toBe('2 → 2: in another order');
});
