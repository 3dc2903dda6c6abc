import { expect, test } from 'vitest';
import type { CursorCandidate } from '../../engine/messages.ts';
import { seq } from '../../trace/event.ts';
import { resumePoint } from './resume-point.ts';

const candidate = (at: number, field: string, value: string, names = ''): CursorCandidate => ({
  ...{ seq: seq(at), field, value, names, of: 'x', session: 'S1' },
});
const CANDIDATES = [
  candidate(20, 'messageId', 'm20'),
  candidate(9, '_meta.at', 'x'),
  candidate(9, 'messageId', 'm9', '“Hi”'),
  candidate(7, 'id', '2'),
];

test('a frame that holds values is resumed from by them', () => {
  const own = [{ field: 'toolCallId', value: 't1' }];
  expect(resumePoint(seq(10), own, CANDIDATES)).toEqual({ fields: own, instead: undefined });
});

test('a frame that holds none is resumed from by the nearest before it, and that is said', () => {
  expect(resumePoint(seq(10), [], CANDIDATES)).toEqual({
    fields: [{ field: 'messageId', value: 'm9' }],
    instead:
      '#10 holds nothing that could be a cursor; nearest before it: messageId m9 of #9, “Hi”.',
  });
  expect(resumePoint(seq(8), [], CANDIDATES).fields).toEqual([{ field: 'id', value: '2' }]);
});

test('where nothing before it could be one either, there is no cursor', () => {
  expect(resumePoint(seq(7), [], CANDIDATES)).toMatchObject({
    fields: [{ field: 'id', value: '2' }],
    instead: undefined,
  });
  expect(resumePoint(seq(6), [], CANDIDATES)).toEqual({
    fields: [],
    instead: '#6 holds nothing that could be a cursor, and nothing before it does.',
  });
});
