// The keys of every comparison: what they do, and how the sheet of keys names them.
import type { CompareList, CompareSide } from '../../state/compare/compare-list.svelte.ts';
import { LIST_KEYS, type MovesInList, type PlaceKey } from '../parts/list-keys.ts';

export interface InCompare extends MovesInList {
  readonly list: Pick<CompareList, 'stepFault' | 'toggleFolds'>;
  open(): void;
  close(): void;
  /** To a frame of the row. */
  go(side: CompareSide): void;
}

/** `sides`: what they are called, `left`, `right`. */
function compareKeys(left: string, right: string): readonly PlaceKey<InCompare>[] {
  return [
    ...LIST_KEYS,
    { keys: ['N'], does: 'Next difference', run: ({ list }) => list.stepFault(1) },
    { keys: ['⇧N'], does: 'Difference before', run: ({ list }) => list.stepFault(-1) },
    {
      keys: ['→'],
      does: 'Open its fields, what is folded, or all of a field',
      run: ({ open }) => open(),
    },
    { keys: ['←'], does: 'Close them', run: ({ close }) => close() },
    {
      keys: ['E'],
      does: 'Open or close all that is folded',
      run: ({ list }) => list.toggleFolds(),
    },
    { keys: ['↵'], does: `Its ${left} frame in the trace`, run: ({ go }) => go('left') },
    { keys: ['X'], does: `Its ${right} frame in the trace`, run: ({ go }) => go('right') },
  ];
}

export const SIDE_KEYS = compareKeys('left', 'right');
export const FIDELITY_KEYS = compareKeys('live', 'replayed');
export const RERUN_KEYS = compareKeys('recorded', 'new');
