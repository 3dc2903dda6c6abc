// The restore form, for the parts of its view.
import { createContext } from '../../state/context.ts';
import type { Restore } from '../../state/restore/restore.svelte.ts';

export const [useRestore, provideRestore] = createContext<Restore>('restore form');
