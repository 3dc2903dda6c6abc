import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gitPatch } from './render.ts';

/** Applies a patch of one hunk, as `git apply` would. */
function applied(patch: string, before: string): string {
  const lines = patch.split('\n').slice(0, -1);
  const head = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(lines[3] ?? '');
  const [start = 0, size = 0, , added = 0] = (head ?? []).slice(1).map(Number);
  const hunk = lines.slice(4);
  const old = hunk.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
  const now = hunk.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  expect([old.length, now.length]).toEqual([size, added]);
  const all = before.split('\n').slice(0, -1);
  const from = size === 0 ? start : start - 1;
  expect(all.slice(from, from + size)).toEqual(old);
  const result = [...all.slice(0, from), ...now, ...all.slice(from + size)];
  return result.map((line) => `${line}\n`).join('');
}

test('a patch applied to what was gives what is', () => {
  const lines = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 20 })
    .map((all) => all.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      expect(applied(gitPatch('/w/src/x.ts', before, after), before)).toBe(after);
    }),
  );
});

test('a patch looks as git writes it, with an absolute path and no prefix', () => {
  expect(gitPatch('/w/src/x.ts', 'one\ntwo\nthree\n', 'one\n2\nthree\n')).toBe(
    `diff --git /w/src/x.ts /w/src/x.ts
--- /w/src/x.ts
+++ /w/src/x.ts
@@ -1,3 +1,3 @@
 one
-two
+2
 three
`,
  );
});

test('a path of Windows is quoted as git quotes it', () => {
  expect(gitPatch('C:\\w\\x.ts', 'a\n', 'b\n')).toContain('\n--- "C:\\\\w\\\\x.ts"\n');
});
