import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  countChanges,
  diffLines,
  longDiff,
  patchLines,
  withContext,
  type DiffLine,
} from './line-diff.ts';

const draw = (lines: readonly DiffLine[]) =>
  lines.map((line) => {
    if (line.type === 'skipped') return `… ${line.count}`;
    return { same: ' ', removed: '-', added: '+' }[line.type] + line.text;
  });

test('a changed line is removed and added in its place', () => {
  expect(draw(diffLines('a\nb\nc\n', 'a\nx\ny\nc\n'))).toEqual([' a', '-b', '+x', '+y', ' c']);
});

test('a new file is all added', () => {
  expect(draw(diffLines(undefined, 'a\nb'))).toEqual(['+a', '+b']);
});

test('only what changed and three lines around it stay', () => {
  const old = Array.from({ length: 20 }, (_, i) => `l${i}`);
  const next = old.with(10, 'x');
  expect(draw(withContext(diffLines(old.join('\n'), next.join('\n'))))).toEqual([
    '… 7',
    ' l7',
    ' l8',
    ' l9',
    '-l10',
    '+x',
    ' l11',
    ' l12',
    ' l13',
    '… 6',
  ]);
});

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
  .map((l) => l.join('\n'));

test('the lines give back both texts', () => {
  fc.assert(
    fc.property(text, text, (old, next) => {
      const lines = diffLines(old, next);
      const side = (not: DiffLine['type']) =>
        lines.flatMap((line) => (line.type === not || line.type === 'skipped' ? [] : [line.text]));
      const lined = (t: string) => (t === '' ? [] : t.replace(/\n$/, '').split('\n'));
      expect(side('added')).toEqual(lined(old));
      expect(side('removed')).toEqual(lined(next));
    }),
  );
});

test('line numbers count up on each side', () => {
  fc.assert(
    fc.property(text, text, (old, next) => {
      const lines = diffLines(old, next);
      const olds = lines.flatMap((line) => ('old' in line ? [line.old] : []));
      const news = lines.flatMap((line) => ('new' in line ? [line.new] : []));
      expect(olds).toEqual(olds.map((_, i) => i + 1));
      expect(news).toEqual(news.map((_, i) => i + 1));
    }),
  );
});

test('long texts without a common line are shown without a search', () => {
  const many = (name: string) => Array.from({ length: 5000 }, (_, i) => `${name}${i}`).join('\n');
  expect(countChanges(diffLines(many('a'), many('b')))).toEqual({ added: 5000, removed: 5000 });
});

test('a git patch reads the same way', () => {
  const patch = [
    'diff --git a/x b/x',
    '--- a/x',
    '+++ b/x',
    '@@ -1,2 +1,2 @@',
    ' a',
    '-b',
    '+c',
    '@@ -10 +10,2 @@ f()',
    ' j',
    '+k',
    '\\ No newline at end of file',
  ].join('\n');
  expect(draw(patchLines(patch))).toEqual([' a', '-b', '+c', '… 7', ' j', '+k']);
});

test('a long diff says what a short one says, of so many lines as are shown', async () => {
  const pause = () => Promise.resolve();
  await fc.assert(
    fc.asyncProperty(text, text, async (oldText, newText) => {
      const lines = withContext(diffLines(oldText, newText));
      expect(await longDiff({ type: 'diff', path: '', oldText, newText }, pause)).toEqual({
        ...{ lines, more: 0 },
        ...countChanges(lines),
      });
    }),
  );
  const newText = `${'x'.repeat(9000)}\n${'y\n'.repeat(9999)}`;
  const cut = await longDiff({ type: 'diff', path: '', newText }, pause);
  expect(cut).toMatchObject({ added: 10_000, removed: 0, more: 6000 });
  expect(cut.lines[0]).toMatchObject({ text: 'x'.repeat(2001) });
});
