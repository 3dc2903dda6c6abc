// What stands collapsed in one row: the frames of a run, and a quiet stretch of a replay window.
import { FLAG } from '../columns.ts';
import { isMessageKind, itemKindOf } from '../facts/variants.ts';
import type { TraceIndex } from '../trace-index.ts';

export interface RowRun {
  /** First and last visible frame. */
  readonly head: number;
  readonly last: number;
  readonly count: number;
  readonly bytes: number;
  readonly open: boolean;
}

export interface FoldedRows {
  readonly first: number;
  readonly last: number;
  readonly frames: number;
  readonly messages: number;
  readonly tools: number;
}

/** The fold over the rows of these events; `runOf`: the run that an event begins, if several frames of it show. */
export function foldOf(
  { columns }: TraceIndex,
  events: readonly number[],
  runOf: (event: number) => RowRun | undefined,
): FoldedRows {
  const messages = new Set<number>();
  const tools = new Set<number>();
  let frames = 0;
  let last = 0;
  for (const event of events) {
    const run = runOf(event);
    frames += run?.count ?? 1;
    last = Math.max(last, run?.last ?? event);
    if (!columns.has(event, FLAG.update)) continue;
    const kind = itemKindOf(columns.nameOf(event));
    const item = columns.item.get(event);
    if (isMessageKind(kind)) messages.add(item === 0 ? -event : item);
    else if (kind === 'tool') tools.add(item === 0 ? -event : item);
  }
  return { first: events[0] ?? 0, last, frames, messages: messages.size, tools: tools.size };
}
