// The Session view's state, for its components.
import { createContext } from 'svelte';
import type { SessionView } from './session-view.svelte.ts';

export const [useSession, provideSession] = createContext<SessionView>();
