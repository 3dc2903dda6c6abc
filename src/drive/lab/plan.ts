// Which cells a run of the lab tries: from a base cell one axis at a time, or the product of what was
// asked for; which of them the agent cannot be asked, and what all of it costs in prompts.
import { shutGate, type Offered } from '../../acp/gate.ts';
import {
  AXES,
  cellId,
  axisValues,
  VARIANTS,
  type Axes,
  type Axis,
  type LabVariant,
} from './axes.ts';

export interface LabWish {
  /** Values asked for, by axis; none: the plan's own. Cells of the other version are skipped. */
  readonly values: Readonly<Partial<Record<Axis, readonly string[]>>>;
  /** Only these cells of what they make, by id. */
  readonly only?: readonly string[] | undefined;
  /** Everything with everything. */
  readonly full: boolean;
  /** Runs of each cell. */
  readonly repeat: number;
  /** Cursor algebra, where the agent takes cursors of its own. */
  readonly cursors: boolean;
}

export interface PlannedCell {
  readonly id: string;
  readonly axes: Axes;
  /** Why it cannot be tried. */
  readonly skip: string | undefined;
}

export interface LabPlan {
  readonly version: 1 | 2;
  readonly base: Axes;
  readonly cells: readonly PlannedCell[];
  readonly repeat: number;
  readonly cursors: boolean;
  /** Prompts that are sent if all goes well, and the most that may be. */
  readonly cost: Cost;
}

export interface Cost {
  readonly expected: number;
  readonly most: number;
}

/** Two turns make history to cut. */
const CURSOR_PROMPTS = 2;

export function labPlan(version: 1 | 2, offered: Offered, wish: LabWish): LabPlan {
  const base = baseOf(version, offered, wish);
  const cells = combinations(version, base, wish)
    .map((axes) => ({ id: cellId(axes, base), axes, skip: skipOf(version, axes, offered) }))
    .filter(({ id }) => wish.only?.includes(id) ?? true);
  const cursors = wish.cursors && version === 2 && skipOf(2, base, offered) === undefined;
  return { version, base, cells, repeat: wish.repeat, cursors, cost: costOf(cells, wish, cursors) };
}

/** Where nothing is asked of an axis: the value that the others are held against. */
function baseOf(version: 1 | 2, offered: Offered, { values }: LabWish): Axes {
  const plain: Axes = {
    variant: 'load',
    stop: 'stdin',
    cwd: 'exact',
    id: 'good',
    capabilities: 'none',
    subagents: 'none',
    mcp: 'same',
  };
  // An agent that only resumes is held against its resume.
  const [first = 'load', second = first] = VARIANTS[version];
  const can = skipOf(version, { ...plain, variant: first }, offered) === undefined;
  const axes = { ...plain, variant: can || version === 2 ? first : second };
  // Where only one value of an axis is asked for, all cells have it.
  return AXES.reduce<Axes>((made, axis) => {
    const asked = known(version, axis, values[axis]);
    const [only] = asked;
    return asked.length === 1 && only !== undefined ? withValue(made, axis, only) : made;
  }, axes);
}

function known(version: 1 | 2, axis: Axis, asked: readonly string[] = []): readonly string[] {
  const all = axisValues(axis, version);
  return asked.filter((value) => all.includes(value));
}

function withValue(axes: Axes, axis: Axis, value: string): Axes {
  // Values are checked against the axis where they come in.
  return { ...axes, [axis]: value } as Axes;
}

function combinations(version: 1 | 2, base: Axes, { values, full }: LabWish): readonly Axes[] {
  const asked = AXES.filter((axis) => values[axis] !== undefined);
  if (full || asked.length > 0) {
    const axes = full ? AXES : asked;
    return axes.reduce<readonly Axes[]>(
      (made, axis) => {
        const wanted = values[axis] === undefined ? axisValues(axis, version) : values[axis];
        return made.flatMap((cell) => wanted.map((value) => withValue(cell, axis, value)));
      },
      [base],
    );
  }
  const others = AXES.flatMap((axis) =>
    axisValues(axis, version)
      .filter((value) => value !== base[axis])
      .map((value) => withValue(base, axis, value)),
  );
  return [base, ...others];
}

function skipOf(version: 1 | 2, axes: Axes, offered: Offered): string | undefined {
  const { variant, id, subagents } = axes;
  if (isOtherVersion(version, variant) || (version === 2 && subagents === 'without'))
    return foreign(version);
  const method = variant === 'load' ? 'session/load' : 'session/resume';
  const needs = [
    method,
    ...(id === 'closed' ? ['session/close'] : []),
    ...(id === 'deleted' ? ['session/delete'] : []),
  ];
  for (const name of needs) {
    const shut = shutGate(name, 'client', version, offered);
    if (shut) return `the agent does not advertise ${shut.words}`;
  }
  return undefined;
}

function foreign(version: 1 | 2): string {
  const other = version === 1 ? 2 : 1;
  return `it is of v${other}, not of v${version}: --protocol ${other} tries it`;
}

/** Of all axes only variants belong to a version. */
export function isOtherVersion(version: 1 | 2, variant: LabVariant): boolean {
  return !VARIANTS[version].includes(variant);
}

/** Whether a session must come back, so that it is asked what it remembers. */
export function isAsked({ variant, cwd, id }: Axes): boolean {
  if (variant === 'unknown' || variant === 'malformed' || cwd === 'relative') return false;
  return id === 'good' || id === 'closed' || id === 'other-cwd';
}

export function promptCost(axes: Axes): Cost {
  const { stop, id } = axes;
  // An id that nobody gave needs no session behind it.
  if (id === 'unknown') return { expected: 0, most: 0 };
  const first = 1 + (id === 'other-cwd' ? 1 : 0);
  const cut = stop === 'mid-stream' || stop === 'permission' || stop === 'child' ? 1 : 0;
  const ask = isAsked(axes) ? 1 : 0;
  // Asked once more where the first answer does not know it.
  return { expected: first + cut + ask, most: first + cut + 2 * ask };
}

function costOf(cells: readonly PlannedCell[], { repeat }: LabWish, cursors: boolean): Cost {
  const tried = cells.filter(({ skip }) => skip === undefined).map(({ axes }) => promptCost(axes));
  const extra = cursors ? CURSOR_PROMPTS : 0;
  const sum = (which: keyof Cost) =>
    tried.reduce((total, cost) => total + cost[which] * repeat, extra);
  return { expected: sum('expected'), most: sum('most') };
}
