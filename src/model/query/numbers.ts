// Numbers of a query: `500`, `2s`, `10kb`, `1.4..2.3`, and what `>` makes of them.
import type { Unit } from './fields.ts';
import type { Range } from './query.ts';

const TIMES = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/** By what a number is multiplied; '' where no unit stands behind it. */
const UNITS: Readonly<Record<Unit, Readonly<Record<string, number>>>> = {
  plain: { '': 1 },
  ms: { '': 1, ...TIMES },
  s: { '': 1000, ...TIMES },
  bytes: { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 },
};

/** The units that may stand behind a number, for a sentence. */
export function unitNames(unit: Unit): readonly string[] {
  return Object.keys(UNITS[unit]).filter((name) => name !== '');
}

/** Undefined: it is no number of this unit. `mark`: a letter that may stand before it. */
export function numberOf(text: string, unit: Unit, mark = ''): number | undefined {
  const rest = mark !== '' && text.startsWith(mark) ? text.slice(mark.length) : text;
  const [, digits, name] = /^(\d+(?:\.\d+)?)([a-z]*)$/i.exec(rest) ?? [];
  const factor = UNITS[unit][(name ?? '').toLowerCase()];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

/** `7`, `2..5`, `2..`, `..5`, `*` for any. Undefined: it says none of these. */
export function rangeOf(text: string, unit: Unit, mark = ''): Range | undefined {
  if (text === '*') return { low: -Infinity, high: Infinity };
  const dots = text.indexOf('..');
  if (dots < 0) {
    const number = numberOf(text, unit, mark);
    return number === undefined ? undefined : { low: number, high: number };
  }
  const [front, back] = [text.slice(0, dots), text.slice(dots + 2)];
  if (front === '' && back === '') return undefined;
  const low = front === '' ? -Infinity : numberOf(front, unit, mark);
  const high = back === '' ? Infinity : numberOf(back, unit, mark);
  return low === undefined || high === undefined || low > high ? undefined : { low, high };
}

export type Comparison = '>' | '>=' | '<' | '<=';

export function comparedTo(operator: Comparison, number: number): Range {
  switch (operator) {
    case '>':
      return { low: number, high: Infinity, without: 'low' };
    case '>=':
      return { low: number, high: Infinity };
    case '<':
      return { low: -Infinity, high: number, without: 'high' };
    case '<=':
      return { low: -Infinity, high: number };
  }
}

/** Of a `time:` term, in milliseconds since the trace began, both ends included. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Undefined: it does not say a span. */
export function timeSpan(text: string): TimeSpan | undefined {
  const range = text.includes('..') ? rangeOf(text, 's') : undefined;
  return range && { from: Math.max(0, range.low), to: range.high };
}

/** The span as written, to the millisecond, and no shorter than it is. */
export function spanText({ from, to }: TimeSpan): string {
  const start = Math.floor(Math.max(0, from)) / 1000;
  return `${start}..${to === Infinity ? '' : Math.ceil(to) / 1000}`;
}
