// Typed calls over a MessagePort: one promise a call, and notices the other way. Thirty lines
// instead of a proxy library, because both ends and the contract are ours.
import type { EngineApi, EngineNotice } from './messages.ts';

interface Call {
  readonly id: number;
  readonly method: keyof EngineApi;
  readonly args: readonly unknown[];
}
type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly notice: EngineNotice };

/** A worker, or a MessagePort in tests. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** The page's end. A call rejects only on a bug in the engine. */
export function connectEngine(port: Port, onNotice: (notice: EngineNotice) => void): EngineApi {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let nextId = 1;
  port.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    if ('notice' in data) return onNotice(data.notice);
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) call?.reject(new Error(data.error));
    else call?.resolve(data.value);
  });
  return new Proxy({} as EngineApi, {
    get:
      (_, method: keyof EngineApi) =>
      (...args: readonly unknown[]) =>
        new Promise((resolve, reject) => {
          const call: Call = { id: nextId++, method, args };
          waiting.set(call.id, { resolve, reject });
          port.postMessage(call);
        }),
  });
}

/** The worker's end. Returns the way to send notices. */
export function serveEngine(port: Port, api: EngineApi): (notice: EngineNotice) => void {
  const methods = api as unknown as Record<
    string,
    (...args: readonly unknown[]) => Promise<unknown>
  >;
  port.addEventListener('message', ({ data }: MessageEvent<Call>) => {
    const { id, method, args } = data;
    Promise.resolve(methods[method]?.apply(api, [...args]))
      .then((value) => port.postMessage({ id, value } satisfies Reply))
      // Also where the value cannot be told: nested too deep to be copied.
      .catch((error: unknown) => port.postMessage({ id, error: String(error) } satisfies Reply));
  });
  return (notice) => port.postMessage({ notice } satisfies Reply);
}
