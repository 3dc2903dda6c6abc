// What the shell opens for the parts inside it.
import { createContext } from '../../state/context.ts';
import type { Shell } from './shortcuts.ts';

export const [useShell, provideShell] = createContext<Shell>('shell');
