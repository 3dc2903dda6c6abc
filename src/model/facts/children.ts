// Child sessions (subagents): a session that an agent made and owns, announced by `subagent_update`
// on its parent's session. What was told of it before the answer to a restore is history; afterwards
// the agent announces again those that go on. Nothing is judged here: a claim that cannot be is kept
// beside the tree.
import { get, obj, str } from '../../acp/json.ts';
import { grouped } from '../../lib/grouped.ts';
import type { JsonObject } from '../../acp/message.ts';

/** What is told of a child; a frame is named by whoever reads the trace, later ones by more. */
interface Standing {
  /** The last announcement that counts; undefined: there was none. */
  told: number | undefined;
  /** What the client may ask of it, replaced whole; undefined: nothing. */
  capabilities: JsonObject | undefined;
  /** The last snapshot of its work; undefined: not confirmed, which is not idle. */
  state: JsonObject | undefined;
}

/** Its work goes on, as far as it was told. */
export function isRunning({ state }: Pick<Standing, 'state'>): boolean {
  return str(state, 'state') === 'running';
}

export interface Child<S> {
  readonly session: S;
  /** The first that announced it: nothing moves a child. */
  readonly parent: S;
  /** Its first announcement. */
  readonly announced: number;
  /** Since the last answer to a restore of the session at its root, or since ever. */
  now: Standing;
  /** As it stood when that answer came; undefined: there was none. */
  past: Standing | undefined;
}

/** An announcement that makes no child. */
export interface Claim<S> {
  readonly child: S;
  readonly by: S;
  readonly frame: number;
  /** `ordinary`: the client made or restored that session itself. */
  readonly why: 'itself' | 'above' | 'other parent' | 'ordinary';
}

export class Children<S> {
  private readonly children = new Map<S, Child<S>>();
  /** By a child a session above it, mostly the one at its root: a chain of children may be as long as a trace. */
  private readonly above = new Map<S, S>();
  readonly claims: Claim<S>[] = [];

  get size(): number {
    return this.children.size;
  }

  /** In the order they were announced. */
  all(): Iterable<Child<S>> {
    return this.children.values();
  }

  of(session: S): Child<S> | undefined {
    return this.children.get(session);
  }

  parentOf(session: S): S | undefined {
    return this.children.get(session)?.parent;
  }

  rootOf(session: S): S {
    const { above } = this;
    for (let at = session; ;) {
      const next = above.get(at);
      if (next === undefined) return at;
      // Each way is half as long to who goes it again.
      above.set(at, above.get(next) ?? next);
      at = next;
    }
  }

  /** The children of a session, in the order they were announced; `deep`: theirs too. */
  below(session: S, deep = false): readonly Child<S>[] {
    const all = [...this.children.values()];
    if (!deep) return all.filter(({ parent }) => parent === session);
    const by = grouped(all, ({ parent }) => parent);
    const found = new Set([session]);
    // A set that grows is gone through to its new end.
    for (const one of found) for (const child of by.get(one) ?? []) found.add(child.session);
    return all.filter(({ parent }) => found.has(parent));
  }

  /** `isOrdinary`: the client made the session, or restored it. */
  announce(parent: S, session: S, update: JsonObject, frame: number, isOrdinary: boolean): void {
    const known = this.children.get(session);
    const why = this.objection(parent, session, isOrdinary);
    if (why !== undefined) {
      this.claims.push({ child: session, by: parent, frame, why });
      return;
    }
    const now = known?.now ?? standing();
    if (known === undefined) {
      this.children.set(session, { session, parent, announced: frame, now, past: undefined });
      this.above.set(session, parent);
    }
    now.told = frame;
    now.capabilities = patched(update, 'capabilities', now.capabilities);
    now.state = patched(update, 'state', now.state);
  }

  /** A restore of this session was answered: what was told of those below it is history. */
  settle(root: S): void {
    if (this.size === 0) return;
    for (const child of this.below(root, true)) {
      child.past = child.now;
      child.now = standing();
    }
  }

  /** Why a session cannot be this one's child; undefined: it can, or is it already. */
  objection(parent: S, session: S, isOrdinary: boolean): Claim<S>['why'] | undefined {
    const known = this.children.get(session);
    if (parent === session) return 'itself';
    if (known !== undefined) return known.parent === parent ? undefined : 'other parent';
    // It is no child: it stands above only where it is at the root.
    if (this.rootOf(parent) === session) return 'above';
    return isOrdinary ? 'ordinary' : undefined;
  }
}

/** Omitted, or of a wrong type: as it was. `null`: cleared. */
function patched(
  update: JsonObject,
  key: string,
  before: JsonObject | undefined,
): JsonObject | undefined {
  return get(update, key) === null ? undefined : (obj(update, key) ?? before);
}

function standing(): Standing {
  return { told: undefined, capabilities: undefined, state: undefined };
}
