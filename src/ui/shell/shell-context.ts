// What the shell opens for the parts inside it.
import { createContext } from 'svelte';
import type { Shell } from './shortcuts.ts';

export const [useShell, provideShell] = createContext<Shell>();
