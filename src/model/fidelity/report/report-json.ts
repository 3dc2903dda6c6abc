// A fidelity report for machines: the shape that docs/fidelity.md states.
import { safeJson } from '../../../lib/safe-json.ts';
import { wholeDue } from '../../restore/restore-words.ts';
import type { ConnectionId, FrameRef } from '../../../trace/event.ts';
import type { ChildFidelity, ItemDifference, FidelityReport, FidelityWindow } from './report.ts';

/** `fileOf`: where several files were read, the one that a trace came from; named beside each seq. */
export function fidelityJson(
  { windows }: FidelityReport,
  fileOf?: (connection: ConnectionId) => string,
): string {
  return safeJson({ windows: windows.map((window) => windowJson(window, fileOf)) });
}

type FileOf = ((connection: ConnectionId) => string) | undefined;

function windowJson(window: FidelityWindow, fileOf: FileOf) {
  const { session, variant, cursor, requestSeq, answerSeq, historyComplete, restored } = window;
  return {
    ...(fileOf && { file: fileOf(window.connection) }),
    session,
    variant,
    cursor: cursor ?? null,
    requestSeq,
    answerSeq: answerSeq ?? null,
    historyComplete,
    refused: window.refused,
    restored,
    asDue: wholeDue(window.due, window.shortfall) ?? null,
    intercepted: window.intercepted,
    decidedBy: window.decidedBy ?? null,
    leftOpen: window.leftOpen.map(({ before, after, ...thing }) => ({
      ...thing,
      before: before.map((frame) => frameJson(frame, fileOf)),
      after: after.map((frame) => frameJson(frame, fileOf)),
    })),
    causes: window.causes.map(({ id, text, frame }) => ({
      id,
      text,
      frame: frame ? frameJson(frame, fileOf) : null,
    })),
    ...judgedJson(window, fileOf),
    children: window.children.map((child) => ({
      session: child.session,
      parent: child.parent,
      historyComplete: child.historyComplete,
      refused: child.refused,
      ...judgedJson(child, fileOf),
    })),
  };
}

function judgedJson(judged: FidelityWindow | ChildFidelity, fileOf: FileOf) {
  const { verdict, sentence, kinds, differences, partly } = judged;
  return {
    verdict,
    sentence,
    kinds: kindsJson(kinds),
    differences: differences.map((one) => differenceJson(one, fileOf)),
    partly,
  };
}

/** Figures by kind; the score of a kind in which nothing could be decided is null. */
export function kindsJson(kinds: FidelityWindow['kinds']) {
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, figures]) => [
      kind,
      { ...figures, score: figures.score ?? null },
    ]),
  );
}

function differenceJson(difference: ItemDifference, fileOf: FileOf) {
  const { kind, verdict, of, item, field, live, replayed, before, after, why } = difference;
  return {
    kind,
    verdict,
    of,
    item,
    field: field ?? null,
    live: live ? frameJson(live, fileOf) : null,
    replayed: replayed ? frameJson(replayed, fileOf) : null,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    why,
  };
}

function frameJson({ connection, seq }: FrameRef, fileOf: FileOf) {
  return fileOf ? { seq, file: fileOf(connection) } : { seq };
}
