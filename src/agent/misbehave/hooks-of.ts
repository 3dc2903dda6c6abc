// Each misbehaviour's hooks, by its name.
import type { Hooks } from '../hooks.ts';
import type { MisbehaviourName } from '../misbehaviours.ts';
import { crashes, duplicatesAnswers, neverAnswers, replaysLate } from './answers.ts';
import { noisy, splits } from './bytes.ts';
import { asksInReplay, keepsToItself, listsChildren, ownsItself } from './children.ts';
import { chunksOnly, loses, renames } from './replay.ts';

const HOOKS: Record<MisbehaviourName, (exit: (code: number) => void) => Hooks> = {
  'replay-without-cursor': () => ({ replayUnasked: true }),
  'replay-after-answer': replaysLate,
  'lossy-replay': () => ({ replayed: loses }),
  'unstable-message-ids': () => ({ replayed: renames }),
  'missing-state-snapshot': () => ({ noSnapshot: true }),
  'accepts-unknown-cursor': () => ({ anyCursor: true }),
  'exclusive-cursor': () => ({ afterCursor: true }),
  'missing-baseline': () => ({ replayedV2: chunksOnly }),
  'forgets-context': () => ({ forgets: true }),
  'duplicate-answer': duplicatesAnswers,
  'never-answers': neverAnswers,
  'stdout-noise': noisy,
  'split-utf8': () => ({ write: splits }),
  'unannounced-child': keepsToItself,
  'ungated-children': () => ({ childrenUnasked: true }),
  'child-of-itself': ownsItself,
  'listed-children': listsChildren,
  'hidden-child-cancel': () => ({ hidesCancel: true }),
  'unrenewed-children': () => ({ announcesOnce: true }),
  'child-asks-in-replay': asksInReplay,
  'unknown-link': () => ({ linksNowhere: true }),
  'early-replay-marker': () => ({ marks: 'early' }),
  'missing-child-marker': () => ({ marks: 'root' }),
  'crash-mid-turn': crashes,
};

/** `exit` ends the process, for the fault that dies. */
export function hooksOf(name: MisbehaviourName, exit: (code: number) => void): Hooks {
  return HOOKS[name](exit);
}
