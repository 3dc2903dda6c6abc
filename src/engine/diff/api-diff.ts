// The page's calls about what two traces have in common, which are loaded with the first of them.
import { lazy } from '../../lib/lazy.ts';
import type { DiffApi } from './diff-messages.ts';
import type { DiffTableApi } from './diff-table-messages.ts';
import type { Parts } from '../parts.ts';

export function diffApi(parts: Parts): DiffApi & DiffTableApi {
  const diffs = lazy(async () => new (await import('./diffs.ts')).Diffs(parts));
  return {
    diff: async (ask) => (await diffs()).compare(ask),
    cancelDiff: async () => (await diffs()).cancel(),
    diffProgress: async () => (await diffs()).doing,
    diffRows: async (...args) => (await diffs()).rows(...args),
    diffField: async (...args) => (await diffs()).field(...args),
    diffAliases: async (diff) => (await diffs()).aliases(diff),
    diffRowsWith: async (...args) => (await diffs()).rowsWith(...args),
    diffText: async (...args) => (await diffs()).text(...args),
    diffTable: async (ask) => (await diffs()).table(ask),
    diffTableRows: async (...args) => (await diffs()).tableRows(...args),
    diffTableText: async (...args) => (await diffs()).tableText(...args),
    diffTurns: async (...args) => (await diffs()).turns(...args),
    diffHasReplay: async (...args) => (await diffs()).hasReplay(...args),
  };
}
