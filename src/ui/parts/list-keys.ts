// The keys of lists: how a place says its keys, how they are run, and the moves that every list has.
import type { App } from '../../state/app.svelte.ts';
import { isKey } from '../../state/keys.ts';

/** A key of a place: by what, how the sheet of keys names it, and what it does there. */
export interface PlaceKey<Place> {
  readonly keys: readonly string[];
  /** The same by a key that most keyboards lack. */
  readonly alsoKey?: string;
  readonly does: string;
  run(place: Place): unknown;
}

/** What a view says of its keys as it stands: lists of keys, each under a title. */
export type KeySheet = (
  app: App,
) => readonly { readonly title: string; readonly keys: readonly SaidKey[] }[];
type SaidKey = Pick<PlaceKey<never>, 'keys' | 'does'>;

/** A list that keys move in. */
export interface MovesInList {
  readonly page: number;
  /** So many rows on, and no further than the ends; infinite: to one of them. */
  move(by: number): unknown;
}

export const LIST_KEYS: readonly PlaceKey<MovesInList>[] = [
  { keys: ['J', '↓'], does: 'Next row', run: ({ move }) => move(1) },
  { keys: ['K', '↑'], does: 'Previous row', run: ({ move }) => move(-1) },
  { keys: ['PgDn'], does: 'A page down', run: ({ move, page }) => move(page) },
  { keys: ['PgUp'], does: 'A page up', run: ({ move, page }) => move(-page) },
  { keys: ['Home'], does: 'First row', run: ({ move }) => move(-Infinity) },
  { keys: ['End'], does: 'Last row', run: ({ move }) => move(Infinity) },
];

/** What is read of a `KeyboardEvent`. */
type Pressed = Parameters<typeof isKey>[0] &
  Pick<KeyboardEvent, 'target' | 'currentTarget' | 'preventDefault'>;

/**
 * Whether the key was one of the place's, and is done. Single letters may be switched off; a button in
 * the list takes its own Enter and Space. `inTurn` runs what it is given when the keys before are done;
 * a key that answers with a promise is done when that settles.
 */
export function runKey<Place>(
  table: readonly PlaceKey<Place>[],
  event: Pressed,
  letters: boolean,
  place: Place,
  inTurn: (run: () => unknown) => unknown = (run) => run(),
): boolean {
  if (event.target !== event.currentTarget && /^(Enter| )$/.test(event.key)) return false;
  const found = table.find(({ keys, alsoKey = '' }) =>
    [...keys, alsoKey].some((key) => key !== '' && isKey(event, key)),
  );
  if (!found || (!letters && /^\S$/.test(event.key))) return false;
  event.preventDefault();
  void inTurn(() => found.run(place));
  return true;
}

interface HowToMove {
  readonly page?: number;
  /** J and K move too. */
  readonly letters?: boolean;
  /** After the last comes the first. */
  readonly wraps?: boolean;
  /** The list of a text field, in which Home and End move the caret. */
  readonly typing?: boolean;
}

/** The row of a list of so many that the key leads to; undefined: it is no key of a list. */
export function rowByKey(
  event: Pressed,
  at: number,
  count: number,
  { page = 10, letters = false, wraps = false, typing = false }: HowToMove = {},
): number | undefined {
  let to: number | undefined;
  const move = (by: number): void => {
    if (wraps && by === 1) to = (at + 1) % count;
    else if (wraps && by === -1) to = (at <= 0 ? count : at) - 1;
    else to = Math.max(0, Math.min(count - 1, at + by));
  };
  runKey(typing ? LIST_KEYS.slice(0, -2) : LIST_KEYS, event, letters, { page, move });
  return to;
}

const WORD_MS = 700;

/**
 * Goes by what is typed in quick succession to the next row that begins so, round and round; what begins no
 * row stays where it is. `first`: what a word begins with; undefined: the key was none of a word.
 */
export function typeAhead(
  first = /^\S$/,
): (
  event: Pick<KeyboardEvent, 'timeStamp'> & Pressed,
  at: number,
  rows: readonly Pick<HTMLElement, 'textContent'>[],
) => number | undefined {
  let typed = '';
  let last = -Infinity;
  return (event, at, rows) => {
    const inTime = event.timeStamp - last < WORD_MS;
    const isTyped = (inTime ? /^\S$/ : first).test(event.key);
    if (!isTyped || event.ctrlKey || event.metaKey || event.altKey) {
      // Another key ends the word.
      if (event.key !== 'Shift') last = -Infinity;
      return undefined;
    }
    event.preventDefault();
    const key = event.key.toLowerCase();
    // The same letter again and again goes from row to row.
    const goesOn = inTime && typed !== key;
    typed = goesOn ? typed + key : key;
    last = event.timeStamp;
    const order = rows.map((_, i) => (at + (goesOn ? 0 : 1) + i) % rows.length);
    return order.find((i) => rows[i]?.textContent.trim().toLowerCase().startsWith(typed)) ?? at;
  };
}
