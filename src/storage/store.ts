// What the engine asks of storage. One implementation is the browser's database, one is memory,
// for a window that has none. Nothing here throws: what went wrong is a value.
import { defined } from '../lib/defined.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';
import type { EventBatch } from './blocks.ts';
import type { StorageProblem, Stored } from './problem.ts';
import type {
  StoredAnnotation,
  StoredBlock,
  StoredDraft,
  StoredDrive,
  StoredHead,
  StoredRecent,
  StoredReport,
  StoredRun,
  StoredSent,
  StoredTrace,
} from './schema.ts';

/** A trace not stored yet: number and counts are given by the store. */
export type NewTrace = Omit<StoredTrace, 'number' | 'events' | 'frames' | 'bytes' | 'last'>;

/** What a person or the frames may change of a stored trace. `undefined` takes a field away. */
export interface TracePatch {
  readonly name?: string;
  readonly agent?: string;
  readonly agentVersion?: string;
  readonly version?: number;
  readonly tags?: readonly string[] | undefined;
  readonly note?: string | undefined;
  readonly group?: NonNullable<StoredTrace['group']>;
  readonly chips?: NonNullable<StoredTrace['chips']>;
  readonly sessions?: NonNullable<StoredTrace['sessions']>;
  readonly deletedAt?: number | undefined;
  readonly reading?: undefined;
  readonly unterminated?: true;
  readonly imported?: NonNullable<StoredTrace['imported']>;
}

/** What was made of the bytes of a trace. */
export interface TraceParts {
  readonly head: StoredHead;
  readonly parts: ReadonlyMap<string, unknown>;
}

/** What is shown first of a trace, of which it was made, and how many blocks there are now. */
interface FirstPart {
  readonly head: StoredHead | undefined;
  readonly first: unknown;
  readonly blocks: number;
}

/** What is stored of a trace after an append: `missing` if it is not (or no longer) there. */
export type Appended =
  | { readonly connection: ConnectionId; readonly trace: StoredTrace }
  | { readonly connection: ConnectionId; readonly missing: true };

export interface TraceStore {
  traces(): Promise<Stored<readonly StoredTrace[]>>;
  /** Adds it, or gives back the one stored under this connection. */
  addTrace(trace: NewTrace): Promise<Stored<StoredTrace>>;
  patchTrace(connection: ConnectionId, patch: TracePatch): Promise<Stored<undefined>>;
  /**
   * Adds each batch in one transaction, and resolves when that is complete. A batch is written only
   * where its `after` is the newest event stored; the answer says what is stored now, and the
   * writer goes on from there. So no event is stored twice, nor one behind a hole of our making.
   */
  append(batches: readonly EventBatch[]): Promise<Stored<readonly Appended[]>>;
  /** Some blocks that hold events after `after`, in order; none: that was all. */
  blocks(connection: ConnectionId, after: Seq): Promise<Stored<readonly StoredBlock[]>>;
  /** What was kept last; undefined: nothing was, by this version. */
  index(connection: ConnectionId, version: number): Promise<Stored<TraceParts | undefined>>;
  /** Its part `first` alone, and what tells whether it was made of all that is stored. */
  first(connection: ConnectionId): Promise<Stored<FirstPart>>;
  /** Takes the place of what was kept. It is written only where all that it was made of is stored. */
  putIndex(connection: ConnectionId, made: TraceParts): Promise<Stored<undefined>>;
  /** What was said of the trace by hand. */
  annotations(connection: ConnectionId): Promise<Stored<readonly StoredAnnotation[]>>;
  /** Takes the place of what was said of the same thing. */
  putAnnotation(annotation: StoredAnnotation): Promise<Stored<undefined>>;
  /** Takes the trace away for good, with its blocks and what was said of it. */
  purge(connection: ConnectionId): Promise<Stored<undefined>>;
}

/** What came of runs of probes and of the resume lab. */
export interface RunStore {
  /** Newest first. */
  runs(): Promise<Stored<readonly StoredRun[]>>;
  report(id: string): Promise<Stored<StoredReport | undefined>>;
  /** Takes the place of what is stored of this run, unless that was deleted. */
  putRun(run: StoredRun, report: StoredReport): Promise<Stored<undefined>>;
  /** Hides it since then, or with `undefined` shows it again. */
  hideRun(id: string, deletedAt: number | undefined): Promise<Stored<undefined>>;
  /** Takes it away for good, with its report. */
  purgeRun(id: string): Promise<Stored<undefined>>;
}

/** What a person chose and typed. */
export interface Notebook {
  /** Newest first. */
  recents(): Promise<Stored<readonly StoredRecent[]>>;
  putRecent(recent: StoredRecent): Promise<Stored<undefined>>;
  dropRecent(key: string): Promise<Stored<undefined>>;
  drive(connection: ConnectionId): Promise<Stored<StoredDrive | undefined>>;
  putDrive(drive: StoredDrive): Promise<Stored<undefined>>;
  draft(key: string): Promise<Stored<StoredDraft | undefined>>;
  /** An empty text takes the draft away. */
  putDraft(draft: StoredDraft): Promise<Stored<undefined>>;
  /** Oldest first, at most SENT_KEPT. */
  sent(): Promise<Stored<readonly StoredSent[]>>;
  addSent(sent: StoredSent): Promise<Stored<undefined>>;
}

export const SENT_KEPT = 200;

export interface Store extends TraceStore, RunStore, Notebook {
  /** What is wrong with this store as a whole, and stays so. */
  readonly problem: StorageProblem | undefined;
}

export function patched(trace: StoredTrace, patch: TracePatch): StoredTrace {
  return defined({ ...trace, ...patch });
}

/** The trace after a batch was added. */
export function grown(trace: StoredTrace, batch: EventBatch): StoredTrace {
  return {
    ...trace,
    events: trace.events + batch.seqs.length,
    frames: trace.frames + batch.frames,
    bytes: trace.bytes + batch.bytes.length,
    last: batch.seqs.at(-1) ?? trace.last,
  };
}

/** A trace's number is one more than any there is. */
export function numbered(trace: NewTrace, others: readonly StoredTrace[]): StoredTrace {
  const number = others.reduce((most, { number }) => Math.max(most, number), 0) + 1;
  return { ...trace, number, events: 0, frames: 0, bytes: 0, last: 0 as Seq };
}

export function newestFirst(runs: readonly StoredRun[]): readonly StoredRun[] {
  return runs.toSorted((a, b) => b.at.localeCompare(a.at));
}

export function hidden(run: StoredRun, deletedAt: number | undefined): StoredRun {
  return defined({ ...run, deletedAt });
}

/** Whether the database holds what it was made of. */
export function covers(trace: StoredTrace | undefined, { last, bytes }: StoredHead): boolean {
  return trace !== undefined && trace.last >= last && trace.bytes >= bytes;
}
