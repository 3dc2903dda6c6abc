// Findings that a person set aside in the trace, with the reason why.
import type { Annotation } from '../trace/annotation.ts';
import type { Finding } from './finding.ts';

/** Why a finding was set aside; undefined: it was not. Only what failed can be. */
export function setAside(
  finding: Pick<Finding, 'rule' | 'session' | 'method' | 'verdict'>,
  annotations: readonly Annotation[],
): string | undefined {
  const { rule, session, method, verdict } = finding;
  if (verdict !== 'fail') return undefined;
  for (const annotation of annotations) {
    if (annotation.kind !== 'suppress' || annotation.rule !== rule) continue;
    if (annotation.session !== undefined && annotation.session !== session) continue;
    if (annotation.method !== undefined && annotation.method !== method) continue;
    return annotation.reason;
  }
  return undefined;
}
