// The keys of the list of findings: what they do, and how the sheet of keys names them.
import type { App } from '../../state/app.svelte.ts';
import type { FindingList } from '../../state/findings/finding-list.svelte.ts';
import { isKey } from '../../state/keys.ts';

interface Around {
  move(by: number): void;
  first(): void;
  last(): void;
  /** Rows of a page. */
  readonly page: number;
  right(): void;
  left(): void;
  enter(): void;
}

interface FindingKey {
  readonly keys: readonly string[];
  readonly does: string;
  run(around: Around, list: FindingList): unknown;
}

export const FINDING_KEYS: readonly FindingKey[] = [
  { keys: ['J', '↓'], does: 'Next row', run: ({ move }) => move(1) },
  { keys: ['K', '↑'], does: 'Previous row', run: ({ move }) => move(-1) },
  { keys: ['PgDn'], does: 'A page down', run: ({ move, page }) => move(page) },
  { keys: ['PgUp'], does: 'A page up', run: ({ move, page }) => move(-page) },
  { keys: ['Home'], does: 'First row', run: ({ first }) => first() },
  { keys: ['End'], does: 'Last row', run: ({ last }) => last() },
  { keys: ['→'], does: 'Open what is grouped', run: ({ right }) => right() },
  { keys: ['←'], does: 'Close it, or go to its head', run: ({ left }) => left() },
  { keys: ['↵'], does: 'To the finding', run: ({ enter }) => enter() },
  { keys: ['X'], does: 'Its first frame in the trace', run: (_, list) => toFirst(list) },
  { keys: ['S'], does: 'What a client ought to believe there', run: (_, list) => list.showState() },
];

function toFirst(list: FindingList): unknown {
  const first = list.shown?.places[0];
  return first && list.show(first.seq);
}

/** Whether the key was one of ours. Single letters may be switched off. */
export function findingKey(
  app: App,
  list: FindingList,
  event: KeyboardEvent,
  around: Around,
): boolean {
  const found = FINDING_KEYS.find(({ keys }) => keys.some((key) => isKey(event, key)));
  if (!found) return false;
  if (/^\S$/.test(event.key) && !app.prefs.letterKeys) return false;
  void found.run(around, list);
  return true;
}
