// Finder for the page: looked for in a worker of their own, one after the other. One that takes too
// long, or that nobody waits for any more, is ended together with the worker; the next gets another.
import type { FindAnswer, FindAsk, Finder } from '../../model/query/find.ts';

/** `at`: where the worker writes the text it looks at; undefined where memory cannot be shared. */
export type FindTask = FindAsk & { readonly at: Int32Array | undefined };
export type FindReport = FindAnswer | { readonly kind: 'ready' };

/** What is needed of a `Worker`. */
export interface FindWorker {
  postMessage(task: FindTask, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: { readonly data: FindReport }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  terminate(): void;
}

/** Beside what a pattern may take: reading the lines, and a machine that is busy with other work. */
const GRACE = 500;
const NOT_LOADED =
  'The part of the page that searches lines cannot be loaded. Try again, or reload the page: what is recorded stays.';
const BROKEN = 'The part of the page that searches lines has failed. Search for something simpler.';

export class WorkerFinder implements Finder {
  readonly #start: () => FindWorker;
  #running: Running | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(start: () => FindWorker) {
    this.#start = start;
  }

  find(ask: FindAsk, signal?: AbortSignal): Promise<FindAnswer> {
    const answer = this.#last.then(() => this.#find(ask, signal));
    this.#last = answer;
    return answer;
  }

  async #find(ask: FindAsk, signal: AbortSignal | undefined): Promise<FindAnswer> {
    if (signal?.aborted) return { kind: 'aborted' };
    try {
      const running = (this.#running ??= new Running(this.#start()));
      const answer = await running.find(ask, signal);
      if (running.isOver) this.#running = undefined;
      return answer;
    } catch {
      return { kind: 'failed', message: NOT_LOADED };
    }
  }
}

/** One worker, from its start to its end. */
class Running {
  readonly #worker: FindWorker;
  readonly #at =
    typeof SharedArrayBuffer === 'undefined' ? undefined : new Int32Array(new SharedArrayBuffer(4));
  #isReady = false;
  #send: (() => void) | undefined;
  #settle: (answer: FindAnswer) => void = () => undefined;
  isOver = false;

  constructor(worker: FindWorker) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }) => {
      if (data.kind !== 'ready') return this.#settle(data);
      this.#isReady = true;
      this.#send?.();
    });
    worker.addEventListener('error', () =>
      this.#end({ kind: 'failed', message: this.#isReady ? BROKEN : NOT_LOADED }),
    );
  }

  async find(ask: FindAsk, signal: AbortSignal | undefined): Promise<FindAnswer> {
    const callOff = () => this.#end({ kind: 'aborted' });
    signal?.addEventListener('abort', callOff);
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Loading the worker is nothing that the pattern takes.
    this.#send = () => {
      const took = Math.max(0, ask.most) + GRACE;
      const stopped = (): FindAnswer => ({
        ...{ kind: 'stopped', at: this.#at && Atomics.load(this.#at, 0) },
        ...{ found: new Uint8Array(), took },
      });
      timer = setTimeout(() => this.#end(stopped()), took);
      this.#worker.postMessage({ ...ask, at: this.#at }, bytesOf(ask));
    };
    const answered = new Promise<FindAnswer>((resolve) => (this.#settle = resolve));
    if (this.#isReady) this.#send();
    const answer = await answered;
    clearTimeout(timer);
    signal?.removeEventListener('abort', callOff);
    return answer;
  }

  #end(answer: FindAnswer): void {
    this.isOver = true;
    this.#worker.terminate();
    this.#settle(answer);
  }
}

function bytesOf({ texts }: FindAsk): Transferable[] {
  return 'ends' in texts ? [texts.bytes.buffer, texts.ends.buffer, texts.look.buffer] : [];
}
