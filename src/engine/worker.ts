// The worker's entry: the engine at one end of its port. Calls that come while the database is
// being opened wait for it.
import { LinkClient } from '../link/client.ts';
import { openStore } from '../storage/open-store.ts';
import { startEngine } from './engine.ts';
import { ownWorker } from './own-worker.ts';
import patternWorkerUrl from './patterns/pattern-worker.ts?worker&url';
import type { EngineApi } from './messages.ts';
import { serveEngine, type Port } from './rpc.ts';
import { WorkerPatterns } from './patterns/worker-patterns.ts';

const port: Port = {
  postMessage: (message) => self.postMessage(message),
  addEventListener: (type, listener) => self.addEventListener(type, listener),
};

const engine: { readonly api: Promise<EngineApi> } = {
  api: Promise.resolve().then(() =>
    startEngine({
      tell,
      openStore,
      patterns: new WorkerPatterns(() => ownWorker(patternWorkerUrl, 'patterns')),
      makeLink: (handlers) => new LinkClient({ origin: self.location.origin, handlers }),
    }),
  ),
};
const tell = serveEngine(port, whenReady(engine.api));

function whenReady(api: Promise<EngineApi>): EngineApi {
  return new Proxy({} as EngineApi, {
    get:
      (_, method: keyof EngineApi) =>
      async (...args: readonly unknown[]) => {
        const call = (await api)[method] as (...args: readonly unknown[]) => Promise<unknown>;
        return call(...args);
      },
  });
}
