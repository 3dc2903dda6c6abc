// What the checker has to say: a rule's verdict on frames.
import type { CountsAs } from '../acp/editions/edition.ts';
import type { Source } from './source.ts';
import type { Annotation } from '../trace/annotation.ts';
import type { FrameRef, Seq, Side } from '../trace/event.ts';

/** `error`: a MUST was broken; `warning`: a SHOULD, or a strong inference; `hint`: worth a look. */
export type Severity = Exclude<CountsAs, 'off'>;
export type Verdict = 'pass' | 'fail' | 'undecidable';

/** Who is at fault: a side; or an intercept, by what it changed, moved or lost on the way. */
export type AtFault = Side | 'intercept';

export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'hint'];

/** One place of a finding in one of its frames, with what was seen there. */
export interface FindingPlace {
  readonly seq: Seq;
  /** JSON Pointer into the message: `/params/cwd`; the empty one is the whole of it. */
  readonly pointer: string;
  readonly seen: string;
  /** The live frames that the replay of this frame lacks, also of other traces. */
  readonly missing?: readonly FrameRef[];
}

/**
 * One (rule, verdict, session, method) with all its frames. Undecidable: `seen` says why the trace
 * cannot decide, `due` which recording would.
 */
export interface Finding {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly severity: Severity;
  /** Who is at fault; of a rule that passed, who kept it. */
  readonly side: AtFault;
  readonly session?: string;
  readonly method?: string;
  /** It names what no edition here has, and may follow a newer protocol. */
  readonly newer?: true;
  /** Every frame of it, in order of judgement. */
  readonly seqs: readonly Seq[];
  readonly pointer: string;
  readonly seen: string;
  readonly due: string;
  /** The sentence that says so. */
  readonly source: Source;
  /** The frames with their own words; of a very long finding, the first ones. */
  readonly places: readonly FindingPlace[];
}

/** The same for the same finding, whatever is found beside it and in however much of the trace. */
export function findingKey(finding: {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly side: AtFault;
  readonly session?: string | undefined;
  readonly method?: string | undefined;
  readonly newer?: true | undefined;
}): string {
  const { rule, verdict, side, session, method, newer } = finding;
  const key = [rule, verdict, side, session, method].join('\n');
  return newer ? `${key}\nnewer` : key;
}

export function worse(a: Severity, b: Severity): Severity {
  return SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b;
}

/** Whether a severity is at least as bad as another. */
export function isAtLeast(severity: Severity, floor: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(floor);
}

// Findings that a person set aside in the trace, with the reason why.

type Judged = Pick<Finding, 'rule' | 'session' | 'method' | 'verdict'>;
export type Suppression = Extract<Annotation, { readonly kind: 'suppress' }>;

/** Why a finding was set aside; undefined: it was not. Only what failed can be. */
export function setAside(finding: Judged, annotations: readonly Annotation[]): string | undefined {
  return suppressionOf(finding, annotations)?.reason;
}

/** What sets a finding aside. */
export function suppressionOf(
  { rule, session, method, verdict }: Judged,
  annotations: readonly Annotation[],
): Suppression | undefined {
  if (verdict !== 'fail') return undefined;
  for (const annotation of annotations) {
    if (annotation.kind !== 'suppress' || annotation.rule !== rule) continue;
    if (annotation.session !== undefined && annotation.session !== session) continue;
    if (annotation.method !== undefined && annotation.method !== method) continue;
    return annotation;
  }
  return undefined;
}
