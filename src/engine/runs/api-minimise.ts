// The page's calls about what a trace fails, which are loaded with the first of them.
import { lazy } from '../../lib/lazy.ts';
import type { MinimiseApi } from './minimise-messages.ts';
import type { Parts } from '../parts.ts';

export function minimiseApi(parts: Parts): MinimiseApi {
  const minimiser = lazy(async () => new (await import('./minimiser.ts')).Minimiser(parts));
  return {
    judgeTrace: async (...args) => (await minimiser()).judge(...args),
    minimise: async (ask) => (await minimiser()).minimise(ask),
    minimiseProgress: async () => (await minimiser()).progress,
    stopMinimise: async () => (await minimiser()).stop(),
  };
}
