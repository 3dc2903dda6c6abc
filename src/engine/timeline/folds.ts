// What is folded from frames only when somebody looks: sessions, terminals, values that could be
// cursors. Each goes on from where it was, in slices, so that a long trace does not hold up others.
import type { Message } from '../../acp/message.ts';
import type { TerminalView } from '../../model/sessions/conversation-view.ts';
import { FLAG } from '../../model/columns.ts';
import { CandidateFold, type CursorCandidate } from '../../model/restore/cursor-candidates.ts';
import { saidBy } from '../../model/timeline/digest.ts';
import { StateLooks, type StateAsk, type StateView, runningTools } from '../../model/fold/look.ts';
import { frameContent, type FrameContent } from '../../model/fold/frame-words.ts';
import { Moments, type Moment, type PlayheadMove } from '../../model/fold/moments.ts';
import { Provenance, type TextOrigin } from '../../model/fold/patch.ts';
import { freshState, type SessionState } from '../../model/fold/state.ts';
import { Track, type TrackedEvent } from '../../model/fold/track.ts';
import { openRequestAt, waitingAt, type WaitingView } from '../../model/facts/waiting.ts';
import { TerminalsFold } from '../../model/facts/terminals.ts';
import type { Seq, TraceEvent } from '../../trace/event.ts';
import { othersTurn } from '../traces/intake.ts';
import type { OpenTrace } from '../traces/open-trace.ts';

const SLICE = 8;
/** Sessions whose running tools are told, the newest. */
const MOST_SESSIONS = 8;
/** Of events of others the time is looked at so seldom: of thousands of sessions each passes those of all. */
const UNWANTED = 256;
/** Events looked through for the frames of one text. */
const MOST_FOLLOWED = 100_000;

interface Session {
  readonly follower: Follower<Track>;
  readonly moments: Moments;
  readonly looks: StateLooks;
}

export class Folds {
  readonly #trace: OpenTrace;
  readonly #sessions = new Map<string, Session>();
  readonly #candidates = new Map<string, Follower<CandidateFold>>();
  #terminals: Follower<TerminalsFold> | undefined;

  constructor(trace: OpenTrace) {
    this.#trace = trace;
  }

  async conversation(sessionId: string, ask: StateAsk): Promise<StateView> {
    const session = this.#session(sessionId);
    const track = await session.follower.upToDate();
    if (ask.at === undefined) return session.looks.give(track.state, track.state, ask);
    const next = this.#trace.lines.after(ask.at);
    const read = this.#steps(sessionId);
    const before = track.before(next - 1, read);
    const state = track.before(next, read);
    return session.looks.give(state, track.state, ask, before);
  }

  /** Returns the content of a frame. A very long trace reads the frame alone, without the frames before the frame. */
  async frameContent(sessionId: string, at: Seq): Promise<FrameContent> {
    const { lines, index } = this.#trace;
    const next = lines.after(at);
    const read = this.#steps(sessionId);
    if (lines.length > MOST_FOLLOWED) {
      const alone = new Track(freshState(sessionId, index.version));
      const before = alone.state;
      const step = read(next - 1);
      if (step) alone.take(next - 1, step);
      return frameContent(before, alone.state, alone.state);
    }
    const track = await this.#session(sessionId).follower.upToDate();
    const before = track.before(next - 1, read);
    return frameContent(before, track.before(next, read), track.state);
  }

  /** With every event before this place of the trace. */
  async stateBefore(sessionId: string, next: number): Promise<SessionState> {
    const track = await this.#session(sessionId).follower.upToDate();
    return track.before(next, this.#steps(sessionId));
  }

  /** `at`: the last event that counts; absent: the live end. */
  async waiting(at: Seq | undefined): Promise<WaitingView> {
    const { index, lines } = this.#trace;
    const until = at === undefined ? lines.length : lines.after(at);
    const waiting = waitingAt(index, until);
    const tools: WaitingView['tools'][number][] = [];
    const sessions = index.facts().sessions.filter((session) => !session.listedOnly);
    for (const { sessionId, chip } of sessions.slice(-MOST_SESSIONS)) {
      const state = await this.stateBefore(sessionId, until);
      tools.push(...runningTools(state).map((tool) => ({ ...tool, session: chip })));
    }
    const requests = waiting.open.flatMap((place) =>
      openRequestAt(index, lines.event(place), place),
    );
    return { ...waiting, requests, tools };
  }

  /** Undefined: the session has no frames. */
  async moment(sessionId: string, walk: PlayheadMove): Promise<Moment | undefined> {
    const session = this.#session(sessionId);
    await session.follower.upToDate();
    return session.moments.find(walk);
  }

  /** Which frame brought which part of the text of an item, told by its first and last frame. */
  async provenance(
    sessionId: string,
    key: string,
    first: Seq,
    last: Seq,
  ): Promise<readonly TextOrigin[]> {
    const { lines } = this.#trace;
    const track = await this.#session(sessionId).follower.upToDate();
    const provenance = new Provenance(key);
    const from = lines.after(first - 1);
    const to = Math.min(lines.after(last), from + MOST_FOLLOWED);
    const [read, concerns] = [this.#steps(sessionId), this.#concerns(sessionId)];
    let end = performance.now() + SLICE;
    for (let at = from; at < to; at++) {
      if (!concerns(at)) continue;
      const before = track.before(at, read);
      provenance.see(before, track.before(at + 1, read), this.#trace.index.columns.seqOf(at));
      if (performance.now() < end) continue;
      await othersTurn();
      end = performance.now() + SLICE;
    }
    return provenance.spans();
  }

  /** Latest first. `sent`: letters of the cursors sent on any connection, by value. */
  async candidates(
    sessionId: string,
    sent: ReadonlyMap<string, string>,
  ): Promise<readonly CursorCandidate[]> {
    const follower = this.#candidates.get(sessionId) ?? this.#seek(sessionId);
    this.#candidates.set(sessionId, follower);
    const fold = await follower.upToDate();
    const session = this.#trace.index.facts().sessions.find((one) => one.sessionId === sessionId);
    return fold.list(session?.chip ?? '', sent);
  }

  async terminals(): Promise<readonly TerminalView[]> {
    this.#terminals ??= new Follower(
      this.#trace,
      new TerminalsFold(),
      () => true,
      (fold, event, message) => {
        if (event.type === 'frame' && message) fold.append(event, message);
      },
    );
    return (await this.#terminals.upToDate()).views();
  }

  #session(sessionId: string): Session {
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const moments = new Moments(this.#trace.index.columns);
    const follower = new Follower(
      this.#trace,
      new Track(freshState(sessionId, this.#trace.index.version)),
      this.#concerns(sessionId),
      (track, event, message, at) => {
        track.take(at, this.#stepOf(event, message, at));
        if (this.#trace.index.session(at)) moments.push(at);
      },
    );
    const session: Session = { follower, moments, looks: new StateLooks() };
    this.#sessions.set(sessionId, session);
    return session;
  }

  #steps(sessionId: string): (at: number) => TrackedEvent | undefined {
    const concerns = this.#concerns(sessionId);
    return (at) => {
      if (!concerns(at)) return undefined;
      const event = this.#trace.lines.read(at);
      return this.#stepOf(event, saidBy(event), at);
    };
  }

  #stepOf(event: TraceEvent, message: Message | undefined, at: number): TrackedEvent {
    const { columns } = this.#trace.index;
    const [replay, late] = [columns.has(at, FLAG.replay), columns.has(at, FLAG.late)];
    return { event, message, replay, late, size: columns.size.get(at) };
  }

  #seek(sessionId: string): Follower<CandidateFold> {
    return new Follower(
      this.#trace,
      new CandidateFold(sessionId),
      this.#concerns(sessionId),
      (fold, event, message) => {
        if (event.type === 'frame' && message) fold.append(event, message);
      },
    );
  }

  /** Of this session, or of none that the index knows: by number, as each of thousands passes the events of all. */
  #concerns(sessionId: string): (at: number) => boolean {
    const { index } = this.#trace;
    const { session } = index.columns;
    let own: number | undefined;
    return (at) => {
      const of = session.get(at);
      if (of === 0) return true;
      own ??= index.sessionNamed(sessionId)?.index;
      return of - 1 === own;
    };
  }
}

/** A fold of a trace that goes on from where it was, in slices. */
export class Follower<F> {
  readonly #trace: OpenTrace;
  readonly #fold: F;
  readonly #wants: (index: number) => boolean;
  readonly #feed: (fold: F, event: TraceEvent, message: Message | undefined, at: number) => void;
  #next = 0;
  #work: Promise<unknown> = Promise.resolve();

  constructor(
    trace: OpenTrace,
    fold: F,
    wants: (index: number) => boolean,
    feed: (fold: F, event: TraceEvent, message: Message | undefined, at: number) => void,
  ) {
    this.#trace = trace;
    this.#fold = fold;
    this.#wants = wants;
    this.#feed = feed;
  }

  /** The fold with every event there was when asked. */
  upToDate(): Promise<F> {
    const work = this.#work.then(() => this.#go(this.#trace.lines.length));
    this.#work = work;
    return work;
  }

  async #go(to: number): Promise<F> {
    for (let end = performance.now() + SLICE; this.#next < to; this.#next++) {
      const at = this.#next;
      if (this.#wants(at)) {
        const event = this.#trace.lines.read(at);
        const message = saidBy(event);
        this.#feed(this.#fold, event, message, at);
      } else if (at % UNWANTED !== 0) continue;
      if (performance.now() < end) continue;
      await othersTurn();
      end = performance.now() + SLICE;
    }
    return this.#fold;
  }
}
