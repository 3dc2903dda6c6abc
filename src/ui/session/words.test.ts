// What the session view says of several restores at once.
import { expect, test } from 'vitest';
import type { Answer } from '../../model/fidelity/report/answer.ts';
import { answerCounts, clockWords, listChange, protocolCounts } from './words.ts';

const answer = (protocol: Answer['protocol'], headline: string) =>
  ({ protocol, history: 'late', headline, why: '', figures: '', more: '' }) satisfies Answer;

test('each answer of several restores is counted, the most frequent first', () => {
  const several = [answer('violated', 'a'), answer('followed', 'b'), answer('followed', 'b')];
  expect(answerCounts(several)).toEqual([
    { answer: several[1], times: 2 },
    { answer: several[0], times: 1 },
  ]);
  expect(protocolCounts(several)).toEqual([
    { word: 'followed', many: 2 },
    { word: 'violated', many: 1 },
  ]);
});

test('where a trace has no clock, a time is since it began', () => {
  expect(clockWords(3380, true, 0)).toBe('0:03');
  expect(clockWords(65_000, false, 5000)).toBe('1:00');
});

test('of two long lists is said what one has and the other lacks', () => {
  expect(listChange('/a /b /c', '/a /c /d /e')).toBe('3 → 4: + /d /e − /b');
  expect(listChange('/a /b', '/b /a')).toBe('2 → 2: in another order');
});
