// What commands have in common that stand in the place of an agent: our own folder, and an end like its own.
import { leftSentence } from '../../model/words.ts';
import type { TapEnd } from '../../relay/tap.ts';
import { prepareState, stateFolder } from '../../relay/state-folder.ts';
import { EXIT, FileError } from '../command.ts';

/** Our state folder, which exists from now on. `front`: of the sentence. Throws `FileError`. */
export function ownState(front = ''): string {
  const state = stateFolder();
  const prepared = prepareState(state);
  if (prepared.ok) return state;
  throw new FileError(`${front}${prepared.message}`);
}

/** As the agent ended, so do we; what it left running is said. Throws `FileError` where it never ran. */
export function endLike(end: TapEnd, front: string): number {
  // Never on stdout, which is the agent's.
  if (end.kind !== 'problem' && end.left) console.error(front + leftSentence(end.left));
  switch (end.kind) {
    case 'problem':
      throw new FileError(`${front}${end.problem.message}`);
    case 'code':
      // The editor's pipe may still be open; the agent has ended, so we have too.
      return process.exit(end.code);
    case 'signal':
      process.kill(process.pid, end.signal);
      return EXIT.failed;
  }
}
