import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionId, seq } from '../../trace/event.ts';
import {
  DIFF_VIEW_LABELS,
  formatPair,
  parsePair,
  partWords,
  replayIn,
  swapped,
  type DiffPair,
} from './diff-pair.ts';

const [c1, c2] = [connectionId('c1'), connectionId('c2')];

test('a pair is one word of an address, and its end may be missing', () => {
  expect(formatPair({ left: c1, right: c2, view: 'story' })).toBe('c1~c2');
  expect(parsePair('c1')).toEqual({ view: 'story', left: 'c1' });
  expect(parsePair(undefined)).toEqual({ view: 'story' });
  expect(parsePair('c1~c1~frames~q:is:live~t:2')).toEqual({
    left: 'c1',
    right: 'c1',
    view: 'frames',
    leftPart: { query: 'is:live' },
    rightPart: { turn: 2 },
  });
});

test('what says nothing sensible is left out', () => {
  expect(parsePair('~~colours~t:0~f:-')).toEqual({ view: 'story' });
  expect(parsePair('a~b~~t:1e9~%E0')).toEqual({ view: 'story', left: 'a', right: 'b' });
});

test('every pair comes back from its word', () => {
  const part = fc.oneof(
    fc.constant(undefined),
    fc.string({ minLength: 1 }).map((query) => ({ query })),
    fc.integer({ min: 1, max: 1000 }).map((turn) => ({ turn })),
    fc.integer({ min: 1, max: 1000 }).map((from) => ({ from: seq(from) })),
    fc.integer({ min: 1, max: 1000 }).map((to) => ({ from: seq(1), to: seq(to) })),
  );
  const side = fc.option(fc.string({ minLength: 1 }).map(connectionId), { nil: undefined });
  fc.assert(
    fc.property(
      ...([side, side, fc.constantFrom(...DIFF_VIEW_LABELS), part, part] as const),
      (left, right, { value: view }, leftPart, rightPart) => {
        const pair: DiffPair = {
          view,
          ...(left && { left }),
          ...(right && { right }),
          ...(leftPart && { leftPart }),
          ...(rightPart && { rightPart }),
        };
        expect(parsePair(formatPair(pair))).toEqual(pair);
        expect(swapped(swapped(pair))).toEqual(pair);
      },
    ),
  );
});

test('a part is told in a few words', () => {
  expect(partWords({ turn: 2 })).toBe('turn 2');
  expect(partWords({ query: 'is:live' })).toBe('is:live');
  expect(partWords({ from: seq(3), to: seq(3) })).toBe('#3');
  expect(partWords({ from: seq(3), to: seq(12) })).toBe('#3–#12');
  expect(partWords(undefined)).toBe('');
});

test('a live part and a replayed part name a replay, on either side', () => {
  const pair = { left: c1, right: c2, view: 'story' } as const;
  const live = { query: 'is:live session:S1' };
  const replay = { query: 'is:replay,late' };
  expect(replayIn({ ...pair, leftPart: live, rightPart: replay })).toEqual({ connection: c2 });
  expect(replayIn({ ...pair, leftPart: replay, rightPart: live })).toEqual({ connection: c1 });
  expect(replayIn({ ...pair, leftPart: live, rightPart: { query: 'window:#12' } })).toEqual({
    connection: c2,
    request: 12,
  });
  expect(replayIn({ ...pair, leftPart: live })).toBeUndefined();
  expect(replayIn({ ...pair, leftPart: live, rightPart: live })).toBeUndefined();
  expect(replayIn(pair)).toBeUndefined();
});
