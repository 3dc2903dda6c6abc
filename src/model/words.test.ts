import { expect, test } from 'vitest';
import { idsApart } from './words.ts';

test('ids of one list that begin alike are told apart by where they differ', () => {
  const ids = [
    'sess_0197fe22-000001',
    'sess_0197fe22-000002',
    '7c1e4f2a-90d3-4c55-8e1b-0b6fd9c7a2d1',
  ];
  expect(ids.map(idsApart(ids))).toEqual(['…000001', '…000002', '7c1e4f2a']);
  expect(['a', 'b', 'a'].map(idsApart(['a', 'b']))).toEqual(['a', 'b', 'a']);
});
