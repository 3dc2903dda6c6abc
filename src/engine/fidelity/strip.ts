// A replay as a strip: the items of the live part in a row, and what became of them.
import type { Row, RowGroup } from '../../model/fidelity/report/report.ts';
import type { FrameRef } from '../../trace/event.ts';

/** Items of the live part that follow one another, and what became of them in a replay. `extra`: they are of no live item. */
export interface StripPart {
  readonly is: 'replayed' | 'late' | 'missing' | 'extra';
  readonly items: number;
  /** The first frames of the first and the last live item. */
  readonly from?: FrameRef;
  readonly to?: FrameRef;
}

export function stripParts(groups: readonly RowGroup[]): readonly StripPart[] {
  const parts: { -readonly [K in keyof StripPart]: StripPart[K] }[] = [];
  for (const row of groups.filter(({ at }) => at !== 'end').flatMap(({ rows }) => rows)) {
    const is = row.of === 'aside' ? undefined : fateOf(row);
    if (is === undefined) continue;
    const last = parts.at(-1);
    const at = row.live?.frame;
    if (last?.is !== is) parts.push({ is, items: 1, ...(at && { from: at, to: at }) });
    else {
      last.items++;
      if (at) last.to = at;
    }
  }
  return parts;
}

/** Undefined: nothing proves that it is gone. */
function fateOf({ mark, live, replayed }: Row): StripPart['is'] | undefined {
  if (mark === 'late') return 'late';
  // Without a live part nothing says that it never was.
  if (replayed) return live || mark === 'unknown' ? 'replayed' : 'extra';
  return mark === 'missing' ? 'missing' : undefined;
}
