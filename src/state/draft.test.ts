import { expect, test, vi } from 'vitest';
import { Draft } from './draft.ts';

function kept() {
  const drafts = new Map<string, string>();
  const engine = {
    draft: (key: string) => Promise.resolve(drafts.get(key)),
    saveDraft: (key: string, text: string) => {
      drafts.set(key, text);
      return Promise.resolve();
    },
  };
  return { drafts, draft: new Draft(engine) };
}

test('what is typed is kept a moment later, once', () => {
  vi.useFakeTimers();
  const { drafts, draft } = kept();
  void draft.open('a');
  draft.save('h');
  draft.save('hi');
  expect(drafts.size).toBe(0);
  vi.advanceTimersByTime(200);
  expect(drafts.get('a')).toBe('hi');
  vi.useRealTimers();
});

test('going to another place keeps what was typed here, under its own key', async () => {
  const { drafts, draft } = kept();
  await draft.open('a');
  draft.save('one');
  expect(await draft.open('b')).toBeUndefined();
  draft.save('two');
  draft.flush();
  expect([...drafts]).toEqual([
    ['a', 'one'],
    ['b', 'two'],
  ]);
  expect(await draft.open('a')).toBe('one');
});
