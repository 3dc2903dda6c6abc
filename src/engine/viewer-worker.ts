// The worker of a page that holds its trace in itself: the same engine, with a store that lasts as long as
// the page, and no relay. Such a page can start no worker within a worker, so patterns are not searched for.
import { IN_PLACE } from '../model/query/find.ts';
import { MemoryStore } from '../storage/memory-store.ts';
import { startEngine } from './engine.ts';
import { serveEngine } from './rpc.ts';

export function serveViewer(): void {
  const engine = Promise.resolve().then(() =>
    startEngine({
      tell: (notice) => page.notice(notice),
      openStore: () => Promise.resolve(new MemoryStore(undefined)),
      finder: IN_PLACE,
      makeLink: () => ({ enter: () => undefined, command: () => undefined, wake: () => undefined }),
    }),
  );
  const page = serveEngine(self, engine);
  self.addEventListener('unhandledrejection', ({ reason }) => page.thrown(reason));
}
