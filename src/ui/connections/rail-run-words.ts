// The line below a run of ours in the rail.
import type { TraceSummary } from '../../engine/messages.ts';
import { dayWords } from './rail-words.ts';

/** Which run of ours this is: `Bundled agent · S1 · today 10:41`. */
export function runWords(
  run: readonly TraceSummary[],
  all: readonly TraceSummary[],
  now: Date,
): string {
  const [first] = run;
  if (!first) return '';
  const about = first.group?.session;
  const sessions = all.flatMap(({ facts }) => facts?.sessions ?? []);
  const chip = sessions.find((one) => one.sessionId === about && one.chip !== '')?.chip;
  const agent = run.find((one) => one.agent !== undefined)?.agent ?? first.name;
  return [agent, chip, dayWords(first.startedAt, now)].filter((part) => part).join(' · ');
}
