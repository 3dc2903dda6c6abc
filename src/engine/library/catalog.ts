// The list of traces: what the database keeps of each, what the relay says of those it has, and
// what the frames say of those in memory. Deleting hides at once and is final ten seconds later.
import type { ConnectionFacts } from '../../model/facts/facts-view.ts';
import { defined } from '../../lib/defined.ts';
import { grouped } from '../../lib/grouped.ts';
import { UNDO_MS } from '../../lib/time.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import type { ConnectionInfo } from '../../link/messages.ts';
import type { Stored, StorageProblem } from '../../storage/problem.ts';
import type { StoredTrace } from '../../storage/schema.ts';
import {
  numbered,
  patched,
  type NewTrace,
  type TracePatch,
  type TraceStore,
} from '../../storage/store.ts';
import { FORMAT, headerLine, TIMED_VERSION } from '../../trace/format.ts';
import type { ComparedRun, RunRestore, SessionRuns } from '../../model/sessions/session-runs.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { TraceGroup, TraceSession, TraceSummary } from '../messages.ts';

interface CatalogEvents {
  /** The list is another one than before. */
  changed(): void;
  /** Its blocks are gone for good. */
  purged(connection: ConnectionId): void;
  problem(problem: StorageProblem): void;
}

/** What the frames of a trace in memory say. */
interface Known {
  readonly events: number;
  readonly facts: ConnectionFacts;
  /** The runs of each session in the trace; undefined if they are as stored. */
  readonly sessions?: readonly SessionRuns[];
}

/** Milliseconds until what changed of the sessions of a trace is stored. */
const STORE_MS = 1000;

export class Catalog {
  readonly #store: TraceStore;
  readonly #events: CatalogEvents;
  readonly #traces = new Map<ConnectionId, StoredTrace>();
  readonly #live = new Map<ConnectionId, ConnectionInfo>();
  readonly #known = new Map<ConnectionId, Known>();
  readonly #expected = new Map<ConnectionId, (() => void)[]>();
  /** Of connections that may not be stored yet. */
  readonly #groups = new Map<ConnectionId, TraceGroup>();
  readonly #purges = new Map<ConnectionId, ReturnType<typeof setTimeout>>();
  /** The runs of each session in a trace in memory, if they are newer than the stored runs. */
  readonly #sessions = new Map<ConnectionId, readonly SessionRuns[]>();

  constructor(store: TraceStore, events: CatalogEvents) {
    this.#store = store;
    this.#events = events;
  }

  /** Reads the list anew: at the start, and when another tab changed it. */
  async load(): Promise<void> {
    const traces = this.#value(await this.#store.traces());
    if (!traces) return;
    this.#traces.clear();
    for (const trace of traces) {
      this.#traces.set(trace.connection, trace);
      if (trace.deletedAt !== undefined) this.#purgeLater(trace.connection, trace.deletedAt);
    }
    this.#events.changed();
  }

  /** Undefined also for a deleted one. */
  get(connection: ConnectionId): StoredTrace | undefined {
    const trace = this.#traces.get(connection);
    return trace?.deletedAt === undefined ? trace : undefined;
  }

  /** Those that are deleted too. */
  all(): Iterable<StoredTrace> {
    return this.#traces.values();
  }

  /** The run of ours that it belongs to. */
  groupOf(connection: ConnectionId): TraceGroup | undefined {
    return this.#traces.get(connection)?.group ?? this.#groups.get(connection);
  }

  /** It belongs to a run of ours. */
  async join(connection: ConnectionId, group: TraceGroup): Promise<void> {
    this.#groups.set(connection, group);
    this.#events.changed();
    await this.known(connection);
    await this.patch(connection, { group });
  }

  /** The stored connections of runs that are about this session. */
  about(sessionId: string): readonly ConnectionId[] {
    return [...this.#traces.values()]
      .filter(({ group, deletedAt }) => group?.session === sessionId && deletedAt === undefined)
      .map(({ connection }) => connection);
  }

  /** Resolves when it is in the list. */
  known(connection: ConnectionId): Promise<void> {
    if (this.#traces.has(connection)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#expected.set(connection, [...(this.#expected.get(connection) ?? []), resolve]);
    });
  }

  /** What the relay says of it; undefined: it has it no more. */
  live(connection: ConnectionId): ConnectionInfo | undefined {
    return this.#live.get(connection);
  }

  /** Every connection the relay has, or had when it was last heard of. */
  allLive(): readonly ConnectionInfo[] {
    return [...this.#live.values()];
  }

  isRunning(connection: ConnectionId): boolean {
    return this.#live.get(connection)?.state === 'running';
  }

  isDeleted(connection: ConnectionId): boolean {
    return this.#traces.get(connection)?.deletedAt !== undefined;
  }

  /** Undefined: it could not be stored. */
  async add(trace: NewTrace): Promise<StoredTrace | undefined> {
    const stored = this.#value(await this.#store.addTrace(trace));
    if (stored) this.#enter(stored);
    return stored;
  }

  /** A connection of the relay. Known or new, it has a trace afterwards. */
  async follow(info: ConnectionInfo, tool: string): Promise<StoredTrace> {
    this.#live.set(info.id, info);
    this.#events.changed();
    const known = this.#traces.get(info.id);
    if (known) return known;
    const trace = newTrace(info, tool);
    const stored = await this.#store.addTrace(trace);
    // What cannot be stored now is shown all the same; the writer says what is wrong, and adds it.
    const shown = stored.ok ? stored.value : numbered(trace, [...this.#traces.values()]);
    this.#enter(shown);
    return shown;
  }

  /** The relay has no such connection. */
  leave(connection: ConnectionId): void {
    this.#live.delete(connection);
    this.#events.changed();
  }

  /** The database holds this much of it. */
  stored({ connection, events, frames, bytes, last }: StoredTrace): void {
    const trace = this.#traces.get(connection);
    if (trace) this.#traces.set(connection, { ...trace, events, frames, bytes, last });
    this.#events.changed();
  }

  /** What its frames say now. Its agent's name is kept for when it is not in memory. */
  know(connection: ConnectionId, known: Known): void {
    this.#known.set(connection, known);
    const trace = this.#traces.get(connection);
    if (known.sessions) this.#holds(connection, known.sessions);
    const { agent, version } = known.facts.handshake ?? {};
    const learned = defined({
      ...{ agent: agent?.title ?? agent?.name, agentVersion: agent?.version, version },
    });
    if (!trace) return;
    const now = patched(trace, learned);
    const isNew = (['agent', 'agentVersion', 'version'] as const).some(
      (field) => now[field] !== trace[field],
    );
    if (isNew) void this.patch(connection, learned);
  }

  /** Restores were compared: their verdicts are stored with their traces. */
  judged(runs: readonly ComparedRun[]): void {
    for (const [connection, all] of grouped(runs, (run) => run.connection)) {
      const judgedOf = (session: string, { request }: RunRestore) =>
        all.find((run) => run.session === session && run.request === request)?.judged;
      const sessions = this.#sessionsOf(connection)?.map((session) => ({
        ...session,
        restores: session.restores.map((run) => {
          const judged = judgedOf(session.sessionId, run) ?? run.judged;
          return judged ? { ...run, judged } : run;
        }),
      }));
      if (sessions) this.#holds(connection, sessions);
    }
  }

  #sessionsOf(connection: ConnectionId): readonly SessionRuns[] | undefined {
    return this.#sessions.get(connection) ?? this.#traces.get(connection)?.sessions;
  }

  /** Stored a moment later: of a trace that grows they change often. Verdicts that are known already stay. */
  #holds(connection: ConnectionId, now: readonly SessionRuns[]): void {
    const before = this.#sessionsOf(connection);
    const sessions = withVerdicts(now, before ?? []);
    if (before && JSON.stringify(before) === JSON.stringify(sessions)) return;
    if (!this.#sessions.has(connection))
      setTimeout(() => this.#storeSessions(connection), STORE_MS);
    this.#sessions.set(connection, sessions);
    this.#events.changed();
  }

  #storeSessions(connection: ConnectionId): void {
    const sessions = this.#sessions.get(connection);
    this.#sessions.delete(connection);
    if (sessions && this.get(connection)) void this.patch(connection, { sessions });
  }

  /** Files that were being read when their tab ended, or still are. */
  unfinished(): readonly StoredTrace[] {
    return [...this.#traces.values()].filter(({ reading, deletedAt }) => reading && !deletedAt);
  }

  /** False: the database did not take it, which is told. */
  async patch(connection: ConnectionId, patch: TracePatch): Promise<boolean> {
    const trace = this.#traces.get(connection);
    if (trace) this.#traces.set(connection, patched(trace, patch));
    this.#events.changed();
    const stored = await this.#store.patchTrace(connection, patch);
    this.#value(stored);
    return stored.ok;
  }

  async remove(connection: ConnectionId): Promise<void> {
    const deletedAt = Date.now();
    await this.patch(connection, { deletedAt });
    this.#purgeLater(connection, deletedAt);
  }

  async restore(connection: ConnectionId): Promise<void> {
    clearTimeout(this.#purges.get(connection));
    this.#purges.delete(connection);
    await this.patch(connection, { deletedAt: undefined });
  }

  summaries(): readonly TraceSummary[] {
    return [...this.#traces.values()]
      .filter(({ deletedAt }) => deletedAt === undefined)
      .sort((a, b) => a.number - b.number)
      .map((trace) => this.#summary(trace));
  }

  #enter(trace: StoredTrace): void {
    this.#traces.set(trace.connection, trace);
    for (const resolve of this.#expected.get(trace.connection) ?? []) resolve();
    this.#expected.delete(trace.connection);
    this.#events.changed();
  }

  #summary(trace: StoredTrace): TraceSummary {
    const { connection, number, name, mode, startedAt, bytes } = trace;
    const { agent, agentVersion, version, tags, note, file, imported, reading } = trace;
    const group = this.groupOf(connection);
    const known = this.#known.get(connection);
    const trouble = this.#live.get(connection)?.trouble;
    return {
      ...{ connection, number, name, mode, startedAt, stored: bytes },
      events: known?.events ?? trace.events,
      frames: known?.facts.frames ?? trace.frames,
      state: this.isRunning(connection) ? 'running' : 'ended',
      ...defined({ agent, agentVersion, version, tags, note, file, imported, group, trouble }),
      ...defined({ facts: known?.facts, reading, sessions: this.#listed(trace) }),
    };
  }

  /** A trace that was stored before the rail listed sessions has the chips of its sessions at least. */
  #listed({ connection, chips = {} }: StoredTrace): readonly TraceSession[] | undefined {
    const sessions =
      this.#sessionsOf(connection) ??
      Object.keys(chips).map((sessionId) => ({ sessionId, items: 0, restores: [] }));
    if (sessions.length === 0) return undefined;
    return sessions.map((one) => ({ ...one, chip: chips[one.sessionId] ?? '' }));
  }

  #purgeLater(connection: ConnectionId, deletedAt: number): void {
    if (this.#purges.has(connection)) return;
    const rest = Math.max(0, deletedAt + UNDO_MS - Date.now());
    this.#purges.set(
      connection,
      setTimeout(() => void this.#purge(connection), rest),
    );
  }

  async #purge(connection: ConnectionId): Promise<void> {
    this.#purges.delete(connection);
    if (!this.isDeleted(connection)) return;
    const done = await this.#store.purge(connection);
    if (!done.ok) return this.#events.problem(done.problem);
    this.#traces.delete(connection);
    this.#known.delete(connection);
    this.#sessions.delete(connection);
    this.#groups.delete(connection);
    this.#events.purged(connection);
  }

  #value<T>(stored: Stored<T>): T | undefined {
    if (stored.ok) return stored.value;
    this.#events.problem(stored.problem);
    return undefined;
  }
}

/** A verdict is carried over to the same restore, until that is compared again. */
function withVerdicts(
  now: readonly SessionRuns[],
  before: readonly SessionRuns[],
): readonly SessionRuns[] {
  const verdicts = new Map(
    before.flatMap(({ restores }) => restores.map(({ request, judged }) => [request, judged])),
  );
  return now.map((session) => ({
    ...session,
    restores: session.restores.map((run) => {
      const judged = run.judged ?? verdicts.get(run.request);
      return judged ? { ...run, judged } : run;
    }),
  }));
}

/** What is stored of a connection before its first event. */
export function newTrace(info: ConnectionInfo, tool: string): NewTrace {
  const { id: connection, name, mode, argv, cwd, startedAt } = info;
  const header = headerLine({
    ...{ format: FORMAT, version: TIMED_VERSION, created: startedAt, tool },
    ...{ connection, name, mode, argv, cwd, clock: 'monotonic' },
  });
  return { connection, name, mode, startedAt, header: encodeUtf8(header) };
}
