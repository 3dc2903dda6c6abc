// What `probe` and `lab` share: whom they ask and how much they may send, what makes a run fail, and what an
// earlier one forgives.
import type { Judging, VerdictBaseline } from '../../drive/verdict.ts';
import { HEADER_OPTION } from './agent-words.ts';
import { baselineAt, numberOption, oneOf } from './option-values.ts';

export const JUDGED_OPTIONS = {
  protocol: { type: 'string' },
  cursor: { type: 'string' },
  'max-prompts': { type: 'string' },
  out: { type: 'string' },
  'fail-on': { type: 'string', default: 'fail' },
  baseline: { type: 'string' },
  header: HEADER_OPTION,
  format: { type: 'string', default: 'text' },
} as const;

interface JudgedValues {
  readonly 'max-prompts'?: string | undefined;
  readonly 'fail-on': string;
  readonly baseline?: string | undefined;
}

/** `name`: of the command. `read`: its own report in JSON, as a baseline. Throws UsageError and FileError. */
export function judgedBy(
  name: string,
  { 'max-prompts': most, 'fail-on': failOn, baseline }: JudgedValues,
  read: (text: string) => VerdictBaseline | undefined,
): { readonly maxPrompts: number; readonly judging: Judging } {
  return {
    maxPrompts: most === undefined ? Infinity : numberOption('max-prompts', most, 0),
    judging: {
      failOn: oneOf('fail-on', failOn, ['fail', 'warn'] as const),
      baseline: baselineAt(baseline, `acp-scope ${name} --format json -- CMD`, read),
    },
  };
}
