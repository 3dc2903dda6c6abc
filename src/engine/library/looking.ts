// Which trace a tab looks at, held as a lock of the browser so that other tabs can tell: it ends with the tab.
import { connectionId, type ConnectionId } from '../../trace/event.ts';
import { locks } from '../connections/leader.ts';

const LOOKING = 'acp-scope-looking:';

let leave: (() => void) | undefined;

/** This tab looks at this trace now, and at no other. */
export function lookingAt(connection: ConnectionId): void {
  leave?.();
  const left = new Promise<void>((resolve) => (leave = resolve));
  // Where locks are refused, other tabs cannot tell.
  locks()
    ?.request(LOOKING + connection, { mode: 'shared' }, () => left)
    .catch(() => undefined);
}

/** `here`: what this tab looks at, once. */
export async function openElsewhere(
  here: ConnectionId | undefined,
): Promise<readonly ConnectionId[]> {
  const { held = [] } = (await locks()?.query()) ?? {};
  const open = held.flatMap(({ name = '' }) =>
    name.startsWith(LOOKING) ? connectionId(name.slice(LOOKING.length)) : [],
  );
  const own = here === undefined ? -1 : open.indexOf(here);
  return [...new Set(open.filter((_, at) => at !== own))];
}
