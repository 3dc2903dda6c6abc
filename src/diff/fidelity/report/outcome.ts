// Whether a fidelity report fails, and whether it says anything at all.
import type { ChildVerdict, FidelityReport, FidelityWindow } from './report.ts';
import { UNJUDGED } from './sentence.ts';

/** Why a report says nothing of any replay; undefined: it does. */
export function nothingJudged({ windows }: FidelityReport): string | undefined {
  const due = windows.filter(({ verdict }) => verdict !== 'not due');
  if (due.length === 0 && windows.length > 0) return undefined;
  if (due.some(({ verdict }) => verdict !== 'undecidable')) return undefined;
  const [first] = due;
  if (first?.unjudged !== undefined)
    return `No replay could be judged: ${UNJUDGED[first.unjudged]}`;
  return first !== undefined
    ? `No replay could be judged: ${lowered(first.sentence)}`
    : 'No restore is in these traces: there is no replay to compare. Record one with session/load or session/resume.';
}

function lowered(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}

/** Of itself or of a child that was kept. */
export function fails({ verdict, children }: FidelityWindow): boolean {
  return isBad(verdict) || children.some((child) => isBad(child.verdict));
}

export function isBad(verdict: ChildVerdict): boolean {
  return verdict === 'lossy' || verdict === 'corrupt';
}
