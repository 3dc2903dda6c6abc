// Text with nothing hidden in it: characters that act on a terminal, turn text round, take no width or
// look like a blank become marks with a name, because they can make a command read as another one.

type VisiblePart =
  | { readonly type: 'text'; readonly text: string }
  /** `sign` stands for the character, `name` says which it is. */
  | { readonly type: 'mark'; readonly sign: string; readonly name: string };

/**
 * `exact`: a command, a path, a name, a report. `prose`: what people and agents write to each other; emoji and
 * the scripts that need joiners are readable there.
 */
type TextUse = 'exact' | 'prose';

// By the properties of Unicode, so that a new version of it is followed: controls, format characters, halves of
// surrogate pairs on their own, noncharacters, separators, and all that a font may leave out. Then the few that
// have a shape by their property, and none on a screen: the blank of Braille, the object that is not there,
// a note without a head, the filler of Khitan.
// Not hidden: space, tab, line feed, and the format characters that show a sign before or over a number.
const HIDDEN =
  /(?![ \t\n\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffc\u{1d159}\u{16fe4}]/gu;

/** Parts in order; joined by their characters they are the text. Tabs and line feeds are text. */
export function visibleParts(text: string, use: TextUse = 'exact'): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const { 0: char, index } of text.matchAll(HIDDEN)) {
    if (use === 'prose' && isReadable(text, index, char)) continue;
    if (index > from) parts.push({ type: 'text', text: text.slice(from, index) });
    parts.push({ type: 'mark', ...markOf(char.codePointAt(0) ?? 0) });
    from = index + char.length;
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) });
  return parts;
}

/** The same as a string, for where only a string can stand: an option of a choice. */
export function visibleWords(text: string, use: TextUse = 'exact'): string {
  return visibleParts(text, use)
    .map((part) => (part.type === 'text' ? part.text : `[${part.sign}]`))
    .join('');
}

/** The text, each hidden character replaced by what `spelled` returns for it. */
export function replaceHidden(text: string, spelled: (char: string) => string): string {
  return text.replace(HIDDEN, spelled);
}

/** The scripts that write a joiner, or its opposite, inside or at the end of a word. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]$/u;
/** The scripts without blanks between words, where one without width may stand. */
const UNSPACED = '[\\p{Script=Khmer}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Myanmar}]';
const UNSPACED_BEFORE = new RegExp(`${UNSPACED}$`, 'u');
const UNSPACED_AFTER = new RegExp(`^${UNSPACED}`, 'u');
const PICTOGRAPH_AFTER = /^\p{Extended_Pictographic}/u;
const EMOJI_BEFORE = /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?$/u;

/** Whether the character does the work it was made for, on what stands beside it, so that a reader sees it. */
function isReadable(text: string, at: number, char: string): boolean {
  const before = text.slice(Math.max(0, at - 4), at);
  const after = text.slice(at + char.length, at + char.length + 2);
  switch (char) {
    case '\ufe0e':
    case '\ufe0f':
      return (
        /\p{Extended_Pictographic}$/u.test(before) ||
        (/[0-9#*]$/.test(before) && after.startsWith('\u20e3'))
      );
    case '\u200d':
      return (EMOJI_BEFORE.test(before) && PICTOGRAPH_AFTER.test(after)) || JOINED.test(before);
    case '\u200c':
      return JOINED.test(before);
    case '\u200b':
      return UNSPACED_BEFORE.test(before) && UNSPACED_AFTER.test(after);
    default:
      // One blank in the place of another, as in French and Japanese.
      return /\p{Zs}/u.test(char) && !/\s$/u.test(before) && !/^\s/u.test(after);
  }
}

// Letters instead of the pictures of U+2400 on: few fonts have those.
const C0 =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

function markOf(code: number): { readonly sign: string; readonly name: string } {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return { sign: code === 0x7f ? 'DEL' : (C0[code] ?? name), name };
}
