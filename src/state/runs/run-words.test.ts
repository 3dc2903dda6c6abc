import { expect, test } from 'vitest';
import type { RunState } from '../../engine/runs/run-messages.ts';
import { connectionId } from '../../trace/event.ts';
import { limitOf, priceWords, progressWords } from './run-words.ts';

const STATE: RunState = {
  ...{ kind: 'probes', like: connectionId('c'), phase: 'running', done: 3, of: 40, now: 'a/b' },
  ...{ prompts: 1, most: 8, problem: undefined, version: 3 },
};

test('the price is what will be sent at most, to whom, and what a limit leaves out', () => {
  expect(priceWords(Infinity, 8, 'Claude Agent')).toBe(
    'This sends at most 8 prompts to Claude Agent.',
  );
  expect(priceWords(2, 8, 'Claude Agent')).toBe(
    'This sends at most 2 prompts to Claude Agent. What would need more than those is skipped.',
  );
  expect(priceWords(Infinity, 0, 'Claude Agent')).toBe('This sends no prompt to Claude Agent.');
});

test('a limit is a whole number, or nothing for none', () => {
  expect([limitOf(''), limitOf(' 12 '), limitOf('0')]).toEqual([Infinity, 12, 0]);
  for (const wrong of ['-1', '1.5', 'x', '12345678']) expect(limitOf(wrong)).toBeUndefined();
});

test('progress says how far it is, and when the agents are being ended', () => {
  expect(progressWords(STATE)).toBe('3 of 40 · 1 prompt sent');
  expect(progressWords({ ...STATE, of: 0 })).toBe('Greeting the agent');
  expect(progressWords({ ...STATE, phase: 'stopping' })).toBe('Ending the agents · 1 prompt sent');
});
