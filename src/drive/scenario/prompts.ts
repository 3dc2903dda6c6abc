// How many prompts one run of a scenario may send: agents cost money.
import { get, parseJson } from '../../acp/json.ts';
import type { Fault, FaultRule, Scenario, Step } from './file/scenario.ts';

const PROMPT = 'session/prompt';

/** The most: what a fault duplicates is counted each time. */
export function promptsOf({ steps, faults }: Scenario): number {
  const rules = [...faults, ...steps.flatMap((step) => (step.kind === 'fault' ? step.rule : []))];
  const sent = steps.reduce((sum, step) => sum + (isPrompt(step) ? 1 + moreOf(step) : 0), 0);
  return sent + rules.reduce((sum, rule) => sum + duplicated(rule, sent), 0);
}

function isPrompt(step: Step): boolean {
  switch (step.kind) {
    case 'request':
    case 'notify':
      return step.method === PROMPT;
    case 'line':
      return get(parseJson(step.text), 'method') === PROMPT;
    default:
      return false;
  }
}

function moreOf(step: Step): number {
  return 'fault' in step ? duplicatesOf(step.fault) : 0;
}

function duplicatesOf(fault: Fault | undefined): number {
  return fault?.kind === 'duplicate' ? fault.more : 0;
}

function duplicated({ fault, on, times }: FaultRule, sent: number): number {
  const isMeant =
    on === undefined || (on.endsWith('*') ? PROMPT.startsWith(on.slice(0, -1)) : on === PROMPT);
  return isMeant ? Math.min(times, sent) * duplicatesOf(fault) : 0;
}
