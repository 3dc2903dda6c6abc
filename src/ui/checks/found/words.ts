// How findings are worded in the page.
import type { FindingCounts, FindingView } from '../../../engine/findings/finding-messages.ts';
import { formatCount } from '../../../lib/format.ts';

/** Who is at fault, in a column. */
export const SIDE_WORDS = { agent: 'Agent', client: 'Client', intercept: 'Intercept' } as const;

/** The same of several findings. */
export function sidesWords([side, ...more]: readonly FindingView['side'][]): string {
  if (side === undefined) return '';
  if (more.length === 0) return SIDE_WORDS[side];
  return side === 'intercept' || more.includes('intercept') ? 'Several' : 'Both';
}

/** The same as a statement: `Agent at fault`. */
export function atFaultWords(side: FindingView['side']): string {
  if (side === 'intercept') return 'Changed by intercept';
  return `${SIDE_WORDS[side]} at fault`;
}

/** `14 cannot be judged yet` */
export function undecidedWords(findings: number): string {
  return `${formatCount(findings)} cannot be judged yet`;
}

/** `No rule failed. 14 cannot be judged yet.` */
export function nothingWords({ undecidable, suppressed }: FindingCounts): string {
  return [
    suppressed > 0 ? 'No rule failed but those that are suppressed.' : 'No rule failed.',
    undecidable > 0 && `${undecidedWords(undecidable)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** What a finding is to those who do not see its mark. */
export function findingKindWords({ verdict, severity, suppressed }: FindingView): string {
  if (verdict === 'undecidable') return 'not judged yet';
  return suppressed ? `suppressed ${severity}` : severity;
}
