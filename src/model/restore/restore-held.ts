// A restore with what came of its history: the verdict says whether order and answer are as due, the
// comparison with what was said live says whether all came back. One mark and one clause for both.
import type { RestoreResult } from './restore-results.ts';
import type { Shortfall } from './restore-verdict.ts';

export interface Held {
  /** `hint`: as due, and yet not all came back. `dim`: the traces do not tell, or not yet. */
  readonly mark: 'ok' | 'err' | 'warn' | 'hint' | 'dim';
  readonly words: string;
}

export function heldOf(
  { due, words }: Pick<RestoreResult, 'due' | 'words'>,
  shortfall: Shortfall | undefined,
): Held {
  if (shortfall === undefined)
    return { mark: due === undefined ? 'dim' : due ? 'ok' : 'err', words };
  const { weight } = shortfall;
  if (weight === 'hint') return { mark: 'hint', words: `${words}; ${shortfall.words}` };
  const came = words.replace(/^as due: /, '');
  return { mark: weight === 'error' ? 'err' : 'warn', words: `${came}, but ${shortfall.words}` };
}
