// Which words let the bundled agent do nothing to the person. Not with the command, which the relay does not load.
import { isMisbehaviour } from '../../agent/misbehaviours.ts';

const VALUES = new Map([
  ['--protocol', /^(?:1|2|both)$/],
  ['--seed', /^\d{1,15}$/],
  ['--pace', /^\d{1,6}(?:\.\d{1,3})?$/],
]);
const SWITCHES: ReadonlySet<string> = new Set([
  '--require-sign-in',
  '--no-replay',
  '--replay-complete',
]);

/**
 * Whether it does nothing to the person when started with these words: it writes its own store alone,
 * starts no program and reaches no address.
 */
export function startsNothing(words: readonly string[]): boolean {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (SWITCHES.has(word)) continue;
    const value = words[++at] ?? '';
    const fits = word === '--misbehave' ? isMisbehaviour(value) : VALUES.get(word)?.test(value);
    if (fits !== true) return false;
  }
  return true;
}
