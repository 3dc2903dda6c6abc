// What `probe` and `lab` share: whom they ask and how much they may send, what makes a run fail, and what an
// earlier one forgives.
import type { Judging, VerdictBaseline } from '../../drive/verdict.ts';
import { HEADER_OPTION } from './agent-words.ts';
import { EDITION_OPTION, loadEditions } from './edition-files.ts';
import { baselineAt, numberOption, oneOf } from './option-values.ts';

export const JUDGED_OPTIONS = {
  protocol: { type: 'string' },
  cursor: { type: 'string' },
  'max-prompts': { type: 'string' },
  out: { type: 'string' },
  'fail-on': { type: 'string', default: 'fail' },
  baseline: { type: 'string' },
  edition: EDITION_OPTION,
  header: HEADER_OPTION,
  format: { type: 'string', default: 'text' },
} as const;

interface JudgedValues {
  readonly 'max-prompts'?: string | undefined;
  readonly 'fail-on': string;
  readonly baseline?: string | undefined;
  readonly edition?: readonly string[] | undefined;
}

/**
 * Loads the editions too. `name`: of the command. `read`: its own report in JSON, as a baseline. Throws UsageError
 * and FileError.
 */
export function judgedBy(
  name: string,
  { 'max-prompts': most, 'fail-on': failOn, baseline, edition }: JudgedValues,
  read: (text: string) => VerdictBaseline | undefined,
): { readonly maxPrompts: number; readonly judging: Judging } {
  loadEditions(edition);
  return {
    maxPrompts: most === undefined ? Infinity : numberOption('max-prompts', most, 0),
    judging: {
      failOn: oneOf('fail-on', failOn, ['fail', 'warn'] as const),
      baseline: baselineAt(baseline, `acp-scope ${name} --format json -- CMD`, read),
    },
  };
}
