// One recording the relay knows: an agent it started, a tap's file, or one left from an earlier
// run. All are read from their file; only who writes it differs.
import type { ConnectionInfo } from '../../link/messages.ts';
import { seq, type ConnectionId, type Seq } from '../../trace/event.ts';
import type { Agent } from '../agents/agent.ts';
import type { Host } from '../host/host.ts';

type Facts = Pick<ConnectionInfo, 'id' | 'name' | 'mode' | 'argv' | 'cwd' | 'startedAt' | 'pid'>;

/** What changes while it is recorded. `size`: bytes in the file. */
export interface Progress {
  readonly last: Seq;
  readonly size: number;
  readonly state: 'running' | 'ended';
}

export class Recording {
  readonly facts: Facts;
  readonly path: string;
  /** Set where the relay started the agent itself. */
  readonly owned: { readonly agent: Agent; readonly host: Host } | undefined;
  #progress: Progress = { last: seq(0), size: 0, state: 'running' };
  readonly #onGrown = new Set<() => void>();

  constructor(facts: Facts, path: string, owned?: { agent: Agent; host: Host }) {
    this.facts = facts;
    this.path = path;
    this.owned = owned;
  }

  get id(): ConnectionId {
    return this.facts.id;
  }

  get progress(): Progress {
    return this.#progress;
  }

  get info(): ConnectionInfo {
    const { last, size, state } = this.#progress;
    const trouble = this.owned?.agent.recorder.trouble;
    return { ...this.facts, state, first: seq(1), last, bytes: size, ...(trouble && { trouble }) };
  }

  /** Calls back when there is more to read, until the returned function is called. */
  watch(onGrown: () => void): () => void {
    this.#onGrown.add(onGrown);
    return () => this.#onGrown.delete(onGrown);
  }

  update(progress: Partial<Progress>): void {
    const { size, last } = this.#progress;
    this.#progress = { ...this.#progress, ...progress };
    if (this.#progress.size !== size || this.#progress.last !== last)
      for (const onGrown of this.#onGrown) onGrown();
  }
}
