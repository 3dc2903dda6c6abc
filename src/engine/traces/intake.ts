// Feeds bytes into traces in short slices, one trace after the other, so that a question of the
// page never waits behind a flood.
import type { TakenLine } from './open-trace.ts';

/** Milliseconds of work before other work gets its turn. */
const SLICE = 8;
/** Milliseconds that work behind the page rests while a person waits for other work. */
const REST = 50;

/** A trace, as far as the intake knows it. */
interface Taker {
  take(bytes: Uint8Array, offset: number, isTimeUp: () => boolean, onLine?: TakenLine): number;
}

interface Job {
  readonly bytes: Uint8Array;
  readonly onLine: TakenLine | undefined;
  offset: number;
  done(): void;
}

export class Intake<T extends Taker> {
  readonly #jobs = new Map<T, Job[]>();
  readonly #onGrown: (taker: T) => void;
  /** Lines wait to be taken. */
  isBusy = false;

  /** `onGrown` is called after each slice that fed the taker. */
  constructor(onGrown: (taker: T) => void) {
    this.#onGrown = onGrown;
  }

  /**
   * Resolves when every line of `bytes` is in. Calls for one taker keep their order. `onLine` is called for
   * each line.
   */
  add(taker: T, bytes: Uint8Array, onLine?: TakenLine): Promise<void> {
    return new Promise((resolve) => {
      const jobs = this.#jobs.get(taker);
      const job = { bytes, onLine, offset: 0, done: resolve };
      if (jobs) jobs.push(job);
      else this.#jobs.set(taker, [job]);
      if (!this.isBusy) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.isBusy = true;
    while (this.#jobs.size > 0) {
      for (const [taker, jobs] of this.#jobs) {
        this.#slice(taker, jobs);
        if (jobs.length === 0) this.#jobs.delete(taker);
        this.#onGrown(taker);
        await othersTurn();
      }
    }
    this.isBusy = false;
  }

  #slice(taker: T, jobs: Job[]): void {
    const end = performance.now() + SLICE;
    const isTimeUp = () => performance.now() >= end;
    do {
      const job = jobs[0];
      if (!job) return;
      job.offset = taker.take(job.bytes, job.offset, isTimeUp, job.onLine);
      if (job.offset >= job.bytes.length) {
        jobs.shift();
        job.done();
      }
    } while (!isTimeUp());
  }
}

const channel = typeof MessageChannel === 'undefined' ? undefined : new MessageChannel();
const waiting: (() => void)[] = [];
if (channel) channel.port1.onmessage = () => waiting.shift()?.();

/** Lets messages that wait be handled. Not a timer: those are slowed down in a background tab. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (!channel) return void setTimeout(resolve, 0);
    waiting.push(resolve);
    channel.port2.postMessage(undefined);
  });
}

let waitedFor = 0;

/** Work that a person waits for: what is done behind the page all but rests until it is over. */
export async function inFront<T>(work: () => Promise<T>): Promise<T> {
  waitedFor++;
  try {
    return await work();
  } finally {
    waitedFor--;
  }
}

/** A person waits for some work. */
export function isAwaited(): boolean {
  return waitedFor > 0;
}

/** The turn of others, for work behind the page: a long one while a person waits for theirs. */
export function othersLongTurn(): Promise<void> {
  return isAwaited() ? new Promise((resolve) => setTimeout(resolve, REST)) : othersTurn();
}
