// Columns of the lab's matrix, and which of their words are good or bad news.
import type { Fields } from '../../drive/lab/report-words.ts';

export const COLUMNS = ['restored', 'fidelity', 'remembers', 'tools', 'open', 'rate'] as const;

const BAD: Readonly<Partial<Record<keyof Fields, RegExp>>> = {
  fidelity: /^(lossy|corrupt)$/,
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
export function toneOf(column: keyof Fields, words: string): 'err' | 'ok' | undefined {
  if (BAD[column]?.test(words)) return 'err';
  return GOOD[column]?.test(words) ? 'ok' : undefined;
}
