// Patterns for the page: looked for in a worker of their own, one after the other. One that takes too
// long, or that nobody waits for any more, is ended together with the worker; the next gets another.
import type { PatternAnswer, PatternAsk, Patterns } from '../../model/query/patterns.ts';

/** `at`: where the worker writes the text it looks at; undefined where memory cannot be shared. */
export type PatternTask = PatternAsk & { readonly at: Int32Array | undefined };
export type PatternReport = PatternAnswer | { readonly kind: 'ready' };

/** What is needed of a `Worker`. */
export interface PatternWorker {
  postMessage(task: PatternTask, transfer: Transferable[]): void;
  addEventListener(
    type: 'message',
    listener: (event: { readonly data: PatternReport }) => void,
  ): void;
  addEventListener(type: 'error', listener: () => void): void;
  terminate(): void;
}

/** Beside what a pattern may take: reading the lines, and a machine that is busy with other work. */
const GRACE = 500;
const NOT_LOADED =
  'The part of the page that looks for patterns cannot be loaded. Search for plain text, or reload the page: what is recorded stays.';
const BROKEN =
  'The part of the page that looks for patterns has failed. Search for plain text, or for a simpler pattern.';

export class WorkerPatterns implements Patterns {
  readonly #start: () => PatternWorker;
  #running: Running | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(start: () => PatternWorker) {
    this.#start = start;
  }

  find(ask: PatternAsk, signal?: AbortSignal): Promise<PatternAnswer> {
    const answer = this.#last.then(() => this.#find(ask, signal));
    this.#last = answer;
    return answer;
  }

  async #find(ask: PatternAsk, signal: AbortSignal | undefined): Promise<PatternAnswer> {
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
  readonly #worker: PatternWorker;
  readonly #at =
    typeof SharedArrayBuffer === 'undefined' ? undefined : new Int32Array(new SharedArrayBuffer(4));
  #isReady = false;
  #send: (() => void) | undefined;
  #settle: (answer: PatternAnswer) => void = () => undefined;
  isOver = false;

  constructor(worker: PatternWorker) {
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

  async find(ask: PatternAsk, signal: AbortSignal | undefined): Promise<PatternAnswer> {
    const callOff = () => this.#end({ kind: 'aborted' });
    signal?.addEventListener('abort', callOff);
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Loading the worker is nothing that the pattern takes.
    this.#send = () => {
      const took = Math.max(0, ask.most) + GRACE;
      const stopped = (): PatternAnswer => ({
        ...{ kind: 'stopped', at: this.#at && Atomics.load(this.#at, 0), took },
      });
      timer = setTimeout(() => this.#end(stopped()), took);
      this.#worker.postMessage({ ...ask, at: this.#at }, bytesOf(ask));
    };
    const answered = new Promise<PatternAnswer>((resolve) => (this.#settle = resolve));
    if (this.#isReady) this.#send();
    const answer = await answered;
    clearTimeout(timer);
    signal?.removeEventListener('abort', callOff);
    return answer;
  }

  #end(answer: PatternAnswer): void {
    this.isOver = true;
    this.#worker.terminate();
    this.#settle(answer);
  }
}

function bytesOf({ texts }: PatternAsk): Transferable[] {
  return 'lines' in texts ? [texts.lines.buffer] : [];
}
