import type { Brand } from './brand.ts';

/** Milliseconds on a monotonic clock since the trace began; fractions are kept to the microsecond. */
export type Millis = Brand<number, 'Millis'>;

/** Rounds to the microsecond, so that what is written to a file reads back as the same number. */
export function millis(value: number): Millis {
  return (Math.round(value * 1000) / 1000) as Millis;
}
