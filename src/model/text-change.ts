// Where two texts differ, word by word, for a person who wants to see what is missing instead of two
// long texts that begin alike.
import { align } from '../lib/align.ts';
import { Interner } from '../lib/interner.ts';

// A text in words, the smallest parts that are told apart: what a person sees as one sign is never cut.
// Scripts that write no spaces have a word a sign.

/** Belongs to the sign before it. */
const EXTENDS = String.raw`\p{M}\p{EMod}\u200c\u200d\u0e33\u0eb3\u{e0020}-\u{e007f}`;
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`;
const SIGN = String.raw`(?:[${EXTENDS}]|(?<=\u200d)\p{ExtPict})*`;

const WORDS = new RegExp(
  [
    String.raw`\s+(?![${EXTENDS}])`,
    String.raw`(?:(?![${UNSPACED}])[\p{L}\p{N}_][${EXTENDS}]*)+`,
    String.raw`\p{RI}\p{RI}${SIGN}`,
    String.raw`[^]${SIGN}`,
  ].join('|'),
  'gu',
);

/** In order; joined they are the text. */
export function textWords(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}

/** A stretch of text: on both sides, only on the first, or only on the second. */
export interface ChangePiece {
  readonly how: 'same' | 'gone' | 'new';
  readonly text: string;
}

const WORD = /[\p{L}\p{N}\p{M}\u200d_\p{Surrogate}]/u;
/** Words between the first and the last difference that are aligned. */
const MOST_WORDS = 4000;

/** In order; without the `new` ones they are the one text, without the `gone` ones the other. */
export function textChange(before: string, after: string): ChangePiece[] {
  if (before === after) return pieces([['same', before]]);
  const { head, tail } = ends(before, after);
  const [a, b] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  return pieces([
    ['same', before.slice(0, head)],
    ...between(a, b),
    ['same', before.slice(before.length - tail)],
  ]);
}

type Loose = readonly [how: ChangePiece['how'], text: string];

/** How much of their beginnings and ends is the same: whole words, unless one is cut short. */
function ends(a: string, b: string): { readonly head: number; readonly tail: number } {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  const isInPair = /[\ud800-\udbff]/.test(a[head - 1] ?? '');
  if (head === most && !isInPair) return { head, tail: 0 };
  const whole = wholeHead(a, b, head);
  return { head: whole, tail: wholeTail(a, b, whole) };
}

/** Up to where a word begins. */
function wholeHead(a: string, b: string, same: number): number {
  let head = same;
  const isInside = () =>
    WORD.test(a[head - 1] ?? '') && (WORD.test(a[head] ?? '') || WORD.test(b[head] ?? ''));
  while (head > 0 && isInside()) head--;
  return head;
}

/** From where a word ends, and not into the head. */
function wholeTail(a: string, b: string, head: number): number {
  const most = Math.min(a.length, b.length) - head;
  let tail = 0;
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const isInside = () => {
    const [i, j] = [a.length - tail, b.length - tail];
    return WORD.test(a[i] ?? '') && (WORD.test(a[i - 1] ?? '') || WORD.test(b[j - 1] ?? ''));
  };
  while (tail > 0 && isInside()) tail--;
  return tail;
}

function between(before: string, after: string): Loose[] {
  if (before === '' || after === '') return replaced(before, after);
  const [a, b] = [textWords(before), textWords(after)];
  if (a.length + b.length <= MOST_WORDS) return aligned(a, b, replaced);
  // Of a long text, lines first; those that differ by their words.
  return aligned(linesOf(before), linesOf(after), (gone, now) =>
    gone.length + now.length <= MOST_WORDS ? between(gone, now) : replaced(gone, now),
  );
}

const replaced = (gone: string, now: string): Loose[] => [
  ['gone', gone],
  ['new', now],
];

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n?/g) ?? [];
}

/** `differs`: what stands between two parts that are the same. */
function aligned(
  a: readonly string[],
  b: readonly string[],
  differs: (gone: string, now: string) => Loose[],
): Loose[] {
  const book = new Interner();
  const numbers = (parts: readonly string[]) => parts.map((part) => book.of(part));
  const found: Loose[] = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...align(numbers(a), numbers(b)), [a.length, b.length] as const]) {
    found.push(...differs(a.slice(i, x).join(''), b.slice(j, y).join('')));
    found.push(['same', a[x] ?? '']);
    [i, j] = [x + 1, y + 1];
  }
  return found;
}

/** Neighbours that are alike joined; what stands alone between two changes belongs to them. */
function pieces(loose: readonly Loose[]): ChangePiece[] {
  const runs: { same: string; gone: string; new: string }[] = [{ same: '', gone: '', new: '' }];
  for (const [how, text] of loose) {
    const last = runs.at(-1);
    if (text === '' || !last) continue;
    const isChange = last.gone !== '' || last.new !== '';
    if (how === 'same' && isChange) runs.push({ same: text, gone: '', new: '' });
    else last[how] += text;
  }
  const joined: typeof runs = [];
  for (const run of runs) {
    const last = joined.at(-1);
    const isReplaced = run.gone !== '' && run.new !== '' && last?.gone !== '' && last?.new !== '';
    if (last && isReplaced && !WORD.test(run.same)) {
      last.gone += run.same + run.gone;
      last.new += run.same + run.new;
    } else joined.push({ ...run });
  }
  return joined.flatMap((run) =>
    (['same', 'gone', 'new'] as const).flatMap((how): ChangePiece[] =>
      run[how] === '' ? [] : [{ how, text: run[how] }],
    ),
  );
}

/** What both say, in letters, of the shorter text: 0 to 1. */
export function sharedPart(change: readonly ChangePiece[]): number {
  const sizes = { same: 0, gone: 0, new: 0 };
  for (const { how, text } of change) sizes[how] += text.length;
  const shorter = sizes.same + Math.min(sizes.gone, sizes.new);
  return shorter === 0 ? 0 : sizes.same / shorter;
}

/** So much of what both say stands beside a change. */
const BESIDE = 20;
const MOST_CHANGED = 240;
const MOST_PIECES = 24;

/** On one line, what both say left out but for what stands beside a change. */
export function excerpt(change: readonly ChangePiece[]): ChangePiece[] {
  const most = change.slice(0, MOST_PIECES);
  const shown = most.map(({ how, text }, at): ChangePiece => {
    const line = onLine(text, how === 'same' ? ' ' : '↵');
    if (how !== 'same') return { how, text: cutWithin(line, MOST_CHANGED - 40, 40) };
    if (at === 0)
      return {
        how,
        text: line.length > BESIDE + 1 ? `…${fromWord(endOf(line, BESIDE).trimStart())}` : line,
      };
    const isLast = at === change.length - 1;
    return { how, text: cutWithin(line, BESIDE, isLast ? 0 : BESIDE) };
  });
  return most.length < change.length ? [...shown, { how: 'same', text: '…' }] : shown;
}

function onLine(text: string, instead: string): string {
  // Begun at the first of many blanks alone: tried at each of them, a million would take an hour.
  return text.replace(/(?<![\t ])[\t ]*\r?\n\s*/g, instead);
}

function cutWithin(text: string, head: number, tail: number): string {
  if (text.length <= head + tail + 1) return text;
  return `${startOf(text, head)}…${tail === 0 ? '' : endOf(text, tail)}`;
}

/** Without the end of a word that is cut. */
function fromWord(text: string): string {
  const word = /^\S{1,12}\s(?=\S)/.exec(text);
  return word ? text.slice(word[0].length) : text;
}

// A pair of surrogates is one character.
function startOf(text: string, length: number): string {
  return text.slice(0, /[\ud800-\udbff]/.test(text[length - 1] ?? '') ? length - 1 : length);
}

function endOf(text: string, length: number): string {
  const from = text.length - length;
  return text.slice(/[\udc00-\udfff]/.test(text[from] ?? '') ? from + 1 : from);
}
