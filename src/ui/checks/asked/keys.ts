// The keys of the table of tests.
import type { Test } from '../../../state/runs/test.svelte.ts';
import { LIST_KEYS, type MovesInList, type PlaceKey } from '../../parts/list-keys.ts';

interface InTests extends MovesInList {
  readonly test: Test;
  /** To what is behind the row. */
  look(): void;
  run(): void;
}

const sideways = (by: 1 | -1) =>
  function go({ test }: InTests): void {
    const row = test.rows[test.row];
    if (test.moveInRow(by)) return;
    if (row?.type === 'more' && by === 1) test.showMore(row.suite);
    else if (row?.type === 'suite') test.toggleOpen(row.suite.kind, by === 1);
    else if (row?.type === 'family') test.toggleFamily(row.family, by === 1);
    else if (by === -1) test.choose(test.at.suite);
  };

/** What the list does not do by itself. */
export const TEST_ROW_KEYS: readonly PlaceKey<InTests>[] = [
  { keys: ['↵'], does: 'To what is behind it', run: ({ look }) => look() },
  { keys: ['→'], does: 'Open a suite; the next cell', run: sideways(1) },
  { keys: ['←'], does: 'Close it, or go to it; the cell before', run: sideways(-1) },
  { keys: ['N'], does: 'Next that is worse or failed', run: ({ test }) => test.next() },
  { keys: ['⇧N'], does: 'The one before', run: ({ test }) => test.next(-1) },
  { keys: ['⌘↵'], does: 'Run what is chosen', run: ({ run }) => run() },
  { keys: ['.'], does: 'Stop the run', run: ({ test }) => test.isRunning && test.stop() },
];

export const TEST_KEYS: readonly PlaceKey<InTests>[] = [
  ...LIST_KEYS,
  { keys: ['Space'], does: 'Choose it, or leave it', run: () => undefined },
  ...TEST_ROW_KEYS,
];
