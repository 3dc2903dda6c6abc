// Which frames are history that an agent sent again. The index marks messages and tool calls; plans
// and terminals among late ones belong to them.
import { FLAG } from '../../model/columns.ts';
import type { WindowRecord } from '../../model/timeline/replay-windows.ts';
import { itemKindOf } from '../../model/facts/variants.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';

export interface History {
  readonly window: WindowRecord;
  readonly late: boolean;
}

/** Whether updates of this variant make items. */
export function makesItem(variant: string): boolean {
  return variant === 'plan' || itemKindOf(variant) !== undefined;
}

/** Undefined: the frame at this place was said live, or makes no item. */
export function historyAt({ index }: IndexedTrace, place: number): History | undefined {
  const { columns } = index;
  if (!columns.has(place, FLAG.update) || !makesItem(columns.nameOf(place))) return undefined;
  const window = index.window(place);
  if (window) {
    const late = columns.has(place, FLAG.late);
    return late || columns.has(place, FLAG.replay) ? { window, late } : undefined;
  }
  const session = index.sessionByNumber(columns.session.get(place));
  const around =
    session &&
    index.windowRecords.find(
      ({ branches, answer }) =>
        answer >= 0 && answer < place && place <= (branches.get(session)?.lastLate ?? -1),
    );
  return around && { window: around, late: true };
}
