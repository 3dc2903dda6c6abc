// What a replay says that was not said live: what it is, and what that is worth to a client that
// trusts it.
import type { Ending } from './judge.ts';
import { syntheticText } from './texts.ts';

export const EXTRA = {
  empty: { verdict: 'cosmetic', why: 'says nothing' },
  cancelled: { verdict: 'cosmetic', why: 'the agent added it; the user had cancelled' },
  cut: {
    verdict: 'corrupt',
    why: 'the agent added it, and no user interrupted: the connection was cut',
  },
  interrupted: { verdict: 'corrupt', why: 'the agent added it, and nobody interrupted' },
  'no gap': {
    verdict: 'corrupt',
    why: 'the agent added it, and nothing of its child sessions is missing',
  },
  gap: { verdict: 'cosmetic', why: 'the agent added it; a child session did not come back whole' },
  'some gap': {
    verdict: 'undecidable',
    why: 'the agent added it; no trace holds the live part of its child sessions',
  },
  filler: { verdict: 'cosmetic', why: 'the agent added it; it says nothing' },
  harness: { verdict: 'corrupt', why: 'the agent added it for its model; nobody said it' },
  unknown: { verdict: 'undecidable', why: 'more may have been said than is known' },
  extra: { verdict: 'corrupt', why: 'was not said live' },
} as const;

export type ExtraCode = keyof typeof EXTRA;

/** Whether the children of a session came back whole. */
export type ChildrenBack = 'whole' | 'short' | 'unknown';

/** Of these codes the agent is the author; a report calls such an item synthetic. */
export function isAdded(code: ExtraCode): boolean {
  return code !== 'empty' && code !== 'unknown' && code !== 'extra';
}

/**
 * `ending`: of the live turn that it stands in. `isKnown`: all that was said live where it stands is
 * known.
 */
export function judgeExtra(
  { kind, text, isEmpty }: { kind: string; text: string; isEmpty: boolean },
  ending: Ending,
  children: () => ChildrenBack,
  isKnown: boolean,
): ExtraCode {
  if (isEmpty) return 'empty';
  const made = syntheticText(kind, text);
  if (made?.saysInterrupted)
    return ending.cancelled ? 'cancelled' : ending.cut ? 'cut' : 'interrupted';
  if (made?.saysGap) return GAPS[children()];
  if (made) return made.isFiller ? 'filler' : 'harness';
  return isKnown ? 'extra' : 'unknown';
}

const GAPS = { whole: 'no gap', short: 'gap', unknown: 'some gap' } as const;
