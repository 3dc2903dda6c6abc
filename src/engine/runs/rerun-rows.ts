// The recording beside a rerun, row by row: what has come, what is still waited for, what differs.
import type { DiffRow, FieldChange, TraceDiffReport } from '../../diff/traces/report/report.ts';
import { defined } from '../../lib/defined.ts';
import type { Seq } from '../../trace/event.ts';
import type { RerunField, RerunRow, RerunSide, RerunState } from './rerun-messages.ts';

export interface RerunRows {
  readonly rows: readonly RerunRow[];
  readonly leftOut: number;
  readonly counts: Readonly<Partial<Record<RerunState, number>>>;
}

const MOST_ROWS = 4000;
const MOST_FIELDS = 40;

interface RerunRowsOptions {
  /** Nothing more comes. */
  readonly isOver: boolean;
  /** What is recorded may come in any order: none of it is missing before the end. */
  readonly anyOrder?: boolean;
  /** Live frames whose differences do not matter. */
  readonly letPass?: ReadonlySet<Seq>;
  readonly most?: number;
}

export function rerunRows(
  { rows }: Pick<TraceDiffReport, 'rows'>,
  { isOver, anyOrder = false, letPass, most = MOST_ROWS }: RerunRowsOptions,
): RerunRows {
  const all = Array.from({ length: rows.length }, (_, at) => at);
  const reached = anyOrder ? -1 : all.findLastIndex((at) => rows.mark(at) !== 'missing');
  const frontier = isOver ? Infinity : reached;
  const counts: Partial<Record<RerunState, number>> = {};
  const kept: RerunRow[] = [];
  for (const at of all) {
    const row = rows.row(at);
    const found = stateOf(row, at > frontier, isOver);
    const isPassed =
      found === 'different' && row.b !== undefined && letPass?.has(row.b.seq) === true;
    const state = isPassed ? 'passed' : found;
    counts[state] = (counts[state] ?? 0) + 1;
    if (kept.length < most) kept.push(viewOf(row, state));
  }
  return { rows: kept, leftOut: all.length - kept.length, counts };
}

function stateOf({ mark, fields }: DiffRow, isAhead: boolean, isOver: boolean): RerunState {
  switch (mark) {
    case 'equal':
      return 'matched';
    case 'changed':
      return !isOver && fields.every(isSoFarTheSame) ? 'coming' : 'different';
    case 'missing':
      return isAhead ? 'waiting' : 'missing';
    case 'extra':
    case 'moved':
      return mark;
  }
}

/** States that a tool call, a plan's entry or a session goes through. */
const UNSETTLED = /^"?(?:pending|in_progress|running)"?$/;

/** What has not come yet is no difference, nor is a text that goes on. */
function isSoFarTheSame({ kind, before, after }: FieldChange): boolean {
  if (kind === 'missing' || (after !== undefined && UNSETTLED.test(after))) return true;
  return kind === 'changed' && before !== undefined && after !== undefined
    ? before.startsWith(after.replace(/…?"?$/, ''))
    : false;
}

function viewOf({ of, a, b, fields }: DiffRow, state: RerunState): RerunRow {
  const side = ({ seq, last, words }: RerunSide): RerunSide => ({ seq, last, words });
  const isTold = state === 'different' || state === 'passed';
  return {
    ...{ state, of, fields: isTold ? fields.slice(0, MOST_FIELDS).map(fieldOf) : [] },
    ...defined({ recorded: a && side(a), live: b && side(b) }),
  };
}

function fieldOf({ path, before, after }: FieldChange): RerunField {
  return { path, ...defined({ before, after }) };
}
