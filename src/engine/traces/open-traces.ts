// The traces in memory. A live one stays; of the stored ones that were looked at, the last few do.
// What reads a trace is loaded with the first of them: the first page has none.
import { PinBook, Pins } from '../../model/timeline/pins.ts';
import type { StorageProblem } from '../../storage/problem.ts';
import type { TraceStore } from '../../storage/store.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { Catalog } from '../library/catalog.ts';
import { recallAnnotations } from './annotations.ts';
import type { Intake } from './intake.ts';
import type { OpenTrace } from './open-trace.ts';
import type * as StoredTrace from './stored-trace.ts';
import { SessionChips } from './session-chips.ts';

/** Stored traces kept in memory beside the live ones. */
const KEPT = 3;

const MISSING = {
  live: 'The relay no longer had these events when the page asked for them.',
  file: 'The file does not hold these events.',
} as const;

interface Entry {
  readonly trace: OpenTrace;
  /** Its first screen is known, if it was kept. */
  readonly begun: Promise<void>;
  readonly loaded: Promise<void>;
}

interface TracesParts {
  readonly store: TraceStore;
  readonly catalog: Catalog;
  readonly intake: Intake<OpenTrace>;
}

export class OpenTraces {
  readonly #parts: TracesParts;
  readonly #chips: SessionChips;
  readonly #onProblem: (problem: StorageProblem) => void;
  readonly #loadReader: () => Promise<typeof StoredTrace>;
  readonly #entries = new Map<ConnectionId, Entry>();
  /** What is loaded with the first trace. */
  #reader: typeof StoredTrace | undefined;
  /** To be awaited before the catalog names the first trace: from then on any can be opened. */
  async ready(): Promise<void> {
    this.#reader = await this.#loadReader();
  }
  /** Cursors of all sessions, those of traces that are closed too. */
  readonly pins = new PinBook();
  /** Stored traces looked at, the last one last. */
  #looked: readonly ConnectionId[] = [];

  /** `load`: what reads a trace. */
  constructor(
    parts: TracesParts,
    onProblem: (problem: StorageProblem) => void,
    load: () => Promise<typeof StoredTrace>,
  ) {
    this.#parts = parts;
    this.#loadReader = load;
    this.#chips = new SessionChips(parts.catalog);
    this.#onProblem = onProblem;
  }

  get(connection: ConnectionId): OpenTrace | undefined {
    return this.#entries.get(connection)?.trace;
  }

  all(): readonly OpenTrace[] {
    return [...this.#entries.values()].map(({ trace }) => trace);
  }

  /** An empty one, filled by whoever asks: a file that is being read. */
  create(connection: ConnectionId): OpenTrace {
    const trace = this.#make(connection, 'file');
    this.#entries.set(connection, { trace, begun: Promise.resolve(), loaded: Promise.resolve() });
    return trace;
  }

  /** The trace, and when all that is stored of it is in memory. */
  open(connection: ConnectionId): Entry {
    const open = this.#entries.get(connection);
    if (open) return open;
    const from = this.#parts.catalog.get(connection)?.mode === 'file' ? 'file' : 'live';
    const trace = this.#make(connection, from);
    const begun = this.#loaded().firstLook(trace, this.#parts);
    const entry = { trace, begun, loaded: begun.then(() => this.#load(trace, from)) };
    this.#entries.set(connection, entry);
    return entry;
  }

  /** The trace with all that is stored of it. */
  async whole(connection: ConnectionId): Promise<OpenTrace> {
    const { trace, loaded } = this.open(connection);
    await loaded;
    return trace;
  }

  /** All that are in memory, those whole that somebody just asked for: half read, they say what is not so. */
  allWhole(): Promise<readonly OpenTrace[]> {
    return Promise.all([...this.#entries.keys()].map((connection) => this.whole(connection)));
  }

  /** Who read it needs it no more; it goes unless it was looked at. */
  release(connection: ConnectionId): void {
    if (!this.#looked.includes(connection)) this.close(connection);
  }

  close(connection: ConnectionId): void {
    this.#entries.delete(connection);
  }

  /** Looked at now: those looked at longest ago go, unless `isNeeded`. */
  look(connection: ConnectionId, isNeeded: (connection: ConnectionId) => boolean): void {
    this.#looked = [...this.#looked.filter((other) => other !== connection), connection];
    const spare = this.#looked.filter((other) => !isNeeded(other)).slice(0, -KEPT);
    for (const other of spare) this.close(other);
    this.#looked = this.#looked.filter((other) => !spare.includes(other));
  }

  #make(connection: ConnectionId, from: keyof typeof MISSING): OpenTrace {
    const { catalog } = this.#parts;
    const pins = new Pins(this.pins, {
      began: () => Date.parse(catalog.get(connection)?.startedAt ?? '') || 0,
      about: () => catalog.get(connection)?.group?.session,
    });
    const { OpenTrace } = this.#loaded();
    const trace = new OpenTrace(connection, this.#chips.of(connection), MISSING[from], pins);
    trace.index.isOver = () => !catalog.isRunning(connection);
    return trace;
  }

  async #load(trace: OpenTrace, from: keyof typeof MISSING): Promise<void> {
    const loaded = await this.#loaded().loadTrace(trace, this.#parts);
    if (!loaded.ok) this.#onProblem(loaded.problem);
    const problem = await recallAnnotations(trace, this.#parts.store);
    if (problem) this.#onProblem(problem);
    if (from === 'file') trace.finish();
    this.keep();
  }

  #loaded(): typeof StoredTrace {
    if (!this.#reader) throw new Error('no trace can be read yet');
    return this.#reader;
  }

  /** What is known of traces that will not grow is stored beside them, for when they are opened again. */
  keep(): void {
    for (const trace of this.all()) void this.#loaded().keepTrace(trace, this.#parts);
  }
}
