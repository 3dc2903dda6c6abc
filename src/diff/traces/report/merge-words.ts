// Two texts as one in a report: what both say shortened, what only one says in brackets.
import type { Piece } from '../../../report/document.ts';
import { code, oneLine } from '../../../report/words.ts';
import type { TextSpan } from './report.ts';

/** Around what differs, so much of what both say. */
const CONTEXT = 24;
const MOST = 400;

/** Undefined: so little is common that both are better told one after the other. */
export function mergePieces(merge: readonly TextSpan[]): readonly Piece[] | undefined {
  const common = merge.reduce((sum, { of, text }) => sum + (of === 'both' ? text.length : 0), 0);
  const all = merge.reduce((sum, { text }) => sum + text.length, 0);
  if (common * 3 < all) return undefined;
  const pieces: Piece[] = [];
  let length = 0;
  for (const [at, span] of merge.entries()) {
    if (length > MOST) return [...pieces, code('…')];
    const piece = pieceOf(span, at === 0, at === merge.length - 1);
    length += piece.text.length;
    pieces.push(piece);
  }
  return pieces;
}

function pieceOf({ of, text }: TextSpan, isFirst: boolean, isLast: boolean): Piece {
  if (of === 'a') return { ...code(`[−${text}−]`), tone: 'bad' };
  if (of === 'b') return { ...code(`{+${text}+}`), tone: 'info' };
  return code(shortened(oneLine(text), isFirst, isLast));
}

function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= 2 * CONTEXT + 3) return text;
  const [head, tail] = [text.slice(0, CONTEXT), text.slice(-CONTEXT)];
  if (isFirst) return `…${tail}`;
  return isLast ? `${head}…` : `${head} … ${tail}`;
}
