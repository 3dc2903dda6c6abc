// Typed calls over a MessagePort: one promise a call, and notices the other way. By hand
// instead of a proxy library, because both ends and the contract are ours. A call is answered, or
// rejects with what went wrong: none waits for ever.
import type { EngineApi } from './api.ts';
import type { EngineNotice } from './messages.ts';

interface Call {
  readonly id: number;
  readonly feature: keyof EngineApi;
  readonly method: string;
  readonly args: readonly unknown[];
}
type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly notice: EngineNotice }
  /** It listens. */
  | { readonly begun: true }
  /** Thrown in the worker, of no call. */
  | { readonly thrown: string };

/** A worker, or a MessagePort in tests. `error`: its script did not load, or threw. */
export interface RpcPort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  addEventListener(type: 'error', listener: (event: Event) => void): void;
}

/** What became of the worker itself. */
export interface WorkerFault {
  /** `unstarted`: it answers no call, then and later. `thrown`: it goes on. */
  readonly kind: 'unstarted' | 'thrown';
  /** The browser's words. */
  readonly message: string;
}

interface Hearer {
  notice(notice: EngineNotice): void;
  fault(fault: WorkerFault): void;
}

/** A call that the worker could not answer. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
}

/** The page's end. A call rejects only on a bug in the engine, or where there is no worker. */
export function connectEngine(port: RpcPort, hearer: Hearer): EngineApi {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let nextId = 1;
  let begun = false;
  let dead: string | undefined;

  port.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    if ('notice' in data) return hearer.notice(data.notice);
    if ('thrown' in data) return hearer.fault({ kind: 'thrown', message: data.thrown });
    if ('begun' in data) return void (begun = true);
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) call?.reject(new CallFailed(data.error));
    else call?.resolve(data.value);
  });
  port.addEventListener('error', (event) => {
    const message =
      'message' in event && typeof event.message === 'string' && event.message !== ''
        ? event.message
        : 'its script could not be loaded';
    hearer.fault({ kind: begun ? 'thrown' : 'unstarted', message });
    if (begun) return;
    dead = message;
    for (const { reject } of waiting.values()) reject(new CallFailed(message));
    waiting.clear();
  });
  const callsOf = (feature: keyof EngineApi) =>
    new Proxy(
      {},
      {
        get:
          (_, method: string) =>
          (...args: readonly unknown[]) =>
            new Promise((resolve, reject) => {
              if (dead !== undefined) return reject(new CallFailed(dead));
              const call: Call = { id: nextId++, feature, method, args };
              waiting.set(call.id, { resolve, reject });
              port.postMessage(call);
            }),
      },
    );
  return new Proxy({} as EngineApi, { get: (_, feature: keyof EngineApi) => callsOf(feature) });
}

interface Served {
  notice(notice: EngineNotice): void;
  /** Tells the page what was thrown here, of no call. */
  thrown(error: unknown): void;
}

/** The worker's end. Calls that come before the engine is there wait for it. */
export function serveEngine(port: RpcPort, engine: Promise<EngineApi>): Served {
  const reply = (message: Reply) => port.postMessage(message);
  port.addEventListener('message', ({ data }: MessageEvent<Call>) => {
    const { id, feature, method, args } = data;
    engine
      .then((made): unknown => {
        const calls = made[feature];
        const known: unknown = Reflect.get(calls, method);
        if (typeof known !== 'function') throw new Error('the worker knows no such call');
        return Reflect.apply(known, calls, args);
      })
      .then((value) => reply({ id, value }))
      // Also where the value cannot be told: nested too deep to be copied.
      .catch((error: unknown) => reply({ id, error: `${feature}.${method}: ${String(error)}` }));
  });
  reply({ begun: true });
  return {
    notice: (notice) => reply({ notice }),
    thrown: (error) => reply({ thrown: String(error) }),
  };
}
