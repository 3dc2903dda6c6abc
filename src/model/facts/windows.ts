// Restore windows: from a restore request to its answer, what the agent sends of that session, and of
// the children it announces meanwhile, is history replay. Each session has its own end: the marker
// `replay_complete`, else the answer. History that comes after it, before anything could have made
// it, is late; unless another stream brought it, which has no order to that end. A fork replays under the id of the session it makes, often before its answer tells it.
// Long, because which window a frame belongs to is one state, and each step of it changes the others.
import { obj, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { Seq } from '../../trace/event.ts';
import { backgroundOf, isAtWork, isBusy, tellState, LateWatch } from './activity.ts';
import { Children, type Child } from './children.ts';
import { isOrdinary, openLife } from './life.ts';
import type { Restore } from './restore.ts';
import { isHistory, type ItemKind } from './variants.ts';
import {
  branchOf,
  end,
  isAtRest,
  isComplete,
  ownsItem,
  type Branch,
  type Window,
  type WindowPlace,
  type WindowSession,
} from './window.ts';

/** `Own`: what the owner of the windows keeps with each. */
export class Windows<S extends WindowSession, Own extends object> {
  readonly children = new Children<S>();
  readonly all: (Window<S> & Own)[] = [];
  /** Unanswered windows of a session, oldest first. */
  private readonly unanswered = new Map<S, (Window<S> & Own)[]>();
  /** The unanswered window that a child has joined. */
  private readonly joined = new Map<S, Window<S> & Own>();
  /** Open forks whose session is not known yet, oldest first. */
  private readonly forks: (Window<S> & Own)[] = [];
  /** How many windows had begun when a session was first met; 0 where an answer made it. */
  private readonly met = new Map<S, number>();
  /** Windows after whose end history of a session came, oldest first. */
  private readonly late = new Map<S, (Window<S> & Own)[]>();
  /** Sessions whose history would be late now. */
  private readonly watched = new Map<S, LateWatch<WindowPlace<S, Window<S> & Own>>>();

  /** The oldest restore of this session that waits for its answer. */
  open(session: S): (Window<S> & Own) | undefined {
    return this.unanswered.get(session)?.[0];
  }

  /** The unanswered restore that a session is part of: of itself, or of whose child it is. */
  around(session: S): (Window<S> & Own) | undefined {
    return this.open(session) ?? this.joined.get(session);
  }

  /** The restores after whose end history of this session came, oldest first. */
  lateOf(session: S): readonly (Window<S> & Own)[] {
    return this.late.get(session) ?? [];
  }

  asked(request: number): (Window<S> & Own) | undefined {
    const isIt = (window: Window<S>) => window.request === request;
    return this.forks.find(isIt) ?? [...this.unanswered.values()].flat().find(isIt);
  }

  begin(session: S, restore: Restore, request: number, own: Own): Window<S> & Own {
    this.#meet(session);
    const isFork = restore.method === 'session/fork';
    const root = branchOf(session, undefined, !isFork && isBusy(session.activity));
    const window: Window<S> & Own = Object.assign(
      {
        ...restore,
        id: this.all.length,
        request,
        root,
        branches: new Map([[session, root]]),
        session,
        end: -1,
        answer: -1,
        outcome: 'open' as const,
        problem: undefined,
        updates: 0,
        late: 0,
        lastLate: -1,
      },
      own,
    );
    this.all.push(window);
    if (isFork) this.forks.push(window);
    else this.#opens(window, session);
    return window;
  }

  /** `said`: the text of a message, or of a piece of it; `stream`: see `streamOf`. Undefined: it is live. */
  place(
    session: S,
    kind: ItemKind | undefined,
    said: () => string,
    stream?: string,
  ): WindowPlace<S, Window<S> & Own> | undefined {
    this.#meet(session);
    const window = this.#windowOf(session, kind);
    const branch = window?.branches.get(session);
    if (window && branch && branch.complete === undefined)
      return {
        window,
        branch,
        as: ownsItem(window, branch, kind) ? 'replay' : 'meanwhile',
        stream,
      };
    const watch = this.watched.get(session);
    const lateness = watch?.judge(session.activity, kind, said);
    if (watch && lateness === 'late')
      return watch.place.stream === stream
        ? watch.place
        : { ...watch.place, as: 'replay', isLoose: true };
    if (lateness === 'over') this.watched.delete(session);
    return window && branch && { window, branch, as: 'setup' };
  }

  /** The update is taken in, at the place it was given. */
  take(
    { window, branch, as, isLoose, stream }: WindowPlace<S, Window<S> & Own>,
    frame: number,
    kind: ItemKind | undefined,
    variant: string,
    update: JsonObject,
  ): void {
    if (as === 'late' || isLoose) {
      const known = this.late.get(branch.session) ?? [];
      if (branch.lastLate === undefined) known.push(window);
      this.late.set(branch.session, known);
      branch.lastLate = window.lastLate = frame;
    }
    if (as === 'late') {
      window.branches.set(branch.session, branch);
      branch.late++;
      window.late++;
      return;
    }
    if (as === 'replay') window.updates++;
    if (variant === 'state_update') {
      branch.state = str(update, 'state') ?? branch.state;
      branch.stateAt = frame;
      branch.background = backgroundOf(update) ?? branch.background;
      if (isAtWork(branch.state)) branch.workedAt ??= frame;
    } else if (variant === 'replay_complete' && branch.complete === undefined) {
      branch.complete = frame;
      this.#watch(window, branch, stream);
      this.#watchBelow(branch.session);
    } else if (isHistory(kind) && as === 'replay') {
      branch.history++;
      branch.first ??= frame;
      branch.last = frame;
    } else if (isHistory(kind)) branch.meanwhile++;
  }

  /** A `subagent_update`; `seq`: its frame in the record. */
  announce(parent: S, child: S, update: JsonObject, frame: number, seq: Seq): void {
    this.children.announce(parent, child, update, frame, isOrdinary(child));
    const known = this.children.of(child);
    if (known) openLife(child, 'child', seq);
    if (known?.parent !== parent) return;
    const window = this.#windowOf(parent, undefined);
    if (window && !isComplete(window, parent)) this.#join(window, child, frame);
    else this.#goesOn(known, frame);
    const state = obj(update, 'state');
    if (state) tellState(child.activity, state);
  }

  /** A prompt: what comes for the session may be live, unless it proves to be none of its answer. */
  prompted(session: S, text: () => string): void {
    this.#meet(session);
    this.watched.get(session)?.prompted(text());
    for (const { root } of this.unanswered.get(session) ?? [])
      if (!root.busy || root.prompts.length > 0) root.prompts.push(text());
    this.#worksNow(session);
  }

  /** A prompt's answer: from here on, what comes may be live, unless it proves to be none of its turn. */
  settled(session: S): void {
    if (this.watched.get(session)?.settled() === true) return;
    this.live(session);
  }

  /** A close or a deletion: from here on, what comes may be live. */
  live(session: S): void {
    this.watched.delete(session);
    this.#worksNow(session);
  }

  /** The session that a result names: a fork's is known with it at the latest. */
  made(request: number, session: S): void {
    this.met.set(session, 0);
    const window = this.asked(request);
    if (window?.method !== 'session/fork' || window.session === session) return;
    this.#closes(window);
    this.#opens(window, session);
  }

  /** The window it ends, if it ends one. */
  answered(
    request: number,
    frame: number,
    problem?: string,
    stream?: string,
  ): (Window<S> & Own) | undefined {
    const window = this.asked(request);
    if (window === undefined) return undefined;
    const isGood = problem === undefined;
    window.answer = frame;
    end(window, frame, isGood ? 'answered' : 'rejected', problem);
    this.#closes(window);
    for (const branch of window.branches.values())
      if (!isGood) this.watched.delete(branch.session);
      else if (branch.complete === undefined) this.#watch(window, branch, stream);
    if (!isGood) return window;
    this.children.settle(window.session);
    this.#watchBelow(window.session);
    // What they do now is not confirmed until it is told anew.
    for (const { session } of this.children.below(window.session, true))
      session.activity.state = undefined;
    return window;
  }

  /** The request was not handed over: no answer will come. The window that this ends. */
  refused(request: number, frame: number, problem: string): (Window<S> & Own) | undefined {
    const window = this.asked(request);
    if (window === undefined) return undefined;
    end(window, frame, 'incomplete', problem);
    this.#closes(window);
    return window;
  }

  /** The agent is gone: no answer will come. The windows that this ends. */
  exited(frame: number, problem: string): readonly (Window<S> & Own)[] {
    const windows = [...this.forks, ...[...this.unanswered.values()].flat()];
    for (const window of windows) end(window, frame, 'incomplete', problem);
    this.forks.length = 0;
    this.unanswered.clear();
    this.joined.clear();
    this.watched.clear();
    return windows;
  }

  #windowOf(session: S, kind: ItemKind | undefined): (Window<S> & Own) | undefined {
    if (this.unanswered.size === 0 && this.forks.length === 0) return undefined;
    return this.around(session) ?? this.#joinsAbove(session) ?? this.#forkOf(session, kind);
  }

  #meet(session: S): void {
    if (!this.met.has(session)) this.met.set(session, this.all.length);
  }

  #opens(window: Window<S> & Own, session: S): void {
    const { root, branches } = window;
    branches.delete(root.session);
    branches.set(session, root);
    root.session = window.session = session;
    this.unanswered.set(session, [...(this.unanswered.get(session) ?? []), window]);
    this.watched.delete(session);
  }

  #closes(window: Window<S> & Own): void {
    const fork = this.forks.indexOf(window);
    if (fork >= 0) this.forks.splice(fork, 1);
    for (const session of window.branches.keys())
      if (this.joined.get(session) === window) this.joined.delete(session);
    const rest = (this.unanswered.get(window.session) ?? []).filter((other) => other !== window);
    if (rest.length > 0) this.unanswered.set(window.session, rest);
    else this.unanswered.delete(window.session);
  }

  /** What was a child before belongs to the restore of its parent, or of whose child that is. */
  #joinsAbove(session: S): (Window<S> & Own) | undefined {
    const parent = this.children.parentOf(session);
    const window = parent === undefined ? undefined : this.#windowOf(parent, undefined);
    if (parent === undefined || window === undefined || isComplete(window, parent))
      return undefined;
    this.#join(window, session, undefined);
    return window;
  }

  #join(window: Window<S> & Own, child: S, announced: number | undefined): void {
    if (window.branches.has(child) || this.unanswered.has(child)) return;
    window.branches.set(child, branchOf(child, announced, isBusy(child.activity)));
    this.joined.set(child, window);
    this.watched.delete(child);
  }

  /** A child is announced after the history of its parent: to go on, or to replay it late. */
  #goesOn({ session, parent, now, announced }: Child<S>, frame: number): void {
    if (announced === frame) this.#watchBehind(this.children.rootOf(parent), session, frame);
    const behind = this.watched.get(session)?.place.branch.behind;
    const state = str(now.state, 'state');
    // What rests sends nothing of its own; of what goes on the capabilities are due.
    const isLive = behind === undefined || (behind === 'unknown' && now.capabilities !== undefined);
    if (state === undefined ? isLive : state !== 'idle') this.watched.delete(session);
  }

  /** The history of a session ended; its children had a part in it, or are behind it. */
  #watchBelow(root: S): void {
    if (this.children.size === 0) return;
    for (const { session } of this.children.below(root, true)) this.#watchBehind(root, session);
  }

  /** A child that had no part in the replay which ended here. */
  #watchBehind(root: S, child: S, announced?: number): void {
    const end = this.watched.get(root)?.place;
    if (end === undefined || this.watched.has(child) || this.unanswered.has(child)) return;
    const { window, branch: of, stream } = end;
    if (of !== window.root || window.branches.has(child) || !isAtRest(window)) return;
    const { activity } = child;
    const behind = activity.state === 'idle' ? 'idle' : 'unknown';
    this.#watch(window, branchOf(child, announced, isBusy(activity), behind), stream);
  }

  /** The open fork that history of a session nobody has named before can only belong to. */
  #forkOf(session: S, kind: ItemKind | undefined): (Window<S> & Own) | undefined {
    const fork = this.forks[0];
    if (fork === undefined || !isHistory(kind)) return undefined;
    if (session.activity.prompts.length > 0 || this.children.of(session)) return undefined;
    if ((this.met.get(session) ?? 0) <= fork.id) return undefined;
    this.#closes(fork);
    this.#opens(fork, session);
    return fork;
  }

  /** `stream`: that of what ended its history. */
  #watch(window: Window<S> & Own, branch: Branch<S>, stream: string | undefined): void {
    const { session } = branch;
    // In v2 the answer to a prompt does not end its turn.
    const prompts = window.version === 1 ? branch.prompts : [];
    const isOwn = isBusy(session.activity) && prompts.length === 0;
    const mayWork = isOwn || (branch !== window.root && branch.busy);
    const isOpen = this.unanswered.has(session) && window.outcome !== 'open';
    if (!mayWork && !isOpen)
      this.watched.set(session, new LateWatch({ window, branch, as: 'late', stream }, prompts));
  }

  #worksNow(session: S): void {
    for (const window of this.unanswered.get(session) ?? []) window.root.busy = true;
    for (const [other, { place }] of this.watched)
      if (other !== session && place.window.session === session) this.watched.delete(other);
  }
}
