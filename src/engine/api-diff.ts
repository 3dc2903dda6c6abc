// The page's calls about what two traces have in common, which are loaded with the first of them.
import { lazy } from '../lib/lazy.ts';
import type { DiffApi } from './diff-messages.ts';
import type { Parts } from './parts.ts';

export function diffApi(parts: Parts): DiffApi {
  const diffs = lazy(async () => new (await import('./diffs.ts')).Diffs(parts));
  return {
    diff: async (ask) => (await diffs()).compare(ask),
    cancelDiff: async () => (await diffs()).cancel(),
    diffProgress: async () => (await diffs()).doing,
    diffRows: async (...args) => (await diffs()).rows(...args),
    diffField: async (...args) => (await diffs()).field(...args),
    diffText: async (...args) => (await diffs()).text(...args),
    diffTurns: async (...args) => (await diffs()).turns(...args),
  };
}
