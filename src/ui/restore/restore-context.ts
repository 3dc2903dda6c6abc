// The restore form, for the parts of its view.
import { createContext } from 'svelte';
import type { Restore } from '../../state/restore/restore.svelte.ts';

export const [useRestore, provideRestore] = createContext<Restore>();
