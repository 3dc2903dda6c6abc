// What one needs to show a finding, or some frames, to somebody else: the frames they follow from, as a
// trace that stands alone and shows the same, without what should not leave.
import { excerptOf, unitsOf } from '../../model/excerpt/units.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import type { RedactionLevel } from '../../model/redact/levels.ts';
import type { Redactor } from '../../model/redact/redactor.ts';
import { isMember, type Seq, type TraceEvent } from '../../trace/event.ts';
import type { EditionChoice } from '../against.ts';
import { checkTrace, type CheckedTrace } from '../check-trace.ts';
import { findingKey, type Finding } from '../finding.ts';
import type { RemarksOf } from '../steps.ts';

/** A finding of the trace, or frames of it. */
export type Wanted = { readonly finding: Finding } | { readonly seqs: readonly Seq[] };

interface BundleOrder {
  readonly trace: IndexedTrace;
  /** All that is found in the trace, by the same choice. */
  readonly findings: readonly Finding[];
  readonly wanted: Wanted;
  readonly edition: EditionChoice;
  readonly remarksOf: RemarksOf;
}

export interface Bundle {
  /** As they may leave, with the numbers they have in the trace. */
  readonly events: readonly TraceEvent[];
  /** Events of the trace that are kept, and all of them. */
  readonly kept: number;
  readonly of: number;
  readonly seqs: readonly Seq[];
  /** What these events alone show. */
  readonly checked: CheckedTrace;
  /** The finding in the words of these events; undefined: frames were asked for. */
  readonly finding: Finding | undefined;
  /** False: these events alone do not show the finding. */
  readonly shown: boolean;
}

/** Checks of an excerpt before the whole trace is taken. */
const MOST_TRIES = 5;
const HIDDEN = 'not said at this level of redaction';
/** Levels whose files say what frames hold. */
const TELLING: readonly RedactionLevel[] = ['no-secrets', 'all'];

/** `redactor`: has learned the whole trace. */
export function bundleOf(order: BundleOrder, redactor: Redactor): Bundle {
  const { trace, wanted, edition, remarksOf } = order;
  const seqs = seqsOf(wanted);
  const events = evidenceOf(order).map((event) => redactor.event(event));
  const checked = checkTrace(events, { edition, remarksOf });
  const kept = events.filter((event) => event.type !== 'gap' || !event.omitted).length;
  const told = { events, kept, of: trace.index.length, seqs, checked };
  if ('seqs' in wanted) return { ...told, finding: undefined, shown: true };
  const same = checked.findings.find((one) => isSameFinding(one, wanted.finding));
  if (same) return { ...told, finding: same, shown: true };
  // Its own words were made of what may not leave.
  const isTold = TELLING.includes(redactor.redaction.level);
  const words = (text: string) => (isTold ? redactor.text(text) : HIDDEN);
  const { seen, due } = wanted.finding;
  const finding = { ...wanted.finding, seen: words(seen), due: words(due), places: [] };
  return { ...told, finding, shown: false };
}

/**
 * The frames wanted and what they follow from, so that these alone show what the whole trace shows, and
 * nobody is blamed for what is left out.
 */
function evidenceOf(order: BundleOrder): readonly TraceEvent[] {
  const { trace, findings, wanted, edition, remarksOf } = order;
  const known = new Map(findings.map((one) => [findingKey(one), new Set(one.seqs)]));
  const seqs = seqsOf(wanted);
  const units = unitsOf(trace.index);
  const inWhole: Seq[] = [];
  let isWide = false;
  let before = 0;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const events = excerptOf(trace, units, seqs, inWhole, isWide);
    if (events.length === before) {
      // What is blamed needs more than its turn: its session, and only then all that crossed.
      if (isWide) break;
      isWide = true;
      continue;
    }
    before = events.length;
    const found = checkTrace(events, { edition, remarksOf }).findings;
    const isShown = 'seqs' in wanted || found.some((one) => isSameFinding(one, wanted.finding));
    if (!isShown) break;
    const blamed = found.flatMap((one) =>
      one.verdict === 'fail' ? one.seqs.filter((at) => !known.get(findingKey(one))?.has(at)) : [],
    );
    if (blamed.length === 0) return events;
    inWhole.push(...blamed);
  }
  return Array.from({ length: trace.index.length }, (_, place) => trace.eventAt(place)).filter(
    (event) => !isMember(event),
  );
}

function seqsOf(wanted: Wanted): readonly Seq[] {
  return 'seqs' in wanted ? wanted.seqs : wanted.finding.seqs;
}

export function isSameFinding(one: Finding, other: Finding): boolean {
  const seqs = new Set(other.seqs);
  return (
    findingKey(one) === findingKey(other) &&
    one.seqs.length === seqs.size &&
    one.seqs.every((at) => seqs.has(at))
  );
}
