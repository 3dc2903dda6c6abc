// What is told to those who do not see the page, of the trace looked at: politely and in sum what has
// come, and at once that the agent waits for an answer. Rows are never read out.
import { count } from '../lib/format.ts';
import { MARK_SEVERITIES, type MarkSeverity } from '../model/timeline/finding-marks.ts';
import type { App } from './app.svelte.ts';

/** Milliseconds between two messages, and what is waited for more to come with the first. */
const EVERY = 5000;
const FIRST = 500;
/** An ask that is answered sooner, by a rule of the client, is none to hear of. */
const ASK_AFTER = 500;

interface Heard {
  readonly connection: string | undefined;
  readonly frames: number;
  readonly found: Readonly<Record<MarkSeverity, number>>;
}

const NOTHING = { error: 0, warning: 0, hint: 0 };

export class Announcer {
  readonly #app: App;
  /** `37 new frames, 1 error` */
  polite = $state.raw('');
  /** Empty: the agent waits for nothing. */
  urgent = $state.raw('');
  #told: Heard = { connection: undefined, frames: 0, found: NOTHING };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toldAt = -Infinity;

  constructor(app: App) {
    this.#app = app;
  }

  /** Call from an effect. */
  watch(): void {
    const now = this.#now();
    if (now.connection !== this.#told.connection) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      // What is there when a trace comes on screen is no news; what is found in it is.
      this.#told = { ...now, found: NOTHING };
      this.polite = '';
    }
    if (this.#timer !== undefined || wordsOf(this.#told, now) === '') return;
    const wait = Math.max(FIRST, this.#toldAt + EVERY - Date.now());
    this.#timer = setTimeout(() => this.#say(), wait);
  }

  /** Call from an effect; what it gives ends the wait. */
  watchAsks(): (() => void) | undefined {
    const asked = this.#app.facts?.open.findLast(
      ({ from, options, elicitation }) => from === 'agent' && (options ?? elicitation),
    );
    if (asked === undefined || this.#app.current?.state !== 'running') {
      this.urgent = '';
      return undefined;
    }
    const what = asked.options ? 'permission' : 'an answer';
    const words = `The agent asks for ${what}: ${asked.summary}`;
    const timer = setTimeout(() => (this.urgent = words), ASK_AFTER);
    return () => clearTimeout(timer);
  }

  #say(): void {
    this.#timer = undefined;
    const now = this.#now();
    if (now.connection !== this.#told.connection) return;
    const words = wordsOf(this.#told, now);
    // Frames are read from storage anew after a reload: those known before are not new again.
    this.#told = { ...now, frames: Math.max(now.frames, this.#told.frames) };
    if (words === '') return;
    this.polite = words;
    this.#toldAt = Date.now();
  }

  #now(): Heard {
    const { current, findings, isGrowing } = this.#app;
    const { state } = findings;
    return {
      connection: current?.connection,
      // A file does not grow: it is read.
      frames: current && isGrowing ? current.frames : 0,
      found: state && (isGrowing || state.done) ? state.counts : this.#told.found,
    };
  }
}

function wordsOf(before: Heard, now: Heard): string {
  const frames = now.frames - before.frames;
  const found = MARK_SEVERITIES.flatMap((severity) => {
    const more = now.found[severity] - before.found[severity];
    return more > 0 ? count(more, severity) : [];
  });
  return [...(frames > 0 ? [count(frames, 'new frame')] : []), ...found].join(', ');
}
