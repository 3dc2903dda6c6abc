// More than two traces: each against the first, as one table of what differs from it.
import { jsonText } from '../../model/timeline/pins.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { diffTraces } from './diff.ts';
import type { DiffOptions, TraceDiffReport, TraceDifference } from './report/report.ts';

export interface ManyRow {
  /** Where it stands in the first trace; absent: only in others. */
  readonly seq?: number;
  readonly of: string;
  readonly path: string;
  /** What the first says; absent: nothing. */
  readonly first?: string;
  /** What each other says; absent: the same as the first. `gone`: nothing. */
  readonly others: readonly (ManyCell | undefined)[];
}

export type ManyCell = { readonly gone: true } | { readonly text: string };

export interface ManyReport {
  readonly reports: readonly TraceDiffReport[];
  readonly rows: readonly ManyRow[];
}

/** Throws as `diffTraces` does. The slice `b` is that of every other. */
export async function diffMany(
  first: IndexedTrace,
  others: readonly IndexedTrace[],
  options: DiffOptions = {},
): Promise<ManyReport> {
  const reports: TraceDiffReport[] = [];
  for (const other of others) reports.push(await diffTraces(first, other, options));
  const rows = new Map<string, Omit<ManyRow, 'others'> & { others: (ManyCell | undefined)[] }>();
  reports.forEach(({ differences }, column) => {
    for (const difference of differences) {
      const key = keyOf(difference);
      const { a, of, path, before } = difference;
      const row = rows.get(key) ?? {
        ...(a && { seq: a.seq }),
        of,
        path,
        ...(before !== undefined && { first: textOf(before) }),
        others: others.map(() => undefined),
      };
      row.others[column] = cellOf(difference);
      rows.set(key, row);
    }
  });
  // What only others have comes last.
  const place = ({ seq }: ManyRow) => seq ?? Number.MAX_SAFE_INTEGER;
  return { reports, rows: [...rows.values()].sort((a, b) => place(a) - place(b)) };
}

/** What is one row: the same place of the first trace, or the same addition to it. */
function keyOf({ a, of, path, after }: TraceDifference): string {
  return a ? `${a.seq} ${path}` : `+ ${of} ${path} ${textOf(after ?? '')}`;
}

function cellOf({ kind, after }: TraceDifference): ManyCell {
  if (kind === 'missing' || after === undefined) return { gone: true };
  return { text: kind === 'moved' ? `moved: ${textOf(after)}` : textOf(after) };
}

function textOf(value: Parameters<typeof jsonText>[0]): string {
  return typeof value === 'string' ? value : jsonText(value);
}
