// What a scenario says, once read: steps to take with a live agent, and what must hold of the record.
import { get, parseJson } from '../../../acp/json.ts';
import type { Wrong } from '../../../acp/answers.ts';
import type { Json, JsonObject } from '../../../acp/message.ts';
import type { Assertion } from '../assert/assertion.ts';
import { mustMatch, type Query } from '../../../model/query/query.ts';
import type { InterceptRule } from '../../intercept/table.ts';

/** What befalls one line of ours on its way to the agent. */
export type LineFault =
  /** Milliseconds; what we send meanwhile waits behind it. */
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'drop' }
  /** Sent so many times more. */
  | { readonly kind: 'duplicate'; readonly more: number }
  /** Sent right after our next line. */
  | { readonly kind: 'reorder' }
  /** Only its first bytes, and a 0x0A. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** The first bytes in one write, the rest in a second. Milliseconds between the two. */
  | { readonly kind: 'split'; readonly bytes: number; readonly pause: number };

/** Rules of an intercept, which is done where frames are recorded. */
export interface Interception {
  /** As a file of rules; undefined: none is in force. */
  readonly text: string | undefined;
  readonly rules: readonly InterceptRule[];
}

export interface AnswerRule {
  /** A method of the agent's requests; may end in `*`. */
  readonly method: string;
  /** Undefined: what a client without a script would say. */
  readonly says:
    | { readonly kind: 'result'; readonly result: Json }
    | { readonly kind: 'error'; readonly error: JsonObject }
    /** The kind or id of one of the options asked for. */
    | { readonly kind: 'select'; readonly option: string }
    | undefined;
  readonly times: number;
  readonly late: number | undefined;
  readonly twice: boolean;
  readonly never: boolean;
  readonly wrong: Wrong | undefined;
}

/** `$name` and where its value stands: a JSON pointer into the whole message. */
export type Captures = readonly { readonly name: string; readonly pointer: string }[];

interface Sent {
  readonly fault: LineFault | undefined;
}

export type ScenarioStep =
  | (Sent & {
      readonly kind: 'request';
      readonly method: string;
      readonly params: Json;
      readonly capture: Captures;
      /** Milliseconds until its answer, and in v2 until the end of a prompt's turn. */
      readonly within: number | undefined;
      readonly wait: boolean;
      /** An error as its answer is a failure; else it is what assertions are for. */
      readonly mustSucceed?: true;
    })
  | (Sent & { readonly kind: 'notify'; readonly method: string; readonly params: Json })
  | (Sent & { readonly kind: 'line'; readonly text: string })
  | {
      readonly kind: 'expect';
      readonly query: string;
      /** Undefined: names have to be filled in first. */
      readonly parts: Query | undefined;
      readonly nth: number;
      readonly within: number | undefined;
      readonly capture: Captures;
    }
  | { readonly kind: 'answer'; readonly rule: AnswerRule }
  | { readonly kind: 'quiet'; readonly ms: number; readonly within: number | undefined }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'kill'; readonly how: 'SIGKILL' | 'SIGTERM' | 'stdin' }
  | { readonly kind: 'cut' }
  | {
      readonly kind: 'restart';
      readonly protocol: 1 | 2 | undefined;
      readonly handshake: boolean | undefined;
    }
  | { readonly kind: 'intercept'; readonly by: Interception };

export interface Assert {
  /** As written. */
  readonly source: string;
  /** What it is called in reports; undefined: as it is written. */
  readonly name: string | undefined;
  readonly assertion: Assertion;
}

export interface Scenario {
  readonly name: string | undefined;
  /** Undefined: the highest. */
  readonly protocol: 1 | 2 | undefined;
  /** Sent in `initialize` as they are; undefined: what a client without a script offers. */
  readonly capabilities: JsonObject | undefined;
  /** v1: say that child sessions are understood. */
  readonly subagents: boolean;
  readonly handshake: boolean;
  /** In force before the handshake. */
  readonly intercept: Interception | undefined;
  readonly steps: readonly ScenarioStep[];
  readonly asserts: readonly Assert[];
}

// How many prompts one run of a scenario may send: agents cost money.

const PROMPT = 'session/prompt';

/** The most: what a fault or an intercept duplicates, and what that injects, is counted each time. */
export function promptCount({ steps, intercept }: Scenario): number {
  const rules = [
    intercept,
    ...steps.map((step) => (step.kind === 'intercept' ? step.by : undefined)),
  ].flatMap((one) => one?.rules ?? []);
  const sent = steps.reduce((sum, step) => sum + (isPrompt(step) ? 1 + moreOf(step) : 0), 0);
  const more = rules.reduce((sum, rule) => sum + injectedBy(rule), 0);
  return rules.reduce((sum, rule) => duplicated(rule, sum), sent + more);
}

function isPrompt(step: ScenarioStep): boolean {
  switch (step.kind) {
    case 'request':
    case 'notify':
      return step.method === PROMPT;
    case 'line':
      return isPromptLine(step.text);
    default:
      return false;
  }
}

function isPromptLine(text: string): boolean {
  return get(parseJson(text), 'method') === PROMPT;
}

function moreOf(step: ScenarioStep): number {
  return 'fault' in step ? duplicatesOf(step.fault) : 0;
}

function duplicatesOf(fault: LineFault | undefined): number {
  return fault?.kind === 'duplicate' ? fault.more : 0;
}

function duplicated({ action, on, times }: InterceptRule, sent: number): number {
  if (action.kind !== 'duplicate' || !mayMeetPrompts(on)) return sent;
  return sent + Math.min(times, sent) * action.more;
}

/** Undecided is yes: a query can say of which method in many ways. */
function mayMeetPrompts(on: Query): boolean {
  const isOther = (field: 'side' | 'method', value: string) =>
    mustMatch(on, field).some(({ values }) =>
      values.every((one) => 'text' in one && !one.text.includes('*') && one.text !== value),
    );
  return !isOther('side', 'client') && !isOther('method', PROMPT);
}

/** How many prompts of its own a rule sends; `Infinity`: nothing says where it ends. */
export function injectedBy({ action, times }: InterceptRule): number {
  if (action.kind === 'edit') return isPromptLine(action.line ?? '') ? times : 0;
  if (action.kind !== 'inject' || action.to !== 'agent') return 0;
  const { what } = action;
  return (what.kind === 'line' ? isPromptLine(what.text) : what.method === PROMPT) ? times : 0;
}
