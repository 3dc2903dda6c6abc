// The word of a verdict as people read it; files and exit codes keep their own.
import type { ChildVerdict } from './report.ts';

export function verdictName(verdict: ChildVerdict): string {
  return verdict === 'undecidable' ? 'not judged yet' : verdict;
}
