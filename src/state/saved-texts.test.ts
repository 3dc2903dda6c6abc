import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseQuery } from '../model/query/parse.ts';
import { SavedTexts } from './saved-texts.svelte.ts';
import { BUILT_IN_QUERIES } from './timeline/built-in-queries.ts';

const kept = new Map<string, string>();
const KEY = 'acp-scope/queries';

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => void vi.unstubAllGlobals());

const A = { name: 'A', text: 'type:req' };
const B = { name: 'B', text: '"two words" | is:late' };
const C = { name: 'C', text: 'is:open' };

/** With these saved, in this order. */
function withSaved(...queries: readonly (typeof A)[]): SavedTexts {
  const saved = new SavedTexts('queries');
  for (const query of queries) saved.save(query);
  return saved;
}
/** What a page opened now would show. */
const again = () => new SavedTexts('queries').own;

test('a query saved by name is there when the page is opened again, in the order saved', () => {
  expect(withSaved(A, B).own).toEqual([A, B]);
  expect(again()).toEqual([A, B]);
});

test('saving by a name that is taken replaces its query where it stands', () => {
  const saved = withSaved(A, B);
  saved.save({ name: 'A', text: 'type:err' });
  expect(saved.own).toEqual([{ name: 'A', text: 'type:err' }, B]);
  expect(again()).toEqual(saved.own);
});

test('a saved query is renamed, but not to nothing and not to a name that another has', () => {
  const saved = withSaved(A, B);
  saved.rename(A, 'New');
  expect(again()).toEqual([{ ...A, name: 'New' }, B]);
  saved.rename(B, 'New');
  saved.rename(B, '');
  expect(again()).toEqual([{ ...A, name: 'New' }, B]);
});

test('a deleted query is gone, and comes back to its place when that is undone', () => {
  const saved = withSaved(A, B, C);
  const undo = saved.remove(B);
  expect(again()).toEqual([A, C]);
  undo();
  expect(saved.own).toEqual([A, B, C]);
  expect(again()).toEqual([A, B, C]);
});

test('nothing is kept of the last one deleted', () => {
  const saved = withSaved(A);
  saved.remove(A);
  expect(kept.has(KEY)).toBe(false);
});

test('undoing twice, or where the name was taken since, never gives two of one name', () => {
  const saved = withSaved(A, B);
  const undo = saved.remove(A);
  undo();
  undo();
  expect(saved.own).toEqual([A, B]);
  const late = saved.remove(A);
  saved.save({ name: 'A', text: 'is:cut' });
  late();
  expect(saved.own).toEqual([B, { name: 'A', text: 'is:cut' }]);
});

test('the queries that come with the program can be read, and are not deleted', () => {
  for (const { name, text } of BUILT_IN_QUERIES) {
    const parsed = parseQuery(text);
    expect([name, parsed.ok && parsed.query.length > 0]).toEqual([name, true]);
  }
  expect(new Set(BUILT_IN_QUERIES.map(({ name }) => name)).size).toBe(BUILT_IN_QUERIES.length);
  const [first = A] = BUILT_IN_QUERIES;
  const before = [...BUILT_IN_QUERIES];
  const saved = withSaved(A, B);
  const undo = saved.remove(first);
  expect(saved.own).toEqual([A, B]);
  undo();
  expect(saved.own).toEqual([A, B]);
  expect(BUILT_IN_QUERIES).toEqual(before);
});

test('a query that an older version stored is read', () => {
  kept.set(KEY, JSON.stringify([{ name: 'A', query: 'type:req' }]));
  expect(again()).toEqual([A]);
});

test('messages and queries are stored apart', () => {
  withSaved(A);
  const messages = new SavedTexts('messages');
  expect(messages.own).toEqual([]);
  messages.save(B);
  expect(again()).toEqual([A]);
  expect(new SavedTexts('messages').own).toEqual([B]);
});

test.each([
  ['no JSON', '[{"name":"A"', []],
  ['no list', '{"name":"A","query":"type:req"}', []],
  ['one entry that is none of ours', JSON.stringify([A, null, 7, 'x', [], B]), [A, B]],
  [
    'one without a name or a query',
    JSON.stringify([{ name: 'x' }, A, { text: 'y' }, { name: 1, text: 2 }, B]),
    [A, B],
  ],
  ['two of one name', JSON.stringify([A, { ...B, name: 'A' }, B]), [A, B]],
])('of what is kept, %s is left out, and the others stay', (_, stored, rest) => {
  kept.set(KEY, stored);
  const saved = new SavedTexts('queries');
  expect(saved.own).toEqual(rest);
  saved.save(C);
  expect(again()).toEqual([...rest, C]);
});

test('in a browser that keeps nothing, queries last as long as the page', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('storage is off');
    },
    setItem: () => {
      throw new Error('storage is off');
    },
  });
  expect(withSaved(A).own).toEqual([A]);
});
