// What was said live held against what a replay says of it, one value at a time: a code, and what that
// is worth. Fidelity tells it field by field; the checker makes findings of what is corrupt.
import { assertNever } from '../../lib/assert-never.ts';
import { isFinal } from '../../acp/update.ts';
import { relationOf } from './texts.ts';

/** How the live turn of an item ended, where that says how much of it the client saw. */
export interface Ending {
  /** The connection ended, or the restore came, before the turn was over. */
  readonly cut: boolean;
  readonly cancelled: boolean;
}

/** All that was said live of an item, also what a later update replaced. */
export interface SaidLive {
  /** It asked for a permission last, and nobody gave it. */
  readonly isRefused: boolean;
  /** Whether a field ever had this value. */
  word(field: string, word: string): boolean;
  /** Whether the text stood anywhere, but for white space. */
  text(text: string): boolean;
}

/** What each code is worth to a client that trusts the replay. */
export const JUDGED = {
  settled: 'cosmetic',
  refused: 'corrupt',
  'not told': 'undecidable',
  'as before': 'lossy',
  never: 'corrupt',
  spaced: 'cosmetic',
  fenced: 'cosmetic',
  'cut short': 'lossy',
  'goes on': 'undecidable',
  elsewhere: 'cosmetic',
  more: 'corrupt',
  'other kind': 'corrupt',
  'no kind': 'lossy',
  empty: 'lossy',
  'after the cut': 'cosmetic',
  heard: 'cosmetic',
  adds: 'cosmetic',
  'other shape': 'cosmetic',
  'other times': 'cosmetic',
  says: 'corrupt',
  lacks: 'lossy',
  'other file': 'corrupt',
  'other change': 'corrupt',
  'lacks change': 'lossy',
} as const;
export type ReplayCode = keyof typeof JUDGED;

/** One word of a set, such as a status. Undefined: it is the same. */
export function judgeWord(
  field: string,
  live: string,
  replayed: string,
  { cut, cancelled }: Ending,
  said: () => SaidLive,
): ReplayCode | undefined {
  if (live === replayed) return undefined;
  if (field === 'status' && !isFinal(live) && isFinal(replayed)) {
    if (replayed !== 'completed' && (cut || cancelled)) return 'settled';
    return replayed === 'completed' && said().isRefused ? 'refused' : 'not told';
  }
  return said().word(field, replayed) ? 'as before' : 'never';
}

/** A running text. Undefined: it is the very same. */
export function judgeText(
  field: string,
  live: string,
  replayed: string,
  { cut, cancelled }: Ending,
  said: () => SaidLive,
): ReplayCode | undefined {
  const relation = relationOf(live, replayed);
  switch (relation) {
    case 'identical':
      return undefined;
    case 'same':
      return 'spaced';
    case 'fenced':
      return 'fenced';
    case 'shorter':
      return said().word(field, replayed) ? 'as before' : 'cut short';
    case 'longer':
      if (cut || cancelled) return 'goes on';
      return said().text(added(live, replayed)) ? 'elsewhere' : 'more';
    case 'other':
      return said().word(field, replayed) ? 'as before' : 'never';
    default:
      return assertNever(relation);
  }
}

/** What stands between their common beginning and end. */
function added(before: string, after: string): string {
  let head = 0;
  while (head < before.length && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < before.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++;
  return after.slice(head, after.length - tail);
}

const IN_V1: Readonly<Record<string, string>> = { cancelled: 'failed', paused: 'in_progress' };

/** A status of v2 in the words of v1, which has fewer. */
export function statusInV1(status: string): string {
  return IN_V1[status] ?? status;
}
