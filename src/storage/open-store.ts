// The store there is in this window, and how much room the browser gives it.
import { IdbStore } from './idb-store.ts';
import { storageProblem, type StorageProblem } from './problem.ts';
import type { Store } from './store.ts';

/** The browser's database, else memory. `tell` hears of trouble, and of its end. */
export async function openStore(
  tell: (problem: StorageProblem | undefined) => void,
): Promise<Store> {
  const opened = await IdbStore.open(tell);
  if (opened.ok) return opened.value;
  const { MemoryStore } = await import('./memory-store.ts');
  return new MemoryStore(storageProblem('memory'));
}

/** What the browser says of its storage; zeros where it says nothing. */
export async function storageEstimate(): Promise<{
  readonly used: number;
  readonly quota: number;
  readonly persisted: boolean;
}> {
  try {
    const [{ usage = 0, quota = 0 }, persisted] = await Promise.all([
      navigator.storage.estimate(),
      navigator.storage.persisted(),
    ]);
    return { used: usage, quota, persisted };
  } catch {
    return { used: 0, quota: 0, persisted: false };
  }
}
