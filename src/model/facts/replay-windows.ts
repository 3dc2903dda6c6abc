// Replay windows: from a restore request to its answer, the updates of that session are history
// replay. History that comes after the answer, before anything could have made it, is late. A fork
// replays under the id of the session it makes, often before its answer tells that id.
import type { Millis } from '../../lib/time.ts';
import { seq } from '../../trace/event.ts';
import { LateWatch } from './late-history.ts';
import { pinView, type Fate } from '../timeline/pins.ts';
import { ReplayTally } from './replay-tally.ts';
import type { Restore } from './restore.ts';
import type { Pin, ReplayWindowView } from '../timeline/row-view.ts';
import type { SessionRecord } from './sessions.ts';
import { isHistory, isMessageKind, type ItemKind } from './variants.ts';

export interface WindowRecord extends Restore {
  /** Of a fork, another one once the session it makes is known. */
  session: SessionRecord;
  readonly id: number;
  /** Gutter lane; 2: none is free, it has no tape. */
  readonly lane: 0 | 1 | 2;
  /** The session was at work meanwhile: where no history was asked for, what came may be live. */
  busy: boolean;
  readonly tally: ReplayTally;
  readonly firstOfSession: number | undefined;
  /** The session had been deleted when it was asked for. */
  readonly deleted: boolean;
  answer: number;
  answerSeq: number;
  /** Event that ends it: its answer, or the exit. -1: still open. */
  end: number;
  endAt: number;
  outcome: ReplayWindowView['outcome'];
  problem: string | undefined;
  fate: Fate;
  updates: number;
  bytes: number;
  messages: number;
  tools: number;
  late: number;
  lastLate: number;
  /** The item of the first replayed message or tool call, and whether a target came later. */
  firstItem: number;
  targetLater: boolean;
}

/** What an update is to a window. */
export type Place = { readonly window: WindowRecord; readonly late: boolean } | undefined;

export class ReplayWindows {
  readonly #all: WindowRecord[] = [];
  /** Unanswered windows of a session, oldest first. */
  readonly #open = new Map<number, WindowRecord[]>();
  /** Open forks whose session is not known yet, oldest first. */
  readonly #forks: WindowRecord[] = [];
  readonly #byRequest = new Map<number, WindowRecord>();
  /** Answered windows after which history of that session would be late. */
  readonly #watched = new Map<number, LateWatch<WindowRecord>>();
  readonly #lanes: [WindowRecord | undefined, WindowRecord | undefined] = [undefined, undefined];

  get all(): readonly WindowRecord[] {
    return this.#all;
  }

  begin(restore: Restore): WindowRecord {
    const { session, method } = restore;
    const isFork = method === 'session/fork';
    const lane = this.#lanes[0] === undefined ? 0 : this.#lanes[1] === undefined ? 1 : 2;
    const window: WindowRecord = {
      ...restore,
      id: this.#all.length,
      lane,
      busy: !isFork && isBusy(session),
      tally: new ReplayTally(),
      firstOfSession: isFork ? undefined : session.items.first,
      deleted: session.deleted,
      answer: -1,
      answerSeq: 0,
      end: -1,
      endAt: 0,
      outcome: 'open',
      problem: undefined,
      fate: 'open',
      updates: 0,
      bytes: 0,
      messages: 0,
      tools: 0,
      late: 0,
      lastLate: -1,
      firstItem: -1,
      targetLater: false,
    };
    this.#all.push(window);
    this.#byRequest.set(restore.request, window);
    if (lane !== 2) this.#lanes[lane] = window;
    if (isFork) this.#forks.push(window);
    else this.#opens(window, session);
    return window;
  }

  /** An update of this session; `item` tells messages and tool calls apart, `said` gives its text. */
  update(
    session: SessionRecord,
    index: number,
    kind: ItemKind | undefined,
    variant: string,
    item: number,
    at: number,
    size: number,
    said: () => string,
  ): Place {
    const open = this.#open.get(session.index)?.[0] ?? this.#forkOf(session, kind);
    if (open !== undefined) {
      if (!this.#isInside(open, kind)) return undefined;
      this.#count(open, kind, variant, item, at, size);
      return { window: open, late: false };
    }
    const watched = this.#watched.get(session.index);
    if (watched === undefined) return undefined;
    const lateness = watched.judge(session, kind, said);
    if (lateness === 'over') this.live(session);
    if (lateness !== 'late') return undefined;
    const { window } = watched;
    window.late++;
    window.lastLate = index;
    return { window, late: true };
  }

  /** A prompt: what comes for the session may be live, unless it proves to be none of its answer. */
  prompted(session: SessionRecord, text: () => string): void {
    this.#watched.get(session.index)?.prompted(text());
    for (const window of this.#open.get(session.index) ?? []) window.busy = true;
  }

  /** A prompt's answer, a close or a deletion: from here on, what comes may be live. */
  live(session: SessionRecord): void {
    this.#watched.delete(session.index);
    for (const window of this.#open.get(session.index) ?? []) window.busy = true;
  }

  /** The session that an answer names: a fork's is known with it at the latest. */
  made(request: number, session: SessionRecord): void {
    const window = this.#byRequest.get(request);
    if (window?.method !== 'session/fork' || window.session === session) return;
    this.#closes(window);
    this.#opens(window, session);
  }

  answered(request: number, index: number, at: number, answerSeq: number, problem?: string): void {
    const window = this.#byRequest.get(request);
    if (window === undefined) return;
    window.answer = index;
    window.answerSeq = answerSeq;
    this.#end(window, index, at, problem === undefined ? 'answered' : 'rejected', problem);
    const { session } = window;
    this.#closes(window);
    if (problem === undefined && !this.#open.has(session.index) && !isBusy(session))
      this.#watched.set(session.index, new LateWatch(window));
  }

  /** The agent is gone: no answer will come. */
  exited(index: number, at: number, problem: string): void {
    for (const open of [this.#forks, ...this.#open.values()])
      for (const window of open) this.#end(window, index, at, 'incomplete', problem);
    this.#forks.length = 0;
    this.#open.clear();
    this.#watched.clear();
  }

  #opens(window: WindowRecord, session: SessionRecord): void {
    window.session = session;
    this.#open.set(session.index, [...(this.#open.get(session.index) ?? []), window]);
    this.#watched.delete(session.index);
  }

  #closes(window: WindowRecord): void {
    const fork = this.#forks.indexOf(window);
    if (fork >= 0) this.#forks.splice(fork, 1);
    const { index } = window.session;
    const rest = (this.#open.get(index) ?? []).filter((other) => other !== window);
    if (rest.length > 0) this.#open.set(index, rest);
    else this.#open.delete(index);
  }

  /** The open fork that history of a session nobody has named before can only belong to. */
  #forkOf(session: SessionRecord, kind: ItemKind | undefined): WindowRecord | undefined {
    const fork = this.#forks[0];
    if (fork === undefined || !isHistory(kind)) return undefined;
    const { facts, prompts } = session;
    if (facts.active || prompts.length > 0 || facts.first <= fork.seq) return undefined;
    this.#closes(fork);
    this.#opens(fork, session);
    return fork;
  }

  #isInside({ allowed, busy, session }: WindowRecord, kind: ItemKind | undefined): boolean {
    return allowed || (isHistory(kind) && !busy && !isBusy(session));
  }

  #count(
    window: WindowRecord,
    kind: ItemKind | undefined,
    variant: string,
    item: number,
    at: number,
    size: number,
  ): void {
    window.updates++;
    window.bytes += size;
    if (!window.tally.add(kind, variant, item, at) || !isHistory(kind)) return;
    if (isMessageKind(kind)) window.messages++;
    else window.tools++;
    if (window.firstItem < 0) window.firstItem = item;
    else if (window.targets.includes(item)) window.targetLater = true;
  }

  #end(
    window: WindowRecord,
    index: number,
    at: number,
    outcome: ReplayWindowView['outcome'],
    problem: string | undefined,
  ): void {
    window.end = index;
    window.endAt = at;
    window.outcome = outcome;
    window.problem = problem;
    window.tally.close();
    this.#byRequest.delete(window.request);
    window.fate = fateOf(window);
    if (window.pin !== undefined) {
      window.pin.fate = window.fate;
      window.pin.brought = broughtBy(window);
    }
    if (window.lane !== 2) this.#lanes[window.lane] = undefined;
  }
}

/** An open prompt, or foreground work the agent told of. */
function isBusy({ prompts, state }: SessionRecord): boolean {
  return prompts.length > 0 || state === 'running' || state === 'requires_action';
}

/** The protocol allowed no history, and some came. */
export function isForbidden(window: WindowRecord): boolean {
  return !window.allowed && (window.updates > 0 || window.late > 0);
}

function fateOf(window: WindowRecord): Fate {
  const { outcome, isStart, firstItem, targetLater, request, firstOfSession } = window;
  if (outcome === 'rejected') return 'rejected';
  if (outcome === 'incomplete' || outcome === 'open') return 'open';
  const known = window.targets.length > 0;
  // An id from another trace may be named first by the replay itself.
  const targets = known ? window.targets : window.session.items.find(window.ids);
  if (isStart || targets.includes(firstItem)) return 'accepted';
  // Nothing came at all, or it began before the value's place: as though no such cursor was sent.
  if (firstItem < 0 || targetLater || (!known && targets.length > 0)) return 'ignored';
  if (firstItem >= request) return 'accepted';
  const ignored = known ? firstItem < Math.min(...targets) : firstItem === firstOfSession;
  return ignored ? 'ignored' : 'accepted';
}

/** What its cursor brought; undefined: it is open. */
export function broughtBy({ end, seq: request, updates }: WindowRecord): Pin['brought'] {
  return end < 0 ? undefined : { request: seq(request), updates };
}

/**
 * The window in the words of its head row. `now`: the time of the last event. `isOver`: none comes
 * any more, so that what is not answered will not be.
 */
export function windowView(window: WindowRecord, now: number, isOver: boolean): ReplayWindowView {
  const { session, pin, cursor, answer } = window;
  const isCut = isOver && window.outcome === 'open';
  const problem = isCut ? 'the recording ends' : window.problem;
  const until = window.end < 0 ? now : window.endAt;
  return {
    id: window.id,
    method: window.method,
    version: window.version,
    sessionId: session.sessionId,
    session: session.facts.chip ?? '',
    ...(cursor === undefined ? {} : { cursor }),
    ...(pin === undefined ? {} : { pin: pinView(pin, window.fate, broughtBy(window)) }),
    request: seq(window.seq),
    ...(answer < 0 ? {} : { answer: seq(window.answerSeq) }),
    outcome: isCut ? 'incomplete' : window.outcome,
    ...(problem === undefined ? {} : { problem }),
    updates: window.updates,
    bytes: window.bytes,
    took: Math.max(0, until - window.at) as Millis,
    messages: window.messages,
    tools: window.tools,
    late: window.late,
    forbidden: isForbidden(window),
    figures: window.tally.figures(window.at),
  };
}
