import { expect, test } from 'vitest';
import type { FileStep } from './file-reading.ts';
import { WorkerReading, type ReadAsk, type ReadReport, type ReadWorker } from './worker-reading.ts';

type Failure = { readonly message?: string };

/** A worker that says what the test says. */
class FakeWorker implements ReadWorker {
  readonly asked: ReadAsk[] = [];
  isEnded = false;
  say: (report: ReadReport) => void = () => undefined;
  fail: (failure: Failure) => void = () => undefined;

  postMessage(ask: ReadAsk): void {
    this.asked.push(ask);
  }
  addEventListener(
    type: 'message' | 'error',
    listener: (event: { readonly data: ReadReport } & Failure) => void,
  ): void {
    if (type === 'message') this.say = (data) => listener({ data });
    else this.fail = (failure) => listener({ data: { kind: 'ready' }, ...failure });
  }
  terminate(): void {
    this.isEnded = true;
  }
}

const FILE = new File(['x'], 'a.log');
const DONE: FileStep = { kind: 'done', unterminated: false };
const LINES: FileStep = { kind: 'lines', bytes: new Uint8Array([0x78, 0x0a]) };

function reading(stop?: AbortSignal) {
  const worker = new FakeWorker();
  const steps = new WorkerReading(() => worker).read(FILE, stop, { process: 0 });
  return { worker, steps, next: async () => (await steps.next()).value as FileStep | undefined };
}

test('the steps of the worker come in order, lines are requested after the lines before, and the worker ends', async () => {
  const { worker, next } = reading();
  const first = next();
  worker.say({ kind: 'ready' });
  worker.say(LINES);
  worker.say(DONE);
  expect(await first).toBe(LINES);
  expect(worker.asked).toEqual([{ file: FILE, process: 0 }, 'next']);
  expect(await next()).toBe(DONE);
  expect(await next()).toBeUndefined();
  expect(worker.isEnded).toBe(true);
});

test('R-69 whoever cancels ends the worker, though it says nothing', async () => {
  const stop = new AbortController();
  const { worker, next } = reading(stop.signal);
  const first = next();
  worker.say({ kind: 'ready' });
  stop.abort();
  expect(await first).toBeUndefined();
  expect(worker.isEnded).toBe(true);
});

test.each([
  ['fails', true, 'has failed at `a.log` (no memory)'],
  ['cannot be loaded', false, 'cannot be loaded'],
])('R-46 a worker that %s is a sentence', async (_, isReady, words) => {
  const { worker, next } = reading();
  const first = next();
  if (isReady) worker.say({ kind: 'ready' });
  worker.fail({ message: 'no memory' });
  expect(await first).toMatchObject({ kind: 'refused', message: expect.stringContaining(words) });
  expect(await next()).toBeUndefined();
  expect(worker.isEnded).toBe(true);
});

test('R-46 a worker that cannot be started is a sentence', async () => {
  const refused = new WorkerReading(() => {
    throw new TypeError('not a worker of this page');
  });
  const { value } = await refused.read(FILE).next();
  expect(value).toMatchObject({ kind: 'refused', message: expect.stringContaining('reload') });
});
