// The store there is in this window.
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
