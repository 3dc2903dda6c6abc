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
