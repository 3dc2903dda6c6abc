import { expect, test, vi } from 'vitest';
import { TextDraft } from './draft.ts';

function kept() {
  const drafts = new Map<string, string>();
  const engine = {
    draft: (key: string) => Promise.resolve(drafts.get(key)),
    saveDraft: (key: string, text: string) => {
      drafts.set(key, text);
      return Promise.resolve(true);
    },
  };
  return { drafts, draft: new TextDraft(engine) };
}

test('what is typed is kept a moment later, also while it is typed on and on', () => {
  vi.useFakeTimers();
  const { drafts, draft } = kept();
  void draft.open('a');
  draft.save('h');
  draft.save('hi');
  expect(drafts.size).toBe(0);
  vi.advanceTimersByTime(200);
  expect(drafts.get('a')).toBe('hi');
  for (const text of ['hi t', 'hi th', 'hi the']) {
    draft.save(text);
    vi.advanceTimersByTime(150);
  }
  expect(drafts.get('a')).toBe('hi th');
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

test('what a person writes while the draft is read stays, and so does the text of another that was opened', async () => {
  const { drafts, draft } = kept();
  drafts.set('a', 'earlier').set('b', 'other');
  const read = draft.open('a');
  draft.save('typed');
  expect(await read).toBeUndefined();
  expect(draft.isWritten).toBe(true);
  const left = draft.open('a');
  expect(await draft.open('b')).toBe('other');
  expect(await left).toBeUndefined();
  expect(draft.isWritten).toBe(false);
});

/** The small storage of a browser. */
function small(): Map<string, string> {
  const held = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, text: string) => void held.set(key, text),
    removeItem: (key: string) => void held.delete(key),
  });
  return held;
}

test('a page that is closed under the last key loses nothing', async () => {
  const held = small();
  const { drafts, draft } = kept();
  await draft.open('a');
  draft.save('one');
  expect(drafts.size).toBe(0);
  const { draft: next } = kept();
  expect(await next.open('a')).toBe('one');
  expect(held.size).toBe(0);
  next.save('one and two');
  next.flush();
  next.save('one and two and');
  await vi.waitFor(() => expect([...held.values()]).toEqual(['one and two and']));
  vi.unstubAllGlobals();
});

test('every write can fail (R-33): a draft that the database refuses outlasts a reload in the browser', async () => {
  const tab = small();
  const engine = {
    draft: () => Promise.resolve('old'),
    saveDraft: () => Promise.resolve(false),
  };
  const draft = new TextDraft(engine);
  await draft.open('a');
  draft.save('new');
  draft.flush();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await new TextDraft(engine).open('a')).toBe('new');
  expect(tab.size).toBe(1);
  vi.unstubAllGlobals();
});

test('what the worker cannot save outlasts a reload in the browser, and is saved then', async () => {
  const tab = small();
  const drafts = new Map([['a', 'old']]);
  let isWell = false;
  const engine = {
    draft: (key: string) => Promise.resolve(drafts.get(key)),
    saveDraft: (key: string, text: string) =>
      isWell
        ? Promise.resolve(drafts.set(key, text).size > 0)
        : Promise.reject(new Error('no worker')),
  };
  const draft = new TextDraft(engine);
  await draft.open('a');
  const thrown = new Promise((resolve) => process.once('unhandledRejection', resolve));
  draft.save('new');
  draft.flush();
  expect(String(await thrown)).toBe('Error: no worker');
  expect(await new TextDraft(engine).open('a')).toBe('new');
  expect(tab.size).toBe(1);
  isWell = true;
  expect(await new TextDraft(engine).open('a')).toBe('new');
  expect(drafts.get('a')).toBe('new');
  expect(tab.size).toBe(0);
  vi.unstubAllGlobals();
});
