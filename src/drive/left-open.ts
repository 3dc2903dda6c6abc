// What of a session has not come to an end, as its folded state says.
import { isFinal } from '../acp/update.ts';
import type { Item, SessionState, ToolBody } from '../model/fold/state.ts';
import type { Terminal } from '../model/fold/terminals.ts';

/** Tool calls whose last status says no end, in the order they began. */
export function openTools({ items }: SessionState): readonly Item<ToolBody>[] {
  return items
    .slice(0, items.length)
    .filter((item): item is Item<ToolBody> => item.body.type === 'tool')
    .filter(({ body }) => !isFinal(body.status));
}

/** Terminals of the agent that have not exited; those of v1 are the client's own, and end with it. */
export function openTerminals({ version, terminals: { list } }: SessionState): readonly Terminal[] {
  return version === 1 ? [] : list.slice(0, list.length).filter(({ exit }) => exit === undefined);
}
