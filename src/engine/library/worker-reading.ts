// Reads files in a worker of their own, one after the other. Whoever cancels ends the worker: it may be busy inside one
// line. The next file gets another.
import type { FileStep, ReadHow } from './file-reading.ts';

/** A file to read; or a request for the lines after those that came. */
export type ReadAsk = ({ readonly file: File } & ReadHow) | 'next';
export type ReadReport = FileStep | { readonly kind: 'ready' };

/** The part of a `Worker` that is used. */
export interface ReadWorker {
  postMessage(ask: ReadAsk): void;
  addEventListener(type: 'message', listener: (event: { readonly data: ReadReport }) => void): void;
  addEventListener(type: 'error', listener: (event: { readonly message?: string }) => void): void;
  terminate(): void;
}

const NOT_LOADED =
  'The part of the page that reads files cannot be loaded. Try again, or reload the page: what is recorded stays.';

export class WorkerReading {
  readonly #start: () => ReadWorker;

  constructor(start: () => ReadWorker) {
    this.#start = start;
  }

  /** Ends early once `stop` aborts. An error is a refusal. */
  async *read(file: File, stop?: AbortSignal, how: ReadHow = {}): AsyncGenerator<FileStep> {
    let worker: ReadWorker;
    try {
      worker = this.#start();
    } catch {
      return yield { kind: 'refused', message: NOT_LOADED };
    }
    const steps: FileStep[] = [];
    let wake: () => void = () => undefined;
    let isReady = false;
    worker.addEventListener('message', ({ data }) => {
      if (data.kind === 'ready') isReady = true;
      else steps.push(data);
      wake();
    });
    worker.addEventListener('error', ({ message = '' }) => {
      const why = message === '' ? '' : ` (${message})`;
      const broken = `The part of the page that reads files has failed at \`${file.name}\`${why}. What is recorded stays. Please report it, if you can with the file.`;
      steps.push({ kind: 'refused', message: isReady ? broken : NOT_LOADED });
      wake();
    });
    const callOff = () => wake();
    stop?.addEventListener('abort', callOff);
    try {
      worker.postMessage({ file, ...how });
      while (!stop?.aborted) {
        const step = steps.shift();
        if (!step) await new Promise<void>((resolve) => (wake = resolve));
        else {
          if (step.kind === 'lines') worker.postMessage('next');
          yield step;
          if (step.kind === 'done' || step.kind === 'refused') return;
        }
      }
    } finally {
      stop?.removeEventListener('abort', callOff);
      worker.terminate();
    }
  }
}
