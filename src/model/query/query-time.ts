// The span of a `time:` term: `1.4..2.3`, seconds since the trace began; either end may be open.

/** In milliseconds, both ends included. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Undefined: it does not say a span. */
export function spanOf(text: string): TimeSpan | undefined {
  const [, from = '', to = ''] = /^(\d+(?:\.\d+)?)?\.\.(\d+(?:\.\d+)?)?$/.exec(text) ?? [];
  if (from === '' && to === '') return undefined;
  const span = {
    from: from === '' ? 0 : Number(from) * 1000,
    to: to === '' ? Infinity : Number(to) * 1000,
  };
  return span.from <= span.to ? span : undefined;
}

/** The span as written, to the millisecond, and no shorter than it is. */
export function spanText({ from, to }: TimeSpan): string {
  const start = Math.floor(Math.max(0, from)) / 1000;
  return `${start}..${to === Infinity ? '' : Math.ceil(to) / 1000}`;
}
