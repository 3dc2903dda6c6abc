import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distinctNames } from './many.ts';

test('a file is called by its name where that says which', () => {
  expect(distinctNames(['runs/a.ndjson', 'C:\\runs\\b.ndjson'])).toEqual(['a.ndjson', 'b.ndjson']);
});

test('files of one name are told apart by their folders, no more of them than it takes', () => {
  expect(
    distinctNames(['x/opencode/1.18/live.ndjson', 'x/codex/1.18/live.ndjson', 'x/load.ndjson']),
  ).toEqual(['opencode/1.18/live.ndjson', 'codex/1.18/live.ndjson', 'load.ndjson']);
});

test('a file beside one of the same name in a folder keeps what it has', () => {
  expect(distinctNames(['a.ndjson', 'old/a.ndjson'])).toEqual(['a.ndjson', 'old/a.ndjson']);
  expect(distinctNames(['a.ndjson', 'a.ndjson', ''])).toEqual(['a.ndjson', 'a.ndjson', '']);
});

test('paths that differ have names that differ', () => {
  const part = fc.constantFrom('a', 'b', 'c');
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 5 }), (paths) => {
      expect(new Set(distinctNames(paths)).size).toBe(paths.length);
    }),
  );
});
