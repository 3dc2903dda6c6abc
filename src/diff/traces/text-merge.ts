// Two texts as one: what both say, and what only one says, word by word.
import { Interner } from '../../lib/interner.ts';
import { align } from '../align.ts';
import type { TextSpan } from './report.ts';

/** Longer texts are held against each other by lines. */
const LONG = 8000;

export function mergeOf(before: string, after: string): TextSpan[] {
  const cut =
    before.length + after.length > LONG ? /[^\n]*\n?/g : /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
  const [a, b] = [before.match(cut) ?? [], after.match(cut) ?? []];
  const book = new Interner();
  const numbers = (parts: readonly string[]) => parts.map((part) => book.of(part));
  const spans: { of: TextSpan['of']; text: string }[] = [];
  const add = (of: TextSpan['of'], parts: readonly string[]) => {
    if (parts.length === 0) return;
    const last = spans.at(-1);
    if (last?.of === of) last.text += parts.join('');
    else spans.push({ of, text: parts.join('') });
  };
  let [i, j] = [0, 0];
  for (const [x, y] of [...align(numbers(a), numbers(b)), [a.length, b.length] as const]) {
    add('a', a.slice(i, x));
    add('b', b.slice(j, y));
    add('both', a.slice(x, x + 1));
    [i, j] = [x + 1, y + 1];
  }
  return spans;
}
