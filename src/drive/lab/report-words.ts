// What each report of the lab says of a cell, in the same words: the row it stands in, and the fields
// of the matrix.
import { minus } from '../../model/words.ts';
import { worstWord } from '../verdict.ts';
import { RESTORE_VERDICT_WORDS } from '../../model/restore/restore-verdict.ts';
import { AXES, axisWords, axisValueWords, type Axes, type Axis } from './axes.ts';
import { cellRate, type LabCell, type LabReport, type LabRun } from './report.ts';
import type { WorkFate } from '../../model/restore/reconnect.ts';

interface CellGroup {
  /** What its cells vary. */
  readonly title: string;
  readonly cells: readonly { readonly cell: LabCell; readonly name: string }[];
}

/** The base cell first, then what varies one axis, then what varies several. */
export function groupsOf({ cells, base }: Pick<LabReport, 'cells' | 'base'>): readonly CellGroup[] {
  const groups = new Map<string, { cell: LabCell; name: string }[]>();
  for (const cell of cells) {
    const varied = AXES.filter((axis) => cell.axes[axis] !== base[axis]);
    const [axis = 'variant'] = varied;
    const title = varied.length > 1 ? 'combined' : axisWords(axis);
    const name =
      varied.length > 1
        ? varied.map((one) => valueOf(cell.axes, one)).join(', ')
        : valueOf(cell.axes, axis);
    groups.set(title, [...(groups.get(title) ?? []), { cell, name }]);
  }
  return [...groups].map(([title, cells]) => ({ title, cells }));
}

function valueOf(axes: Axes, axis: Axis): string {
  return axisValueWords(axis, axes[axis]);
}

/** `session/load, stdin closed, exact cwd …`: what all cells have that say nothing else. */
export function baseWords({ base }: LabReport): string {
  return AXES.map((axis) => {
    const value = axisValueWords(axis, base[axis]);
    return axis === 'variant' || axis === 'stop' ? value : `${axisWords(axis)}: ${value}`;
  }).join(', ');
}

export interface LabFields {
  readonly restored: string;
  readonly fidelity: string;
  readonly remembers: string;
  readonly tools: string;
  readonly open: string;
  readonly rate: string;
}

export const FIELD_NAMES: Readonly<Record<keyof LabFields, string>> = {
  restored: 'restored',
  fidelity: 'fidelity',
  remembers: 'remembers',
  tools: 'tools',
  open: 'left open',
  rate: 'rate',
};

const NOTHING = '–';

/** Of several runs, what the worst of them says. */
export function fieldsOf(cell: LabCell): LabFields {
  const { runs } = cell;
  const verdict = worstWord(runs.map((run) => run.verdict));
  const run = runs.find((one) => one.verdict === verdict);
  const { passed, of } = cellRate(cell);
  return {
    restored: restoredWords(run),
    fidelity: isCompared(run) ? (run?.fidelity?.verdict ?? NOTHING) : NOTHING,
    remembers: run?.memory === undefined ? NOTHING : run.memory.remembers,
    tools: toolWords(run),
    open: openWords(run),
    rate: of === 0 ? NOTHING : `${passed}/${of}`,
  };
}

function restoredWords(run: LabRun | undefined): string {
  if (run?.restored === undefined) return NOTHING;
  const { verdict, code } = run.restored;
  return code === undefined ? RESTORE_VERDICT_WORDS[verdict] : `rejected, ${minus(code)}`;
}

/** Where nothing was to be replayed and nothing was, there is nothing to compare. */
function isCompared(run: LabRun | undefined): boolean {
  const verdict = run?.restored?.verdict;
  return (
    run?.fidelity !== undefined &&
    run.restored?.code === undefined &&
    verdict !== 'restored-without-replay'
  );
}

function toolWords(run: LabRun | undefined): string {
  if (run?.tools === undefined || run.restored?.code !== undefined) return NOTHING;
  const { given, listed, uninvited } = run.tools;
  if (uninvited.length > 0) return 'uninvited';
  if (given.length === 0) return 'none';
  return listed.length === given.length ? 'yes' : 'no';
}

const FATES: readonly WorkFate[] = ['silently gone', 'cannot be known', 'seen again', 'settled'];

function openWords(run: LabRun | undefined): string {
  const open = run?.reconnect?.open ?? [];
  const parts = FATES.flatMap((fate) => {
    const many = open.filter((thing) => thing.fate === fate).length;
    return many === 0 ? [] : [`${many} ${fate}`];
  });
  return parts.length === 0 ? NOTHING : parts.join(', ');
}

/** `#12–#40`, of the restore. */
export function windowWords(run: LabRun): string | undefined {
  const { requestSeq, answerSeq } = run.restored ?? {};
  if (requestSeq === undefined) return undefined;
  return answerSeq === undefined ? `#${requestSeq}` : `#${requestSeq}–#${answerSeq}`;
}
