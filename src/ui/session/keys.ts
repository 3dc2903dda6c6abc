// The keys of the session view: what they do, and how the sheet of keys names them.
import type { Hub } from '../../state/session/hub.svelte.ts';
import { LIST_KEYS, type MovesInList, type PlaceKey } from '../parts/list-keys.ts';

interface InSession extends MovesInList {
  readonly hub: Hub;
  restore(): void;
}

const opens = (view: 'trace' | 'conversation' | 'compare') =>
  function run({ hub }: InSession): unknown {
    return hub.row && hub.open(hub.row, view);
  };

/** What the list does not do by itself. */
export const SESSION_ROW_KEYS: readonly PlaceKey<InSession>[] = [
  {
    keys: ['↵'],
    does: 'Open a restore in Compare, anything else in Trace',
    run: ({ hub }) =>
      hub.row && hub.open(hub.row, hub.row.kind === 'restore' ? 'compare' : 'trace'),
  },
  { keys: ['1'], does: 'Open the row in Trace', run: opens('trace') },
  { keys: ['2'], does: 'Open the row in Conversation', run: opens('conversation') },
  { keys: ['4'], does: 'Open the row in Compare', run: opens('compare') },
  { keys: ['→'], does: 'List the restores of a run', run: ({ hub }) => hub.openRun(true) },
  { keys: ['←'], does: 'List them no more', run: ({ hub }) => hub.openRun(false) },
  {
    keys: ['⇧J', '⇧↓'],
    does: 'Choose a second row below, to compare',
    run: ({ hub }) => hub.moveSecond(1),
  },
  {
    keys: ['⇧K', '⇧↑'],
    does: 'Choose a second row above, to compare',
    run: ({ hub }) => hub.moveSecond(-1),
  },
  { keys: ['R'], does: 'To the request', run: ({ restore }) => restore() },
];

export const SESSION_KEYS: readonly PlaceKey<InSession>[] = [...LIST_KEYS, ...SESSION_ROW_KEYS];
