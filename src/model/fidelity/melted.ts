// Live messages that a client folds into one message of a replay, because they came without ids.
import type { Pairing } from '../replay/pair-items.ts';
import type { LedgerNote } from './ledger.ts';
import type { LivePart } from './live-fold.ts';
import type { Numbered } from './normalize.ts';

interface Melted {
  readonly pairings: readonly Pairing[];
  readonly live: readonly Numbered[];
  readonly replayed: readonly Numbered[];
  readonly part?: LivePart | undefined;
}

/**
 * How many live messages a client folds into one message of the replay, by the first frame of that message.
 * Two that only a permission request parts are one: requests are not part of history.
 */
export function meltedPieces(compared: Melted): ReadonlyMap<number, number> {
  const { pairings, live, replayed, part } = compared;
  const counts = new Map<number, number>();
  const isParted = (i: number) => {
    const [before, after] = [live[i - 1], live[i]];
    if (!before || !after || before.kind !== after.kind) return false;
    return part?.asks.some(({ number }) => before.to < number && number < after.from);
  };
  for (const { a, b } of pairings) {
    const pieceOf = a.length > 0 ? replayed[b[0] ?? -1]?.pieceOf : undefined;
    if (pieceOf !== undefined && !isParted(a[0] ?? -1))
      counts.set(pieceOf, (counts.get(pieceOf) ?? 0) + 1);
  }
  return counts;
}

export function meltedNote(count: number): LedgerNote {
  const why = `came without an id beside others of its kind: a client shows ${count} messages as one`;
  return { kind: 'merged', verdict: 'lossy', why };
}
