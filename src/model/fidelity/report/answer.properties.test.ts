// The answer for any judged restore: the headline names the worst that is present, and the figures count each row
// of the comparison once.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourcesOf } from '../../../test/traces/fidelity-sources.ts';
import { recordings } from '../../../test/traces/recordings.ts';
import { edited, EDIT_NAMES } from '../../../test/traces/replay-edits.ts';
import { SETS } from '../../../test/traces/reviewed.ts';
import { fidelityOf } from '../fidelity.ts';
import { itemCounts } from './answer-of.ts';
import { ITEM_WORDS, type HistoryWord, type ItemWord } from './answer.ts';
import type { FidelityWindow } from './report.ts';

const EVENTS = new Map(recordings().map(({ name, events }) => [name, events]));
const CASES = Object.values(SETS).flatMap((names) =>
  names.flatMap((name, at) =>
    at === 0 ? [] : [{ name, before: names.slice(0, at).map((one) => EVENTS.get(one) ?? []) }],
  ),
);

/** The words that a headline has for each word of the worst row. */
const SAYS: Readonly<Partial<Record<ItemWord, RegExp>>> = {
  wrong: /replayed as|never occurred|shown twice/,
  missing: /missing/,
  late: /shown as new/,
  changed: /as complete as live/,
};
const HISTORIES: Readonly<Partial<Record<ItemWord, readonly HistoryWord[]>>> = {
  wrong: ['wrong'],
  missing: ['incomplete'],
  late: ['late', 'incomplete'],
  changed: ['incomplete'],
};

function holds({ answer, groups }: FidelityWindow): void {
  const rows = groups.flatMap((group) => group.rows.filter(({ of }) => of !== 'aside'));
  const counts = itemCounts(groups);
  expect(counts.reduce((sum, [, many]) => sum + many, 0)).toBe(rows.length);
  if (answer.history === 'no replay') return expect(answer.figures).toBe('');
  expect(answer.figures).toBe(counts.map(([word, many]) => `${many} ${word}`).join(', '));
  const worst = ITEM_WORDS.find((word) => counts.some(([one]) => one === word));
  if (worst === undefined || HISTORIES[worst] === undefined) return;
  expect(HISTORIES[worst]).toContain(answer.history);
  expect(answer.headline).toMatch(SAYS[worst] ?? /./);
}

test.each(CASES)('$name, as it was recorded', ({ name, before }) => {
  for (const window of fidelityOf(sourcesOf([...before, EVENTS.get(name) ?? []])).windows)
    holds(window);
});

test('a recording with one item of the replay edited', () => {
  const edit = fc.constantFrom(...EDIT_NAMES);
  fc.assert(
    fc.property(fc.nat(CASES.length - 1), edit, fc.nat(), fc.nat(), (at, how, which, where) => {
      const { name = '', before = [] } = CASES[at] ?? {};
      const made = edited(EVENTS.get(name) ?? [], how, which, where);
      if (!made) return;
      for (const window of fidelityOf(sourcesOf([...before, made.events])).windows) holds(window);
    }),
    { numRuns: 40 },
  );
});
