import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleParts, visibleWords } from './visible-text.ts';

const marks = (text: string) =>
  visibleParts(text).flatMap((part) => (part.type === 'mark' ? [part.sign] : []));

test('S-11: a right-to-left override in a command is one visible mark', () => {
  expect(marks('rm -rf ~\u202e/tmp')).toEqual(['U+202E']);
});

/** All code points of which this is true, each as a string. */
function codePoints(isMeant: (char: string) => boolean): readonly string[] {
  return Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(isMeant);
}
const namesOf = (chars: readonly string[]) =>
  chars.map(
    (char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
const marked = (text: string) =>
  visibleParts(text).flatMap((part) => (part.type === 'mark' ? [part.name] : []));

test('S-11: each code point that Unicode lets a font leave out, turns text with or calls a blank or a control is a mark', () => {
  const properties = [
    ...['Default_Ignorable_Code_Point', 'Bidi_Control', 'Join_Control', 'Variation_Selector'],
    ...['White_Space', 'Noncharacter_Code_Point', 'Cc', 'Cs', 'Zs', 'Zl', 'Zp', 'Deprecated'],
  ];
  const known = properties.map((name) => new RegExp(`^\\p{${name}}$`, 'u'));
  // Deprecated are letters and brackets as well: those are seen.
  const isSeen = /^[\p{L}\p{Ps}\p{Pe}\p{Mn}\t\n ]$/u;
  const isLeftOut = /^\p{Default_Ignorable_Code_Point}$/u;
  const hidden = codePoints(
    (char) => known.some((one) => one.test(char)) && (isLeftOut.test(char) || !isSeen.test(char)),
  );
  expect(hidden.length).toBeGreaterThan(6000);
  expect(marked(hidden.join('a'))).toEqual(namesOf(hidden));
});

test('S-11: the blanks and fillers that were let through once are marks', () => {
  const blanks = [
    ...['\u3164', '\u115f', '\u1160', '\uffa0', '\u2800', '\u00a0', '\u034f', '\u180e', '\ufff9'],
    ...['\ufffb', '\u{1d173}', '\ufe0f', '\u{e0100}', '\u{e0041}', '\u2003', '\u3000', '\u061c'],
  ];
  expect(marked(blanks.join('x'))).toEqual(namesOf(blanks));
});

test('what has a shape of its own is text', () => {
  const shaped = codePoints((char) =>
    /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Co}\t\n ]$/u.test(char),
  ).filter((char) => !/^\p{Default_Ignorable_Code_Point}$/u.test(char));
  // The blank of Braille, the object that is not there, two blanks of hieroglyphs and what mirrors one, the filler
  // of Khitan, a note without a head.
  const blanks = ['U+2800', 'U+FFFC', 'U+13440', 'U+13441', 'U+13442', 'U+16FE4', 'U+1D159'];
  expect(marked(shaped.join(''))).toEqual(blanks);
});

test('in prose emoji and the scripts that need joiners are readable; what is exact shows them', () => {
  const texts = ['👩‍🚀 ⚠️ 1️⃣ 👨🏽‍💻 🏳️‍🌈 ✔︎', 'می‌خواهم', 'क्‍ष', 'Vraiment\u202f?', '\u3000東京'];
  for (const text of texts) {
    expect(visibleWords(text, true)).toBe(text);
    expect(visibleWords(text)).not.toBe(text);
  }
});

test('S-11: in prose too they are marks where they do nothing that a reader sees', () => {
  for (const text of [
    ...['rm\u200d -rf', 'a\ufe0f', '⚠\ufe0f\ufe0f', '👩\u200d', 'a\u200cb', 'a\u200bb', '#\ufe0f['],
    ...[
      'a\u00a0\u00a0b',
      'a \u3000b',
      '\u202e',
      '👩\u200d\u200d🚀',
      '🏴\u{e0067}\u{e007f}',
      '葛\u{e0100}',
    ],
  ])
    expect([text, visibleWords(text, true) === text]).toEqual([text, false]);
});

test('control characters show their short name', () => {
  expect(marks('\u001b[31m\r\u0000\u007f')).toEqual(['ESC', 'CR', 'NUL', 'DEL']);
  expect(marks('\ud800')).toEqual(['U+D800']);
});

test('no character is lost between the parts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const plain = visibleParts(text).flatMap((part) => (part.type === 'text' ? [part.text] : []));
      const hidden = marks(text).length;
      const length = [...text].length;
      expect([...plain.join('')].length + hidden).toBe(length);
    }),
  );
});

test('S-11 where only a string can stand, the signs stand in brackets', () => {
  expect(visibleWords('rm \u202etxt\u0007')).toBe('rm [U+202E]txt[BEL]');
});
