// Says what the agent said, when it is due: after the client's frame that it came after in the
// recording, in the recorded order, as fast as wished.
import { known } from '../../lib/time.ts';
import type { Timers } from '../timers.ts';
import type { ReplaySpeed } from './strictness.ts';
import type { Recorded, RecordedFrame } from './recorded.ts';

interface SpeakerOptions {
  readonly recorded: Recorded;
  readonly speed: ReplaySpeed;
  readonly timers: Timers;
  readonly say: (frame: RecordedFrame) => void;
}

/** What came after one frame of the client, being said. */
interface Part {
  readonly session: string | undefined;
  readonly frames: readonly RecordedFrame[];
  next: number;
  /** When the client's frame came, then and now. */
  readonly then: number;
  readonly now: number;
  callOff: (() => void) | undefined;
}

export class Speaker {
  readonly #options: SpeakerOptions;
  readonly #byCue = new Map<number | undefined, RecordedFrame[]>();
  readonly #parts = new Set<Part>();
  #speaking = false;
  /** Parts that may be said without waiting, in order. */
  readonly #ready: Part[] = [];

  constructor(options: SpeakerOptions) {
    this.#options = options;
    for (const frame of options.recorded.frames) {
      if (frame.from !== 'agent') continue;
      const same = this.#byCue.get(frame.cue);
      if (same) same.push(frame);
      else this.#byCue.set(frame.cue, [frame]);
    }
  }

  /** What is said before the client says anything. */
  begin(): void {
    this.#start(undefined, 0, undefined);
  }

  /** The client's frame came: what came after it is due. */
  cued({ place, at, session }: RecordedFrame): void {
    // Who is faster than the recorded client hears first what was said before.
    for (const part of this.#parts)
      if (part.session === session || session === undefined) this.#hurry(part);
    this.#start(place, at, session);
  }

  /** Everything that is due is said now. */
  finish(): void {
    for (const part of this.#parts) this.#hurry(part);
  }

  #start(cue: number | undefined, then: number, session: string | undefined): void {
    const frames = this.#byCue.get(cue) ?? [];
    if (frames.length === 0) return;
    const now = this.#options.timers.now();
    const part: Part = { session, frames, next: 0, then, now, callOff: undefined };
    this.#parts.add(part);
    if (this.#options.speed === 'max') this.#hurry(part);
    else this.#await(part, this.#options.speed);
  }

  #await(part: Part, speed: number): void {
    const frame = part.frames[part.next];
    if (!frame) return void this.#parts.delete(part);
    const due = part.now + (known(frame.at - part.then) ?? 0) / speed;
    const { timers } = this.#options;
    part.callOff = timers.later(Math.max(0, due - timers.now()), () => {
      part.callOff = undefined;
      part.next++;
      this.#options.say(frame);
      if (this.#parts.has(part) && part.callOff === undefined) this.#await(part, speed);
    });
  }

  #hurry(part: Part): void {
    part.callOff?.();
    part.callOff = undefined;
    if (!this.#ready.includes(part)) this.#ready.push(part);
    this.#speak();
  }

  /** A client in the same process may answer while it is spoken to: its turn comes after. */
  #speak(): void {
    if (this.#speaking) return;
    this.#speaking = true;
    try {
      for (let part = this.#ready[0]; part; part = this.#ready[0]) {
        const frame = part.frames[part.next++];
        if (frame) this.#options.say(frame);
        else {
          this.#ready.shift();
          this.#parts.delete(part);
        }
      }
    } finally {
      this.#speaking = false;
    }
  }
}
