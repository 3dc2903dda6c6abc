import { expect, test } from 'vitest';
import type { FrameFinding } from '../../engine/findings/finding-messages.ts';
import { seq } from '../../trace/event.ts';
import { marksOf } from './frame-findings.ts';

function finding(pointer: string, more: Partial<FrameFinding> = {}): FrameFinding {
  return {
    key: pointer,
    rule: 'a/rule',
    verdict: 'fail',
    severity: 'warning',
    side: 'agent',
    frames: 1,
    places: [],
    seen: 'first',
    due: 'due',
    source: { words: 'a page', url: 'https://example.org' },
    place: { seq: seq(3), pointer, seen: `at ${pointer}` },
    ...more,
  };
}

test('values that findings point to are marked, the whole message is not', () => {
  const marks = marksOf([
    finding('/params/cwd', { severity: 'error' }),
    finding('/params/cwd'),
    finding(''),
  ]);
  expect([...marks]).toEqual([
    ['/params/cwd', { severity: 'error', text: 'at /params/cwd; at /params/cwd' }],
  ]);
});

test('what does not count marks nothing', () => {
  const suppressed = { kind: 'suppress', rule: 'a/rule', reason: 'known' } as const;
  const aside = [finding('/a', { suppressed }), finding('/b', { verdict: 'undecidable' })];
  expect(marksOf(aside).size).toBe(0);
});
