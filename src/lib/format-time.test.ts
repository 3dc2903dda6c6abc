import { expect, test } from 'vitest';
import { NO_TIME } from './time.ts';
import { formatClock, formatSpan, knownDate } from './format-time.ts';

test('a moment is minutes, seconds and milliseconds, with hours only from the first hour on', () => {
  expect(formatClock(0)).toBe('0:00.000');
  expect(formatClock(1402.7)).toBe('0:01.402');
  expect(formatClock(727_090)).toBe('12:07.090');
  expect(formatClock(3_723_004)).toBe('1:02:03.004');
  expect(formatClock(-5)).toBe('0:00.000');
});

test('a time that is not known is –', () => {
  expect([formatClock(NO_TIME), formatSpan(NO_TIME)]).toEqual(['–', '–']);
});

test('a span keeps two or three figures and never shows 1000 of a unit', () => {
  expect([0.31, 7.08, 9.96, 24, 907, 999.6].map(formatSpan)).toEqual([
    '0.3 ms',
    '7.1 ms',
    '10 ms',
    '24 ms',
    '907 ms',
    '1.0 s',
  ]);
  expect([4120, 9960, 38_020, 59_600, 125_000, 3_723_000].map(formatSpan)).toEqual([
    '4.1 s',
    '10 s',
    '38 s',
    '1:00',
    '2:05',
    '1:02:03',
  ]);
});

test('a date that nobody told is none', () => {
  expect(knownDate('2026-11-21T10:00:00.000Z')?.getFullYear()).toBe(2026);
  expect(knownDate('1970-01-01T00:00:00.000Z')).toBeUndefined();
  expect(knownDate('nonsense')).toBeUndefined();
});
