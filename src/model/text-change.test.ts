import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerpt, sharedPart, textChange, type ChangePiece } from './text-change.ts';

const words = fc
  .array(fc.constantFrom('a', 'an', 'other', '“Café”', '.', ' ', '\n', '😀', '_x'), {
    maxLength: 30,
  })
  .map((parts) => parts.join(''));
const text = fc.oneof(words, fc.string({ maxLength: 40, unit: 'grapheme' }));
const side = (change: readonly ChangePiece[], without: ChangePiece['how']) =>
  change.map((piece) => (piece.how === without ? '' : piece.text)).join('');
const marked = (change: readonly ChangePiece[]) =>
  change
    .map(({ how, text: of }) => ({ same: of, gone: `[-${of}-]`, new: `{+${of}+}` })[how])
    .join('');

test('the pieces make up both texts, and no two of a kind are neighbours', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const change = textChange(before, after);
      expect([side(change, 'new'), side(change, 'gone')]).toEqual([before, after]);
      expect(change.every(({ text: of }) => of !== '')).toBe(true);
      expect(change.some(({ how }, at) => at > 0 && change[at - 1]?.how === how)).toBe(false);
    }),
  );
});

test.each([
  ['a whole word is one', 'is failed now', 'is fine now', 'is [-failed-]{+fine+} now'],
  ['what is cut inside a word', 'so an empty one', 'so a', 'so a[-n empty one-]'],
  [
    'a lost end',
    'look at the search first.',
    'look at the search',
    'look at the search[- first.-]',
  ],
  ['a lost beginning', 'Then look', 'look', '[-Then -]look'],
  ['a lost middle', 'one two three', 'one three', 'one [-two -]three'],
  ['neighbours become one', 'a b c x', 'd e f x', '[-a b c-]{+d e f+} x'],
  ['nothing differs', 'as it was', 'as it was', 'as it was'],
])('%s', (_, before, after, shown) => {
  expect(marked(textChange(before, after))).toBe(shown);
});

test('what differs is in the excerpt, however far behind it stands', () => {
  const long = 'The search compares names letter by letter. '.repeat(400);
  const change = excerpt(textChange(`${long}It is mended.`, long));
  expect(marked(change)).toBe('…letter by letter. [-It is mended.-]');
  const inside = excerpt(textChange(`${long}one ${long}`, `${long}two ${long}`));
  expect(marked(inside)).toBe('…letter by letter. [-one-]{+two+} The search compares…');
});

test('an excerpt is short and on one line, whatever it is of', () => {
  const most = 24 * (240 + 40 + 3) + 1;
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), fc.array(text, { maxLength: 60 }), (a, b) => {
      const shown = excerpt(textChange(a.join('\n\n'), b.join('\n')));
      const line = shown.map((piece) => piece.text).join('');
      expect(line).not.toContain('\n');
      expect(line.length).toBeLessThanOrEqual(most);
    }),
  );
});

test('texts of many words that share nothing are one change', () => {
  const many = (word: string) => `${word} `.repeat(30_000);
  expect(textChange(many('one'), many('two')).map(({ how }) => how)).toEqual([
    'gone',
    'new',
    'same',
  ]);
  expect(sharedPart(textChange('one', 'two'))).toBe(0);
  expect(sharedPart(textChange('', ''))).toBe(0);
});

test('S-08: a text of blanks without end is shortened like any other', () => {
  const blanks = ' \t'.repeat(500_000);
  const [one] = excerpt(textChange(`${blanks}end`, ''));
  expect(one?.text.length).toBeLessThan(2000);
  expect(excerpt(textChange('a', 'a \t\n  b'))).toMatchObject([{ text: 'a' }, { text: '↵b' }]);
});
