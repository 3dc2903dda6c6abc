// Text with nothing hidden in it: control, bidirectional and zero-width characters become marks
// with a name, because they can make a command or a path read as another one.

type VisiblePart =
  | { readonly type: 'text'; readonly text: string }
  /** `sign` stands for the character, `name` says which it is. */
  | { readonly type: 'mark'; readonly sign: string; readonly name: string };

// C0 but tab, line feed; DEL and C1; soft hyphen; marks of direction and width; BOM; tags;
// halves of surrogate pairs on their own.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\p{Surrogate}]/gu;

/** Parts in order; joined by their characters they are the text. Tabs and line feeds are text. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const { 0: char, index } of text.matchAll(HIDDEN)) {
    if (index > from) parts.push({ type: 'text', text: text.slice(from, index) });
    parts.push({ type: 'mark', ...markOf(char.codePointAt(0) ?? 0) });
    from = index + char.length;
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) });
  return parts;
}

/** The same as a string, for where only a string can stand: an option of a choice. */
export function visibleWords(text: string): string {
  return visibleParts(text)
    .map((part) => (part.type === 'text' ? part.text : `[${part.sign}]`))
    .join('');
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
