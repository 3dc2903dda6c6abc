// The keys of the aligned rows: what they do, and how the sheet of keys names them.
import type { App } from '../../state/app.svelte.ts';
import type { Fidelity } from '../../state/fidelity/fidelity.svelte.ts';
import { isKey } from '../../state/keys.ts';

interface Around {
  move(by: number): void;
  /** Rows of a page. */
  readonly page: number;
  right(): void;
  left(): void;
  /** To a frame of the row. */
  go(side: 'live' | 'replayed'): void;
}

interface FidelityKey {
  readonly keys: readonly string[];
  readonly does: string;
  run(around: Around, fidelity: Fidelity): unknown;
}

export const FIDELITY_KEYS: readonly FidelityKey[] = [
  { keys: ['J', '↓'], does: 'Next row', run: ({ move }) => move(1) },
  { keys: ['K', '↑'], does: 'Previous row', run: ({ move }) => move(-1) },
  { keys: ['PgDn'], does: 'A page down', run: ({ move, page }) => move(page) },
  { keys: ['PgUp'], does: 'A page up', run: ({ move, page }) => move(-page) },
  { keys: ['Home'], does: 'First row', run: (_, fidelity) => fidelity.select(0) },
  { keys: ['End'], does: 'Last row', run: (_, fidelity) => fidelity.select(Infinity) },
  { keys: ['N'], does: 'Next difference', run: (_, fidelity) => fidelity.stepFault(1) },
  { keys: ['⇧N'], does: 'Difference before', run: (_, fidelity) => fidelity.stepFault(-1) },
  {
    keys: ['→'],
    does: 'Open its fields, what is folded, or all of a field',
    run: ({ right }) => right(),
  },
  { keys: ['←'], does: 'Close them', run: ({ left }) => left() },
  {
    keys: ['E'],
    does: 'Open or close all that is folded',
    run: (_, fidelity) => fidelity.toggleFolds(),
  },
  { keys: ['↵'], does: 'Its live frame in the trace', run: ({ go }) => go('live') },
  { keys: ['X'], does: 'Its replayed frame in the trace', run: ({ go }) => go('replayed') },
];

/** Whether the key was one of ours. Single letters may be switched off. */
export function fidelityKey(
  app: App,
  fidelity: Fidelity,
  event: KeyboardEvent,
  around: Around,
): boolean {
  const found = FIDELITY_KEYS.find(({ keys }) => keys.some((key) => isKey(event, key)));
  if (!found) return false;
  if (/^\S$/.test(event.key) && !app.prefs.letterKeys) return false;
  void found.run(around, fidelity);
  return true;
}
