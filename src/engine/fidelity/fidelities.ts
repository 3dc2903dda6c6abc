// Fidelity reports for the page: of every trace in memory that names the session, and of stored ones
// of the same agent. A report is made in slices, and kept until one of its traces has grown.
import { fidelitySteps } from '../../diff/fidelity/fidelity.ts';
import type { FidelityReport, FidelityWindow } from '../../diff/fidelity/report/report.ts';
import { wholeChange } from '../../diff/fidelity/report/describe.ts';
import type { Piece } from '../../diff/text-change.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import type { WindowRecord } from '../../model/timeline/replay-windows.ts';
import { hasReplay } from '../../model/restore/restore-shapes.ts';
import type { TraceIndex } from '../../model/trace-index.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { beganAt, parseHeader } from '../../trace/format.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { FidelityView, OtherWindow } from './fidelity-messages.ts';
import { othersTurn } from '../traces/intake.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { inOrder } from '../traces/open-traces.ts';
import type { Parts } from '../parts.ts';

type Library = Pick<Parts, 'catalog' | 'traces'>;

/** Stored traces that are read to look for the live part: the newest, and not more bytes than this. */
const MOST_READ = 12;
const MOST_BYTES = 64 * 1024 * 1024;
const SLICE = 8;
/** Sessions whose report is kept. */
const KEPT = 8;

interface Kept {
  /** Traces and how long they were. */
  readonly of: string;
  readonly report: Promise<FidelityReport>;
}

interface Found {
  readonly window: WindowRecord;
  readonly report: FidelityWindow;
  /** Of the session. */
  readonly windows: readonly FidelityWindow[];
}

export class Fidelities {
  readonly #library: Library;
  readonly #kept = new Map<string, Kept>();
  /** Of stored traces that were read: the sessions they name. */
  readonly #names = new Map<ConnectionId, ReadonlySet<string>>();

  constructor(library: Library) {
    this.#library = library;
  }

  /** Without a request, of the newest window that is worth comparing. */
  async of(trace: OpenTrace, request: Seq | undefined): Promise<FidelityView | undefined> {
    const found = await this.#find(trace, request);
    if (!found) return undefined;
    const { window, report, windows } = found;
    return {
      window: trace.index.windowView(window),
      report: sent(report),
      windows: windows.map(nameOf),
    };
  }

  /** All of both values of a difference. */
  async changeOf(trace: OpenTrace, request: Seq, place: number): Promise<Piece[] | undefined> {
    const found = await this.#find(trace, request);
    const difference = found?.report.differences[place];
    return difference && wholeChange(difference);
  }

  async #find(trace: OpenTrace, request: Seq | undefined): Promise<Found | undefined> {
    const { windowRecords } = trace.index;
    const window =
      request === undefined
        ? worthiest(trace.index)
        : windowRecords.find(({ seq }) => seq === request);
    if (!window) return undefined;
    const { sessionId } = window.session;
    const asked = trace.index.session(window.request)?.sessionId ?? sessionId;
    const traces = await this.#tracesOf(trace, new Set([sessionId, asked]));
    const { windows } = await this.#reportOf(sessionId, traces);
    const report = windows.find(
      (one) => one.connection === trace.connection && one.requestSeq === window.seq,
    );
    return report && { window, report, windows };
  }

  /** Replay windows of the sessions of a trace, on whichever connection. */
  async ofSessions(trace: OpenTrace): Promise<readonly OtherWindow[]> {
    const found: OtherWindow[] = [];
    for (const { sessionId, listedOnly } of trace.index.facts().sessions) {
      if (listedOnly) continue;
      const traces = await this.#tracesOf(trace, new Set([sessionId]));
      const { windows } = await this.#reportOf(sessionId, traces);
      found.push(...windows.map(nameOf));
    }
    return found;
  }

  #reportOf(sessionId: string, traces: readonly OpenTrace[]): Promise<FidelityReport> {
    const of = traces.map(({ connection, lines }) => `${connection} ${lines.length}`).join('\n');
    const kept = this.#kept.get(sessionId);
    if (kept?.of === of) return kept.report;
    const report = inSlices(
      traces.map((trace) => this.#sourceOf(trace)),
      sessionId,
    );
    this.#kept.delete(sessionId);
    this.#kept.set(sessionId, { of, report });
    for (const oldest of [...this.#kept.keys()].slice(0, -KEPT)) this.#kept.delete(oldest);
    return report;
  }

  #sourceOf({ connection, index, lines }: OpenTrace): IndexedTrace {
    const header = this.#library.catalog.get(connection)?.header;
    const said = header && parseHeader(decodeLossy(header));
    const began = said && !('problem' in said) ? beganAt(said) : undefined;
    return { connection, index, began, eventAt: (place) => lines.read(place) };
  }

  /** In the order they began; the stored ones are read if nobody knows yet whom they name. */
  async #tracesOf(trace: OpenTrace, sessions: ReadonlySet<string>): Promise<readonly OpenTrace[]> {
    const { catalog, traces } = this.#library;
    const wanted = ({ index }: OpenTrace) =>
      [...sessions].some((session) => index.sessionNamed(session) !== undefined);
    const found = traces.all().filter(wanted);
    for (const connection of this.#stored(trace, sessions)) {
      const read = await traces.whole(connection);
      const named = read.index.facts().sessions.map(({ sessionId }) => sessionId);
      this.#names.set(connection, new Set(named));
      if (wanted(read)) found.push(read);
      traces.release(connection);
    }
    return inOrder(found, catalog);
  }

  /** Stored traces that are not in memory, and may name one of the sessions. */
  #stored(trace: OpenTrace, sessions: ReadonlySet<string>): ConnectionId[] {
    const { catalog, traces } = this.#library;
    const agent = catalog.get(trace.connection)?.agent;
    let bytes = 0;
    return catalog
      .summaries()
      .filter((one) => one.agent === agent && one.connection !== trace.connection)
      .filter(({ connection, state }) => !traces.get(connection) && state === 'ended')
      .filter(({ connection }) => {
        const names = this.#names.get(connection);
        return names === undefined || [...sessions].some((session) => names.has(session));
      })
      .toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))
      .slice(0, MOST_READ)
      .filter(({ stored }) => (bytes += stored) <= MOST_BYTES)
      .map(({ connection }) => connection);
  }
}

/** Values stay here: some are long, and nobody looks at most of them. */
function sent(report: FidelityWindow): FidelityWindow {
  return { ...bare(report), children: report.children.map(bare) };
}

function bare<J extends Pick<FidelityWindow, 'differences'>>(judged: J): J {
  return { ...judged, differences: judged.differences.map(({ values: _, ...rest }) => rest) };
}

function nameOf({ connection, requestSeq, variant, verdict }: FidelityWindow): OtherWindow {
  return { connection, request: requestSeq, variant, verdict };
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
