// Whether a fidelity report fails, and whether it says anything at all.
import type { FidelityReport, FidelityWindow } from './report.ts';

/** Why a report says nothing of any replay; undefined: it does. */
export function nothingJudged({ windows }: FidelityReport): string | undefined {
  const due = windows.filter(({ verdict }) => verdict !== 'not due');
  if (due.length === 0 && windows.length > 0) return undefined;
  if (due.some(({ verdict }) => verdict !== 'undecidable')) return undefined;
  const [first] = due;
  const why = first?.sentence.replace(/^It cannot be judged: /, '');
  return why !== undefined
    ? `No replay could be judged: ${why.slice(0, 1).toLowerCase()}${why.slice(1)}`
    : 'No restore is in these traces: there is no replay to compare. Record one with session/load or session/resume.';
}

export function fails({ verdict }: FidelityWindow): boolean {
  return verdict === 'lossy' || verdict === 'corrupt';
}
