// How wide a text is on a terminal: a letter of East Asia or a picture takes two cells, a mark none.

const NARROW = /^[\x20-\x7e]*$/;
const NONE = /^[\p{Mn}\p{Me}\u200d\ufe0e\ufe0f]$/u;
/** Halfwidth letters of these scripts take one cell. */
const HALF = /^[\uff61-\uffdc]$/u;
const WIDE =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u;

export function cellsOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let cells = 0;
  for (const letter of text) cells += cellsOfLetter(letter);
  return cells;
}

/** At most so many cells; a letter is never cut in two. */
export function cut(text: string, most: number): string {
  // No letter is wider than its UTF-16 units but those of two cells.
  if (text.length * 2 <= most || cellsOf(text) <= most) return text;
  let cells = 0;
  let kept = '';
  for (const letter of text) {
    cells += cellsOfLetter(letter);
    if (cells > most - 1 && kept !== '') break;
    kept += letter;
  }
  return `${kept}…`;
}

export function padEnd(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - cellsOf(text)));
}

function cellsOfLetter(letter: string): number {
  if (NONE.test(letter)) return 0;
  return WIDE.test(letter) && !HALF.test(letter) ? 2 : 1;
}
