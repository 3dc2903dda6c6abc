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
  addEventListener: (type: string, listener: (event: never) => void) =>
    self.addEventListener(type, listener as EventListener),
};

const engine: { readonly api: Promise<EngineApi> } = {
  api: Promise.resolve().then(() =>
    startEngine({
      tell: (notice) => page.notice(notice),
      openStore,
      patterns: new WorkerPatterns(() => ownWorker(patternWorkerUrl, 'patterns')),
      makeLink: (handlers) => new LinkClient({ origin: self.location.origin, handlers }),
    }),
  ),
};
const page = serveEngine(port, whenReady(engine.api));
self.addEventListener('unhandledrejection', ({ reason }) => page.thrown(reason));

function whenReady(api: Promise<EngineApi>): EngineApi {
  return new Proxy({} as EngineApi, {
    get:
      (_, method: keyof EngineApi) =>
      async (...args: readonly unknown[]) => {
        const made = await api;
        const call = made[method] as
          ((...args: readonly unknown[]) => Promise<unknown>) | undefined;
        if (!call) throw new Error('the worker knows no such call');
        return call.apply(made, [...args]);
      },
  });
}
