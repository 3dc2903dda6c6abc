// The tree of the rail: agents, their sessions, and the runs of each session, whichever connection they are on.
import type { TraceSession, TraceSummary } from '../../engine/messages.ts';
import { grouped } from '../../lib/grouped.ts';
import { wordsFit } from '../../lib/nearest.ts';
import type { RunRestore } from '../../model/sessions/session-runs.ts';

/** What a session has on one connection: its live part, or one restore. */
export interface RailRun {
  readonly key: string;
  readonly trace: TraceSummary;
  /** Undefined: the trace has no session. */
  readonly sessionId?: string;
  /** `live`, `load`, `start`; of a trace without a session, its name. */
  readonly name: string;
  readonly restore?: RunRestore;
  /** Live messages and tool calls before it, and its own. */
  readonly before: number;
  readonly items: number;
}

/** Runs that one command made. */
export interface RailBatch {
  readonly key: string;
  readonly title: string;
  readonly runs: readonly RailRun[];
}

export interface RailSession {
  readonly key: string;
  readonly sessionId: string;
  readonly chip: string;
  readonly title?: string;
  /** The newest trace that names it; of a run of ours only where no other does. */
  readonly trace: TraceSummary;
  /** Messages and tool calls of its live parts. */
  readonly items: number;
  /** In the order of their connections. */
  readonly runs: readonly (RailRun | RailBatch)[];
  /** Sessions that it owns, and how far below it they are. */
  readonly children: readonly { readonly session: TraceSession; readonly depth: number }[];
}

export interface RailAgent {
  readonly key: string;
  readonly name: string;
  readonly sessions: readonly RailSession[];
  /** Runs of ours that are about no one session. */
  readonly batches: readonly RailBatch[];
}

export interface RailTree {
  readonly agents: readonly RailAgent[];
  /** Traces without a session, the newest first. */
  readonly loose: readonly RailRun[];
}

/** Sessions of a trace by the session that owns them. */
type Family = ReadonlyMap<string | undefined, readonly TraceSession[]>;

/** A session on one of its traces. */
interface Part {
  readonly sessionId: string;
  readonly trace: TraceSummary;
  /** Absent: the trace belongs to a run that is about the session, and does not name it. */
  readonly session?: TraceSession;
}

/** What stands where, by key: the higher, the further up. */
type Ranks = ReadonlyMap<string, number>;

export const isBatch = (entry: RailRun | RailBatch): entry is RailBatch => 'runs' in entry;

/** Every trace as a run of each of its sessions; `ranks`: an order to keep, as `ranksOf` returns it. */
export function railTree(traces: readonly TraceSummary[], ranks?: Ranks): RailTree {
  const inOrder = traces.toSorted((a, b) => a.number - b.number);
  const confirmed = new Set(
    inOrder.flatMap(({ mode, sessions = [] }) =>
      sessions.flatMap((one) => (one.askedOnly && mode === 'drive' ? [] : one.sessionId)),
    ),
  );
  const isUnread = inOrder.some(({ sessions }) => sessions === undefined);
  const parts = grouped(
    inOrder.flatMap((trace) => partsOf(trace, confirmed, isUnread)),
    (part) => part.sessionId,
  );
  // By owner, once per trace: a trace may name thousands of sessions.
  const families = new Map<TraceSummary, Family>();
  const familyOf = (trace: TraceSummary): Family => {
    let family = families.get(trace);
    if (!family) families.set(trace, (family = grouped(trace.sessions ?? [], (one) => one.parent)));
    return family;
  };
  const sessions = [...parts].map(([id, of]) => sessionOf(id, of, familyOf));
  const placed = new Set([...parts.values()].flat().map(({ trace }) => trace));
  const rest = inOrder.filter((trace) => !placed.has(trace)).map(looseRun);
  const inBatch = rest.filter(({ trace }) => trace.group !== undefined);
  const alone = rest.filter(({ trace }) => trace.group === undefined);
  const batches = grouped(batched(inBatch).filter(isBatch), ({ runs }) =>
    agentOf(runs.map(({ trace }) => trace)),
  );
  const byAgent = grouped(sessions, ({ sessionId }) =>
    agentOf((parts.get(sessionId) ?? []).map(({ trace }) => trace)),
  );
  const names = new Set([...byAgent.keys(), ...batches.keys()]);
  const rankOf = (key: string, newest: number) => ranks?.get(key) ?? newest + (ranks ? 1e9 : 0);
  const byRank = <T extends { readonly key: string }>(
    all: readonly T[],
    newest: (of: T) => number,
  ) => all.toSorted((a, b) => rankOf(b.key, newest(b)) - rankOf(a.key, newest(a)));
  const agents = [...names].map((name): RailAgent => ({
    key: `agent ${name}`,
    name,
    sessions: byRank(byAgent.get(name) ?? [], ({ trace }) => trace.number),
    batches: byRank(batches.get(name) ?? [], newestOfBatch),
  }));
  return {
    agents: byRank(agents, newestOfAgent),
    loose: byRank(alone, ({ trace }) => trace.number),
  };
}

/** Returns the order of a tree, to be held while a person is at one of its lines. */
export function ranksOf({ agents, loose }: RailTree): Ranks {
  const ranks = new Map<string, number>();
  for (const agent of agents) {
    ranks.set(agent.key, newestOfAgent(agent));
    for (const { key, trace } of agent.sessions) ranks.set(key, trace.number);
    for (const batch of agent.batches) ranks.set(batch.key, newestOfBatch(batch));
  }
  for (const { key, trace } of loose) ranks.set(key, trace.number);
  return ranks;
}

/** All runs of a list, those in batches too. */
export function runsIn(entries: readonly (RailRun | RailBatch)[]): readonly RailRun[] {
  return entries.flatMap((entry) => (isBatch(entry) ? entry.runs : [entry]));
}

/**
 * Returns the sessions that a trace is a run of; none: it has no session. `isUnread`: a trace that was not read yet may
 * confirm the session of a run.
 */
function partsOf(
  trace: TraceSummary,
  confirmed: ReadonlySet<string>,
  isUnread: boolean,
): readonly Part[] {
  const { group, sessions = [] } = trace;
  if (group) {
    const sessionId = group.session;
    if (sessionId === undefined || (!confirmed.has(sessionId) && !isUnread)) return [];
    const session =
      sessions.find((one) => one.sessionId === sessionId) ??
      sessions.findLast(({ restores }) => restores.length > 0);
    return [{ sessionId, trace, ...(session && { session }) }];
  }
  const own = sessions.filter(({ sessionId }) => confirmed.has(sessionId));
  const ids = new Set(own.map(({ sessionId }) => sessionId));
  return own.flatMap((session) =>
    session.parent !== undefined && ids.has(session.parent)
      ? []
      : [{ sessionId: session.sessionId, trace, session }],
  );
}

function sessionOf(
  sessionId: string,
  parts: readonly Part[],
  familyOf: (trace: TraceSummary) => Family,
): RailSession {
  let before = 0;
  const runs = parts.flatMap((part) => {
    const found = runsOf(part, before);
    if (!part.trace.group) before += part.session?.items ?? 0;
    return found;
  });
  const own = parts.filter(({ session }) => session?.sessionId === sessionId);
  const newest = own.findLast(({ trace }) => !trace.group) ?? parts.at(-1);
  const title = own.findLast(({ session }) => session?.title !== undefined)?.session?.title;
  // A copy of the session that a test made has a chip of its own.
  const chip = own.find(({ session }) => session?.chip)?.session?.chip ?? '';
  return {
    key: `session ${sessionId}`,
    ...{ sessionId, chip, ...(title !== undefined && { title }) },
    trace: newest?.trace as TraceSummary,
    items: before,
    runs: batched(runs),
    children: newest ? childrenOf(sessionId, familyOf(newest.trace), 1) : [],
  };
}

function childrenOf(parent: string, below: Family, depth: number): RailSession['children'] {
  return (below.get(parent) ?? []).flatMap((session) => [
    { session, depth },
    ...childrenOf(session.sessionId, below, depth + 1),
  ]);
}

/** The live part first, if the session was created there; then its restores; then what was live after them. */
function runsOf({ sessionId, trace, session }: Part, before: number): readonly RailRun[] {
  const { connection, group } = trace;
  const base = { trace, sessionId, before };
  const { restores = [], items = 0, isLive } = session ?? {};
  const all = restores.map((restore): RailRun => {
    const { request, name } = restore;
    const key = `${sessionId} ${connection} ${request}`;
    return { key, ...base, before: before || items, name, restore, items: 0 };
  });
  if (group) {
    const last = group.copy ? undefined : all.at(-1);
    const key = `${sessionId} ${connection}`;
    return [last ? { ...last, key } : { ...base, key, name: group.label, items: 0 }];
  }
  if (!isLive && all.length > 0) return all;
  const isAfter = all.length > 0 && !session?.isMade;
  const live: RailRun = {
    ...{ key: `${sessionId} ${connection}`, ...base, items },
    name: isAfter ? 'live, after' : 'live',
  };
  return isAfter ? [...all, live] : [live, ...all];
}

function looseRun(trace: TraceSummary): RailRun {
  const name = trace.group?.label ?? trace.name;
  return { key: trace.connection, trace, name, before: 0, items: 0 };
}

/** Runs of one batch stand where its first would. */
function batched(runs: readonly RailRun[]): readonly (RailRun | RailBatch)[] {
  const byBatch = grouped(runs, ({ key, trace }) => trace.group?.id ?? key);
  return [...byBatch].flatMap(([id, all]): readonly (RailRun | RailBatch)[] => {
    const group = all[0]?.trace.group;
    return group ? [{ key: `batch ${id}`, title: group.title, runs: all }] : all;
  });
}

/** The agent's name, as one of its traces knows it; of an agent that has not said it, the name of its trace. */
function agentOf(traces: readonly TraceSummary[]): string {
  const named = traces.findLast(({ agent }) => agent !== undefined);
  return named?.agent ?? traces.at(-1)?.name ?? '';
}

const most = (numbers: readonly number[]) => Math.max(0, ...numbers);
const newestOfBatch = ({ runs }: RailBatch) => most(runs.map(({ trace }) => trace.number));
const newestOfAgent = ({ sessions, batches }: RailAgent) =>
  most([...sessions.map(({ trace }) => trace.number), ...batches.map(newestOfBatch)]);

/** Good runs of a batch that are drawn before the others are folded. */
const MAX_GOOD = 3;

/** Returns the runs of a batch that are drawn, and those that fold into one line: never a single one, nor a bad one. */
export function foldOfBatch(
  { runs }: RailBatch,
  isBad: (run: RailRun) => boolean,
): { readonly shown: readonly RailRun[]; readonly folded: readonly RailRun[] } {
  const good = runs.filter((run) => !isBad(run));
  const folded = good.slice(MAX_GOOD);
  if (folded.length < 2) return { shown: runs, folded: [] };
  return { shown: runs.filter((run) => !folded.includes(run)), folded };
}

/** Returns what these words match; connections with a number above `since` stay: they began after somebody typed. */
export function matchingTree(tree: RailTree, typed: string, since: number): RailTree {
  if (typed.trim() === '') return tree;
  const fits = ({ trace, name }: RailRun, more: readonly (string | undefined)[]) =>
    trace.number > since || wordsFit(typed, [name, ...wordsOf(trace), ...more]);
  const matching = (
    entries: readonly (RailRun | RailBatch)[],
    more: readonly (string | undefined)[],
  ) =>
    entries.flatMap((entry): readonly (RailRun | RailBatch)[] => {
      if (!isBatch(entry)) return fits(entry, more) ? [entry] : [];
      const runs = entry.runs.filter((run) => fits(run, [...more, entry.title]));
      return runs.length > 0 ? [{ ...entry, runs }] : [];
    });
  const agents = tree.agents.map((agent): RailAgent => {
    const { name } = agent;
    return {
      ...agent,
      batches: matching(agent.batches, [name]).filter(isBatch),
      sessions: agent.sessions.flatMap((session): readonly RailSession[] => {
        const { chip, title, sessionId, children } = session;
        const words = [name, chip, title, sessionId];
        const below = children.flatMap((child) => [child.session.chip, child.session.title]);
        const runs = matching(session.runs, [...words, ...below]);
        const meant = children.filter((child) =>
          wordsFit(typed, [child.session.chip, child.session.title]),
        );
        const found = meant.length > 0 ? { children: meant } : {};
        return runs.length > 0 ? [{ ...session, runs, ...found }] : [];
      }),
    };
  });
  return {
    agents: agents.filter(({ sessions, batches }) => sessions.length + batches.length > 0),
    loose: tree.loose.filter((run) => fits(run, [])),
  };
}

function wordsOf({ name, number, agent, tags = [], note, file, group }: TraceSummary) {
  return [name, `c${number}`, agent, note, file, group?.title, ...tags];
}
