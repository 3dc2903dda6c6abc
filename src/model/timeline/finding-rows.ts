// Where findings stand in a list of rows, for the ruler beside it and for going from one to the next.
import type { Seq } from '../../trace/event.ts';
import { worseMark, type FindingMarks, type MarkSeverity } from './finding-marks.ts';
import type { RowList } from './row-list.ts';
import type { TraceIndex } from '../trace-index.ts';

export interface FindingRow {
  readonly row: number;
  readonly worst: MarkSeverity;
}

/** The next marked event before or after this seq, among those that fit. */
export function nextMarked(
  { columns, findings }: TraceIndex,
  seq: Seq,
  direction: 1 | -1,
  fits: (place: number) => boolean,
): Seq | undefined {
  const here = columns.placeFrom(seq);
  const isThere = here < columns.length && columns.seq.get(here) === seq;
  const next = findings.next(isThere || direction === -1 ? here : here - 1, direction, fits);
  return next < 0 ? undefined : columns.seqOf(next);
}

/** The next event that a finding counts on. */
export function nextFinding(index: TraceIndex, seq: Seq, direction: 1 | -1): Seq | undefined {
  return nextMarked(index, seq, direction, (place) => index.findings.at(place) !== undefined);
}

/** Rows with findings, ascending: of about so many parts of the list, the worst one each. */
export function findingRows(
  findings: FindingMarks,
  rows: RowList,
  isVisible: (place: number) => boolean,
  parts: number,
): readonly FindingRow[] {
  const worst = new Map<number, FindingRow>();
  const perPart = Math.max(1, rows.length / parts);
  const counts = (place: number) => findings.at(place) !== undefined && isVisible(place);
  for (let place = findings.next(-1, 1, counts); place >= 0;) {
    const found = findings.at(place)?.worst ?? 'hint';
    const row = rows.shownIn(place);
    if (row >= 0) {
      const part = Math.floor(row / perPart);
      const known = worst.get(part)?.worst;
      if (worseMark(found, known) !== known) worst.set(part, { row, worst: found });
    }
    place = findings.next(place, 1, counts);
  }
  return [...worst.values()].sort((a, b) => a.row - b.row);
}
