// Scenarios as the page asks for them and hears of them: what a text says, a trace as one, and what came
// of its runs.
import type { ScenarioWord } from '../../drive/scenario/assert/assertion-words.ts';
import type { TextProblem } from '../../drive/scenario/file/text-problem.ts';
import type { JudgedAssert } from '../../drive/scenario/report/report.ts';
import type { Launch } from '../../link/messages.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';

export type { TextProblem };

export type ScenarioPlan =
  | {
      readonly ok: true;
      readonly name: string | undefined;
      /** `expect type:err`. */
      readonly steps: readonly string[];
      readonly asserts: number;
      /** `2 prompts, SIGKILL, start again, session/load`: what is done, in order. */
      readonly done: string;
      /** The most that one run sends. */
      readonly prompts: number;
      /** What may be a slip of the pen, and hinders nothing. */
      readonly warnings: readonly TextProblem[];
    }
  | { readonly ok: false; readonly problems: readonly TextProblem[] };

/** What was done, as a text. */
export interface ScenarioMade {
  readonly text: string;
  /** The numbers of its connections, in order. */
  readonly of: readonly number[];
}

export interface ScenarioOrder {
  readonly text: string;
  readonly launch: Launch;
  readonly repeat: number;
  /** Prompts that were agreed to, over all its runs. */
  readonly most: number;
  /** The connection looked at meanwhile. */
  readonly like: ConnectionId | undefined;
}

/** What may stand where, for the editor. */
export interface ScenarioWords {
  readonly head: readonly ScenarioWord[];
  /** By the word a step begins with. */
  readonly steps: Readonly<
    Record<string, { readonly doc: string; readonly fields: readonly ScenarioWord[] }>
  >;
  readonly faults: readonly ScenarioWord[];
  /** What a rule of an intercept may have. */
  readonly rules: readonly ScenarioWord[];
  /** Of assertions, and what each compares with. */
  readonly calls: readonly ScenarioWord[];
  /** What stands between the brackets of a call that takes no query. */
  readonly takes: Readonly<Record<string, readonly string[]>>;
  /** Of queries, and the values that are known of them. */
  readonly fields: readonly ScenarioWord[];
}

export interface ScenarioEvidence {
  readonly trace: ConnectionId;
  readonly seqs: readonly Seq[];
}

export interface ScenarioMoment {
  /** Milliseconds since the run began. */
  readonly ms: number;
  /** That had crossed by then, on all its connections. */
  readonly frames: number;
}

export interface ScenarioRunView {
  /** One a connection, in order. */
  readonly traces: readonly ConnectionId[];
  /** The step under way, from 1; 0 is the handshake. */
  readonly at: number;
  /** As each step began, and at last as the last one ended; in reports of older versions: unknown. */
  readonly moments?: readonly ScenarioMoment[];
  readonly isOver: boolean;
  readonly failure:
    | {
        readonly step: number;
        readonly why: string;
        readonly evidence: readonly ScenarioEvidence[];
      }
    | undefined;
  readonly asserts: readonly (Omit<JudgedAssert, 'frames'> & {
    readonly evidence: readonly ScenarioEvidence[];
  })[];
  readonly notes: readonly string[];
}

export interface ScenarioReportView {
  /** Of its run. */
  readonly id: string;
  readonly agent: string;
  readonly version: 1 | 2;
  /** ISO 8601, when it began. */
  readonly at: string;
  readonly name: string;
  /** As it was run. */
  readonly text: string;
  readonly steps: readonly string[];
  readonly repeat: number;
  readonly runs: readonly ScenarioRunView[];
  /** Why it ended before all runs were done. */
  readonly ended: string | undefined;
}
