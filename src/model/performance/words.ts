// Figures of performance in words, alike in the page and in `stats`.
import { formatCount } from '../../lib/format.ts';
import { formatSpan } from '../../lib/format-time.ts';
import type { Latency } from './methods.ts';
import type { Spent } from './spent.ts';
import type { TraceStats } from './stats.ts';

/** Words after a span of time: who was waited for. No trace records whether a person or a policy answered. */
export const SPENT_WORDS: Readonly<Record<keyof Spent, string>> = {
  asleep: 'nothing ran',
  agent: 'agent working',
  person: 'waiting for user',
  client: 'client working',
  restore: 'restoring',
  idle: 'idle',
};

/** A percentile of fewer values says nothing that the slowest does not. */
const MIN_RANKED = 5;
/** True if enough values were measured for percentiles. */
export const isRanked = (latency: Latency | undefined): boolean => (latency?.n ?? 0) >= MIN_RANKED;

/** Returns p50, p95, p99 and the slowest as words; the percentiles of fewer than five values are empty. */
export function latencyWords(latency: Latency | undefined): readonly string[] {
  if (latency === undefined) return ['', '', '', ''];
  const { p50, p95, p99, max } = latency;
  return [
    ...[p50, p95, p99].map((ms) => (isRanked(latency) ? formatSpan(ms) : '')),
    formatSpan(max),
  ];
}

/** Returns what was usual: the only value, the range's end for a few, else the median. */
export function usualWords(latency: Latency): string {
  if (isRanked(latency)) return `median ${formatSpan(latency.p50)}`;
  return `${latency.n > 1 ? 'up to ' : ''}${formatSpan(latency.max)}`;
}

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
