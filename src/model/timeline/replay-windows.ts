// Restore windows as the timeline shows them: a tape each, figures of what came, and what became of
// the replay cursor.
import { defined } from '../../lib/defined.ts';
import { millis, type Millis } from '../../lib/time.ts';
import { seq } from '../../trace/event.ts';
import type { ActivityFacts, TurnPrompt } from '../facts/activity.ts';
import { isDeleted, type SessionLife } from '../facts/life.ts';
import { ReplayTally } from '../replay/replay-tally.ts';
import { SessionSteps } from '../facts/session-steps.ts';
import type { SessionRecord } from '../facts/sessions.ts';
import { asleepBetween, type SleepRecord } from '../facts/sleeps.ts';
import { isHistory, type ItemKind } from '../facts/variants.ts';
import type { Window, WindowPlace } from '../facts/window.ts';
import { pinView, type PinFate, type PinRecord, type Pins } from './pins.ts';
import type { Pin, ReplayWindowView } from './row-view.ts';

interface Shown {
  /** Of the request. */
  readonly seq: number;
  readonly at: number;
  /** Gutter lane; 2: none is free, it has no tape. */
  readonly lane: 0 | 1 | 2;
  readonly tally: ReplayTally;
  readonly pin: PinRecord | undefined;
  /** First events of the items that had the ids of the cursor before. */
  readonly targets: readonly number[];
  readonly firstOfSession: number | undefined;
  /** The session had been deleted when it was asked for. */
  readonly deleted: boolean;
  /** What this connection had done with it by then. */
  readonly life: Pick<SessionLife, 'made' | 'active'> & Pick<ActivityFacts, 'prompted'>;
  answerSeq: number;
  endAt: number;
  fate: PinFate;
  bytes: number;
  messages: number;
  tools: number;
  /** The item of the root's first replayed message or tool call, and whether a target came later. */
  firstItem: number;
  targetLater: boolean;
}

/** Frames are named by their place in the index. */
export type WindowRecord = Window<SessionRecord> & Shown;

interface FramePlace {
  /** In the index. */
  readonly place: number;
  readonly time: number;
}

export class ReplayWindows extends SessionSteps<SessionRecord, Shown> {
  private readonly lanes: [WindowRecord | undefined, WindowRecord | undefined] = [
    undefined,
    undefined,
  ];

  /** Takes a request of the client about a session. Returns the window that it begins. */
  begins(
    asked: TurnPrompt,
    session: SessionRecord,
    { place, time }: FramePlace,
    version: number | undefined,
    pins: Pins,
  ): WindowRecord | undefined {
    const restore = this.requested(session, asked, version);
    if (restore === undefined) return undefined;
    const { from, ids, method } = restore;
    const lane = this.lanes[0] === undefined ? 0 : this.lanes[1] === undefined ? 1 : 2;
    const window = this.begin(session, restore, place, {
      seq: asked.seq,
      at: time,
      lane,
      tally: new ReplayTally(),
      pin: from === undefined ? undefined : pins.sent(session, from, time),
      targets: session.items.find(ids),
      firstOfSession: method === 'session/fork' ? undefined : session.items.first,
      deleted: isDeleted(session),
      life: { made: session.made, active: session.active, prompted: session.activity.prompted },
      answerSeq: 0,
      endAt: 0,
      fate: 'open',
      bytes: 0,
      messages: 0,
      tools: 0,
      firstItem: -1,
      targetLater: false,
    });
    if (lane !== 2) this.lanes[lane] = window;
    return window;
  }

  /** A replayed update; `item` tells messages and tool calls apart. */
  count(
    { window, branch }: WindowPlace<SessionRecord, WindowRecord>,
    kind: ItemKind | undefined,
    variant: string,
    item: number,
    at: number,
    size: number,
  ): void {
    window.bytes += size;
    const isRoot = branch === window.root;
    const isNew = window.tally.add(kind, variant, item, at, !isRoot);
    if (!isNew || !isHistory(kind) || !isRoot) return;
    if (kind === 'tool') window.tools++;
    else window.messages++;
    if (window.firstItem < 0) window.firstItem = item;
    else if (window.targets.includes(item)) window.targetLater = true;
  }

  exits(place: number, time: number, problem: string): void {
    for (const window of this.exited(place, problem)) this.ends(window, time);
  }

  /** Takes the end of a window. `answerSeq`: the response that ended the window. */
  ends(window: WindowRecord, at: number, answerSeq = 0): void {
    window.answerSeq = answerSeq;
    window.endAt = at;
    window.tally.close();
    window.fate = fateOf(window);
    if (window.pin !== undefined) {
      window.pin.fate = window.fate;
      window.pin.brought = broughtBy(window);
    }
    if (window.lane !== 2) this.lanes[window.lane] = undefined;
  }
}

/** The protocol allowed no history, and some came. */
export function isForbidden(window: WindowRecord): boolean {
  return !window.allowed && (window.updates > 0 || window.late > 0);
}

function fateOf(window: WindowRecord): PinFate {
  const { outcome, wish, firstItem, targetLater, request, firstOfSession } = window;
  if (outcome === 'rejected') return 'rejected';
  if (outcome === 'incomplete' || outcome === 'open') return 'open';
  const known = window.targets.length > 0;
  // An id from another trace may be named first by the replay itself.
  const targets = known ? window.targets : window.session.items.find(window.ids);
  if (wish === 'retained' || targets.includes(firstItem)) return 'accepted';
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

interface WindowTrace {
  readonly lastEventAt: Millis;
  readonly sleeps: readonly SleepRecord[];
  /** No event comes any more, so that what is not answered will not be. */
  isOver(): boolean;
}

/** The window in the words of its head row. */
export function windowView(window: WindowRecord, trace: WindowTrace): ReplayWindowView {
  const { session, pin, cursor, answer, root } = window;
  const isCut = trace.isOver() && window.outcome === 'open';
  const problem = isCut ? 'the recording ends' : window.problem;
  const [until, place] =
    window.end < 0 ? [trace.lastEventAt, Infinity] : [window.endAt, window.end];
  const asleep = asleepBetween(trace.sleeps, window.request, place);
  return defined({
    id: window.id,
    method: window.method,
    version: window.version,
    sessionId: session.sessionId,
    session: session.facts.chip ?? '',
    cursor,
    pin: pin && pinView(pin, window.fate, broughtBy(window)),
    request: seq(window.seq),
    answer: answer < 0 ? undefined : seq(window.answerSeq),
    outcome: isCut ? ('incomplete' as const) : window.outcome,
    problem,
    complete: root.complete === undefined ? undefined : (true as const),
    updates: window.updates,
    bytes: window.bytes,
    took: millis(Math.max(0, until - window.at - asleep)),
    messages: window.messages,
    tools: window.tools,
    late: window.late,
    forbidden: isForbidden(window),
    figures: window.tally.figures(window.at),
  });
}
