// What a trace fails: an assertion, or a rule. Asked of many traces in a row, one after the other.
import { checkTrace } from '../../../rules/check-trace.ts';
import type { RemarksOf } from '../../../rules/steps.ts';
import type { TraceEvent } from '../../../trace/event.ts';
import type { Assertion } from '../assert/assertion.ts';
import { judge } from '../assert/judge.ts';
import { recordOf } from '../assert/record.ts';
import type { Patterns } from '../../../model/query/patterns.ts';

export type Fails = (events: readonly TraceEvent[]) => boolean | Promise<boolean>;

/** `remarksOf`: the schemas, for assertions about findings. `patterns`: runs those of its queries. */
export function failsAssertion(
  assertion: Assertion,
  remarksOf: RemarksOf | undefined,
  patterns: Patterns,
): Fails {
  return async (events) => {
    // A trace without what it asks of would be the smallest that fails.
    const record = recordOf([{ events }], remarksOf);
    const { verdict, asksOfNothing } = await judge(assertion, record, patterns);
    return verdict === 'fail' && asksOfNothing !== true;
  };
}

/** `rule`: its id. */
export function failsRule(rule: string, remarksOf: RemarksOf): Fails {
  return (events) =>
    checkTrace(events, { remarksOf }).findings.some(
      (finding) => finding.rule === rule && finding.verdict === 'fail',
    );
}
