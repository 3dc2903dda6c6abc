// Each misbehaviour's hooks, by its name.
import { setTimeout } from 'node:timers/promises';
import type { Hooks, Write } from '../hooks.ts';
import { crashes, duplicatesAnswers, neverAnswers, replaysLate } from './answers.ts';
import { asksInReplay, keepsToItself, listsChildren, ownsItself } from './children.ts';
import { chunksOnly, loses, renames } from './replay.ts';
import type { MisbehaviourName } from '../misbehaviours.ts';

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

// Faults in the bytes of stdout.

const NOISE = [
  'bundled agent: loading…',
  '',
  'DEBUG cache miss (0 of 3)',
  '{"level":"info","text":"JSON, but no message"}',
];

/** `stdout-noise`: a line that is no message before every tenth line, and before the first. */
function noisy(): Hooks {
  let lines = 0;
  return {
    write: async (line, write) => {
      if (lines % 10 === 0) {
        const noise = NOISE[(lines / 10) % NOISE.length] ?? '';
        await write(new TextEncoder().encode(`${noise}\n`));
      }
      lines++;
      await write(line);
    },
  };
}

/** Long enough for the pieces to arrive as two. */
const APART = 4;

/** `split-utf8`: a line in two pieces, cut behind the first byte of its last long character. */
async function splits(line: Uint8Array, write: Write): Promise<void> {
  const lead = line.findLastIndex((byte) => byte >= 0xc0);
  const cut = lead < 0 ? line.length >> 1 : lead + 1;
  await write(line.subarray(0, cut));
  await setTimeout(APART);
  await write(line.subarray(cut));
}
