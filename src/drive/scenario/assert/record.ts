// The record of a run as assertions look at it: one indexed trace a connection, in the order they
// were made, and where somebody asks for them the findings of the rules and what became of restores.
import { fidelityOf } from '../../../model/fidelity/fidelity.ts';
import { lazy } from '../../../lib/lazy.ts';
import { chipBook } from '../../../model/facts/chips.ts';
import { indexedTrace, type IndexedTrace } from '../../../model/indexed-trace.ts';
import { asks } from '../../../model/query/query.ts';
import { TraceCheck } from '../../../rules/check-trace.ts';
import type { Finding } from '../../../rules/finding.ts';
import { loadRemarks, type RemarksOf } from '../../../rules/steps.ts';
import { World } from '../../../rules/connection.ts';
import { isMember, type TraceEvent } from '../../../trace/event.ts';
import type { FidelityWindow } from '../../../model/fidelity/report/report.ts';
import { queriesIn, type Assertion } from './assertion.ts';

export interface RecordedTrace extends IndexedTrace {
  readonly events: readonly TraceEvent[];
  /** Those of its frames. */
  readonly findings: readonly Finding[];
}

export interface RunRecord {
  readonly traces: readonly RecordedTrace[];
  /** Looks for findings, and marks the events they stand on. */
  check(): void;
  /** The result of each restore, and the comparison of its replay with the live session. */
  fidelity(): readonly FidelityWindow[];
}

export interface RawTrace {
  readonly events: readonly TraceEvent[];
  /** The wall clock of `at` 0 in milliseconds, where it is known. */
  readonly began?: number | undefined;
  /** What sentences call it, `c3`; where nothing is said, by its place in the run. */
  readonly name?: string | undefined;
}

/** The schemas, where one of these asks for findings. */
export async function remarksFor(asserted: readonly Assertion[]): Promise<RemarksOf | undefined> {
  const isAsked = asserted.some(
    (one) =>
      (one.kind === 'compare' && [one.left, one.right].some(({ kind }) => kind === 'finding')) ||
      queriesIn(one).some(({ query }) => asks(query, 'finding', 'sev')),
  );
  return isAsked ? loadRemarks() : undefined;
}

/** Looks for findings, and marks the events they stand on. `world`: of all traces of one set. */
export function markFindings(
  { connection, index, eventAt }: IndexedTrace,
  world: World,
  replays: readonly FidelityWindow[],
  remarksOf?: RemarksOf,
): readonly Finding[] {
  const checking = new TraceCheck({ name: connection, world, ...(remarksOf && { remarksOf }) });
  for (let place = 0; place < index.length; place++) {
    const event = eventAt(place);
    // The check reads them from their array.
    if (!isMember(event)) checking.append(event);
  }
  const { findings } = checking.end(replays);
  for (const [number, { rule, verdict, severity, seqs }] of findings.entries()) {
    const counts = verdict === 'undecidable' ? 'undecidable' : severity;
    index.findings.define(number, { rule, counts });
    for (const seq of seqs) {
      const place = index.indexOf(seq);
      if (place >= 0) index.findings.add(place, number);
    }
  }
  return findings;
}

/** `remarksOf`: the schemas; without them, rules alone find. */
export function recordOf(raw: readonly RawTrace[], remarksOf?: RemarksOf): RunRecord {
  const chipOf = chipBook();
  const found: (readonly Finding[])[] = [];
  const traces = raw.map(({ events, began, name }, at): RecordedTrace => {
    return {
      ...indexedTrace(events, name ?? `c${at + 1}`, { chipOf, began }),
      events,
      get findings() {
        return found[at] ?? [];
      },
    };
  });
  const fidelity = lazy(() => fidelityOf(traces).windows);
  const check = lazy(() => {
    const world = new World();
    for (const trace of traces) found.push(markFindings(trace, world, fidelity(), remarksOf));
  });
  return { traces, check, fidelity };
}
