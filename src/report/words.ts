// Making words of a report, reading them as plain text, and how wide that is on a terminal.
import { visibleWords } from '../lib/visible-text.ts';
import type { Block, ReportDetail, TextPiece, Tone, LineWords } from './document.ts';

export function toned(tone: Tone, text: string): TextPiece {
  return { text, tone };
}

/** A name or a value. */
export function code(text: string): TextPiece {
  return { text, code: true };
}

export function lines(...all: readonly (LineWords | undefined)[]): Block {
  return { kind: 'lines', lines: all.filter((one) => one !== undefined) };
}

export function section(title: LineWords, ...blocks: readonly (Block | undefined)[]): Block {
  return { kind: 'section', title, blocks: blocks.filter((one) => one !== undefined) };
}

export function detail(label: string, words: LineWords): ReportDetail {
  return { label, words };
}

/** Which way a frame crossed. */
export function arrowOf(from: 'client' | 'agent' | undefined): string {
  if (from === undefined) return ' ';
  return from === 'client' ? '→' : '←';
}

export function piecesOf(words: LineWords): readonly TextPiece[] {
  if (typeof words === 'string') return [{ text: words }];
  return words.map((one) => (typeof one === 'string' ? { text: one } : one));
}

/** On one line, and with nothing in it that hides or that a terminal would obey. */
export function visibleLine(text: string): string {
  return visibleWords(text).replace(/(?<!\s)\s*[\n\t]\s*/g, ' ');
}

export function plain(words: LineWords): string {
  return piecesOf(words)
    .map(({ text }) => visibleLine(text))
    .join('');
}

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
