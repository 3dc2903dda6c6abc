// The worker's entry: the engine at one end of its port. Calls that come while the database is
// being opened wait for it.
import { LinkClient } from '../link/client.ts';
import { openStore } from '../storage/open-store.ts';
import { loadReader, startEngine } from './engine.ts';
import { ownWorker } from './own-worker.ts';
import findWorkerUrl from './finder/find-worker.ts?worker&url';
import importWorkerUrl from './library/import-worker.ts?worker&url';
import { WorkerReading } from './library/worker-reading.ts';
import { serveEngine, type RpcPort } from './rpc.ts';
import { WorkerFinder } from './finder/worker-finder.ts';

const port: RpcPort = {
  postMessage: (message) => self.postMessage(message),
  addEventListener: (type: string, listener: (event: never) => void) =>
    self.addEventListener(type, listener as EventListener),
};

// A trace was asked for: what reads it comes while the database is being opened. Who needs it hears of a failure.
if (self.location.hash !== '') loadReader().catch(() => undefined);

const reading = new WorkerReading(() => ownWorker(importWorkerUrl, 'reader'));
const engine = Promise.resolve().then(() =>
  startEngine({
    tell: (notice) => page.notice(notice),
    openStore,
    finder: new WorkerFinder(() => ownWorker(findWorkerUrl, 'finder')),
    readFile: (file, stop, how) => reading.read(file, stop, how),
    makeLink: (handlers) => new LinkClient({ origin: self.location.origin, handlers }),
  }),
);
const page = serveEngine(port, engine);
self.addEventListener('unhandledrejection', ({ reason }) => page.thrown(reason));
