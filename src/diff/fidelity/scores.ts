// How much of each kind came back, in figures.
import type { LedgerRow } from './ledger.ts';
import { KINDS } from './report/describe.ts';
import type { FidelityKind, KindScore } from './report/report.ts';

const NONE: KindScore = {
  live: 0,
  replayed: 0,
  equal: 0,
  cosmetic: 0,
  lossy: 0,
  corrupt: 0,
  undecidable: 0,
  score: undefined,
};

/** Kinds that neither side has are left out; the others stand in the order of a report. */
export function scoresOf(rows: readonly LedgerRow[]): Partial<Record<FidelityKind, KindScore>> {
  const scores = new Map<FidelityKind, KindScore>();
  for (const { of, verdict, lives, replays, isOpen } of rows) {
    if (isOpen) continue;
    const before = scores.get(of) ?? NONE;
    scores.set(of, {
      ...before,
      live: before.live + lives,
      replayed: before.replayed + replays,
      [verdict]: before[verdict] + Math.max(lives, replays),
    });
  }
  return Object.fromEntries(
    KINDS.flatMap((kind) => {
      const score = scores.get(kind);
      return score ? [[kind, { ...score, score: shareOf(score) }]] : [];
    }),
  );
}

/** What cannot be decided counts neither way. */
function shareOf({ equal, cosmetic, lossy, corrupt }: KindScore): number | undefined {
  const good = equal + cosmetic;
  const all = good + lossy + corrupt;
  return all === 0 ? undefined : Math.round((good / all) * 1000) / 1000;
}
