// The store in the browser's database. Every operation may be repeated, so a handle that died is
// opened again and the operation run once more; what still fails is a value.
import type { ConnectionId, Seq } from '../trace/event.ts';
import { onDisk } from './block-bytes.ts';
import { cutBlocks, type EventBatch } from './blocks.ts';
import { openDatabase, type DatabaseEvents } from './database.ts';
import { isLostHandle, problemOf, type StorageProblem, type Stored } from './problem.ts';
import type {
  Change,
  Database,
  Names,
  StoredAnnotation,
  StoredBlock,
  StoredDraft,
  StoredDrive,
  StoredHead,
  StoredRecent,
  StoredReport,
  StoredRun,
  StoredSent,
} from './schema.ts';
import {
  covers,
  grown,
  hidden,
  newestFirst,
  numbered,
  patched,
  SENT_KEPT,
  type Appended,
  type NewTrace,
  type Store,
  type TraceParts,
  type TracePatch,
} from './store.ts';
import { withhold } from './withhold.ts';

/** Blocks named at a time: some 16 MB, of which those of older databases are read. */
const BLOCKS_AT_ONCE = 64;

const HEAD = 'head';

export class IdbStore implements Store {
  readonly #tell: DatabaseEvents['problem'];
  #database: Database | undefined;
  problem: StorageProblem | undefined;
  /** The last change failed, and that was told. */
  #isRefused = false;

  private constructor(tell: DatabaseEvents['problem']) {
    this.#tell = tell;
  }

  /** A problem: there is no database here at all. `tell` hears of trouble that comes later. */
  static async open(tell: DatabaseEvents['problem']): Promise<Stored<IdbStore>> {
    const store = new IdbStore(tell);
    const problem = await store.#open();
    return store.#database || !problem ? { ok: true, value: store } : { ok: false, problem };
  }

  traces() {
    return this.#read((db) => db.getAll('traces'));
  }

  addTrace(trace: NewTrace) {
    return this.#change(['traces'], async ({ store }) => {
      const all = await store.getAll();
      const had = all.find(({ connection }) => connection === trace.connection);
      const stored = had ?? numbered(trace, all);
      if (!had) await store.add(stored);
      return stored;
    });
  }

  patchTrace(connection: ConnectionId, patch: TracePatch) {
    return this.#change(['traces'], async ({ store }) => {
      const trace = await store.get(connection);
      if (trace) await store.put(patched(trace, patch));
      return undefined;
    });
  }

  append(batches: readonly EventBatch[]) {
    const stores = ['traces', 'blocks'] as const;
    return this.#change(stores, async (tx) => {
      const results: Appended[] = [];
      for (const batch of batches) {
        const { connection } = batch;
        const [trace, tail] = await Promise.all([
          tx.objectStore('traces').get(connection),
          tx.objectStore('blocks').openCursor(blocksOf(connection), 'prev'),
        ]);
        const last = tail?.value.last ?? (0 as Seq);
        if (!trace) results.push({ connection, missing: true });
        else if (last !== batch.after) results.push({ connection, trace: { ...trace, last } });
        else {
          const next = grown(trace, batch);
          const blocks = cutBlocks(tail?.value, batch);
          for (const block of blocks)
            void tx.objectStore('blocks').put(onDisk(block)).catch(ignore);
          void tx.objectStore('traces').put(next).catch(ignore);
          results.push({ connection, trace: next });
        }
      }
      return results;
    });
  }

  blocks(connection: ConnectionId, after: Seq) {
    return this.#read(async (db) => {
      const found: StoredBlock[] = [];
      const { store } = db.transaction('blocks');
      // The block that holds `after` may hold more behind it.
      const holder = await store.openCursor(blocksOf(connection, 0, after), 'prev');
      if (holder && holder.value.last > after) found.push(holder.value);
      const more = await store.getAll(blocksOf(connection, after + 1), BLOCKS_AT_ONCE);
      return [...found, ...more].map(named);
    });
  }

  index(connection: ConnectionId, version: number) {
    return this.#read(async (db) => {
      const all = await db.getAll('indexes', allOf(connection));
      const parts = new Map(all.map(({ part, value }) => [part, value]));
      const head = parts.get(HEAD) as StoredHead | undefined;
      return head?.version === version ? { head, parts } : undefined;
    });
  }
  first(connection: ConnectionId) {
    return this.#read(async (db) => {
      const tx = db.transaction(['blocks', 'indexes']);
      const of = async (part: string) =>
        (await tx.objectStore('indexes').get([connection, part]))?.value;
      const count = tx.objectStore('blocks').count(blocksOf(connection));
      const [head, first, blocks] = await Promise.all([of(HEAD), of('first'), count]);
      return { head: head as StoredHead | undefined, first, blocks };
    });
  }
  putIndex(connection: ConnectionId, { head, parts }: TraceParts) {
    return this.#change(['traces', 'indexes'], async (tx) => {
      const indexes = tx.objectStore('indexes');
      if (covers(await tx.objectStore('traces').get(connection), head)) {
        void indexes.delete(allOf(connection)).catch(ignore);
        for (const [part, value] of [...parts, [HEAD, head] as const])
          void indexes.put({ connection, part, value }).catch(ignore);
      }
      return undefined;
    });
  }

  annotations(connection: ConnectionId) {
    return this.#read((db) => db.getAll('annotations', allOf(connection)));
  }
  putAnnotation(annotation: StoredAnnotation) {
    return this.#change(['annotations'], ({ store }) => store.put(annotation).then(nothing));
  }

  purge(connection: ConnectionId) {
    const stores = ['traces', 'blocks', 'drives', 'annotations', 'indexes'] as const;
    return this.#change(stores, async (tx) => {
      await Promise.all([
        tx.objectStore('annotations').delete(allOf(connection)),
        tx.objectStore('indexes').delete(allOf(connection)),
        tx.objectStore('blocks').delete(blocksOf(connection)),
        tx.objectStore('traces').delete(connection),
        tx.objectStore('drives').delete(connection),
      ]);
      return undefined;
    });
  }

  runs() {
    return this.#read(async (db) => newestFirst(await db.getAll('runs')));
  }
  report(id: string) {
    return this.#read((db) => db.get('reports', id));
  }
  putRun(run: StoredRun, report: StoredReport) {
    return this.#change(['runs', 'reports'], async (tx) => {
      const [runs, reports] = [tx.objectStore('runs'), tx.objectStore('reports')];
      if ((await runs.get(run.id))?.deletedAt === undefined)
        await Promise.all([runs.put(run), reports.put(report)]);
      return undefined;
    });
  }
  hideRun(id: string, deletedAt: number | undefined) {
    return this.#change(['runs'], async ({ store }) => {
      const run = await store.get(id);
      if (run) await store.put(hidden(run, deletedAt));
      return undefined;
    });
  }
  purgeRun(id: string) {
    return this.#change(['runs', 'reports'], async (tx) => {
      await Promise.all([tx.objectStore('runs').delete(id), tx.objectStore('reports').delete(id)]);
      return undefined;
    });
  }

  recents() {
    return this.#read(async (db) =>
      (await db.getAll('recents')).sort((a, b) => b.usedAt - a.usedAt),
    );
  }
  putRecent(recent: StoredRecent) {
    return this.#change(['recents'], ({ store }) => store.put(kept(recent)).then(nothing));
  }
  dropRecent(key: string) {
    return this.#change(['recents'], ({ store }) => store.delete(key).then(nothing));
  }
  drive(connection: ConnectionId) {
    return this.#read((db) => db.get('drives', connection));
  }
  putDrive(drive: StoredDrive) {
    return this.#change(['drives'], ({ store }) => store.put(kept(drive)).then(nothing));
  }
  draft(key: string) {
    return this.#read((db) => db.get('drafts', key));
  }
  putDraft(draft: StoredDraft) {
    return this.#change(['drafts'], ({ store }) =>
      (draft.text === '' ? store.delete(draft.key) : store.put(draft)).then(nothing),
    );
  }
  sent() {
    return this.#read((db) => db.getAll('sent'));
  }
  addSent(sent: StoredSent) {
    return this.#change(['sent'], async ({ store }) => {
      await store.add(sent);
      const keys = await store.getAllKeys();
      const newest = keys[keys.length - SENT_KEPT - 1];
      if (newest !== undefined) await store.delete(IDBKeyRange.upperBound(newest));
      return undefined;
    });
  }

  #read<T>(work: (database: Database) => Promise<T>): Promise<Stored<T>> {
    return this.#try(work);
  }

  /** All of it or none; why not is told until a change works again. */
  async #change<const N extends Names, T>(
    stores: N,
    work: (change: Change<N>) => Promise<T>,
  ): Promise<Stored<T>> {
    if (this.#database && this.problem) return { ok: false, problem: this.problem };
    const done = await this.#try(async (db) => {
      // As browsers have it by now unless told otherwise.
      const tx = db.transaction(stores, 'readwrite', { durability: 'relaxed' });
      try {
        const value = await work(tx);
        await tx.done;
        return value;
      } catch (error) {
        undo(tx);
        throw error;
      }
    });
    if (!done.ok || this.#isRefused) this.#tell(done.ok ? undefined : done.problem);
    this.#isRefused = !done.ok;
    return done;
  }

  async #try<T>(work: (database: Database) => Promise<T>): Promise<Stored<T>> {
    for (let attempt = 1; ; attempt++) {
      const problem = this.#database ? undefined : await this.#open();
      const database = this.#database;
      if (!database) return { ok: false, problem: problem ?? problemOf('not open') };
      try {
        return { ok: true, value: await work(database) };
      } catch (error) {
        if (attempt > 1 || !isLostHandle(error)) return { ok: false, problem: problemOf(error) };
        database.close();
        // Another operation may have opened it again.
        if (this.#database === database) this.#database = undefined;
      }
    }
  }

  async #open(): Promise<StorageProblem | undefined> {
    const { database, problem } = await openDatabase({
      problem: this.#tell,
      lost: () => {
        this.#database = undefined;
      },
    });
    this.#database = database;
    this.problem = database ? problem : undefined;
    if (database) this.#tell(problem);
    return problem;
  }
}

function blocksOf(connection: ConnectionId, from = 0, to = Infinity): IDBKeyRange {
  return IDBKeyRange.bound([connection, from], [connection, to]);
}

/** Every key `[connection, text]`: an array is greater than any text. */
function allOf(connection: ConnectionId): IDBKeyRange {
  return IDBKeyRange.bound([connection], [connection, []]);
}

/** Also where it was stored as bytes: a Blob lies with the browser, and not in the memory of who reads it. */
function named(block: StoredBlock): StoredBlock {
  const { bytes } = block;
  return bytes instanceof Blob ? block : { ...block, bytes: new Blob([bytes as BlobPart]) };
}

function kept<T extends StoredRecent | StoredDrive>(record: T): T {
  return { ...record, launch: withhold(record.launch) };
}

function nothing(): undefined {
  return undefined;
}

/** A transaction that failed by itself is undone already. */
function undo(tx: Pick<Change<Names>, 'abort'>): void {
  try {
    tx.abort();
  } catch {
    return;
  }
}

/** A failed put fails its transaction, and `tx.done` says so. */
function ignore(): void {
  return;
}
