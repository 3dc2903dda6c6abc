// Moving the playhead through the frames of a session: by frame, by item, by time, and by itself. It
// sends nothing. At the live end there is no playhead.
import { known, NO_TIME } from '../../lib/time.ts';
import type { Moment, PlayheadMove } from '../../model/fold/moments.ts';
import type { Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';

export const SPEEDS = [1, 2, 4, 8, 'max'] as const;
type PlaybackSpeed = (typeof SPEEDS)[number];

/** A frame of a trace without times stands so long. */
const UNTIMED_MS = 200;
/** Silence longer than this is passed over. */
const LONGEST_WAIT = 2000;
/** Findings looked at for one of the session. */
const MOST_FINDINGS = 500;
/** At `max` the whole session goes by in so many pictures. */
const PICTURES = 300;

export class Playback {
  readonly #app: App;
  readonly #nextPicture: (run: (now: number) => void) => void;
  /** Where the playhead is; undefined: at the live end. */
  moment = $state.raw<Moment | undefined>();
  playing = $state(false);
  /** Counts runs, so that one that was stopped finds out. */
  #run = 0;
  #seeking = 0;
  /** Counts returns to the live end, so that a walk on its way leads nobody away from there. */
  #returns = 0;
  #work: Promise<void> = Promise.resolve();
  speed = $state<PlaybackSpeed>(1);

  constructor(app: App, nextPicture: (run: (now: number) => void) => void = requestAnimationFrame) {
    this.#app = app;
    this.#nextPicture = nextPicture;
  }

  /** Call when the playhead was moved from elsewhere, or the session is another. */
  async sync(): Promise<void> {
    const { playhead } = this.#app;
    if (playhead === this.moment?.seq) return;
    if (playhead === undefined) this.toLive();
    else await this.seek(playhead);
  }

  /** To the last frame of the session that is not after this one. */
  async seek(seq: Seq): Promise<void> {
    this.pause();
    await this.#go(() => ({ to: 'seq', seq }));
  }

  async seekTime(at: number): Promise<void> {
    this.pause();
    const seeking = ++this.#seeking;
    // Only the last place of a scrubbing is gone to.
    await this.#work;
    if (seeking === this.#seeking) await this.#go(() => ({ to: 'time', at }));
  }

  async step(by: number): Promise<void> {
    this.pause();
    await this.#go(() => ({ to: 'frame', ...this.#from(), by }));
  }

  async stepItem(by: 1 | -1): Promise<void> {
    this.pause();
    await this.#go(() => ({ to: 'item', ...this.#from(), by }));
  }

  /** To the next frame of the session with a finding; it stays where it is if there is none. */
  async stepFinding(by: 1 | -1): Promise<void> {
    this.pause();
    const { current, session, engine } = this.#app;
    if (!current || !session) return;
    let from: Seq = this.moment?.seq ?? session.last;
    // Findings of other sessions are passed over.
    for (let tries = 0; tries < MOST_FINDINGS; tries++) {
      const next: Seq | undefined = await engine.findings.next(current.connection, from, by);
      if (next === undefined) break;
      const walk: PlayheadMove = { to: 'seq', seq: next };
      const moment = await engine.sessions.moment(current.connection, session.sessionId, walk);
      if (moment?.seq === next) return this.seek(next);
      from = next;
    }
    this.#app.tell('info', `No finding in this session ${by > 0 ? 'after' : 'before'} this frame.`);
  }

  toLive(): void {
    this.pause();
    this.#returns++;
    this.moment = undefined;
    this.#app.playhead = undefined;
  }

  pause(): void {
    this.#run++;
    this.playing = false;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else void this.play();
  }

  /** From the playhead on; from the first frame if that is at the end. */
  async play(): Promise<void> {
    this.pause();
    const run = this.#run;
    this.playing = true;
    if (this.moment?.next === undefined) await this.#go(() => ({ to: 'time', at: -Infinity }));
    let before = await this.#picture();
    let time = known(this.moment?.at ?? NO_TIME) ?? 0;
    let arrived = time;
    while (run === this.#run && this.moment?.next !== undefined) {
      const now = await this.#picture();
      if (run !== this.#run) return;
      const { next, seq, of }: Moment = this.moment;
      if (next === undefined) break;
      if (this.speed === 'max') {
        await this.#go(() => ({ to: 'frame', from: seq, by: Math.ceil(of / PICTURES) }));
      } else {
        time += (now - before) * this.speed;
        const due = known(next) ?? arrived + UNTIMED_MS;
        if (due - time > LONGEST_WAIT) time = due;
        // Times of a file may run backwards: then it goes on frame by frame.
        if (time >= due) {
          const at = time;
          if (due === next) await this.#go(() => ({ to: 'time', at }));
          if (this.moment.seq <= seq) await this.#go(() => ({ to: 'frame', from: seq, by: 1 }));
          arrived = time = Math.max(time, known(this.moment.at) ?? time);
        }
      }
      before = now;
    }
    if (run === this.#run) this.pause();
  }

  #picture(): Promise<number> {
    return new Promise((resolve) => this.#nextPicture(resolve));
  }

  #from(): { readonly from?: Seq } {
    return this.moment ? { from: this.moment.seq } : {};
  }

  /** One walk after the other: steps asked for at once are as many steps. */
  #go(walk: () => PlayheadMove): Promise<void> {
    const returns = this.#returns;
    this.#work = this.#work.then(() => this.#walk(walk, returns));
    return this.#work;
  }

  async #walk(walk: () => PlayheadMove, returns: number): Promise<void> {
    const { current, session, engine } = this.#app;
    if (!current || !session || returns !== this.#returns) return;
    const moment = await engine.sessions.moment(current.connection, session.sessionId, walk());
    if (!moment || this.#app.session?.sessionId !== session.sessionId) return;
    if (returns !== this.#returns) return;
    this.moment = moment;
    this.#app.playhead = moment.seq;
  }
}
