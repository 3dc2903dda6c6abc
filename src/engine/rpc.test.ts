import { afterEach, expect, test } from 'vitest';
import type { SomeCalls } from '../test/programs/running-app.ts';
import type { EngineApi } from './api.ts';
import { CallFailed, connectEngine, serveEngine, type RpcPort, type WorkerFault } from './rpc.ts';

let close: () => void = () => undefined;
afterEach(() => close());

/** A page and its worker, at the two ends of a channel; `fail` tells of the worker what a browser does. */
function joined(api: SomeCalls, { starts = true } = {}) {
  const { port1, port2 } = new MessageChannel();
  close = () => port1.close();
  let fail: (message: string) => void = () => undefined;
  const portOf = (port: MessagePort): RpcPort => ({
    postMessage: (message) => port.postMessage(message),
    addEventListener(type: string, listener: (event: never) => void) {
      if (type === 'error')
        fail = (message) => listener(Object.assign(new Event('error'), { message }) as never);
      else {
        port.addEventListener(type, listener as unknown as EventListener);
        port.start();
      }
    },
  });
  const faults: WorkerFault[] = [];
  const page = connectEngine(portOf(port1), {
    notice: () => undefined,
    fault: (fault) => faults.push(fault),
  });
  const told = fail;
  const worker = starts ? serveEngine(portOf(port2), Promise.resolve(api as EngineApi)) : undefined;
  return { page, worker, faults, fail: told };
}

test('a call is answered by the method of its name, with its arguments', async () => {
  const { page, faults } = joined({ library: { draft: (key) => Promise.resolve(`${key}!`) } });
  expect(await page.library.draft('a')).toBe('a!');
  expect(faults).toEqual([]);
});

test('a call that throws rejects with its name and the words of the error, and others go on', async () => {
  const { page } = joined({
    library: { draft: () => Promise.reject(new Error('the disk is gone')) },
    connections: { nextId: () => Promise.resolve('7') },
  });
  const failed = page.library.draft('a');
  await expect(failed).rejects.toThrow('library.draft: Error: the disk is gone');
  await expect(failed).rejects.toBeInstanceOf(CallFailed);
  expect(await page.connections.nextId('c' as never)).toBe('7');
});

test('a call the worker does not know rejects, and an answer that cannot be told too', async () => {
  const { page } = joined({
    library: { draft: () => Promise.resolve((() => undefined) as never) },
  });
  await expect(page.library.sent()).rejects.toThrow(
    'library.sent: Error: the worker knows no such call',
  );
  await expect(page.library.draft('a')).rejects.toThrow(/^library.draft: .*could not be cloned/);
});

test('a worker that does not start rejects what waits and what comes later', async () => {
  const { page, faults, fail } = joined({}, { starts: false });
  const waiting = page.library.draft('a');
  fail('');
  await expect(waiting).rejects.toThrow('its script could not be loaded');
  await expect(page.library.sent()).rejects.toThrow('its script could not be loaded');
  expect(faults).toEqual([{ kind: 'unstarted', message: 'its script could not be loaded' }]);
});

test('what is thrown in a worker that runs is told, and it goes on', async () => {
  const { page, worker, faults, fail } = joined({
    connections: { nextId: () => Promise.resolve('7') },
  });
  expect(await page.connections.nextId('c' as never)).toBe('7');
  fail('Uncaught Error: of a timer');
  worker?.thrown(new Error('of a promise'));
  expect(await page.connections.nextId('c' as never)).toBe('7');
  expect(faults).toEqual([
    { kind: 'thrown', message: 'Uncaught Error: of a timer' },
    { kind: 'thrown', message: 'Error: of a promise' },
  ]);
});
