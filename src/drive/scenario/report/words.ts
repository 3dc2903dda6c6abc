import type { ScenarioStep, AnswerRule, FaultRule } from '../file/scenario.ts';
import type { Heard } from '../../scripted.ts';
import { count } from '../../../lib/format.ts';

/** `#12 session/update`. */
export function heardWords(heard: Heard | undefined): string {
  if (heard === undefined) return '';
  const { frame, message } = heard;
  switch (message.kind) {
    case 'request':
    case 'notification':
      return `#${frame.seq} ${message.method}`;
    case 'success':
      return `#${frame.seq}, a result`;
    case 'failure':
      return `#${frame.seq}, error ${message.error.code}`;
    case 'invalid':
      return `#${frame.seq}, ${message.why}`;
  }
}

export function stepWords(step: ScenarioStep): string {
  switch (step.kind) {
    case 'request':
    case 'notify':
      return `${step.kind} ${step.method}`;
    case 'expect':
      return `expect ${step.query}`;
    case 'answer':
      return `answer ${step.rule.method}`;
    case 'quiet':
    case 'wait':
      return `${step.kind} ${step.ms}`;
    case 'kill':
      return `kill ${step.how}`;
    case 'fault':
      return `fault ${step.rule.fault.kind}`;
    case 'line':
    case 'cut':
    case 'restart':
      return step.kind;
  }
}

// What a scenario was to do and never had the chance to: rules that found no line and no request.

/** As sentences. `idle`: the scenario tested something else than it says, and does not hold. */
export interface Unmet {
  readonly idle: readonly { readonly rule: FaultRule | AnswerRule; readonly why: string }[];
  readonly notes: readonly string[];
}

/** An answer that was never given, and how often the agent asked for one by its method. */
export interface UnmetAnswer {
  readonly rule: AnswerRule;
  readonly asked: number;
}

export function unmetWords(
  rules: readonly {
    readonly faults: readonly FaultRule[];
    readonly answers: readonly UnmetAnswer[];
  }[],
): Unmet {
  const faults = rules.flatMap((one) => one.faults);
  const answers = rules.flatMap((one) => one.answers);
  return {
    idle: [
      ...faults.map((rule) => ({ rule, why: faultWords(rule) })),
      ...answers
        .filter(isOdd)
        .map((one) => ({ rule: one.rule, why: `${answerWords(one)}, so it was never tested.` })),
    ],
    notes: answers.filter((one) => !isOdd(one)).map((one) => `${answerWords(one)}.`),
  };
}

function faultWords({ fault, on }: FaultRule): string {
  const what = on === undefined ? 'nothing was sent after it' : `no ${on} was sent`;
  return `The fault ${fault.kind} befell no line: ${what}.`;
}

function answerWords({ rule: { method }, asked }: UnmetAnswer): string {
  if (asked === 0) return `The agent never asked for an answer to ${method}`;
  const often = asked === 1 ? 'once' : count(asked, 'time');
  return `The agent asked for an answer to ${method} ${often}, and not again`;
}

/** One that is a fault itself. */
function isOdd({ rule: { late, twice, never, wrong } }: UnmetAnswer): boolean {
  return late !== undefined || twice || never || wrong !== undefined;
}
