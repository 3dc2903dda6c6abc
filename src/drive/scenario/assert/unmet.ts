// What a scenario was to do and never had the chance to: rules that found no line and no request.
import type { AnswerRule, FaultRule } from '../file/scenario.ts';

/** As sentences. `idle`: the scenario tested something else than it says, and does not hold. */
export interface Unmet {
  readonly idle: readonly { readonly rule: FaultRule | AnswerRule; readonly why: string }[];
  readonly notes: readonly string[];
}

export function unmetWords(
  rules: readonly {
    readonly faults: readonly FaultRule[];
    readonly answers: readonly AnswerRule[];
  }[],
): Unmet {
  const faults = rules.flatMap((one) => one.faults);
  const answers = rules.flatMap((one) => one.answers);
  return {
    idle: [
      ...faults.map((rule) => ({ rule, why: faultWords(rule) })),
      ...answers
        .filter(isOdd)
        .map((rule) => ({ rule, why: `${answerWords(rule)}, so it was never tested.` })),
    ],
    notes: answers.filter((rule) => !isOdd(rule)).map((rule) => `${answerWords(rule)}.`),
  };
}

function faultWords({ fault, on }: FaultRule): string {
  const what = on === undefined ? 'nothing was sent after it' : `no ${on} was sent`;
  return `The fault ${fault.kind} befell no line: ${what}.`;
}

function answerWords({ method }: AnswerRule): string {
  return `The agent never asked for an answer to ${method}`;
}

/** One that is a fault itself. */
function isOdd({ late, twice, never, wrong }: AnswerRule): boolean {
  return late !== undefined || twice || never || wrong !== undefined;
}
