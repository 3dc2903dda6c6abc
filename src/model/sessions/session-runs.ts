// The runs of each session that one trace holds: its live part and its restores. The rail lists them, also of
// stored traces that nobody has read since.
import { defined } from '../../lib/defined.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import { AGENT, CLIENT, FLAG, REQ } from '../columns.ts';
import type { RestoreOutcome } from '../facts/restore.ts';
import { isHistory, itemKindOf } from '../facts/variants.ts';
import type { Answer } from '../fidelity/report/answer.ts';
import { variantOf } from '../restore/restore-shapes.ts';
import type { TraceIndex } from '../trace-index.ts';

/** The fates of the items of a replay, in order. Neighbours with one fate are one part. */
export type ReplayTape = readonly (readonly [
  is: 'replayed' | 'late' | 'missing' | 'extra',
  items: number,
])[];

/** The comparison of a restore with the live session. */
export interface RunVerdict extends Pick<Answer, 'protocol' | 'history' | 'headline' | 'figures'> {
  readonly tape: ReplayTape;
}

/** The comparison of one restore with the live session. */
export interface ComparedRun {
  readonly connection: ConnectionId;
  readonly session: string;
  readonly request: Seq;
  readonly judged: RunVerdict;
}

export interface RunRestore {
  readonly request: Seq;
  /** `load`, `start`, `custom`. */
  readonly name: string;
  readonly outcome: RestoreOutcome;
  /** Updates of history after its end. */
  readonly late: number;
  /** Absent: it was not compared yet. */
  readonly judged?: RunVerdict;
}

export interface SessionRuns {
  readonly sessionId: string;
  readonly title?: string;
  /** The session that owns it. */
  readonly parent?: string;
  /** Messages and tool calls that were sent live. */
  readonly items: number;
  /** The session was created or prompted on this connection. */
  readonly isLive?: true;
  /** The session was created on this connection. */
  readonly isMade?: true;
  /** Only the client names it: the agent rejected it, or has not answered. */
  readonly askedOnly?: true;
  /** In the order of their requests. */
  readonly restores: readonly RunRestore[];
}

/** Returns the sessions that the trace names, except those that are only listed. */
export function sessionRuns(index: TraceIndex): readonly SessionRuns[] {
  const items = liveItems(index);
  const restores = new Map<string, RunRestore[]>();
  for (const window of index.windowRecords) {
    const { seq, outcome, late, session, version, method, cursor = 'omitted' } = window;
    const of = restores.get(session.sessionId) ?? [];
    restores.set(session.sessionId, of);
    const { name } = variantOf({ version, method, cursor });
    of.push({ request: seq as Seq, name, outcome, late });
  }
  return index
    .facts()
    .sessions.filter(({ listedOnly }) => !listedOnly)
    .map(({ sessionId, title, parent, askedOnly }) => {
      const record = index.sessionNamed(sessionId);
      const sent = items.get(record?.index ?? -1) ?? 0;
      const isMade = record?.made !== undefined || undefined;
      const isLive = isMade ?? (sent > 0 || undefined);
      return {
        ...{ sessionId, items: sent, restores: restores.get(sessionId) ?? [] },
        ...defined({ title, parent, askedOnly, isLive, isMade }),
      };
    });
}

interface Counted {
  /** Events that are counted. */
  events: number;
  /** Items by the number of their session. */
  readonly items: Map<number, number>;
  /** The run of chunks that was counted last, by session. */
  readonly runs: Map<number, number>;
}

const counted = new WeakMap<TraceIndex, Counted>();

/** Returns how many messages and tool calls each session has outside its replays. Each event is looked at once. */
function liveItems(index: TraceIndex): ReadonlyMap<number, number> {
  const known: Counted = counted.get(index) ?? { events: 0, items: new Map(), runs: new Map() };
  counted.set(index, known);
  const { columns } = index;
  for (; known.events < columns.length; known.events++) {
    const at = known.events;
    const session = columns.session.get(at) - 1;
    if (session < 0 || !isNewItem(index, at, session, known.runs)) continue;
    known.items.set(session, (known.items.get(session) ?? 0) + 1);
  }
  return known.items;
}

function isNewItem(
  { columns }: TraceIndex,
  at: number,
  session: number,
  runs: Map<number, number>,
): boolean {
  if (columns.side.get(at) === CLIENT)
    return columns.kind.get(at) === REQ && columns.nameOf(at) === 'session/prompt';
  const isUpdate = columns.side.get(at) === AGENT && columns.has(at, FLAG.update);
  if (!isUpdate || columns.has(at, FLAG.replay | FLAG.late)) return false;
  const kind = itemKindOf(columns.nameOf(at));
  // A message of the user is counted as the prompt that it repeats.
  if (!isHistory(kind) || kind === 'user') return false;
  const item = columns.item.get(at);
  const run = columns.run.get(at);
  if (item > 0) return item - 1 === at;
  const isNew = run === 0 || runs.get(session) !== run;
  runs.set(session, run);
  return isNew;
}
