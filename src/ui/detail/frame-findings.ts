// The findings of one frame as marks in its tree.
import type { FrameFinding } from '../../engine/findings/finding-messages.ts';
import type { ValueMark, ValueMarks } from './marks.ts';

/** A value of the tree to go to; a new stamp goes there again. */
export interface Pointed {
  readonly pointer: string;
  readonly stamp: number;
}

/** Findings that count; where several point to one value, the worst, with the words of all. */
export function marksOf(findings: readonly FrameFinding[]): ValueMarks {
  const marks = new Map<string, ValueMark>();
  for (const finding of findings) {
    const { place, severity } = finding;
    if (!isUnsuppressedFailure(finding) || !place || place.pointer === '') continue;
    const known = marks.get(place.pointer);
    // They come worst first.
    marks.set(place.pointer, {
      severity: known?.severity ?? severity,
      text: known ? `${known.text}; ${place.seen}` : place.seen,
    });
  }
  return marks;
}

export function isUnsuppressedFailure({ verdict, suppressed }: FrameFinding): boolean {
  return verdict === 'fail' && !suppressed;
}
