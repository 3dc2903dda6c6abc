// The keys of the library: what they do, and how the sheet of keys names them.
import type { App } from '../../state/app.svelte.ts';
import type { LibraryList } from '../../state/library/library-list.svelte.ts';
import { focusPlace } from '../parts/focus.ts';
import { LIST_KEYS, type MovesInList, type PlaceKey } from '../parts/list-keys.ts';

interface InLibrary extends MovesInList {
  readonly app: App;
  readonly list: LibraryList;
}

export const LIBRARY_KEYS: readonly PlaceKey<InLibrary>[] = [
  ...LIST_KEYS,
  {
    keys: ['↵'],
    does: 'Open the trace, or the frame that was found',
    run: ({ list }) => list.open(),
  },
  { keys: ['→'], does: 'Open the run', run: ({ list }) => list.toggle(true) },
  { keys: ['←'], does: 'Close the run', run: ({ list }) => list.toggle(false) },
  { keys: ['E'], alsoKey: 'F2', does: 'Its name, tags and note', run: () => focusPlace('detail') },
  {
    keys: ['Del'],
    alsoKey: 'Delete',
    does: 'Delete the trace',
    run: ({ app, list }) => list.trace?.state === 'ended' && app.library.remove(list.trace),
  },
];
