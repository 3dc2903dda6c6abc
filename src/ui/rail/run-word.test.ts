import { expect, test } from 'vitest';
import type { RunRestore, RunVerdict } from '../../model/sessions/session-runs.ts';
import { seq } from '../../trace/event.ts';
import { isBad, runWord, wordText } from './run-word.ts';

const restore: RunRestore = { request: seq(5), name: 'start', outcome: 'answered', late: 0 };
const judged = (
  history: RunVerdict['history'],
  protocol: RunVerdict['protocol'] = 'followed',
): RunRestore => ({
  ...restore,
  judged: { protocol, history, headline: '', figures: '', tape: [['replayed', 3]] },
});

test('the word is that of the history, with a sign where it is good', () => {
  const words = [
    judged('identical'),
    judged('equivalent'),
    judged('late', 'violated'),
    judged('incomplete', 'violated'),
    judged('wrong', 'violated'),
    judged('inconclusive', 'inconclusive'),
    judged('no replay'),
  ].map((run) => wordText(runWord(run)));
  expect(words).toEqual([
    ...['✓ identical', '✓ equivalent', 'late', 'incomplete', 'wrong', 'inconclusive'],
    '✓ no replay',
  ]);
});

test('a rejection is good where it is expected; what was not compared is not called good', () => {
  const rejected = { ...restore, outcome: 'rejected' } as const;
  expect(runWord(rejected).tone).toBe('dim');
  const expected = { ...judged('no replay'), outcome: 'rejected' } as const;
  expect(runWord(expected)).toEqual({ word: 'rejected', tone: 'ok' });
  const against = { ...judged('no replay', 'violated'), outcome: 'rejected' } as const;
  expect(isBad(against)).toBe(true);
  expect(runWord(restore)).toEqual({ word: '…', tone: 'dim' });
  expect(wordText(runWord(judged('identical', 'violated')))).toBe('violated');
});
