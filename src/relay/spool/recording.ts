// One recording the relay knows: an agent it started, a tap's file, or one left from an earlier
// run. All are read from their file; only who writes it differs.
import type { ConnectionInfo, Problem } from '../../link/messages.ts';
import { seq, type ConnectionId, type Seq } from '../../trace/event.ts';
import type { Agent } from '../agents/agent.ts';
import type { Host } from '../host/host.ts';

type Facts = Pick<ConnectionInfo, 'id' | 'name' | 'mode' | 'argv' | 'cwd' | 'startedAt' | 'pid'>;

/** What changes while it is recorded. `size`: bytes in the file. */
export interface Progress {
  readonly last: Seq;
  readonly size: number;
  readonly state: 'running' | 'ended';
  /** When its last byte was, epoch ms; undefined: the disk does not say. */
  readonly written?: number;
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

  /** Of an agent that was just started. */
  static of(
    id: ConnectionId,
    { name, cwd }: Pick<Facts, 'name' | 'cwd'>,
    path: string,
    owned: { readonly agent: Agent; readonly host: Host },
  ): Recording {
    const { pid, recorder } = owned.agent;
    const { created: startedAt, argv = [] } = recorder.header;
    const facts = { id, name, mode: 'drive', argv, cwd, startedAt, ...(pid && { pid }) } as const;
    return new Recording(facts, path, owned);
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

  /** Ends its agent, if we started one; `ms`: how long a disk that refuses its events may hold it up. */
  async end(ms: number): Promise<void> {
    if (!this.owned) return;
    const { agent, host } = this.owned;
    const ends = [agent.kill(), host.end()];
    await agent.exited;
    await Promise.all([...ends, agent.recorder.close(ms)]);
  }

  /** Calls back when there may be more to read, until the returned function is called. */
  watch(onGrown: () => void): () => void {
    this.#onGrown.add(onGrown);
    return () => this.#onGrown.delete(onGrown);
  }

  update(progress: Partial<Progress>): void {
    this.#progress = { ...this.#progress, ...progress };
    for (const onGrown of this.#onGrown) onGrown();
  }
}

/** More than anybody drives; a page that starts without end would take the machine. */
const MOST_AGENTS = 128;

export function tooMany(starting: number, known: Iterable<Recording>): Problem | undefined {
  let running = starting;
  for (const { owned, progress } of known) if (owned && progress.state === 'running') running++;
  const message = `${MOST_AGENTS} agents run already, so no other is started. End some of them.`;
  return running < MOST_AGENTS ? undefined : { code: 'refused', message };
}
