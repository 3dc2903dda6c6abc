// Runs that drive an agent, as the page asks for them and hears of them. One of probes or of the resume
// lab belongs to an agent's command, so every connection of that command shows what came of it. Reports
// are kept.
import type { VerdictWord } from '../../drive/verdict.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { Axes, Axis } from '../../drive/lab/axes.ts';
import type { Cost } from '../../drive/lab/plan.ts';
import type { LabCursors, LabRun } from '../../drive/lab/report.ts';
import type { LabFields } from '../../drive/lab/report-words.ts';
import type { Card } from '../../drive/probes/card.ts';
import type { LeftOutProbe } from '../../drive/probes/plan.ts';
import type { ProbeResult } from '../../drive/probes/probe.ts';
import type { OwnProbeTexts } from '../../model/probe-texts.ts';
import type { DivergenceOptions } from '../../drive/replay/divergence.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { ExcerptView } from './excerpt-rows.ts';
import type { RerunReportView } from './rerun-messages.ts';
import type { ScenarioReportView } from './scenario-messages.ts';
import type { StripPart } from '../fidelity/strip.ts';

export type RunKind = 'probes' | 'lab' | 'rerun' | 'scenario';

/** The run that is under way in this tab, or the last one. */
export interface RunState {
  readonly kind: RunKind;
  /** The connection it was asked for on; undefined: on none. */
  readonly like: ConnectionId | undefined;
  /** `stopping`: the agents are being ended. */
  readonly phase: 'running' | 'stopping' | 'ended';
  readonly done: number;
  /** 0: the agent is still being greeted. */
  readonly of: number;
  /** What is tried now: `load/roundtrip`. */
  readonly now: string;
  readonly prompts: number;
  /** Prompts it may send. */
  readonly most: number;
  /** Why nothing could be tried, or not all: a sentence. */
  readonly problem: string | undefined;
  /** Grows with each result. */
  readonly version: number;
}

/** What can be tried with the agent of a connection, read off its handshake; nothing is sent. */
export interface RunTarget {
  /** As the handshake says it. */
  readonly agent: string;
  /** What this connection speaks; undefined: no handshake is known. */
  readonly version: 1 | 2 | undefined;
}

export interface ProbeEntry {
  readonly id: string;
  /** `load` of `load/roundtrip`. */
  readonly family: string;
  readonly sentence: string;
  readonly prompts: number;
  readonly connections: number;
  /** Uses the session that the run makes and prompts once. */
  readonly shares: boolean;
  /** Methods that must be advertised. */
  readonly needs: readonly string[];
  /** Why it will be skipped. */
  readonly shut: string | undefined;
  /** In no preset, because it would do this: a clause behind "it". */
  readonly optIn: string | undefined;
}

export interface ProbePrice {
  readonly probes: number;
  /** The most that are sent; what is not advertised costs nothing. */
  readonly prompts: number;
  readonly connections: number;
}

export interface ProbeOrder {
  readonly version: 1 | 2;
  readonly ids: readonly string[];
  readonly most: number;
  /** v2: a cursor that the agent documents, `$ID` in it for what it names. */
  readonly cursor: JsonObject | undefined;
  /** What else is prompted than by itself. */
  readonly texts: OwnProbeTexts;
}

export interface ProbeReportView {
  /** Of its run. */
  readonly id: string;
  /** `Claude Agent 0.5.1`. */
  readonly agent: string;
  readonly version: 1 | 2;
  /** ISO 8601, when it began. */
  readonly at: string;
  readonly prompts: number;
  readonly connections: number;
  readonly stopped: boolean;
  readonly card: Card;
  /** Those that have a result, then what the rules found. */
  readonly results: readonly ProbeResult[];
  /** Ids that wait for their turn. */
  readonly waiting: readonly string[];
  /** Could have been asked, and was in no preset. */
  readonly leftOut: readonly LeftOutProbe[];
  readonly counts: Readonly<Record<VerdictWord, number>>;
  /** Milliseconds, by id; absent: nobody measured it. */
  readonly took?: Readonly<Record<string, number>>;
}

export interface LabAxisView {
  readonly axis: Axis;
  readonly words: string;
  readonly values: readonly { readonly value: string; readonly words: string }[];
}

/** Absent: one axis at a time from the base. */
export type LabValues = Readonly<Partial<Record<Axis, readonly string[]>>>;

export interface LabOrder {
  readonly version: 1 | 2;
  readonly values: LabValues;
  /** Only these cells of them, by id; undefined: all. */
  readonly only: readonly string[] | undefined;
  readonly repeat: number;
  readonly cursors: boolean;
  readonly most: number;
  /** v2: the custom cursor, `$ID` in it for the message it names; undefined: one is guessed. */
  readonly cursor: JsonObject | undefined;
  /** What else it says than by itself: in turn 1, and to ask for its word. */
  readonly texts: { readonly prompt?: string; readonly ask?: string };
}

export interface LabPrice {
  /** All that these values make, chosen or not; with a verdict: they cannot be tried. */
  readonly planned: readonly LabLine[];
  /** Cells that will be tried. */
  readonly cells: number;
  readonly cursors: boolean;
  readonly cost: Cost;
}

export interface LabLine {
  readonly id: string;
  readonly name: string;
  readonly axes: Axes;
  /** Undefined: not yet tried. */
  readonly verdict: VerdictWord | undefined;
  readonly why: string;
  readonly fields: LabFields;
  readonly runs: number;
  /** That were sent; of one that waits, the most that will be. */
  readonly prompts: number;
  /** Milliseconds; absent: nobody measured it. */
  readonly took?: number;
}

export interface LabReportView {
  /** Of its run. */
  readonly id: string;
  readonly agent: string;
  readonly version: 1 | 2;
  readonly at: string;
  /** What cells have that say nothing else. */
  readonly base: string;
  readonly repeat: number;
  readonly cost: Cost;
  readonly prompts: number;
  readonly groups: readonly { readonly title: string; readonly cells: readonly LabLine[] }[];
  readonly cursors: LabCursors | undefined;
  readonly counts: Readonly<Record<VerdictWord, number>>;
  /** Why it ended before all was tried. */
  readonly ended: string | undefined;
}

/** Behind a cell: its runs, in which `before` and `after` name connections. */
export interface LabCellView {
  readonly line: LabLine;
  readonly runs: readonly LabRunView[];
}

export interface LabRunView extends Omit<LabRun, 'excerpts'> {
  readonly excerpts: readonly ExcerptView[];
  /** The live items, and what became of them. */
  readonly parts: readonly StripPart[];
}

/** What the page shows of a run, by its kind. */
export interface ReportOf {
  readonly probes: ProbeReportView;
  readonly lab: LabReportView;
  readonly rerun: RerunReportView;
  readonly scenario: ScenarioReportView;
}

export type RunFormat = 'markdown' | 'json' | 'html';

/** A report that is kept. */
export interface RunSummary {
  readonly id: string;
  readonly kind: RunKind;
  /** ISO 8601, when it began. */
  readonly at: string;
  /** `Claude Agent 0.5.1`. */
  readonly agent: string;
  readonly version: 1 | 2;
  readonly argv: readonly string[];
  /** The recording of a trace replay. */
  readonly of: ConnectionId | undefined;
  /** Of the scenario, or of the recording. */
  readonly name: string | undefined;
  /** By the word of the verdict. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Which report: the run that a connection belongs to, else the last one of its command; or this one. */
export type RunPick = { readonly connection: ConnectionId } | { readonly run: string };

export type RunBegun = { readonly run: string } | { readonly problem: string };

/** What a divergence leaves out, and which names it compares as they stand. */
export type RerunTerms = Required<Pick<DivergenceOptions, 'ignore' | 'raw'>>;
