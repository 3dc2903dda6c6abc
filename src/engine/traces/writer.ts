// Brings what was received into the database: one transaction at a time, of everything that waits.
// Only when it is complete is anything acknowledged; what fails stays where it is and is tried
// again, so a full disk costs time and no frame.
import type { StorageProblem } from '../../storage/problem.ts';
import type { StoredTrace } from '../../storage/schema.ts';
import type { Appended, TraceStore } from '../../storage/store.ts';
import { seq, type ConnectionId, type Seq } from '../../trace/event.ts';
import type { LineStore } from './line-store.ts';

/** Bytes in one transaction. */
const MOST = 4 * 1024 * 1024;
/** From here on a batch is written at once; less waits for company. */
const ENOUGH = 256 * 1024;
/** Milliseconds between two transactions of a slow stream. */
const PACE = 100;
/** No storm of retries on a full disk. */
const RETRY = 10_000;

/** A trace that is to be stored. */
interface TraceToStore {
  readonly connection: ConnectionId;
  readonly lines: LineStore;
}

interface WriterEvents {
  /** All up to the trace's `last` is in the database, its transaction complete. */
  stored(trace: StoredTrace): void;
  /** The database has no such trace (any more). True: it was added again, write on. */
  missing(connection: ConnectionId): Promise<boolean>;
  problem(problem: StorageProblem | undefined): void;
}

interface Place {
  readonly source: TraceToStore;
  /** The newest event in the database, as far as known. */
  last: Seq;
}

export class Writer {
  readonly #store: TraceStore;
  readonly #events: WriterEvents;
  readonly #places = new Map<ConnectionId, Place>();
  #enabled = false;
  #running = false;
  #wrote = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failing = false;

  constructor(store: TraceStore, events: WriterEvents) {
    this.#store = store;
    this.#events = events;
  }

  /** Off in a tab that only looks: another one writes. */
  enable(enabled: boolean): void {
    this.#enabled = enabled;
    this.wake();
  }

  /** `last`: what the database holds of it. */
  add(source: TraceToStore, last: Seq): void {
    const known = this.#places.get(source.connection);
    if (known?.source !== source) this.#places.set(source.connection, { source, last });
    this.wake();
  }

  drop(connection: ConnectionId): void {
    this.#places.delete(connection);
  }

  /** Events received that are not in the database. */
  get behind(): number {
    let behind = 0;
    for (const { source, last } of this.#places.values())
      behind += source.lines.length - source.lines.after(last);
    return behind;
  }

  isBehind(connection: ConnectionId): boolean {
    const place = this.#places.get(connection);
    return place !== undefined && place.source.lines.after(place.last) < place.source.lines.length;
  }

  /** Another tab has stored up to here. */
  storedElsewhere(connection: ConnectionId, last: Seq): void {
    const place = this.#places.get(connection);
    if (place && last > place.last) place.last = last;
  }

  /** Something is new; or, after trouble, something has changed. */
  wake(): void {
    if (!this.#enabled || this.#running || this.#failing) return;
    if (this.#timer !== undefined) {
      if (this.#waiting() < ENOUGH) return;
      this.#clear();
    }
    const rest = this.#wrote + PACE - performance.now();
    if (rest > 0 && this.#waiting() < ENOUGH) this.#later(rest);
    else void this.#run();
  }

  /** Trouble may be over: do not wait for the next try. */
  retry(): void {
    this.#clear();
    this.#failing = false;
    this.wake();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      while (this.#enabled && (await this.#write()) && this.#waiting() >= ENOUGH);
    } finally {
      this.#running = false;
    }
    if (this.#enabled && !this.#failing && this.#waiting() > 0) this.wake();
  }

  /** One transaction; false: nothing to write, or it failed. */
  async #write(): Promise<boolean> {
    const batches = [];
    let room = MOST;
    for (const { source, last } of this.#places.values()) {
      const { connection, lines } = source;
      const batch = room > 0 && lines.batch(connection, last, lines.after(last), room);
      if (!batch) continue;
      room -= batch.bytes.length;
      batches.push(batch);
    }
    if (batches.length === 0) return false;
    const stored = await this.#store.append(batches);
    this.#wrote = performance.now();
    if (!stored.ok) return this.#failed(stored.problem);
    if (this.#failing) this.#failing = false;
    this.#events.problem(undefined);
    for (const appended of stored.value) await this.#appended(appended);
    return true;
  }

  async #appended(appended: Appended): Promise<void> {
    const { connection } = appended;
    const place = this.#places.get(connection);
    if (!place) return;
    if ('missing' in appended) {
      if (await this.#events.missing(connection)) place.last = seq(0);
      else this.drop(connection);
      return;
    }
    // Less than we knew: the browser took events away, and they are written again.
    place.last = appended.trace.last;
    this.#events.stored(appended.trace);
  }

  #failed(problem: StorageProblem): false {
    this.#events.problem(problem);
    this.#failing = true;
    this.#later(RETRY);
    return false;
  }

  #waiting(): number {
    let bytes = 0;
    for (const { source, last } of this.#places.values())
      bytes += source.lines.bytesFrom(source.lines.after(last));
    return bytes;
  }

  #later(time: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#failing = false;
      this.wake();
    }, time);
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
