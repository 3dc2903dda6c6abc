// Two texts as one: what both say, and what only one says, word by word.
import { Interner } from '../../lib/interner.ts';
import { align } from '../../lib/align.ts';
import { textWords } from '../text-words.ts';
import type { TextSpan } from './report/report.ts';

/** Longer texts are held against each other by lines first. */
const LONG = 8000;
/** Lines that are longer are not held against each other by words. */
const LONGEST = 100_000;

export function mergeOf(before: string, after: string): TextSpan[] {
  if (before.length + after.length <= LONG) return merged(textWords(before), textWords(after));
  const spans: TextSpan[] = [];
  const byLines = merged(linesOf(before), linesOf(after));
  for (let at = 0; at < byLines.length; at++) {
    const [one, other] = [byLines[at], byLines[at + 1]];
    if (!one) continue;
    const isChange = one.of === 'a' && other?.of === 'b';
    if (isChange && one.text.length + other.text.length <= LONGEST) {
      spans.push(...merged(textWords(one.text), textWords(other.text)));
      at++;
    } else spans.push(one);
  }
  return joined(spans);
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n?/g) ?? [];
}

function merged(a: readonly string[], b: readonly string[]): TextSpan[] {
  const book = new Interner();
  const numbers = (parts: readonly string[]) => parts.map((part) => book.of(part));
  const spans: TextSpan[] = [];
  const add = (of: TextSpan['of'], parts: readonly string[]) => {
    if (parts.length > 0) spans.push({ of, text: parts.join('') });
  };
  let [i, j] = [0, 0];
  for (const [x, y] of [...align(numbers(a), numbers(b)), [a.length, b.length] as const]) {
    add('a', a.slice(i, x));
    add('b', b.slice(j, y));
    add('both', a.slice(x, x + 1));
    [i, j] = [x + 1, y + 1];
  }
  return joined(spans);
}

/** Neighbours of one kind are one. */
function joined(spans: readonly TextSpan[]): TextSpan[] {
  const all: { of: TextSpan['of']; text: string }[] = [];
  for (const { of, text } of spans) {
    const last = all.at(-1);
    if (last?.of === of) last.text += text;
    else if (text !== '') all.push({ of, text });
  }
  return all;
}
