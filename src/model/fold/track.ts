// The state of one session at every place of a trace. States share what they have in common, so one
// is kept every so many frames, and the state anywhere is a few frames from one that is kept.
import { leading } from '../../lib/list-window.ts';
import type { Message } from '../../acp/message.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { reduce } from './reduce.ts';
import type { ReplayFlags, SessionState } from './state.ts';

/** An event that may concern the session. */
export interface TrackedEvent extends ReplayFlags {
  readonly event: TraceEvent;
  readonly message: Message | undefined;
  /** Bytes of its line. */
  readonly size: number;
}

/** What is folded again at most for a state: frames, and bytes of their lines. */
const MOST_FRAMES = 512;
const MOST_BYTES = 256 * 1024;

/** A state, and the place of the first event that is not in it. */
interface Point {
  readonly next: number;
  readonly state: SessionState;
}

export class Track {
  readonly #most: number;
  readonly #kept: Point[];
  #now: Point;
  /** The state somebody looked at last: the next one is mostly near. */
  #looked: Point;
  #frames = 0;
  #bytes = 0;

  /** `most`: frames between two states that are kept. */
  constructor(start: SessionState, most = MOST_FRAMES) {
    this.#most = most;
    this.#now = this.#looked = { next: 0, state: start };
    this.#kept = [this.#now];
  }

  /** With every event taken so far. */
  get state(): SessionState {
    return this.#now.state;
  }

  /** The event at a place, behind those taken before. Events between may be left out. */
  take(place: number, step: TrackedEvent): void {
    this.#now = { next: place + 1, state: apply(this.#now.state, step) };
    this.#frames++;
    this.#bytes += step.size;
    if (this.#frames < this.#most && this.#bytes < MOST_BYTES) return;
    this.#kept.push(this.#now);
    this.#frames = this.#bytes = 0;
  }

  /**
   * The state with every event before `next`. `read` gives the event at a place again, or undefined
   * where it does not concern the session.
   */
  before(next: number, read: (place: number) => TrackedEvent | undefined): SessionState {
    if (next >= this.#now.next) return this.#now.state;
    const kept = this.#nearest(next);
    const isNearer = this.#looked.next <= next && this.#looked.next > kept.next;
    let { next: at, state } = isNearer ? this.#looked : kept;
    for (; at < next; at++) {
      const step = read(at);
      if (step) state = apply(state, step);
    }
    this.#looked = { next, state };
    return state;
  }

  #nearest(next: number): Point {
    const kept = leading(this.#kept.length, (at) => (this.#kept[at]?.next ?? 0) <= next);
    return this.#kept[kept - 1] ?? this.#now;
  }
}

function apply(state: SessionState, { event, message, replay, late }: TrackedEvent): SessionState {
  return reduce(state, event, message, { replay, late });
}
