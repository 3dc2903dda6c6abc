// The keys of the list of findings: what they do, and how the sheet of keys names them.
import type { FindingList } from '../../../state/findings/finding-list.svelte.ts';
import { LIST_KEYS, type MovesInList, type PlaceKey } from '../../parts/list-keys.ts';

interface InFindings extends MovesInList {
  readonly list: FindingList;
  right(): void;
  left(): void;
  enter(): void;
}

export const FINDING_KEYS: readonly PlaceKey<InFindings>[] = [
  ...LIST_KEYS,
  { keys: ['→'], does: 'Open what is grouped', run: ({ right }) => right() },
  { keys: ['←'], does: 'Close it, or go to its head', run: ({ left }) => left() },
  { keys: ['↵'], does: 'To the finding', run: ({ enter }) => enter() },
  { keys: ['X'], does: 'Its first frame in the trace', run: ({ list }) => toFirst(list) },
  {
    keys: ['S'],
    does: 'What a client ought to believe there',
    run: ({ list }) => list.showState(),
  },
];

function toFirst(list: FindingList): unknown {
  const first = list.shown?.places[0];
  return first && list.show(first.seq);
}
