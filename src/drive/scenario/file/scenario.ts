// What a scenario says, once read: steps to take with a live agent, and what must hold of the record.
import { get, parseJson } from '../../../acp/json.ts';
import type { Wrong } from '../../../acp/answers.ts';
import type { Json, JsonObject } from '../../../acp/message.ts';
import type { Assertion } from '../assert/assertion.ts';
import type { Query } from '../../../model/query/query.ts';

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

export interface FaultRule {
  readonly fault: LineFault;
  /** A method, which may end in `*`; of an answer, what it answers. Undefined: every line. */
  readonly on: string | undefined;
  /** `Infinity`: all that match. */
  readonly times: number;
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
  | { readonly kind: 'fault'; readonly rule: FaultRule };

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
  readonly faults: readonly FaultRule[];
  readonly steps: readonly ScenarioStep[];
  readonly asserts: readonly Assert[];
}

// How many prompts one run of a scenario may send: agents cost money.

const PROMPT = 'session/prompt';

/** The most: what a fault duplicates is counted each time. */
export function promptCount({ steps, faults }: Scenario): number {
  const rules = [...faults, ...steps.flatMap((step) => (step.kind === 'fault' ? step.rule : []))];
  const sent = steps.reduce((sum, step) => sum + (isPrompt(step) ? 1 + moreOf(step) : 0), 0);
  return sent + rules.reduce((sum, rule) => sum + duplicated(rule, sent), 0);
}

function isPrompt(step: ScenarioStep): boolean {
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

function moreOf(step: ScenarioStep): number {
  return 'fault' in step ? duplicatesOf(step.fault) : 0;
}

function duplicatesOf(fault: LineFault | undefined): number {
  return fault?.kind === 'duplicate' ? fault.more : 0;
}

function duplicated({ fault, on, times }: FaultRule, sent: number): number {
  const isMeant =
    on === undefined || (on.endsWith('*') ? PROMPT.startsWith(on.slice(0, -1)) : on === PROMPT);
  return isMeant ? Math.min(times, sent) * duplicatesOf(fault) : 0;
}
