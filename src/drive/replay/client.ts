// The recorded client, sent to a live agent: its frames in their order, each when what it waited
// for then has come now, under the ids and in the folder of now. What the agent asks is answered
// as it was then. The record says of every line that it is a rerun.
import { str } from '../../acp/json.ts';
import { idKey, type Json, type Message, type Request } from '../../acp/message.ts';
import { sessionOf } from '../../acp/update.ts';
import { MAKERS, isMethodOf } from '../../acp/methods.ts';
import { endedAtLast, endWords, type Driven, type Ended } from '../peer.ts';
import { AskedByAgent, DueAnswers } from './asked-by-agent.ts';
import { Bindings, type Folders, MadeIds } from './bindings.ts';
import type { ReplaySpeed } from './strictness.ts';
import type { ReplayNote } from './differences.ts';
import {
  AT_REST,
  barrierAt,
  isDone,
  isPrompt,
  workAfter,
  workRefused,
  type Work,
  type Barrier,
  type SaidSince,
  recordedCwd,
  requestOf,
  type Recorded,
  type RecordedFrame,
} from './recorded.ts';
import { Waits, type Timers } from '../timers.ts';
import { count } from '../../lib/format.ts';
import { messagesOfFrame } from '../../model/timeline/digest.ts';
import type { Frame } from '../../trace/event.ts';

export interface ReplayClientOptions {
  readonly recorded: Recorded;
  readonly agent: Driven;
  readonly speed: ReplaySpeed;
  readonly timers: Timers;
  /** The folder that stands for the recorded one; undefined: the same. */
  readonly cwd?: string;
  /** Recorded sessions that have another id now, besides those that are made. */
  readonly sessions?: readonly (readonly [recorded: string, live: string])[];
  /** Milliseconds that an answer, or the end of a turn, may take. */
  readonly patience: number;
  /** Milliseconds of silence after which nothing more is waited for, while no turn is under way. */
  readonly quiet: number;
  readonly note: (note: ReplayNote) => void;
}

export interface ClientRun {
  /** Frames of the client: sent, and not. */
  readonly sent: number;
  readonly unsent: number;
  readonly notes: readonly ReplayNote[];
  readonly ended: Ended;
  readonly folders: Folders;
  /** What of the trace could not be replayed at all, as sentences. */
  readonly problems: readonly string[];
}

/** What a person waits who says nothing else. */
export const REPLAY_WAITS = { patience: 120_000, quiet: 400 };

export function runReplayClient(options: ReplayClientOptions): Promise<ClientRun> {
  return new ReplayClient(options).run();
}

/** Of a session, since the client last spoke in it. */
interface Progress {
  frames: number;
  work: Work;
}

class ReplayClient {
  readonly #options: ReplayClientOptions;
  readonly #bindings: Bindings;
  readonly #made: MadeIds;
  readonly #asked: AskedByAgent;
  readonly #notes: ReplayNote[] = [];
  readonly #sent = new Set<number>();
  /** Our requests: the recorded place by the id under which each went out last. */
  readonly #places = new Map<string, number>();
  readonly #answered = new Set<number>();
  readonly #progress = new Map<string | undefined, Progress>();
  readonly #answers: DueAnswers;
  readonly #waits: Waits;
  #ended: Ended | undefined;

  constructor(options: ReplayClientOptions) {
    const { recorded, agent, cwd, sessions = [], speed, timers } = options;
    this.#options = options;
    this.#bindings = new Bindings(recorded.frames.flatMap(({ session }) => session ?? []));
    const recordedFolder = recordedCwd(recorded);
    if (cwd !== undefined && recordedFolder !== undefined)
      this.#bindings.folders.bind(recordedFolder, cwd);
    for (const [was, is] of sessions) this.#bindings.sessions.bind(was, is);
    this.#made = new MadeIds(recorded, this.#bindings);
    this.#asked = new AskedByAgent(recorded, this.#bindings);
    const isOver = () => this.#ended !== undefined;
    this.#waits = new Waits(timers, isOver);
    this.#answers = new DueAnswers({
      ...{ recorded, speed, timers, isOver },
      wasSent: ({ place }) => this.#sent.has(place),
      say: (frame, line) => this.#utter(frame, line),
    });
    agent.receive((frame, message) => this.#hear(frame, message));
    void agent.ended.then((ended) => {
      this.#ended = ended;
      this.#waits.stir();
    });
  }

  async run(): Promise<ClientRun> {
    const { recorded, agent, timers } = this.#options;
    const own = recorded.frames.filter(({ from }) => from === 'client');
    for (const frame of own) {
      if (isAnswer(frame.message)) continue;
      await this.#ready(barrierAt(recorded, frame.place), frame);
      if (this.#ended !== undefined) break;
      this.#send(frame);
    }
    if (this.#ended === undefined)
      await this.#ready(barrierAt(recorded, recorded.frames.length), undefined);
    const early = this.#ended;
    agent.end();
    const ended = early ?? (await endedAtLast(agent, timers));
    const unsent = own.filter(({ place }) => !this.#sent.has(place));
    const next = unsent.find(({ message }) => !isAnswer(message));
    if (early && next)
      this.#note({
        kind: 'mismatch',
        recorded: next.seq,
        sentence: `The agent ended (${endWords(early)}) before ${wordsOf(next)} #${next.seq} could be sent.`,
        differences: [],
      });
    return {
      sent: this.#sent.size,
      unsent: unsent.length,
      notes: this.#notes,
      ended,
      folders: this.#bindings.folders,
      problems: recorded.problems,
    };
  }

  #send(frame: RecordedFrame): void {
    const { message, text, session, place } = frame;
    if (message.kind === 'request') this.#places.set(idKey(message.id), place);
    const progress = this.#of(session);
    progress.work = workAfter(progress.work, message);
    this.#utter(frame, message.kind === 'invalid' ? text : this.#bindings.toLive(text));
    this.#answers.flush();
  }

  #utter({ place, session }: RecordedFrame, line: string): void {
    this.#sent.add(place);
    this.#of(session).frames = 0;
    this.#options.agent.send(line, 'rerun');
  }

  /** Waits until what had come before this frame has come, or will not. */
  async #ready({ answered, said, after }: Barrier, frame: RecordedFrame | undefined) {
    const { patience, speed } = this.#options;
    for (const request of answered) {
      if (this.#answered.has(request.place) || !this.#sent.has(request.place)) continue;
      const came = await this.#waits.until(() => this.#answered.has(request.place), patience);
      if (this.#ended !== undefined) return;
      if (came) continue;
      this.#answered.add(request.place);
      this.#note({
        kind: 'mismatch',
        method: requestOf(request)?.method ?? '',
        recorded: request.seq,
        sentence: `The agent did not answer ${wordsOf(request)} #${request.seq} in ${seconds(patience)}; the replay goes on.`,
        differences: [],
      });
    }
    for (const wish of said) await this.#heardAsMuch(wish, frame);
    if (frame && speed !== 'max') {
      const pause = (frame.at - after) / speed;
      if (pause > 0) await this.#waits.until(() => false, pause);
    }
  }

  async #heardAsMuch(wish: SaidSince, frame: RecordedFrame | undefined): Promise<void> {
    const { patience, quiet } = this.#options;
    const progress = this.#of(wish.session);
    // Where nothing was asked nor told, the session will not say that it is idle again.
    if (wish.isIdle && progress.work !== AT_REST) {
      const isOver = () => isDone(progress.work) || progress.work === AT_REST;
      const came = await this.#waits.until(isOver, patience);
      if (!came && this.#ended === undefined)
        this.#note({
          kind: 'mismatch',
          ...(frame && { recorded: frame.seq }),
          sentence: `The session ${wish.session ?? ''} did not become idle in ${seconds(patience)}; the replay goes on.`,
          differences: [],
        });
    }
    const asMuch = () => progress.frames >= wish.frames;
    if (wish.isBusy) {
      if (await this.#waits.until(() => asMuch() || this.#isOver(wish), patience)) return;
      if (this.#ended !== undefined) return;
      this.#note({
        kind: 'tolerated',
        ...(frame && { recorded: frame.seq }),
        sentence: `After ${seconds(patience)} the agent had sent ${progress.frames} of ${count(wish.frames, 'frame')} of this turn; the replay goes on.`,
        differences: [],
      });
      return;
    }
    for (let heard = -1; !asMuch() && heard !== progress.frames && this.#ended === undefined;) {
      heard = progress.frames;
      await this.#waits.until(() => asMuch() || progress.frames > heard, quiet);
    }
    // Not waited for again.
    progress.frames = Math.max(progress.frames, wish.frames);
  }

  /** The turn that was under way then is over now. */
  #isOver({ session }: SaidSince): boolean {
    if (isDone(this.#of(session).work)) return true;
    const prompts = [...this.#sent].filter((place) => {
      const frame = this.#options.recorded.frames[place];
      return frame?.session === session && requestOf(frame)?.method === 'session/prompt';
    });
    const last = Math.max(...prompts);
    return this.#options.recorded.version !== 2 && this.#answered.has(last);
  }

  #hear(frame: Frame, message: Message): void {
    if (frame.from === 'client') return;
    // A frame counts once, however many messages it holds.
    let isCounted = false;
    for (const one of messagesOfFrame(frame, message)) {
      this.#hearOne(one, !isCounted);
      isCounted = true;
    }
    if (!isCounted) this.#of(undefined).frames++;
    this.#waits.stir();
  }

  #hearOne(message: Message, counts: boolean): void {
    let session = sessionOf(message);
    let isRefused = false;
    session = session === undefined ? undefined : this.#bindings.sessions.recordedOf(session);
    if (message.kind === 'success' || message.kind === 'failure') {
      const place = this.#places.get(idKey(message.id));
      const request = place === undefined ? undefined : this.#options.recorded.frames[place];
      session = request?.session;
      if (request && message.kind === 'success') this.#learn(request, message.result);
      isRefused = message.kind === 'failure' && request !== undefined && isPrompt(request.message);
      if (place !== undefined) this.#answered.add(place);
    }
    this.#made.take({ message, session });
    const progress = this.#of(session);
    if (counts) progress.frames++;
    progress.work = isRefused ? workRefused(progress.work) : workAfter(progress.work, message);
    if (message.kind === 'request') this.#reply(message);
  }

  /** What the live answer names differently. */
  #learn(request: RecordedFrame, live: Json): void {
    if (!isMethodOf(MAKERS, requestOf(request)?.method)) return;
    const sessionId = str(live, 'sessionId');
    if (request.session !== undefined && sessionId !== undefined)
      this.#bindings.sessions.bind(request.session, sessionId);
  }

  #reply(request: Request): void {
    const reply = this.#asked.reply(request);
    if (reply.note) this.#note(reply.note);
    if (!reply.line) return;
    if (!reply.frame) return this.#options.agent.send(reply.line(), 'rerun');
    this.#answers.add(reply);
  }

  #of(session: string | undefined): Progress {
    const known = this.#progress.get(session);
    if (known) return known;
    const made: Progress = { frames: 0, work: AT_REST };
    this.#progress.set(session, made);
    return made;
  }

  #note(note: ReplayNote): void {
    this.#notes.push(note);
    this.#options.note(note);
  }
}

function isAnswer(message: Message): boolean {
  return message.kind === 'success' || message.kind === 'failure';
}

function wordsOf({ message }: RecordedFrame): string {
  return 'method' in message ? message.method : 'the line';
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : count(Math.round(ms / 1000), 'second');
}
