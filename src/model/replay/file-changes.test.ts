// One change of files, told as v1 and as v2 tell it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gitPatch } from '../../agent/v2/render.ts';
import type { Json } from '../../acp/message.ts';
import { changeRelation } from './file-changes.ts';

const SAME = { onlyV1: [], onlyV2: [], otherwise: [], untold: [] };
const lines = fc
  .array(fc.constantFrom('a', 'b', '', '-', '+ c', '@@ -1 +1 @@', '--- x'), { maxLength: 12 })
  .map((all) => all.map((line) => `${line}\n`).join(''));
const v1 = (path: string, oldText: string, newText: string): Json => ({
  type: 'diff',
  path,
  oldText,
  newText,
});
const v2 = (paths: readonly string[], text: string): Json => ({
  type: 'patch',
  paths: [...paths],
  text,
});

test('a patch of both texts is the same change, and of other texts it is not', () => {
  fc.assert(
    fc.property(lines, lines, lines, (before, after, other) => {
      fc.pre(before !== after);
      const patch = v2(['/w/a.ts'], gitPatch('/w/a.ts', before, after));
      expect(changeRelation([v1('/w/a.ts', before, after)], [patch])).toEqual(SAME);
      if (other === after) return;
      const { otherwise } = changeRelation([v1('/w/a.ts', before, other)], [patch]);
      expect(otherwise).toEqual(['/w/a.ts']);
    }),
  );
});

const TWO_FILES = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@
 one
-two
+zwei
 three
@@ -9 +9,2 @@
 nine
+ten
diff --git a/b.ts b/b.ts
deleted file mode 100644
--- a/b.ts
+++ /dev/null
@@ -1 +0,0 @@
-gone
\\ No newline at end of file
`;
const PATHS = ['/w/src/a.ts', '/w/b.ts'];

test('stretches of a file, told one by one, are the hunks of its patch', () => {
  const told = [v1('/w/src/a.ts', 'two', 'zwei'), v1('/w/src/a.ts', 'nine', 'nine\nten')];
  const relation = changeRelation([...told, v1('/w/b.ts', 'gone', '')], [v2(PATHS, TWO_FILES)]);
  expect(relation).toEqual(SAME);
});

test('files that only one of them changes are named, and those without a patch', () => {
  const told = [v1('/w/src/a.ts', 'two', 'zwei'), v1('/w/c.ts', '', 'new')];
  expect(changeRelation(told, [v2(PATHS, TWO_FILES)])).toEqual({
    onlyV1: ['/w/c.ts'],
    onlyV2: ['/w/b.ts'],
    otherwise: ['/w/src/a.ts'],
    untold: [],
  });
  expect(changeRelation(told, [v2(['/w/old.ts → /w/c.ts'], '')])).toMatchObject({
    onlyV1: ['/w/src/a.ts'],
    untold: ['/w/c.ts'],
  });
});

test('whatever stands in place of a change, a relation comes of it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (one, other, text) => {
      expect(changeRelation(one as Json, [other as Json, v2(['x'], `@@ ${text}`)])).toHaveProperty(
        'otherwise',
      );
    }),
  );
});
