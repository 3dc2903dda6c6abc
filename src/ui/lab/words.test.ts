import { expect, test } from 'vitest';
import { toneOf as fidelityTone } from '../fidelity/words.ts';
import { toneOf } from './words.ts';

test('lossy and corrupt have one colour each, in the matrix as in the fidelity view', () => {
  for (const verdict of ['lossy', 'corrupt'] as const)
    expect(toneOf('fidelity', verdict)).toBe(fidelityTone(verdict));
  expect(fidelityTone('not due')).toBe('');
});
