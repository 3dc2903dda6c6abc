// Each kind of run: its title and head, how the page shows its report, and how the report is written.
import { nearestVersion } from '../../acp/handshake.ts';
import { countVerdicts, type FrameWords } from '../../drive/verdict.ts';
import { labDocument } from '../../drive/lab/report-document.ts';
import { labJson } from '../../drive/lab/report-json.ts';
import { fieldsOf, groupsOf, baseWords } from '../../drive/lab/report-words.ts';
import { promptCost, type LabPlan } from '../../drive/lab/plan.ts';
import { labSummary, type LabCell } from '../../drive/lab/report.ts';
import { cellOf } from '../../drive/lab/run-lab.ts';
import { cardOf } from '../../drive/probes/card.ts';
import { probeDocument, probesJson } from '../../drive/probes/report/document.ts';
import { agentDocument, agentReportJson } from '../../drive/replay/agent-report.ts';
import { clientDocument, clientReportJson } from '../../drive/replay/client-report.ts';
import {
  scenarioDocument,
  scenariosJson as scenarioJson,
} from '../../drive/scenario/report/document.ts';
import { runRate } from '../../drive/scenario/report/report.ts';
import type { KeptRun, KnownOf } from './kept-runs.ts';
import type { KnownPlay } from './play.ts';
import { stripParts } from '../fidelity/strip.ts';
import type { Parts } from '../parts.ts';
import { comparedBy } from './rerun-run.ts';
import { excerptViews } from './excerpt-rows.ts';
import type {
  LabCellView,
  LabLine,
  LabReportView,
  ProbeReportView,
  ReportOf,
  RerunTerms,
  RunFormat,
  RunKind,
} from './run-messages.ts';
import { defined } from '../../lib/defined.ts';
import { programName } from '../../lib/program-name.ts';
import type { HandshakeView } from '../../model/facts/facts-view.ts';
import { peerWords } from '../../model/words.ts';
import type { ReportDocument } from '../../report/document.ts';
import { rendered } from '../../report/render.ts';
import type { StoredRun } from '../../storage/schema.ts';
import type { ConnectionId } from '../../trace/event.ts';

function probeView({ run, known }: KeptRun<'probes'>): ProbeReportView {
  const { id, at } = run;
  const { report, waiting, took } = known;
  const { agent, probes, leftOut, rules, prompts, connections, stopped } = report;
  const results = [...probes, ...rules];
  return {
    agent: peerWords({ ...agent, version: agent.release }),
    version: agent.version,
    card: cardOf(report),
    counts: countVerdicts(results),
    ...{ id, at, prompts, connections, stopped, results, waiting, leftOut },
    ...defined({ took }),
  };
}

function labView({ run, known }: KeptRun<'lab'>): LabReportView {
  const { id, at } = run;
  const { report, waiting, took } = known;
  const { agent, protocolVersion, repeat, cost, promptsSent, cursors, ended } = report;
  const pending = waiting.map((cell) => cellOf(cell, []));
  const isWaiting = new Set(waiting.map(({ id }) => id));
  return {
    agent: peerWords(agent),
    version: protocolVersion,
    base: baseWords(report),
    prompts: promptsSent,
    groups: groupsOf({ ...report, cells: [...report.cells, ...pending] }).map((group) => ({
      title: group.title,
      cells: group.cells.map(({ cell, name }) =>
        lineOf(cell, name, isWaiting.has(cell.id), took?.[cell.id]),
      ),
    })),
    counts: labSummary(report),
    ...{ id, at, repeat, cost, cursors, ended },
  };
}

export function labCellView({ known }: KeptRun<'lab'>, id: string): LabCellView | undefined {
  const { report } = known;
  const cell = report.cells.find((one) => one.id === id);
  const name = groupsOf(report)
    .flatMap(({ cells }) => cells)
    .find((one) => one.cell === cell)?.name;
  if (!cell || name === undefined) return undefined;
  return {
    line: lineOf(cell, name, false),
    runs: cell.runs.map((run) => ({
      ...run,
      parts: stripParts(run.fidelity?.groups ?? []),
      excerpts: excerptViews(run.excerpts, report.protocolVersion),
    })),
  };
}

/** Cells before anything is tried. */
export function plannedLines({ cells, base }: Pick<LabPlan, 'cells' | 'base'>): readonly LabLine[] {
  const isOpen = new Set(cells.flatMap(({ id, skip }) => (skip === undefined ? [id] : [])));
  return groupsOf({ base, cells: cells.map((cell) => cellOf(cell, [])) }).flatMap((group) =>
    group.cells.map(({ cell, name }) => lineOf(cell, name, isOpen.has(cell.id))),
  );
}

function lineOf(cell: LabCell, name: string, isWaiting: boolean, took?: number): LabLine {
  const { id, axes, verdict, why, runs } = cell;
  const sent = runs.reduce((sum, run) => sum + run.prompts, 0);
  return {
    verdict: isWaiting ? undefined : verdict,
    fields: fieldsOf(cell),
    runs: runs.length,
    prompts: isWaiting ? promptCost(axes).most : sent,
    ...{ id, name, axes, why },
    ...defined({ took }),
  };
}

type RunHead = Pick<StoredRun, 'agent' | 'protocol' | 'counts' | 'name'>;
type StartedAs = Pick<StoredRun, 'agent' | 'protocol'>;

/** A report that can be written down: its own JSON, or its document in a format of the commands. */
interface WrittenReport {
  readonly json: () => string;
  readonly document: () => ReportDocument;
}

/** All that tells one kind of run from another, once it has begun. */
interface RunKindOf<K extends RunKind> {
  /** Over its connections. */
  readonly title: string;
  /** What a list of runs says of it. `agentOf`: who answered on a connection of the run. */
  readonly head: (
    known: KnownOf[K],
    agentOf: (connection: ConnectionId | undefined) => StartedAs,
  ) => RunHead;
  /** By other terms than it was made with. */
  readonly compared?: (parts: Parts, known: KnownOf[K], terms: RerunTerms) => Promise<KnownOf[K]>;
  readonly view: (kept: KeptRun<K>) => ReportOf[K];
  /** Undefined: it is not over. */
  readonly written: (kept: KeptRun<K>, frame: FrameWords) => WrittenReport | undefined;
}

export const RUN_KINDS: { readonly [K in RunKind]: RunKindOf<K> } = {
  probes: {
    title: 'Probes',
    head: ({ report: { agent, probes, rules } }) => ({
      agent: peerWords({ ...agent, version: agent.release }),
      protocol: agent.version,
      counts: countVerdicts([...probes, ...rules]),
    }),
    view: probeView,
    written: ({ run: { argv }, known: { report } }, frame) => ({
      json: () => probesJson(report, argv),
      document: () => probeDocument(report, programName(argv), {}, frame),
    }),
  },
  lab: {
    title: 'Resume lab',
    head: ({ report }) => ({
      agent: peerWords(report.agent),
      protocol: report.protocolVersion,
      counts: labSummary(report),
    }),
    view: labView,
    written: ({ known: { report } }, frame) => ({
      json: () => labJson(report),
      document: () => labDocument(report, {}, frame),
    }),
  },
  rerun: {
    title: 'Trace sent again',
    head({ view: { name, counts, notes, rerun } }, agentOf) {
      const mismatch = notes.filter(({ kind }) => kind === 'mismatch').length;
      return { ...agentOf(rerun), name, counts: { ...counts, ...(mismatch > 0 && { mismatch }) } };
    },
    compared: comparedBy,
    view: whole,
    written: ({ known: { view, report } }) =>
      report && {
        json: () => clientReportJson(report, view.name),
        document: () => clientDocument(report, view.name),
      },
  },
  scenario: {
    title: 'Scenario',
    head: ({ view: { name, runs, repeat }, report }, agentOf) => ({
      ...agentOf(runs[0]?.traces[0]),
      name,
      counts: { passed: runRate(report).passed, of: repeat },
    }),
    view: whole,
    written: ({ known: { report } }) => ({
      json: () => scenarioJson(report),
      document: () => scenarioDocument([report]),
    }),
  },
};

export function writtenPlay({ report }: KnownPlay): WrittenReport {
  return { json: () => agentReportJson(report), document: () => agentDocument(report) };
}

export function reportText({ json, document }: WrittenReport, format: RunFormat): string {
  return format === 'json' ? json() : rendered(document(), format);
}

/** `fallback`: what was started, while no handshake says more. */
export function startedAs(handshake: HandshakeView | undefined, fallback: string): StartedAs {
  const agent = peerWords(handshake?.agent ?? {}, fallback);
  return { agent, protocol: handshake ? nearestVersion(handshake.version) : 2 };
}

/** What the page knows of it already, with what its run says. */
function whole<V extends object>({ run, known }: { run: StoredRun; known: { view: V } }) {
  const { id, at, agent, protocol: version } = run;
  return { ...known.view, id, at, agent, version };
}
