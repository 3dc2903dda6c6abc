// What is folded from frames only when somebody looks: conversations, terminals, values that could
// be cursors. Each goes on from where it was, in slices, so that a long trace does not hold up others.
import type { Message } from '../acp/message.ts';
import { ConversationFold } from '../model/conversation.ts';
import type { ItemChanges } from '../model/conversation-items.ts';
import type { TerminalView } from '../model/conversation-view.ts';
import { FLAG } from '../model/columns.ts';
import { CandidateFold, type CursorCandidate } from '../model/cursor-candidates.ts';
import { messageOf } from '../model/digest.ts';
import { TerminalsFold } from '../model/terminals.ts';
import type { TraceEvent } from '../trace/event.ts';
import { othersTurn } from './intake.ts';
import type { OpenTrace } from './open-trace.ts';

const SLICE = 8;

export class Folds {
  readonly #trace: OpenTrace;
  readonly #conversations = new Map<string, Follower<ConversationFold>>();
  readonly #candidates = new Map<string, Follower<CandidateFold>>();
  #terminals: Follower<TerminalsFold> | undefined;

  constructor(trace: OpenTrace) {
    this.#trace = trace;
  }

  async conversation(sessionId: string, since: number): Promise<ItemChanges> {
    const follower = this.#conversations.get(sessionId) ?? this.#converse(sessionId);
    this.#conversations.set(sessionId, follower);
    return (await follower.upToDate()).since(since);
  }

  /** Latest first. */
  async candidates(sessionId: string): Promise<readonly CursorCandidate[]> {
    const follower = this.#candidates.get(sessionId) ?? this.#seek(sessionId);
    this.#candidates.set(sessionId, follower);
    const fold = await follower.upToDate();
    const windows = this.#trace.index.windows().filter((window) => window.sessionId === sessionId);
    const session = this.#trace.index.facts().sessions.find((one) => one.sessionId === sessionId);
    return fold.list(session?.chip ?? '', windows);
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

  #converse(sessionId: string): Follower<ConversationFold> {
    const { index } = this.#trace;
    const { columns } = index;
    return new Follower(
      this.#trace,
      new ConversationFold(sessionId, index.version),
      (at) => this.#mayConcern(at, sessionId),
      (fold, event, message, at) => {
        const [replay, late] = [columns.has(at, FLAG.replay), columns.has(at, FLAG.late)];
        fold.append(event, message, { replay, late });
      },
    );
  }

  #seek(sessionId: string): Follower<CandidateFold> {
    return new Follower(
      this.#trace,
      new CandidateFold(sessionId),
      (at) => this.#mayConcern(at, sessionId),
      (fold, event, message) => {
        if (event.type === 'frame' && message) fold.append(event, message);
      },
    );
  }

  /** Of this session, or of none that the index knows. */
  #mayConcern(at: number, sessionId: string): boolean {
    const session = this.#trace.index.session(at);
    return session === undefined || session.sessionId === sessionId;
  }
}

class Follower<F> {
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
        const message = event.type === 'frame' ? messageOf(event.line) : undefined;
        this.#feed(this.#fold, event, message, at);
      }
      if (performance.now() < end) continue;
      await othersTurn();
      end = performance.now() + SLICE;
    }
    return this.#fold;
  }
}
