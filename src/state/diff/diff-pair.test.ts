import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionId, seq } from '../../trace/event.ts';
import {
  DIFF_VIEW_LABELS,
  formatPair,
  isTable,
  movedOther,
  parsePair,
  partWords,
  swapped,
  withFirst,
  withOther,
  withoutOther,
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

test('more than two stand in the address, are added, moved, taken out, and one is made the first', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(connectionId);
  if (!a || !b || !c || !d) throw new Error('four ids');
  const pair: DiffPair = { left: a, right: b, view: 'frames' };
  const three = withOther(pair, c);
  expect(three).toEqual({ left: a, view: 'frames', among: [b, c] });
  expect(isTable(three)).toBe(true);
  expect(formatPair(three)).toBe('a~~frames~~~b~c');
  expect(parsePair(formatPair(three))).toEqual(three);
  const inside: DiffPair = { ...three, right: c };
  expect(parsePair(formatPair(inside))).toEqual(inside);
  expect(isTable(inside)).toBe(false);
  expect(swapped(inside)).toEqual({ ...inside, left: c, right: a, among: [b, a] });
  expect(movedOther(three, c, -1).among).toEqual([c, b]);
  expect(movedOther(three, c, 1)).toBe(three);
  expect(withFirst(three, c)).toEqual({ left: c, view: 'frames', among: [b, a] });
  expect(withFirst(three, d)).toEqual({ ...three, left: d });
  expect(withoutOther(withOther(three, d), b)).toEqual({ ...three, among: [c, d] });
  expect(withoutOther(three, b)).toEqual({ left: a, right: c, view: 'frames' });
});

test('one that is named twice, or is the first, is named once', () => {
  expect(parsePair('a~~~~~b~b~a~c').among).toEqual(['b', 'c']);
  expect(parsePair('a~~~~~a~b').among).toBeUndefined();
});
