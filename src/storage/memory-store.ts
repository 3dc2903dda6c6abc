// The store of a window that has no database: the same answers, kept until the window closes.
import type { ConnectionId, Seq } from '../trace/event.ts';
import { cutBlocks, type EventBatch } from './blocks.ts';
import type { StorageProblem, Stored } from './problem.ts';
import type {
  StoredAnnotation,
  StoredBlock,
  StoredDraft,
  StoredDrive,
  StoredRecent,
  StoredReport,
  StoredRun,
  StoredSent,
  StoredTrace,
} from './schema.ts';
import {
  grown,
  hidden,
  newestFirst,
  numbered,
  covers,
  patched,
  SENT_KEPT,
  type Appended,
  type NewTrace,
  type Store,
  type TraceParts,
  type TracePatch,
} from './store.ts';

export class MemoryStore implements Store {
  readonly problem: StorageProblem | undefined;
  readonly #traces = new Map<string, StoredTrace>();
  readonly #blocks = new Map<string, StoredBlock[]>();
  readonly #indexes = new Map<string, TraceParts>();
  readonly #annotations = new Map<string, Map<string, StoredAnnotation>>();
  readonly #runs = new Map<string, StoredRun>();
  readonly #reports = new Map<string, StoredReport>();
  readonly #recents = new Map<string, StoredRecent>();
  readonly #drives = new Map<string, StoredDrive>();
  readonly #drafts = new Map<string, StoredDraft>();
  #sent: readonly StoredSent[] = [];

  constructor(problem: StorageProblem | undefined) {
    this.problem = problem;
  }

  traces() {
    return done([...this.#traces.values()]);
  }

  addTrace(trace: NewTrace) {
    const stored =
      this.#traces.get(trace.connection) ?? numbered(trace, [...this.#traces.values()]);
    this.#traces.set(trace.connection, stored);
    return done(stored);
  }

  patchTrace(connection: ConnectionId, patch: TracePatch) {
    const trace = this.#traces.get(connection);
    if (trace) this.#traces.set(connection, patched(trace, patch));
    return done(undefined);
  }

  append(batches: readonly EventBatch[]) {
    return done(batches.map((batch) => this.#append(batch)));
  }

  #append(batch: EventBatch): Appended {
    const { connection } = batch;
    const trace = this.#traces.get(connection);
    if (!trace) return { connection, missing: true };
    if (trace.last !== batch.after) return { connection, trace };
    const blocks = this.#blocks.get(connection) ?? [];
    const cut = cutBlocks(blocks.at(-1), batch);
    if (cut[0] && cut[0].first === blocks.at(-1)?.first) blocks.pop();
    blocks.push(...cut);
    this.#blocks.set(connection, blocks);
    const next = grown(trace, batch);
    this.#traces.set(connection, next);
    return { connection, trace: next };
  }

  blocks(connection: ConnectionId, after: Seq) {
    return done((this.#blocks.get(connection) ?? []).filter(({ last }) => last > after));
  }

  index(connection: ConnectionId, version: number) {
    const made = this.#indexes.get(connection);
    return done(made?.head.version === version ? made : undefined);
  }
  first(connection: ConnectionId) {
    const { head, parts } = this.#indexes.get(connection) ?? {};
    const blocks = this.#blocks.get(connection)?.length ?? 0;
    return done({ head, first: parts?.get('first'), blocks });
  }
  putIndex(connection: ConnectionId, made: TraceParts) {
    if (covers(this.#traces.get(connection), made.head)) this.#indexes.set(connection, made);
    return done(undefined);
  }

  annotations(connection: ConnectionId) {
    return done([...(this.#annotations.get(connection)?.values() ?? [])]);
  }
  putAnnotation(annotation: StoredAnnotation) {
    const { connection, key } = annotation;
    const all = this.#annotations.get(connection) ?? new Map<string, StoredAnnotation>();
    this.#annotations.set(connection, all.set(key, annotation));
    return done(undefined);
  }

  purge(connection: ConnectionId) {
    this.#annotations.delete(connection);
    this.#indexes.delete(connection);
    this.#traces.delete(connection);
    this.#blocks.delete(connection);
    this.#drives.delete(connection);
    return done(undefined);
  }

  runs() {
    return done(newestFirst([...this.#runs.values()]));
  }
  report(id: string) {
    return done(this.#reports.get(id));
  }
  putRun(run: StoredRun, report: StoredReport) {
    if (this.#runs.get(run.id)?.deletedAt !== undefined) return done(undefined);
    this.#runs.set(run.id, run);
    this.#reports.set(report.id, report);
    return done(undefined);
  }
  hideRun(id: string, deletedAt: number | undefined) {
    const run = this.#runs.get(id);
    if (run) this.#runs.set(id, hidden(run, deletedAt));
    return done(undefined);
  }
  purgeRun(id: string) {
    this.#runs.delete(id);
    this.#reports.delete(id);
    return done(undefined);
  }

  recents() {
    return done([...this.#recents.values()].sort((a, b) => b.usedAt - a.usedAt));
  }
  putRecent(recent: StoredRecent) {
    this.#recents.set(recent.key, recent);
    return done(undefined);
  }
  dropRecent(key: string) {
    this.#recents.delete(key);
    return done(undefined);
  }
  drive(connection: ConnectionId) {
    return done(this.#drives.get(connection));
  }
  putDrive(drive: StoredDrive) {
    this.#drives.set(drive.connection, drive);
    return done(undefined);
  }
  draft(key: string) {
    return done(this.#drafts.get(key));
  }
  putDraft(draft: StoredDraft) {
    if (draft.text === '') this.#drafts.delete(draft.key);
    else this.#drafts.set(draft.key, draft);
    return done(undefined);
  }
  sent() {
    return done(this.#sent);
  }
  addSent(sent: StoredSent) {
    this.#sent = [...this.#sent, sent].slice(-SENT_KEPT);
    return done(undefined);
  }
}

function done<T>(value: T): Promise<Stored<T>> {
  return Promise.resolve({ ok: true, value });
}
