// Reports of runs as the page shows them: what has a result, and what waits for one.
import { countsOf } from '../../drive/verdict.ts';
import { fieldsOf, FIELD_NAMES, groupsOf, baseWords } from '../../drive/lab/report-words.ts';
import { agentWords, summaryOf, type LabCell } from '../../drive/lab/report.ts';
import { cardOf } from '../../drive/probes/card.ts';

import { rateOf } from '../../drive/scenario/report/report.ts';
import type { Handshake } from '../../model/facts/facts-view.ts';
import type { StoredRun } from '../../storage/schema.ts';
import type { KeptRun } from './kept-runs.ts';
import type { KnownLab } from './lab-run.ts';
import type { KnownProbes } from './probe-run.ts';
import type { RerunReportView } from './rerun-messages.ts';
import type { KnownRerun } from './rerun-run.ts';
import type { KnownScenario } from './scenario-run.ts';
import type { ScenarioReportView } from './scenario-messages.ts';
import type { LabCellView, LabLine, LabReportView, ProbeReportView } from './run-messages.ts';

export function probeView({ run, known }: KeptRun<'probes'>): ProbeReportView {
  const { id, at } = run;
  const { report, waiting } = known;
  const { agent, probes, leftOut, rules, prompts, connections, stopped } = report;
  const results = [...probes, ...rules];
  return {
    agent: nameOf(agent.title ?? agent.name, agent.release),
    version: agent.version,
    card: cardOf(report),
    counts: countsOf(results),
    ...{ id, at, prompts, connections, stopped, results, waiting, leftOut },
  };
}

export function labView({ run, known }: KeptRun<'lab'>): LabReportView {
  const { id, at } = run;
  const { report, waiting } = known;
  const { agent, protocolVersion, repeat, cost, promptsSent, cursors, ended } = report;
  const pending = waiting.map(({ id, axes }): LabCell => {
    return { id, axes, verdict: 'skip', why: '', runs: [] };
  });
  const isWaiting = new Set(waiting.map(({ id }) => id));
  return {
    agent: agentWords(agent),
    version: protocolVersion,
    base: baseWords(report),
    prompts: promptsSent,
    groups: groupsOf({ ...report, cells: [...report.cells, ...pending] }).map((group) => ({
      title: group.title,
      cells: group.cells.map(({ cell, name }) => lineOf(cell, name, isWaiting.has(cell.id))),
    })),
    fieldNames: FIELD_NAMES,
    counts: summaryOf(report),
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
    runs: cell.runs.map(({ excerpts: _, ...run }) => run),
  };
}

function lineOf(cell: LabCell, name: string, isWaiting: boolean): LabLine {
  const { id, axes, verdict, why, runs } = cell;
  return {
    verdict: isWaiting ? undefined : verdict,
    fields: fieldsOf(cell),
    runs: runs.length,
    ...{ id, name, axes, why },
  };
}

/** What a list of runs says of it. */
export function probeHead({ report }: KnownProbes): RunHead {
  const { agent, probes, rules } = report;
  return {
    agent: nameOf(agent.title ?? agent.name, agent.release),
    protocol: agent.version,
    counts: countsOf([...probes, ...rules]),
  };
}

export function labHead({ report }: KnownLab): RunHead {
  const { agent, protocolVersion } = report;
  return {
    agent: agentWords(agent),
    protocol: protocolVersion,
    counts: summaryOf(report),
  };
}

/** `fallback`: what was started, while no handshake says more. */
export function rerunHead(
  { view: { counts, notes } }: KnownRerun,
  handshake: Handshake | undefined,
  fallback: string,
): RunHead {
  const { title, name, version } = handshake?.agent ?? {};
  const mismatch = notes.filter(({ kind }) => kind === 'mismatch').length;
  return {
    agent: nameOf(title ?? name ?? fallback, version),
    protocol: handshake?.version === 1 ? 1 : 2,
    counts: { ...counts, ...(mismatch > 0 && { mismatch }) },
  };
}

export function rerunView({ run, known }: KeptRun<'rerun'>): RerunReportView {
  const { id, at, agent, protocol } = run;
  return { ...known.view, id, at, agent, version: protocol };
}

export function scenarioHead(
  { view, report }: KnownScenario,
  handshake: Handshake | undefined,
  fallback: string,
): RunHead {
  const { title, name, version } = handshake?.agent ?? {};
  const { passed } = rateOf(report);
  return {
    agent: nameOf(title ?? name ?? fallback, version),
    protocol: handshake?.version === 1 ? 1 : 2,
    counts: { passed, of: view.repeat },
  };
}

export function scenarioView({ run, known }: KeptRun<'scenario'>): ScenarioReportView {
  const { id, at, agent, protocol } = run;
  return { ...known.view, id, at, agent, version: protocol };
}

export type RunHead = Pick<StoredRun, 'agent' | 'protocol' | 'counts'>;

function nameOf(name: string | undefined, version: string | undefined): string {
  return [name ?? 'An agent without a name', version].filter(Boolean).join(' ');
}
