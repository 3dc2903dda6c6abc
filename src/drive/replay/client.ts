// The recorded client, sent to a live agent: its frames in their order, each when what it waited
// for then has come now, under the ids and in the folder of now. What the agent asks is answered
// as it was then. The record says of every line that it is a rerun.
import { str } from '../../acp/json.ts';
import { idKey, parseMessage, type Json, type Message, type Request } from '../../acp/message.ts';
import { sessionOf } from '../../acp/update.ts';
import { MAKERS, isMethodOf } from '../../acp/methods.ts';
import { endedAtLast, endWords, type Driven, type Ended } from '../peer.ts';
import { AskedByAgent, DueAnswers } from './asked-by-agent.ts';
import { Bindings, type Folders, MadeIds } from './bindings.ts';
import type { ReplaySpeed } from './strictness.ts';
import type { ReplayNote } from './differences.ts';
import {
  barrierAt,
  type Barrier,
  type SaidSince,
  recordedCwd,
  requestOf,
  type Recorded,
  type RecordedFrame,
} from './recorded.ts';
import { Waits, type Timers } from '../timers.ts';
import { count } from '../../lib/format.ts';
import { isResting } from '../../model/facts/activity.ts';
import { TurnReader } from '../../model/facts/turns.ts';
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
  /** Frames of each session since the client last spoke in it. */
  readonly #frames = new Map<string | undefined, number>();
  /** The turns of the live sessions. */
  readonly #turns = new TurnReader();
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
    const { message, text, place } = frame;
    if (message.kind === 'request') this.#places.set(idKey(message.id), place);
    const line = message.kind === 'invalid' ? text : this.#bindings.toLive(text);
    this.#turns.take(frame, parseMessage(line));
    this.#utter(frame, line);
    this.#answers.flush();
  }

  #utter({ place, session }: RecordedFrame, line: string): void {
    this.#sent.add(place);
    this.#frames.set(session, 0);
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
    const { session } = wish;
    const heard = () => this.#frames.get(session) ?? 0;
    const isOver = () => isResting(this.#turns.of(this.#bindings.sessions.liveOf(session ?? '')));
    if (wish.isIdle) {
      const came = await this.#waits.until(isOver, patience);
      if (!came && this.#ended === undefined)
        this.#note({
          kind: 'mismatch',
          ...(frame && { recorded: frame.seq }),
          sentence: `The session ${session ?? ''} did not become idle in ${seconds(patience)}; the replay goes on.`,
          differences: [],
        });
    }
    const asMuch = () => heard() >= wish.frames;
    if (wish.isBusy) {
      if (await this.#waits.until(() => asMuch() || isOver(), patience)) return;
      if (this.#ended !== undefined) return;
      this.#note({
        kind: 'tolerated',
        ...(frame && { recorded: frame.seq }),
        sentence: `After ${seconds(patience)} the agent had sent ${heard()} of ${count(wish.frames, 'frame')} of this turn; the replay goes on.`,
        differences: [],
      });
      return;
    }
    for (let last = -1; !asMuch() && last !== heard() && this.#ended === undefined;) {
      last = heard();
      await this.#waits.until(() => asMuch() || heard() > last, quiet);
    }
    // Not waited for again.
    this.#frames.set(session, Math.max(heard(), wish.frames));
  }

  #hear(frame: Frame, message: Message): void {
    if (frame.from === 'client') return;
    // A frame counts once, however many messages it holds.
    let isCounted = false;
    for (const one of messagesOfFrame(frame, message)) {
      this.#turns.take(frame, one);
      this.#hearOne(one, !isCounted);
      isCounted = true;
    }
    if (!isCounted) this.#count(undefined);
    this.#waits.stir();
  }

  #hearOne(message: Message, counts: boolean): void {
    let session = sessionOf(message);
    session = session === undefined ? undefined : this.#bindings.sessions.recordedOf(session);
    if (message.kind === 'success' || message.kind === 'failure') {
      const place = this.#places.get(idKey(message.id));
      const request = place === undefined ? undefined : this.#options.recorded.frames[place];
      session = request?.session;
      if (request && message.kind === 'success') this.#learn(request, message.result);
      if (place !== undefined) this.#answered.add(place);
    }
    this.#made.take({ message, session });
    if (counts) this.#count(session);
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

  #count(session: string | undefined): void {
    this.#frames.set(session, (this.#frames.get(session) ?? 0) + 1);
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
