// How far the frames are behind what the relay had when it was asked: until then they are past.
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { OpenTrace } from './open-trace.ts';

interface Waiting {
  readonly target: Seq;
  readonly events: number;
  readonly holes: number;
}

export class CatchUp {
  readonly #waiting = new Map<ConnectionId, Waiting>();
  #frames = 0;
  #missing = 0;

  /** `target`: the newest event the relay has now. */
  wait(trace: OpenTrace, target: Seq): void {
    const { connection, index, missing } = trace;
    this.#waiting.set(connection, { target, events: index.length, holes: missing });
  }

  /** True once for each trace: the past is known. */
  reached(trace: OpenTrace): boolean {
    const waiting = this.#waiting.get(trace.connection);
    if (!waiting || trace.last < waiting.target) return false;
    this.#waiting.delete(trace.connection);
    this.#frames += trace.index.length - waiting.events;
    this.#missing += trace.missing - waiting.holes;
    return true;
  }

  /** All have caught up: events that came, and those that could not. */
  result(): { readonly frames: number; readonly missing: number } | undefined {
    if (this.#waiting.size > 0) return undefined;
    return { frames: this.#frames, missing: this.#missing };
  }

  clear(): void {
    this.#waiting.clear();
    this.#frames = 0;
    this.#missing = 0;
  }
}
