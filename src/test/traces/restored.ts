// A replay window as the restore form shows it: an answered v2 resume that brought nothing, unless
// told otherwise.
import type { Millis } from '../../lib/time.ts';
import type { ReplayWindowView } from '../../model/timeline/row-view.ts';
import { seq } from '../../trace/event.ts';

export function restored(more: Partial<ReplayWindowView>): ReplayWindowView {
  return {
    id: 1,
    method: 'session/resume',
    version: 2,
    sessionId: 's',
    session: 'S1',
    request: seq(12),
    answer: seq(20),
    outcome: 'answered',
    updates: 0,
    bytes: 0,
    took: 1 as Millis,
    messages: 0,
    tools: 0,
    late: 0,
    forbidden: false,
    figures: { items: {}, others: {}, chunks: 0 },
    ...more,
  };
}
