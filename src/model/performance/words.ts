// Figures of performance in words, alike in the page and in `stats`.
import { formatCount } from '../../lib/format.ts';
import { formatSpan } from '../../lib/format-time.ts';
import type { Spent } from './spent.ts';
import type { TraceStats } from './stats.ts';

/** Behind a span of time: who was waited for. Whether a person or a policy answered is in no trace. */
export const SPENT_WORDS: Readonly<Record<keyof Spent, string>> = {
  asleep: 'nothing ran',
  agent: 'agent at work',
  person: 'question open',
  client: 'client at work',
  restore: 'restoring',
  idle: 'nobody waited for',
};

/** Returns updates a second: one decimal below 10, so that a slow restore is not 0; empty if `rate` is undefined. */
export function rateWords(rate: number | undefined): string {
  if (rate === undefined) return '';
  return rate < 9.95 ? rate.toFixed(1) : formatCount(Math.round(rate));
}

/** Undefined: nothing slept. */
export function sleepsWords({ sleeps: { count: times, ms } }: Pick<TraceStats, 'sleeps'>) {
  if (times === 0) return undefined;
  const often = times === 1 ? 'Once' : `${formatCount(times)} times`;
  return `${often} nothing ran, for ${formatSpan(ms)}: the machine slept, or was stopped. Latencies, turns and stalls do not count it.`;
}
