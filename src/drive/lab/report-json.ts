// A report of the lab for machines: the shape that docs/lab.md states.
import { safeJson } from '../../lib/safe-json.ts';
import { kindsJson } from '../../model/fidelity/report/report-json.ts';
import type { ItemDifference } from '../../model/fidelity/report/report.ts';
import { resultWords } from '../../model/restore/restore-words.ts';
import type { OpenThing } from '../../model/restore/reconnect.ts';
import { isKnown, type Judging } from '../verdict.ts';
import {
  isLabPassed,
  cellRate,
  labSummary,
  type LabCell,
  type LabCursors,
  type LabReport,
  type LabRestored,
  type LabRun,
} from './report.ts';
import { stripText } from './cursor-strip.ts';

export function labJson(report: LabReport, judging: Judging = {}): string {
  const { agent, protocolVersion, base, repeat, cost, promptsSent, cells, cursors, ended } = report;
  return safeJson({
    agent,
    protocolVersion,
    passed: isLabPassed(report, judging),
    ...(ended === undefined ? {} : { ended }),
    base,
    repeat,
    prompts: { ...cost, sent: promptsSent },
    cells: cells.map((cell) => cellJson(cell, judging)),
    ...(cursors && { cursors: cursorsJson(cursors) }),
    summary: labSummary(report),
  });
}

function cellJson(cell: LabCell, judging: Judging) {
  const { id, axes, verdict, why, runs } = cell;
  return {
    id,
    axes,
    verdict,
    why,
    ...(isKnown(cell, judging) && { known: true }),
    rate: cellRate(cell),
    runs: runs.map(runJson),
  };
}

function runJson(run: LabRun) {
  const { verdict, why, sessionId, restored, fidelity, memory, tools, reconnect, traces } = run;
  return {
    verdict,
    why,
    session: sessionId ?? null,
    restored: restored ? restoredJson(restored) : null,
    fidelity: fidelity
      ? {
          verdict: fidelity.verdict,
          sentence: fidelity.sentence,
          kinds: kindsJson(fidelity.kinds),
          differences: fidelity.differences.map(differenceJson),
          children: fidelity.children.map(({ session, verdict, sentence, kinds }) => ({
            ...{ session, verdict, sentence, kinds: kindsJson(kinds) },
          })),
        }
      : null,
    remembers: memory?.remembers ?? null,
    ...(memory && { memory: { why: memory.why, asked: memory.asked, seqs: memory.seqs } }),
    tools: tools ?? null,
    reconnect: reconnect?.open.map(openJson) ?? [],
    takesPrompts: reconnect?.takesPrompts ?? 'not asked',
    prompts: run.prompts,
    stopped: run.stopped ?? null,
    traces,
  };
}

function differenceJson({ kind, verdict, of, item, field, live, replayed, why }: ItemDifference) {
  return {
    kind,
    verdict,
    of,
    item,
    field: field ?? null,
    live: live ? { trace: live.connection, seq: live.seq } : null,
    replayed: replayed ? { trace: replayed.connection, seq: replayed.seq } : null,
    why,
  };
}

function restoredJson({ verdict, seen, due, ...more }: LabRestored) {
  const { whole: words } = resultWords({ verdict, seen, due });
  return { verdict, words, seen, due: due ?? null, ...more };
}

function openJson({ kind, words, fate, why, before, after }: OpenThing) {
  const seqs = (frames: OpenThing['before']) => frames.map(({ seq }) => seq);
  return { kind, words, fate, why, before: seqs(before), after: seqs(after) };
}

function cursorsJson({ verdict, why, laws, strip }: LabCursors) {
  const { columns, rows } = strip;
  return {
    verdict,
    why,
    laws,
    strip: {
      columns: columns.map(({ id, kind, words }) => ({ id: id ?? null, kind, words })),
      rows: rows.map(({ name, trace, rejected, cells }) => ({
        cursor: name,
        trace,
        ...(rejected === undefined ? {} : { rejected }),
        cells: stripText(cells),
      })),
    },
  };
}
