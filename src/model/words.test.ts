import { expect, test } from 'vitest';
import { idsApart, shortId } from './words.ts';

test('an id is short by what tells it from others, not by when it was made', () => {
  expect(shortId('sess_0197fe22-000001')).toBe('sess_…000001');
  expect(shortId('0197fe2a-90d3-7c55-8e1b-0b6fd9c7a2d1')).toBe('…c7a2d1');
  expect(shortId('7c1e4f2a-90d3-4c55-8e1b-0b6fd9c7a2d1')).toBe('7c1e4f2a');
  expect(shortId('7c1e4f2a-90d3-4c55-8e1b-0b6fd9c7a2d1:call-7')).toBe('…:call-7');
  expect(shortId('toolu_7')).toBe('toolu_7');
});

test('ids of one list that are short alike are told apart by where they differ', () => {
  const ids = ['sess_000001-of-one-run', 'sess_000002-of-one-run', 'sess_0197fe22-000001'];
  expect(ids.map(idsApart(ids))).toEqual(['…1-of-one-run', '…2-of-one-run', 'sess_…000001']);
  expect(['a', 'b', 'a'].map(idsApart(['a', 'b']))).toEqual(['a', 'b', 'a']);
});
