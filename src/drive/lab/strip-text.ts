// A row of the cursor strip as characters, one a column.
import type { StripCell } from './cursor-strip.ts';

export const STRIP_LEGEND =
  '■ came, as due; □ due, but missing; · not due; ▲ came, but not due; ≠ came differently; + not in the replay from the start';

export function stripSign({ mark, due }: StripCell): string {
  switch (mark) {
    case 'present':
      return due ? '■' : '▲';
    case 'absent':
      return due ? '□' : '·';
    case 'other':
      return '≠';
    case 'extra':
      return '+';
  }
}

export function stripText(cells: readonly StripCell[]): string {
  return cells.map(stripSign).join('');
}
