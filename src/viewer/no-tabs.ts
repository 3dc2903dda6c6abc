// In place of what tells other tabs of the page: a file is opened by itself.
import type { ConnectionId } from '../trace/event.ts';

export const joinTabs = () => ({ tell: () => undefined });
export const locks = () => undefined;
export const lookingAt = (): void => undefined;
export const openElsewhere = () => Promise.resolve([]);
export const isBeingRead = () => Promise.resolve(false);
export const whileReading = <T>(_: ConnectionId, work: () => Promise<T>) => work();

/** Only a link to a relay makes a tab seek it. */
export class Leadership {
  yield(): void {
    return undefined;
  }
}
