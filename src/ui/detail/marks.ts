// Which rows of the tree are marked: those whose value something is said of, and the closed ones it
// lies in.
import { pointerParts, pointerPart } from '../../acp/json-pointer.ts';
import { worseMark, type MarkSeverity } from '../../model/timeline/finding-marks.ts';

export interface ValueMark {
  readonly severity: MarkSeverity;
  readonly text: string;
}
/** By JSON Pointer into the message. */
export type ValueMarks = ReadonlyMap<string, ValueMark>;

export interface LineMark {
  readonly severity: MarkSeverity;
  /** Undefined: it is said of something inside. */
  readonly text: string | undefined;
}

/** Places above a marked one, each with the worst severity inside it. */
export function marksInside(marks: ValueMarks): ReadonlyMap<string, MarkSeverity> {
  const inside = new Map<string, MarkSeverity>();
  for (const [pointer, { severity }] of marks) {
    let above = '';
    for (const step of pointerParts(pointer)) {
      inside.set(above, worseMark(severity, inside.get(above)));
      above += `/${pointerPart(step)}`;
    }
  }
  return inside;
}

/** `closed`: what is inside the row cannot be seen. */
export function markOf(
  marks: ValueMarks,
  inside: ReadonlyMap<string, MarkSeverity>,
  pointer: string,
  closed: boolean,
): LineMark | undefined {
  const own = marks.get(pointer);
  if (own) return own;
  const severity = closed ? inside.get(pointer) : undefined;
  return severity && { severity, text: undefined };
}
