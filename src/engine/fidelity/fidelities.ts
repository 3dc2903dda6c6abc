// Fidelity reports for the page: of every trace in memory that names the session, and of stored ones
// of the same agent. A report is made in slices, and kept until one of its traces has grown.
import { fidelitySteps } from '../../model/fidelity/fidelity.ts';
import type {
  ChildFidelity,
  FidelityReport,
  FidelityWindow,
  ItemDifference,
} from '../../model/fidelity/report/report.ts';
import { fidelityDocument } from '../../model/fidelity/report/document.ts';
import { thingOf, wholeChange } from '../../model/fidelity/report/sentence.ts';
import type { Answer } from '../../model/fidelity/report/answer.ts';
import { markdownReport } from '../../report/markdown.ts';
import { interceptMarks, type InterceptMark } from '../../model/sessions/intercept-marks.ts';
import type { WindowRecord } from '../../model/timeline/replay-windows.ts';
import type { ReplayWindowView } from '../../model/timeline/row-view.ts';
import { hasReplay } from '../../model/restore/restore-shapes.ts';
import type { TraceIndex } from '../../model/trace-index.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import { othersTurn } from '../traces/intake.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { byBeginning, openTraceSource } from '../traces/beginnings.ts';
import type { ComparedRun } from '../../model/sessions/session-runs.ts';
import { mayName, storedBeside } from '../traces/sharing.ts';
import type { Catalog } from '../library/catalog.ts';
import type { OpenTraces } from '../traces/open-traces.ts';
import { comparedRun, stripCells, stripParts, type ReplayCell, type StripPart } from './strip.ts';

interface Library {
  readonly catalog: Pick<Catalog, 'get' | 'summaries'>;
  readonly traces: Pick<OpenTraces, 'allWhole' | 'get' | 'whole' | 'release'>;
}

const SLICE = 8;
/** Number of reports in the cache. */
const KEPT = 8;
/** Differences that are told beside a strip. */
const MOST_HARMS = 6;

/** A replay window by its place, on whichever connection of its session. */
export interface OtherWindow {
  readonly connection: ConnectionId;
  readonly request: Seq;
  readonly variant: string;
  readonly answer: Answer;
}

export interface FidelityView {
  readonly window: ReplayWindowView;
  readonly report: FidelityWindow;
  /** All windows of the session, this one too, in the order their connections began. */
  readonly windows: readonly OtherWindow[];
}

/** One item that differs. */
export interface Harm extends Pick<ItemDifference, 'kind' | 'item' | 'live' | 'replayed'> {
  /** Its fields joined: `status: failed → completed, title: is empty`. */
  readonly words: string;
}

/** A replay window, drawn as a strip. */
export interface WindowStrip extends OtherWindow, Pick<FidelityWindow, 'unjudged' | 'leftOpen'> {
  readonly parts: readonly StripPart[];
  readonly cells: readonly ReplayCell[];
  /** What a client gets wrong by it: the first, and how many there are. */
  readonly harms: readonly Harm[];
  readonly harmCount: number;
  readonly children: readonly Pick<ChildFidelity, 'session' | 'answer'>[];
}

interface Found {
  readonly trace: OpenTrace;
  readonly window: WindowRecord;
  readonly report: FidelityWindow;
  /** Of the session. */
  readonly windows: readonly FidelityWindow[];
}

export class Fidelities {
  readonly #library: Library;
  readonly #judged: (runs: readonly ComparedRun[]) => void;
  /** Reports by their session, and by their traces and the lengths of these. */
  readonly #kept = new Map<string, Promise<FidelityReport>>();

  /** `judged` is called with every report that is made. */
  constructor(library: Library, judged: (runs: readonly ComparedRun[]) => void = () => undefined) {
    this.#library = library;
    this.#judged = judged;
  }

  /**
   * The replay of the restore request at `request`, or that the frame at `near` is of, or of the newest
   * restore that has one to compare, against what was said live on every connection in memory and in stored
   * traces of the same agent.
   * Undefined: there is no such replay window.
   */
  async of(connection: ConnectionId, request?: Seq, near?: Seq): Promise<FidelityView | undefined> {
    const found = await this.#find(connection, request, near);
    if (!found) return undefined;
    const { trace, window, report, windows } = found;
    return {
      window: trace.index.windowView(window),
      report: sent(report),
      windows: windows.map(nameOf),
    };
  }

  /** Every replay window of a session that this connection names. */
  async strips(connection: ConnectionId, sessionId: string): Promise<readonly WindowStrip[]> {
    const trace = await this.#read(connection);
    if (!trace) return [];
    const traces = await this.#tracesOf(trace, new Set([sessionId]));
    return (await this.#reportOf(sessionId, traces)).windows.map(stripOf);
  }

  /**
   * Returns the marks of what the intercept did to messages of a session on this connection; after a restore, also of what it
   * did on earlier connections.
   */
  async intercepted(
    connection: ConnectionId,
    sessionId: string,
  ): Promise<readonly InterceptMark[]> {
    const trace = await this.#read(connection);
    if (!trace) return [];
    const isRestored = trace.index.windowRecords.some(
      ({ session }) => session.sessionId === sessionId,
    );
    const traces = isRestored ? await this.#tracesOf(trace, new Set([sessionId])) : [trace];
    return traces
      .slice(0, traces.indexOf(trace) + 1)
      .flatMap((one) => interceptMarks(openTraceSource(one, this.#library.catalog), sessionId));
  }

  /** All of both values of a difference, by its place in the report of that window. */
  async change(connection: ConnectionId, request: Seq, place: number) {
    const difference = (await this.#find(connection, request))?.report.differences[place];
    return difference && wholeChange(difference);
  }

  /** The report of one window, as a document with the names that traces have in the page. */
  async markdown(connection: ConnectionId, request: Seq): Promise<string | undefined> {
    const found = await this.#find(connection, request);
    if (!found) return undefined;
    const { report } = found;
    const of = new Set(
      [report, ...report.children]
        .flatMap(({ live }) => live.map((one) => one.connection))
        .concat(connection),
    );
    const traces = this.#library.catalog
      .summaries()
      .flatMap(({ connection, number, name }) =>
        of.has(connection) ? [{ connection, name: `c${number}`, file: name }] : [],
      );
    return markdownReport(fidelityDocument({ windows: [report] }, traces, false));
  }

  async #read(connection: ConnectionId): Promise<OpenTrace | undefined> {
    const { catalog, traces } = this.#library;
    return catalog.get(connection) && traces.whole(connection);
  }

  async #find(
    connection: ConnectionId,
    request: Seq | undefined,
    near?: Seq,
  ): Promise<Found | undefined> {
    const wanted = await this.replay(connection, request, near);
    if (!wanted) return undefined;
    const { trace, window, traces } = wanted;
    const { windows } = await this.#reportOf(window.session.sessionId, traces);
    const report = windows.find(
      (one) => one.connection === connection && one.requestSeq === window.seq,
    );
    return report && { trace, window, report, windows };
  }

  /** The window that `of` is about, and the traces that it is compared with, in the order they began. */
  async replay(
    connection: ConnectionId,
    request?: Seq,
    near?: Seq,
  ): Promise<
    (Pick<Found, 'trace' | 'window'> & { readonly traces: readonly OpenTrace[] }) | undefined
  > {
    const trace = await this.#read(connection);
    if (!trace) return undefined;
    const { index } = trace;
    const window =
      request === undefined
        ? ((near && index.window(index.columns.placeFrom(near))) ?? worthiest(index))
        : index.windowRecords.find(({ seq }) => seq === request);
    if (!window) return undefined;
    const { sessionId } = window.session;
    const asked = trace.index.session(window.request)?.sessionId ?? sessionId;
    return { trace, window, traces: await this.#tracesOf(trace, new Set([sessionId, asked])) };
  }

  /** The replay windows of all sessions of this connection, on whichever connection they are. */
  async replays(connection: ConnectionId): Promise<readonly OtherWindow[]> {
    const trace = await this.#read(connection);
    const found: OtherWindow[] = [];
    for (const { sessionId, listedOnly } of trace?.index.facts().sessions ?? []) {
      if (!trace || listedOnly) continue;
      const traces = await this.#tracesOf(trace, new Set([sessionId]));
      const { windows } = await this.#reportOf(sessionId, traces);
      found.push(...windows.map(nameOf));
    }
    return found;
  }

  /** Every restore of this connection, compared with the live sessions of all traces; `also`: traces to read in any case. */
  async restores(
    connection: ConnectionId,
    also: readonly ConnectionId[],
  ): Promise<readonly FidelityWindow[]> {
    const trace = await this.#read(connection);
    const sessions = trace?.index.windowRecords.map(({ session }) => session.sessionId) ?? [];
    const found: FidelityWindow[] = [];
    for (const session of new Set(sessions)) {
      if (!trace) continue;
      const traces = await this.#tracesOf(trace, new Set([session]), also);
      const { windows } = await this.#reportOf(session, traces);
      found.push(...windows.filter((one) => one.connection === connection));
    }
    return found;
  }

  #reportOf(sessionId: string, traces: readonly OpenTrace[]): Promise<FidelityReport> {
    // The page and the checks may ask beside different traces, so the traces are part of the key.
    const of = traces.map(({ connection, lines }) => `${connection} ${lines.length}`);
    const key = [sessionId, ...of].join('\n');
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const report = inSlices(
      traces.map((trace) => openTraceSource(trace, this.#library.catalog)),
      sessionId,
    );
    void report.then(
      ({ windows }) => this.#judged(windows.map(comparedRun)),
      () => undefined,
    );
    this.#kept.set(key, report);
    for (const oldest of [...this.#kept.keys()].slice(0, -KEPT)) this.#kept.delete(oldest);
    return report;
  }

  /** In the order they began; the stored ones are read if nobody knows yet whom they name. */
  async #tracesOf(
    trace: OpenTrace,
    sessions: ReadonlySet<string>,
    also: readonly ConnectionId[] = [],
  ): Promise<readonly OpenTrace[]> {
    const { catalog, traces } = this.#library;
    const wanted = ({ index }: OpenTrace) =>
      [...sessions].some((session) => index.sessionNamed(session) !== undefined);
    const found = (await traces.allWhole()).filter(wanted);
    const isFound = (one: ConnectionId) => found.some(({ connection }) => connection === one);
    const away = also.filter((one) => catalog.get(one) && !traces.get(one));
    for (const connection of new Set([...away, ...this.#stored(trace, sessions)])) {
      if (isFound(connection)) continue;
      const read = await traces.whole(connection);
      if (wanted(read)) found.push(read);
      traces.release(connection);
    }
    return byBeginning(found, catalog);
  }

  /** Stored traces that are not in memory, and may name one of the sessions. */
  #stored({ connection }: OpenTrace, sessions: ReadonlySet<string>): readonly ConnectionId[] {
    const { catalog, traces } = this.#library;
    return storedBeside(
      catalog,
      connection,
      (one) => !traces.get(one.connection) && mayName(one, sessions),
    );
  }
}

/** Values stay here: some are long, and nobody looks at most of them. */
function sent(report: FidelityWindow): FidelityWindow {
  return { ...bare(report), children: report.children.map(bare) };
}

function bare<J extends Pick<FidelityWindow, 'differences'>>(judged: J): J {
  return { ...judged, differences: judged.differences.map(({ values: _, ...rest }) => rest) };
}

function nameOf(window: FidelityWindow): OtherWindow {
  const { connection, requestSeq, variant, answer } = window;
  return { connection, request: requestSeq, variant, answer };
}

function stripOf(window: FidelityWindow): WindowStrip {
  const { groups, unjudged, leftOpen, children, differences } = window;
  const harms = joined(differences.filter(({ verdict }) => verdict !== 'cosmetic'));
  return {
    ...{ ...nameOf(window), unjudged, leftOpen },
    ...{ parts: stripParts(groups), cells: stripCells(groups) },
    ...{ harms: harms.slice(0, MOST_HARMS), harmCount: harms.length },
    children: children.map(({ session, answer }) => ({ session, answer })),
  };
}

/** Returns one entry per item, however many of its fields differ. */
function joined(differences: readonly ItemDifference[]): readonly Harm[] {
  const items = new Map<string, ItemDifference[]>();
  for (const one of differences) items.set(thingOf(one), [...(items.get(thingOf(one)) ?? []), one]);
  return [...items.values()].flatMap((all): Harm[] => {
    const [first] = all;
    if (!first) return [];
    const { kind, item, live, replayed } = first;
    const words = all.map(({ field, before, after, why }) => {
      const what = before !== undefined && after !== undefined ? `${before} → ${after}` : why;
      return field === undefined ? what : `${field}: ${what}`;
    });
    return [{ kind, item, live, replayed, words: words.join(', ') }];
  });
}

/** The newest that has a replay to compare, else the newest answered one, else the newest. */
function worthiest(index: TraceIndex): WindowRecord | undefined {
  const windows = index.windowRecords;
  return (
    windows.findLast((window) => hasReplay(index.windowView(window))) ??
    windows.findLast(({ outcome }) => outcome === 'answered') ??
    windows.at(-1)
  );
}

async function inSlices(
  sources: readonly IndexedTrace[],
  session: string,
): Promise<FidelityReport> {
  const steps = fidelitySteps(sources, { session });
  for (let end = performance.now() + SLICE; ;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await othersTurn();
    end = performance.now() + SLICE;
  }
}
