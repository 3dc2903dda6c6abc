import { expect, test } from 'vitest';
import { connectionFacts, traceSummary } from '../../test/programs/running-app.ts';
import { troubleWords } from './trouble-words.ts';

const trace = (number: number, code?: string, lost = 0) => ({
  ...traceSummary(connectionFacts()),
  number,
  ...(code !== undefined && { trouble: { code, path: `/spool/${number}`, lost } }),
});

test('attack row 6 (R-21): what cannot be recorded is named with why, how much is lost, and what to do', () => {
  expect(troubleWords([trace(1), trace(2, 'ENOSPC', 1200), trace(3, 'ENOSPC')])).toEqual([
    {
      code: 'ENOSPC',
      sentence:
        'c2 agent, c3 agent cannot be recorded now: the disk is full (ENOSPC), at /spool/2. 1,200 events lost so far. Free some space there; recording then goes on by itself.',
    },
  ]);
  const [words] = troubleWords([trace(1, 'EXYZ')]);
  expect(words?.sentence).toContain('the system refuses it (EXYZ)');
  expect(words?.sentence).toContain('Nothing is lost so far.');
});
