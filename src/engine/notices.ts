// Notices to the page: of one kind at most one per interval, and the newest only. What is told is
// made when it is sent, so a flood of changes costs one look at the facts.
import type { EngineNotice } from './messages.ts';

/** Milliseconds between two of a kind: an animation frame, and what the eye can follow. */
const EVERY = {
  timeline: 16,
  link: 16,
  traces: 100,
  storage: 250,
  findings: 250,
  run: 100,
  importing: 100,
} as const;

type Kind = keyof typeof EVERY;

export class Notices {
  readonly #send: (notice: EngineNotice) => void;
  readonly #due = new Map<Kind, () => EngineNotice | undefined>();
  readonly #resting = new Set<Kind>();

  constructor(send: (notice: EngineNotice) => void) {
    this.#send = send;
  }

  /** At once. */
  tell(notice: EngineNotice): void {
    this.#send(notice);
  }

  /** A line for the person. */
  news(tone: 'info' | 'warn' | 'error', text: string): void {
    this.tell({ type: 'news', tone, text });
  }

  /** As soon as the kind's interval allows; a later call of the kind takes its place. */
  soon(kind: Kind, make: () => EngineNotice | undefined): void {
    this.#due.set(kind, make);
    if (!this.#resting.has(kind)) this.#rest(kind, 0);
  }

  #rest(kind: Kind, time: number): void {
    this.#resting.add(kind);
    setTimeout(() => {
      const make = this.#due.get(kind);
      if (!make) return void this.#resting.delete(kind);
      this.#due.delete(kind);
      const notice = make();
      if (notice) this.#send(notice);
      this.#rest(kind, EVERY[kind]);
    }, time);
  }
}
