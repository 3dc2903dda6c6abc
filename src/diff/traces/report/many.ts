// A comparison of several traces as a table, and for machines.
import { diffTraces } from '../diff.ts';
import type { DiffOptions, TraceDiffReport, TraceDifference, Alias, SameText } from './report.ts';
import { count } from '../../../lib/format.ts';
import type { IndexedTrace } from '../../../model/indexed-trace.ts';
import type { JUnitCase, ReportDocument } from '../../../report/document.ts';
import { cut, lines, visibleLine, section } from '../../../report/words.ts';
import type { FrameRef } from '../../../trace/event.ts';
import { shown } from '../rows.ts';

// A comparison for machines: the shape that docs/diff.md states.

export function diffJson(report: TraceDiffReport) {
  const { equal, view, differences, aliases, counts, compared, leftOut, unrelated, notices } =
    report;
  const { replays } = report;
  return {
    equal,
    view,
    differences: differences.map(differenceJson),
    aliases: Object.fromEntries(aliases.map(aliasJson)),
    counts,
    compared,
    sameText: report.sameText.map(sameTextJson),
    leftOut,
    unrelated,
    notices,
    ...(replays && { replays: replays === 'a' ? 'left' : 'right' }),
  };
}

function differenceJson({ kind, a, b, path, before, after, of }: TraceDifference) {
  return {
    kind,
    of,
    a: placeJson(a),
    b: placeJson(b),
    path,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}

function sameTextJson({ of, a, b }: SameText) {
  return { of, a, b };
}

function placeJson(place: FrameRef | undefined) {
  return place ? { seq: place.seq } : null;
}

function aliasJson({ name, kind, a, b, uses }: Alias) {
  return [name, { kind, a: a ?? null, b: b ?? null, uses }] as const;
}

// More than two traces: each against the first, as one table of what differs from it.

interface ManyRow {
  /** Where it stands in the first trace; absent: only in others. */
  readonly seq?: number;
  readonly of: string;
  readonly path: string;
  /** What the first says; absent: nothing. */
  readonly first?: string;
  /** What each other says; absent: the same as the first. `gone`: nothing. */
  readonly others: readonly (ManyCell | undefined)[];
}

type ManyCell = { readonly gone: true } | { readonly text: string };

interface ManyReport {
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
        ...(before !== undefined && { first: shown(before) }),
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
  return a ? `${a.seq} ${path}` : `+ ${of} ${path} ${shown(after ?? '')}`;
}

function cellOf({ kind, after }: TraceDifference): ManyCell {
  if (kind === 'missing' || after === undefined) return { gone: true };
  return { text: kind === 'moved' ? `moved: ${shown(after)}` : shown(after) };
}

const MOST_ROWS = 100;
const WIDEST = 36;

/** `names`: the first, then the others. */
export function manyDocument(
  { rows, reports }: ManyReport,
  names: readonly string[],
  all: boolean,
): ReportDocument {
  const others = names.slice(1);
  const shown = all ? rows : rows.slice(0, MOST_ROWS);
  const more = rows.length - shown.length;
  const title = `Against ${names[0]}`;
  const figures = reports.map(
    ({ equal, differences }, at) =>
      `${others[at]}: ${equal ? 'equal' : count(differences.length, 'difference')}`,
  );
  const heads = ['#', 'what', ...distinctNames(names).map((name) => cutStart(name))];
  return {
    name: 'acp-scope diff',
    title,
    untitled: true,
    blocks: [
      section(title, lines(...figures)),
      ...(rows.length === 0
        ? []
        : [
            {
              kind: 'table',
              heads: heads.map((name) => ({ name })),
              rows: shown.map((row) => [
                row.seq === undefined ? '' : `#${row.seq}`,
                whatWords(row),
                value(row.first ?? '–'),
                ...row.others.map((cell) => value(cellWords(cell))),
              ]),
            } as const,
          ]),
      ...(more > 0 ? [lines(`${more} more; --all shows them.`)] : []),
    ],
    suites: [
      {
        name: title,
        cases: reports.map(({ equal, differences }, at): JUnitCase => {
          const name = others[at] ?? '';
          if (equal) return { name, outcome: 'pass' };
          const message = count(differences.length, 'difference');
          return { name, outcome: 'fail', type: 'different', message };
        }),
      },
    ],
  };
}

export function manyJson({ rows, reports }: ManyReport, names: readonly string[]) {
  return {
    equal: reports.every(({ equal }) => equal),
    first: names[0],
    others: reports.map((report, at) => ({ file: names[at + 1], ...diffJson(report) })),
    table: rows.map(({ seq, of, path, first, others }) => ({
      seq: seq ?? null,
      of,
      path,
      first: first ?? null,
      others: others.map((cell) =>
        cell === undefined ? 'same' : 'gone' in cell ? null : cell.text,
      ),
    })),
  };
}

function whatWords({ of, path }: ManyRow): string {
  if (path === '$') return value(of);
  const name = of.length > WIDEST / 2 ? value(of).slice(0, WIDEST / 2) : of;
  // The end of a path says which of many fields it is.
  return `${name} ${cutStart(path.replace(/^\$\.?/, ''), WIDEST + 8 - name.length)}`;
}

function cellWords(cell: ManyCell | undefined): string {
  if (cell === undefined) return '=';
  return 'gone' in cell ? '–' : cell.text;
}

function value(text: string): string {
  return cut(visibleLine(text), WIDEST);
}

function cutStart(text: string, widest = WIDEST): string {
  const line = visibleLine(text);
  return line.length > widest ? `…${line.slice(1 - widest)}` : line;
}

/**
 * One name for each path, in their order: the last part, and as many before it as it takes to tell
 * it apart. Paths that are wholly the same keep the same name.
 */
export function distinctNames(paths: readonly string[]): readonly string[] {
  const parts = paths.map((path) => path.split(/[\\/]/).filter((part) => part !== ''));
  return parts.map((own, at) => {
    const rivals = parts.filter((other, where) => where !== at && !isSame(other, own));
    let kept = 1;
    while (
      kept < own.length &&
      rivals.some((other) => isSame(other.slice(-kept), own.slice(-kept)))
    )
      kept++;
    return own.slice(-kept).join('/');
  });
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}
