import type { ScenarioStep, AnswerRule } from '../file/scenario.ts';
import type { Heard } from '../../heard.ts';
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
    case 'line':
    case 'cut':
    case 'restart':
    case 'intercept':
      return step.kind;
  }
}

/** `session/new, 2 prompts, SIGKILL, start again, session/load`: what is done, without how it is met. */
export function doneWords(steps: readonly ScenarioStep[]): string {
  const said: { readonly what: string; times: number }[] = [];
  for (const what of steps.flatMap(doneBy)) {
    const last = said.at(-1);
    if (last?.what === what) last.times++;
    else said.push({ what, times: 1 });
  }
  const words = ({ what, times }: (typeof said)[number]) =>
    what === 'prompt' ? count(times, what) : times > 1 ? `${what} ×${times}` : what;
  return said.map(words).join(', ');
}

function doneBy(step: ScenarioStep): readonly string[] {
  switch (step.kind) {
    case 'request':
    case 'notify':
      return [step.method === 'session/prompt' ? 'prompt' : step.method];
    case 'kill':
      return [step.how === 'stdin' ? 'stdin closed' : step.how];
    case 'cut':
      return ['pipe cut'];
    case 'restart':
      return ['start again'];
    case 'line':
      return ['a raw line'];
    case 'intercept':
      return ['rules'];
    case 'expect':
    case 'answer':
    case 'quiet':
    case 'wait':
      return [];
  }
}

// What a scenario was to do and never had the chance to: answers that nobody asked for.

/** As sentences. `idle`: the scenario tested something else than it says, and does not hold. */
export interface Unmet {
  readonly idle: readonly { readonly rule: AnswerRule; readonly why: string }[];
  readonly notes: readonly string[];
}

/** An answer that was never given, and how often the agent asked for one by its method. */
export interface UnmetAnswer {
  readonly rule: AnswerRule;
  readonly asked: number;
}

export function unmetWords(answers: readonly UnmetAnswer[]): Unmet {
  return {
    idle: answers
      .filter(isOdd)
      .map((one) => ({ rule: one.rule, why: `${answerWords(one)}, so it was never tested.` })),
    notes: answers.filter((one) => !isOdd(one)).map((one) => `${answerWords(one)}.`),
  };
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
