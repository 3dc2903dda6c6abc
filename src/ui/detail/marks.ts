// Which rows of the tree are marked: those whose value something is said of, and the closed ones it
// lies in.
import { pointerParts, pointerPart } from '../../acp/json-pointer.ts';

type Severity = 'error' | 'warning' | 'hint';

export interface ValueMark {
  readonly severity: Severity;
  readonly text: string;
}
/** By JSON Pointer into the message. */
export type ValueMarks = ReadonlyMap<string, ValueMark>;

export interface LineMark {
  readonly severity: Severity;
  /** Undefined: it is said of something inside. */
  readonly text: string | undefined;
}

const ORDER: readonly Severity[] = ['hint', 'warning', 'error'];

/** Places above a marked one, each with the worst severity inside it. */
export function marksInside(marks: ValueMarks): ReadonlyMap<string, Severity> {
  const inside = new Map<string, Severity>();
  for (const [pointer, { severity }] of marks) {
    let above = '';
    for (const step of pointerParts(pointer)) {
      const worst = inside.get(above) ?? 'hint';
      inside.set(above, ORDER.indexOf(severity) > ORDER.indexOf(worst) ? severity : worst);
      above += `/${pointerPart(step)}`;
    }
  }
  return inside;
}

/** `closed`: what is inside the row cannot be seen. */
export function markOf(
  marks: ValueMarks,
  inside: ReadonlyMap<string, Severity>,
  pointer: string,
  closed: boolean,
): LineMark | undefined {
  const own = marks.get(pointer);
  if (own) return own;
  const severity = closed ? inside.get(pointer) : undefined;
  return severity && { severity, text: undefined };
}
