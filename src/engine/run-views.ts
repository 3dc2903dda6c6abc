// Reports of runs as the page shows them: what has a result, and what waits for one.
import { fieldsOf, FIELD_NAMES, groupsOf, baseWords } from '../drive/lab/report-words.ts';
import { summaryOf, type LabCell } from '../drive/lab/report.ts';
import { cardOf } from '../drive/probes/card.ts';
import { countsOf } from '../drive/probes/run.ts';
import type { KnownLab } from './lab-run.ts';
import type { KnownProbes } from './probe-run.ts';
import type { LabCellView, LabLine, LabReportView, ProbeReportView } from './run-messages.ts';

export function probeView({ report, waiting }: KnownProbes, at: string): ProbeReportView {
  const { agent, probes, rules, prompts, connections, stopped } = report;
  const results = [...probes, ...rules];
  return {
    agent: nameOf(agent.title ?? agent.name, agent.release),
    version: agent.version,
    card: cardOf(report),
    counts: countsOf(results),
    ...{ at, prompts, connections, stopped, results, waiting },
  };
}

export function labView({ report, waiting }: KnownLab, at: string): LabReportView {
  const { agent, protocolVersion, repeat, cost, promptsSent, cursors, ended } = report;
  const pending = waiting.map(({ id, axes }): LabCell => {
    return { id, axes, verdict: 'skip', why: '', runs: [] };
  });
  const isWaiting = new Set(waiting.map(({ id }) => id));
  return {
    agent: nameOf(agent.name, agent.version),
    version: protocolVersion,
    base: baseWords(report),
    prompts: promptsSent,
    groups: groupsOf({ ...report, cells: [...report.cells, ...pending] }).map((group) => ({
      title: group.title,
      cells: group.cells.map(({ cell, name }) => lineOf(cell, name, isWaiting.has(cell.id))),
    })),
    fieldNames: FIELD_NAMES,
    counts: summaryOf(report),
    ...{ at, repeat, cost, cursors, ended },
  };
}

export function labCellView({ report }: KnownLab, id: string): LabCellView | undefined {
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

function nameOf(name: string | undefined, version: string | undefined): string {
  return [name ?? 'An agent without a name', version].filter(Boolean).join(' ');
}
