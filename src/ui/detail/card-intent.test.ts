import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CardIntent } from './card-intent.svelte.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a pointer that rests on a key opens its card, one that passes does not', () => {
  const intent = new CardIntent();
  intent.over('a');
  vi.advanceTimersByTime(299);
  expect(intent.shown).toBeUndefined();
  intent.over('b');
  vi.advanceTimersByTime(299);
  expect(intent.shown).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(intent.shown).toEqual({ id: 'b', by: 'pointer' });
});

test('the card stays while the pointer goes to it, and closes when it leaves', () => {
  const intent = new CardIntent();
  intent.over('a');
  vi.advanceTimersByTime(300);
  intent.out();
  vi.advanceTimersByTime(150);
  intent.stay();
  vi.advanceTimersByTime(1000);
  expect(intent.shown?.id).toBe('a');
  intent.out();
  vi.advanceTimersByTime(200);
  expect(intent.shown).toBeUndefined();
});

test('a card opened by a key follows the focus and minds no pointer', () => {
  const intent = new CardIntent();
  intent.toggle('a');
  intent.over('b');
  intent.out();
  vi.advanceTimersByTime(1000);
  expect(intent.shown).toEqual({ id: 'a', by: 'key' });
  intent.follow('c');
  expect(intent.shown).toEqual({ id: 'c', by: 'key' });
  intent.toggle('c');
  expect(intent.shown).toBeUndefined();
  intent.follow('d');
  expect(intent.shown).toBeUndefined();
});

test('a key press keeps the card that the pointer opened', () => {
  const intent = new CardIntent();
  intent.over('a');
  vi.advanceTimersByTime(300);
  intent.toggle('a');
  intent.out();
  vi.advanceTimersByTime(1000);
  expect(intent.shown).toEqual({ id: 'a', by: 'key' });
});
