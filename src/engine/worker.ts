// The worker's entry: the engine at one end of its port. Calls that come while the database is
// being opened wait for it.
import { LinkClient } from '../link/client.ts';
import { openStore } from '../storage/open-store.ts';
import { startEngine } from './engine.ts';
import { ownWorker } from './own-worker.ts';
import patternWorkerUrl from './patterns/pattern-worker.ts?worker&url';
import { serveEngine, type Port } from './rpc.ts';
import { WorkerPatterns } from './patterns/worker-patterns.ts';

const port: Port = {
  postMessage: (message) => self.postMessage(message),
  addEventListener: (type: string, listener: (event: never) => void) =>
    self.addEventListener(type, listener as EventListener),
};

const engine = Promise.resolve().then(() =>
  startEngine({
    tell: (notice) => page.notice(notice),
    openStore,
    patterns: new WorkerPatterns(() => ownWorker(patternWorkerUrl, 'patterns')),
    makeLink: (handlers) => new LinkClient({ origin: self.location.origin, handlers }),
  }),
);
const page = serveEngine(port, engine);
self.addEventListener('unhandledrejection', ({ reason }) => page.thrown(reason));
