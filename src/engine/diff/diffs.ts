// Comparisons for the page: one at a time, in slices, and the last few kept for looking at their rows.
import { diffTraces, DiffOptionError } from '../../diff/traces/diff.ts';
import type { ChangePiece } from '../../model/text-change.ts';
import { diffDocument } from '../../diff/traces/report/document.ts';
import type {
  Alias,
  DiffOptions,
  Slice,
  TraceDiffReport,
} from '../../diff/traces/report/report.ts';
import { sectionsOf } from '../../diff/traces/lane.ts';
import { FLAG } from '../../model/columns.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { SliceError } from '../../diff/traces/slice.ts';
import { defined } from '../../lib/defined.ts';
import { count } from '../../lib/format.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { livedIn } from '../../model/fidelity/lived-in.ts';
import { Fidelities } from '../fidelity/fidelities.ts';
import { openTraceSource } from '../traces/beginnings.ts';
import { aliasGroups, rowLook, rowsLook, wholeField } from './diff-look.ts';
import type { DiffAsk, DiffLook, DiffNumber, ShownRow, TurnName } from './diff-messages.ts';
import { rendered } from '../../report/render.ts';
import { inFront, othersTurn } from '../traces/intake.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import type { Parts } from '../parts.ts';

type Library = Pick<Parts, 'catalog' | 'traces' | 'finder'>;
interface Problem {
  readonly problem: string;
}

const SLICE = 8;
/** Comparisons that are kept: the views of one pair. */
const KEPT = 5;
/** Stored traces that stay in memory for the next comparison. */
const READ = 3;

interface Kept {
  readonly key: string;
  readonly report: TraceDiffReport;
  readonly look: DiffLook;
  readonly byName: ReadonlyMap<string, Alias>;
}

interface Run {
  cancelled: boolean;
  doing: string;
}

/** Thrown out of a comparison that nobody waits for any more. */
class Cancelled extends Error {}

export class Diffs {
  readonly #library: Library;
  readonly #kept = new Map<DiffNumber, Kept>();
  readonly #read = new Map<ConnectionId, OpenTrace>();
  #run: Run | undefined;
  #next: DiffNumber = 1;

  constructor(library: Library) {
    this.#library = library;
  }

  /** What it is at. Undefined: nothing is being compared. */
  progress(): string | undefined {
    return this.#run?.doing;
  }

  cancel(): void {
    if (this.#run) this.#run.cancelled = true;
    this.#run = undefined;
  }

  /**
   * Ends the one under way. A sentence: why they cannot be compared (a rule, a slice). Undefined: it
   * was cancelled.
   */
  compare(ask: DiffAsk): Promise<DiffLook | Problem | undefined> {
    return this.#alone(async (run) => (await this.#pair(ask, run)).look);
  }

  /** Undefined: the comparison is no longer known. */
  rows(diff: DiffNumber, rows: readonly number[]): readonly ShownRow[] | undefined {
    const kept = this.#kept.get(diff);
    return kept && rows.map((row) => rowLook(kept.report.rows.row(row), kept.byName));
  }

  /** All of them, by kind and in their order. */
  aliases(diff: DiffNumber): readonly Alias[] {
    return this.#kept.get(diff)?.report.aliases ?? [];
  }
  /** The rows in which it stands, ascending. */
  rowsWith(diff: DiffNumber, alias: string): readonly number[] {
    return this.#kept.get(diff)?.report.rowsWith(alias) ?? [];
  }

  /** All of both values of the nth field that a row shows. */
  field(diff: DiffNumber, row: number, nth: number): readonly ChangePiece[] {
    const report = this.#kept.get(diff)?.report;
    return report ? wholeField(report.rows.row(row), nth) : [];
  }

  /** As the command prints it; the names of both sides as the page has them. */
  text(
    diff: DiffNumber,
    format: 'text' | 'markdown',
    { left, right }: { readonly left: string; readonly right: string },
  ): string {
    const report = this.#kept.get(diff)?.report;
    if (!report) return '';
    return rendered(diffDocument(report, { left, right }), format);
  }

  async turns(connection: ConnectionId): Promise<readonly TurnName[]> {
    const trace = await this.#open(connection);
    if (!trace) return [];
    const source = sourceOf(trace);
    const { turns, list, finish } = sectionsOf(source);
    finish();
    const { columns } = trace.index;
    return turns.map(({ turn, section, begin }) => {
      const { name, words } = list[section] ?? { name: `Turn ${turn}`, words: '' };
      return { turn, begin: columns.seqOf(begin), name, words };
    });
  }

  /** Whether it has what `is:replay,late` finds. */
  async hasReplay(connection: ConnectionId): Promise<boolean> {
    const trace = await this.#open(connection);
    if (!trace) return false;
    const { columns, length } = trace.index;
    const history = FLAG.replay | FLAG.late;
    for (let place = 0; place < length; place++) if (columns.has(place, history)) return true;
    return false;
  }

  /** Returns the trace with the live session of this trace's newest replay. Nothing is compared for it. */
  async livedIn(connection: ConnectionId): Promise<ConnectionId | undefined> {
    if (!(await this.hasReplay(connection))) return undefined;
    const { catalog } = this.#library;
    const { window, traces = [] } = (await new Fidelities(this.#library).replay(connection)) ?? {};
    const sources = traces.map((one) => openTraceSource(one, catalog));
    const source = sources.find((one) => one.connection === connection);
    return source && window && livedIn(sources, source, window);
  }

  /** Ends the one under way. Undefined: it was ended itself. */
  async #alone<T>(work: (run: Run) => Promise<T>): Promise<T | Problem | undefined> {
    this.cancel();
    const run: Run = { cancelled: false, doing: '' };
    this.#run = run;
    try {
      return await inFront(() => work(run));
    } catch (error) {
      if (error instanceof Cancelled) return undefined;
      if (!(error instanceof SliceError || error instanceof DiffOptionError)) throw error;
      return { problem: error.message };
    } finally {
      if (this.#run === run) this.#run = undefined;
    }
  }

  async #pair(ask: DiffAsk, run: Run): Promise<Kept> {
    const began = performance.now();
    const left = await this.#side(ask.left, run);
    const right = await this.#side(ask.right, run);
    const sides = [this.#slice(left, ask.leftSlice), this.#slice(right, ask.rightSlice)] as const;
    const key = JSON.stringify([ask, left.lines.length, right.lines.length]);
    const known = [...this.#kept.values()].find((one) => one.key === key);
    if (known) return this.#keep(known);
    const events = [count(left.lines.length, 'event'), count(right.lines.length, 'event')];
    run.doing = `Comparing ${events.join(' with ')}`;
    const { view, ignore, raw, rawValues, eachChunk = false } = ask;
    const [a, b] = sides;
    const options: DiffOptions = {
      ...{ view, ignore, raw, rawValues, eachChunk },
      ...defined({ a, b }),
      finder: this.#library.finder,
      pause: pauseOf(run),
    };
    const report = await diffTraces(sourceOf(left), sourceOf(right), options);
    const diff = this.#next++;
    const { equal, counts, compared, sections, leftOut, unrelated, notices, replays } = report;
    const look: DiffLook = {
      ...{ diff, ask, equal, counts, compared, sections, leftOut, unrelated, notices },
      ...defined({ replays }),
      ...rowsLook(report),
      events: { a: left.lines.length, b: right.lines.length },
      aliases: aliasGroups(report.aliases),
      sameText: report.sameText.length,
      took: performance.now() - began,
    };
    const byName = new Map(report.aliases.map((alias) => [alias.name, alias]));
    return this.#keep({ key, report, look, byName });
  }

  /** The newest last. */
  #keep(kept: Kept): Kept {
    const { diff } = kept.look;
    this.#kept.delete(diff);
    this.#kept.set(diff, kept);
    forgetOldest(this.#kept, KEPT);
    return kept;
  }

  async #side(connection: ConnectionId, run: Run): Promise<OpenTrace> {
    const name = this.#library.catalog.get(connection)?.name ?? 'the trace';
    run.doing = `Reading ${name}`;
    const trace = await this.#open(connection);
    if (run.cancelled) throw new Cancelled();
    if (!trace) throw new DiffOptionError('One of them is not stored here any more.');
    return trace;
  }

  async #open(connection: ConnectionId): Promise<OpenTrace | undefined> {
    const { catalog, traces } = this.#library;
    if (!catalog.get(connection)) return undefined;
    const isOpen = traces.get(connection) !== undefined;
    const read = isOpen ? undefined : this.#read.get(connection);
    if (read) return this.#holdRead(read);
    const trace = await traces.whole(connection);
    if (isOpen || catalog.isRunning(connection)) return trace;
    traces.release(connection);
    return this.#holdRead(trace);
  }

  #holdRead(trace: OpenTrace): OpenTrace {
    this.#read.delete(trace.connection);
    this.#read.set(trace.connection, trace);
    forgetOldest(this.#read, READ);
    return trace;
  }

  /** What comes while a running one is being compared belongs to the next comparison. */
  #slice({ connection, last }: OpenTrace, slice: Slice | undefined): Slice | undefined {
    if (!this.#library.catalog.isRunning(connection) || last === 0) return slice;
    return { ...slice, to: slice?.to === undefined || slice.to > last ? last : slice.to };
  }
}

function sourceOf({ connection, index, lines }: OpenTrace): IndexedTrace {
  return {
    ...{ connection, index },
    eventAt: (place) => lines.read(place),
    textAt: (place) => lines.frameText(place),
  };
}

function forgetOldest<K>(kept: Map<K, unknown>, most: number): void {
  for (const oldest of [...kept.keys()].slice(0, -most)) kept.delete(oldest);
}

function pauseOf(run: Run): () => Promise<void> {
  let end = performance.now() + SLICE;
  return async () => {
    if (run.cancelled) throw new Cancelled();
    if (performance.now() < end) return;
    await othersTurn();
    end = performance.now() + SLICE;
  };
}
