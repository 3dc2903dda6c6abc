// Making words of a report, and reading them as plain text.
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
  return visibleWords(text).replace(/\s*[\n\t]\s*/g, ' ');
}

export function plain(words: LineWords): string {
  return piecesOf(words)
    .map(({ text }) => visibleLine(text))
    .join('');
}
