// The two values of a field as a report shows them: what differs, with some of what stands beside it;
// or each from its beginning, where they have little in common.
import { oneLine } from '../../../model/words.ts';
import type { FieldValue } from '../normal-form.ts';
import type { Difference } from './report.ts';
import { excerpt, sharedPart, textChange, type Piece } from '../../text-change.ts';

const SHOWN = 160;
/** Texts that share less are shown one beside the other. */
const ALIKE = 0.3;

export function shownValue(value: FieldValue | undefined): string | undefined {
  return value && oneLine(textOf(value), SHOWN);
}

/** Undefined: they have little in common, or one is absent. */
export function shownChange(
  before: FieldValue | undefined,
  after: FieldValue | undefined,
): Required<Pick<Difference, 'before' | 'after' | 'change'>> | undefined {
  if (!before || !after || before.type === 'word' || after.type === 'word') return undefined;
  const whole = textChange(textOf(before), textOf(after));
  if (sharedPart(whole) < ALIKE) return undefined;
  const change = excerpt(whole);
  const without = (how: Piece['how']) =>
    oneLine(change.map((piece) => (piece.how === how ? '' : piece.text)).join(''), SHOWN);
  return { before: without('new'), after: without('gone'), change };
}

/** All of both values; JSON with a line each. */
export function wholeChange({ values }: Pick<Difference, 'values'>): Piece[] {
  const [before, after] = (values ?? []).map((value) => (value ? textOf(value, 2) : ''));
  return textChange(before ?? '', after ?? '');
}

function textOf(value: FieldValue, indent?: number): string {
  switch (value.type) {
    case 'text':
      return value.text;
    case 'word':
      return value.word;
    case 'json':
      return typeof value.value === 'string'
        ? value.value
        : JSON.stringify(value.value, null, indent);
  }
}
