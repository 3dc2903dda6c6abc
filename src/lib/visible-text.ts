// Text with nothing hidden in it: characters that act on a terminal, turn text round, take no width or
// look like a blank become marks with a name, because they can make a command read as another one.

type VisiblePart =
  | { readonly type: 'text'; readonly text: string }
  /** `sign` stands for the character, `name` says which it is. */
  | { readonly type: 'mark'; readonly sign: string; readonly name: string };

// By the properties of Unicode, so that a new version of it is followed: controls, format characters, halves of
// surrogate pairs on their own, noncharacters, separators, and all that a font may omit. Then the few that
// have a shape by their property, and none on a screen: the blank of Braille, the object that is not there,
// the blanks of hieroglyphs and what mirrors one, a note without a head, the filler of Khitan.
// Not hidden: space, tab and line feed.
const HIDDEN =
  /(?![ \t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}\p{NChar}\u2800\ufffc\u{13440}-\u{13442}\u{1d159}\u{16fe4}]/gu;

// Characters that do the work they were made for on the character beside them, so that a reader sees it: which
// picture of an emoji is meant; emoji joined to one; joiners of the scripts from Arabic to Sinhala, and of Khmer; and
// one blank in the place of another, as in French and Japanese.
const READABLE =
  /(?<=\p{ExtPict})[\ufe0e\ufe0f]|\ufe0f(?=\u20e3)|(?<=[\p{ExtPict}\ufe0f\p{EMod}])\u200d(?=\p{ExtPict})|(?<=[\u0600-\u0dff\u1780-\u17ff])[\u200c\u200d]|(?<!\s)\p{Zs}(?!\s)/uy;

/**
 * Parts in order; joined by their characters they are the text. Tabs and line feeds are text. `isProse`: it is what people
 * and agents write to each other, where emoji and joined scripts stay readable; not a command, a path or a report.
 */
export function visibleParts(text: string, isProse = false): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const { 0: char, index } of text.matchAll(HIDDEN)) {
    READABLE.lastIndex = index;
    if (isProse && READABLE.test(text)) continue;
    if (index > from) parts.push({ type: 'text', text: text.slice(from, index) });
    parts.push({ type: 'mark', ...markOf(char.codePointAt(0) ?? 0) });
    from = index + char.length;
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) });
  return parts;
}

/** The same as a string, for where only a string can stand: an option of a choice. */
export function visibleWords(text: string, isProse = false): string {
  return visibleParts(text, isProse)
    .map((part) => (part.type === 'text' ? part.text : `[${part.sign}]`))
    .join('');
}

/** The text, each hidden character replaced by what `spelled` returns for it. */
export function replaceHidden(text: string, spelled: (char: string) => string): string {
  return text.replace(HIDDEN, spelled);
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
