// Findings that a person set aside in the trace, with the reason why.
import type { Annotation } from '../trace/annotation.ts';
import type { Finding } from './finding.ts';

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
