declare const brand: unique symbol;
/** A primitive that cannot be mistaken for another of the same shape. One function makes each. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Milliseconds on a monotonic clock since the trace began; fractions are kept to the microsecond. */
export type Millis = Brand<number, 'Millis'>;

/**
 * Where a time would stand and none is known. Not a number: what is computed from it is none either,
 * no comparison with it holds, and `format-time.ts` writes it as –.
 */
export const NO_TIME = NaN as Millis;

/** Undefined where it is not known. */
export function known<T extends number>(time: T): T | undefined {
  return Number.isNaN(time) ? undefined : time;
}

/** Rounds to the microsecond, so that what is written to a file reads back as the same number. */
export function millis(value: number): Millis {
  return (Math.round(value * 1000) / 1000) as Millis;
}

/** Milliseconds in which a person can bring back what was deleted. */
export const UNDO_MS = 10_000;
