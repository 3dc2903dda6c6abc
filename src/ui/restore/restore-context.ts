// The restore form, for the parts of its view.
import { createContext } from 'svelte';
import type { RestoreForm } from '../../state/restore/restore.svelte.ts';

export const [useRestore, provideRestore] = createContext<RestoreForm>();
