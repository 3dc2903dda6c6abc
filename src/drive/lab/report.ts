// What a run of the resume lab tells: a verdict for each cell, and the traces and frames behind it.
import type { FidelityWindow } from '../../model/fidelity/report/report.ts';
import type { ClauseSeen } from '../../model/restore/clauses.ts';
import type { RestoreVerdict } from '../../model/restore/restore-verdict.ts';
import type { Seq, Side } from '../../trace/event.ts';
import { isFailure, type Judging, type VerdictWord, countVerdicts } from '../verdict.ts';
import type { Axes } from './axes.ts';
import type { LawResult } from './cursor-algebra.ts';
import type { CursorStrip } from './cursor-strip.ts';
import type { Remembers } from './environment.ts';
import type { Cost } from './plan.ts';
import type { ReconnectTruth } from '../../model/restore/reconnect.ts';
import type { ClientName } from '../../acp/capabilities.ts';

/** Tools of MCP servers, by what the canaries noted. */
export interface LabTools {
  /** Of the servers given to the restore: which were asked for their tools. */
  readonly given: readonly string[];
  readonly listed: readonly string[];
  /** Started for the session before, not given to the restore, and connected all the same. */
  readonly uninvited: readonly string[];
  /** Whether the session that was made had its tool. */
  readonly before: boolean;
}

/** Frames of one trace in a row, as lines cut to what a person reads. */
export interface Excerpt {
  readonly trace: 'before' | 'after';
  readonly title: string;
  readonly frames: readonly { readonly seq: Seq; readonly from: Side; readonly text: string }[];
  /** Frames that were left out, behind the frame at this place. */
  readonly left: { readonly after: number; readonly count: number } | undefined;
}

export interface LabMemory {
  readonly remembers: Remembers;
  /** One clause. */
  readonly why: string;
  /** How often it was asked. */
  readonly asked: number;
  readonly seqs: readonly Seq[];
}

export interface LabRestored {
  readonly verdict: RestoreVerdict;
  readonly seen: readonly ClauseSeen[];
  readonly due: boolean | undefined;
  readonly requestSeq: Seq | undefined;
  readonly answerSeq: Seq | undefined;
  /** The code of the error it was answered with. */
  readonly code: number | undefined;
}

/** A cell, tried once. */
export interface LabRun {
  readonly verdict: VerdictWord;
  /** One sentence: what was seen, and what was due. */
  readonly why: string;
  readonly sessionId: string | undefined;
  readonly restored: LabRestored | undefined;
  readonly fidelity: FidelityWindow | undefined;
  readonly memory: LabMemory | undefined;
  readonly tools: LabTools | undefined;
  readonly reconnect: ReconnectTruth | undefined;
  /** How the first agent ended, and why not in the moment that was meant: `exit 0`, `SIGTERM`. */
  readonly stopped: string | undefined;
  /** Their records: files, or connections of the page. */
  readonly traces: { readonly before?: string; readonly after?: string };
  readonly excerpts: readonly Excerpt[];
  readonly prompts: number;
}

export interface LabCell {
  readonly id: string;
  readonly axes: Axes;
  /** The worst of its runs. */
  readonly verdict: VerdictWord;
  readonly why: string;
  readonly runs: readonly LabRun[];
}

export interface LabCursors {
  readonly laws: readonly LawResult[];
  readonly strip: CursorStrip;
  readonly verdict: VerdictWord;
  readonly why: string;
}

/** `title`: what it calls itself before people. */
export type LabAgent = ClientName;

export interface LabReport {
  readonly agent: LabAgent;
  readonly protocolVersion: 1 | 2;
  readonly base: Axes;
  readonly repeat: number;
  readonly cost: Cost;
  readonly promptsSent: number;
  readonly cells: readonly LabCell[];
  readonly cursors: LabCursors | undefined;
  /** Why it ended before all was tried. */
  readonly ended: string | undefined;
}

/** How many runs passed, of those that decide. */
export function cellRate({ runs }: LabCell): { readonly passed: number; readonly of: number } {
  const tried = runs.filter(({ verdict }) => verdict !== 'skip');
  return { passed: tried.filter(({ verdict }) => verdict !== 'fail').length, of: tried.length };
}

export function labSummary({ cells, cursors }: LabReport): Readonly<Record<VerdictWord, number>> {
  return countVerdicts([...cells, ...(cursors ? [cursors] : [])]);
}

/** The algebra of cursors among the cells, where reports list both. */
export const CURSORS_ID = 'cursor algebra';

/** All that has a verdict. */
export function judgedIn({
  cells,
  cursors,
}: LabReport): readonly (LabCell | (LabCursors & { readonly id: string }))[] {
  return [...cells, ...(cursors ? [{ id: CURSORS_ID, ...cursors }] : [])];
}

export function isLabPassed(report: LabReport, judging: Judging): boolean {
  return report.ended === undefined && !judgedIn(report).some((one) => isFailure(one, judging));
}
