// Comparisons for the page: one at a time, in slices, and the last few kept for looking at their rows.
import { diffTraces, DiffOptionError } from '../diff/traces/diff.ts';
import type { Piece } from '../diff/text-change.ts';
import { diffMarkdown } from '../diff/traces/report-markdown.ts';
import { diffText } from '../diff/traces/report-text.ts';
import type { DiffOptions, DiffSource, Slice, TraceDiffReport } from '../diff/traces/report.ts';
import { Sections } from '../diff/traces/sections.ts';
import { SliceError, turnBegins } from '../diff/traces/slice.ts';
import { defined } from '../lib/defined.ts';
import { count } from '../lib/format-count.ts';
import type { ConnectionId } from '../trace/event.ts';
import { aliasGroups, rowLook, rowsLook, wholeField } from './diff-look.ts';
import type { DiffAsk, DiffLook, DiffNumber, ShownRow, TurnName } from './diff-messages.ts';
import { othersTurn } from './intake.ts';
import type { OpenTrace } from './open-trace.ts';
import type { Parts } from './parts.ts';

type Library = Pick<Parts, 'catalog' | 'traces'>;
type Answer = DiffLook | { readonly problem: string } | undefined;

const SLICE = 8;
/** Comparisons that are kept: the views of one pair. */
const KEPT = 5;
/** Stored traces that stay in memory for the next comparison. */
const READ = 3;

interface Kept {
  readonly key: string;
  readonly report: TraceDiffReport;
  readonly look: DiffLook;
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

  get doing(): string | undefined {
    return this.#run?.doing;
  }

  cancel(): void {
    if (this.#run) this.#run.cancelled = true;
    this.#run = undefined;
  }

  async compare(ask: DiffAsk): Promise<Answer> {
    this.cancel();
    const run: Run = { cancelled: false, doing: '' };
    this.#run = run;
    try {
      return await this.#compare(ask, run);
    } catch (error) {
      if (error instanceof Cancelled) return undefined;
      if (!(error instanceof SliceError || error instanceof DiffOptionError)) throw error;
      return { problem: error.message };
    } finally {
      if (this.#run === run) this.#run = undefined;
    }
  }

  rows(diff: DiffNumber, rows: readonly number[]): readonly ShownRow[] | undefined {
    const report = this.#kept.get(diff)?.report;
    return report && rows.map((row) => rowLook(report.rows.row(row)));
  }

  field(diff: DiffNumber, row: number, nth: number): readonly Piece[] {
    const report = this.#kept.get(diff)?.report;
    return report ? wholeField(report.rows.row(row), nth) : [];
  }

  text(
    diff: DiffNumber,
    format: 'text' | 'markdown',
    { left, right }: { readonly left: string; readonly right: string },
  ): string {
    const report = this.#kept.get(diff)?.report;
    if (!report) return '';
    return format === 'markdown'
      ? diffMarkdown(report, left, right)
      : diffText(report, { left, right });
  }

  async turns(connection: ConnectionId): Promise<readonly TurnName[]> {
    const trace = await this.#open(connection);
    if (!trace) return [];
    const source = sourceOf(trace);
    const sections = new Sections(source);
    const { columns } = trace.index;
    return turnBegins(trace.index).map((place, at) => {
      const words = sections.list[sections.at(place)]?.words ?? '';
      return { turn: at + 1, begin: columns.seqOf(place), words };
    });
  }

  async #compare(ask: DiffAsk, run: Run): Promise<Answer> {
    const began = performance.now();
    const [left, right] = [await this.#side(ask.left, run), await this.#side(ask.right, run)];
    if (!left || !right) return { problem: 'One of the two is not stored here any more.' };
    const sides = [this.#slice(left, ask.leftSlice), this.#slice(right, ask.rightSlice)] as const;
    const key = JSON.stringify([ask, left.lines.length, right.lines.length]);
    const known = [...this.#kept.values()].find((one) => one.key === key);
    if (known) return known.look;
    const events = [count(left.lines.length, 'event'), count(right.lines.length, 'event')];
    run.doing = `Comparing ${events.join(' with ')}`;
    const { view, ignore, raw, rawValues } = ask;
    const [a, b] = sides;
    const options: DiffOptions = {
      ...{ view, ignore, raw, rawValues },
      ...defined({ a, b }),
      pause: pauseOf(run),
    };
    const report = await diffTraces(sourceOf(left), sourceOf(right), options);
    const diff = this.#next++;
    const { equal, counts, compared, sections, leftOut, unrelated, notices } = report;
    const look: DiffLook = {
      ...{ diff, ask, equal, counts, compared, sections, leftOut, unrelated, notices },
      ...rowsLook(report),
      events: { a: left.lines.length, b: right.lines.length },
      aliases: aliasGroups(report.aliases),
      took: performance.now() - began,
    };
    this.#kept.set(diff, { key, report, look });
    for (const oldest of [...this.#kept.keys()].slice(0, -KEPT)) this.#kept.delete(oldest);
    return look;
  }

  async #side(connection: ConnectionId, run: Run): Promise<OpenTrace | undefined> {
    const name = this.#library.catalog.get(connection)?.name ?? 'the trace';
    run.doing = `Reading ${name}`;
    const trace = await this.#open(connection);
    if (run.cancelled) throw new Cancelled();
    return trace;
  }

  async #open(connection: ConnectionId): Promise<OpenTrace | undefined> {
    const { catalog, traces } = this.#library;
    const stored = catalog.get(connection);
    if (!stored) return undefined;
    const isOpen = traces.get(connection) !== undefined;
    const read = isOpen ? undefined : this.#read.get(connection);
    if (read) return read;
    const { trace, loaded } = traces.open(connection, stored.mode === 'file' ? 'file' : 'live');
    await loaded;
    if (isOpen || catalog.isRunning(connection)) return trace;
    traces.release(connection);
    this.#read.set(connection, trace);
    for (const oldest of [...this.#read.keys()].slice(0, -READ)) this.#read.delete(oldest);
    return trace;
  }

  /** What comes while a running one is being compared belongs to the next comparison. */
  #slice({ connection, last }: OpenTrace, slice: Slice | undefined): Slice | undefined {
    if (!this.#library.catalog.isRunning(connection) || last === 0) return slice;
    return { ...slice, to: slice?.to === undefined || slice.to > last ? last : slice.to };
  }
}

function sourceOf({ connection, index, lines }: OpenTrace): DiffSource {
  return { connection, index, eventAt: (place) => lines.read(place) };
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
