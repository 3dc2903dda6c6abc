// Tool calls that are under way in a session.
import type { Seq } from '../../trace/event.ts';
import type { SessionState } from './state.ts';
import { toolTitle } from './view.ts';
import { isFinal } from '../../acp/update.ts';

export interface RunningTool {
  readonly title: string;
  readonly status: string;
  /** The frame that first spoke of it, and the last that did. */
  readonly first: Seq;
  readonly last: Seq;
}

const MOST = 50;

/** Oldest first. Where a turn has ended, what is still said to run does not. */
export function runningTools({ items, toolCounts, activity, life }: SessionState): RunningTool[] {
  if (activity?.value.state === 'idle' || life?.value !== 'active') return [];
  const found: RunningTool[] = [];
  let left = toolCounts.reduce((sum, [status, n]) => sum + (isFinal(status) ? 0 : n), 0);
  for (let at = items.length - 1; at >= 0 && left > 0 && found.length < MOST; at--) {
    const item = items.get(at);
    if (item?.body.type !== 'tool' || isFinal(item.body.status)) continue;
    left--;
    const { first, last } = item;
    found.push({ title: toolTitle(item.body), status: item.body.status, first, last });
  }
  return found.reverse();
}
