// Columns of the lab's matrix, and which of their words are good or bad news.
import type { Fields } from '../../drive/lab/report-words.ts';

export const COLUMNS = ['restored', 'fidelity', 'remembers', 'tools', 'open', 'rate'] as const;

const BAD: Readonly<Partial<Record<keyof Fields, RegExp>>> = {
  fidelity: /^corrupt$/,
  remembers: /^no$/,
  tools: /^(no|uninvited)$/,
  open: /silently gone/,
};
const GOOD: Readonly<Partial<Record<keyof Fields, RegExp>>> = {
  fidelity: /^(equal|cosmetic)$/,
  remembers: /^yes$/,
  tools: /^yes$/,
};

/** A class: the word says it, the colour repeats it. */
export function toneOf(column: keyof Fields, words: string): 'err' | 'warn' | 'ok' | undefined {
  // As in every other place that tells how faithful a replay is.
  if (column === 'fidelity' && words === 'lossy') return 'warn';
  if (BAD[column]?.test(words)) return 'err';
  return GOOD[column]?.test(words) ? 'ok' : undefined;
}
