// What the resume lab varies: by which request a session is restored, how the agent ended before, with
// which folder, id, client capabilities and MCP servers. Values are the words of the command line.
import type { ShapeId } from '../../model/restore/restore-shapes.ts';

export type LabVariant = Exclude<ShapeId, 'raw'>;

export const VARIANTS: Readonly<Record<1 | 2, readonly LabVariant[]>> = {
  1: ['load', 'resume'],
  2: ['start', 'omitted', 'null', 'custom', 'unknown', 'malformed'],
};

/** Of each axis its words, and those of its values. */
const TABLE = {
  variant: {
    words: 'restore',
    values: {
      load: 'session/load',
      resume: 'session/resume',
      start: 'replayFrom start',
      omitted: 'no replayFrom',
      null: 'replayFrom null',
      custom: 'replayFrom a message',
      unknown: 'replayFrom unknown type',
      malformed: 'replayFrom malformed',
    },
  },
  /** How the first agent ends. The last three end it by SIGKILL, at that moment. */
  stop: {
    words: 'stop moment',
    values: {
      stdin: 'stdin closed',
      term: 'SIGTERM',
      kill: 'SIGKILL',
      'mid-stream': 'killed in mid-stream',
      permission: 'killed while a permission is open',
      child: 'killed while a child works',
    },
  },
  /** `cwd` of the restore, seen from the session's. */
  cwd: {
    words: 'cwd',
    values: {
      exact: 'exact',
      slash: 'trailing slash',
      relative: 'relative',
      other: 'another folder',
      deleted: 'deleted folder',
    },
  },
  /** The session asked for. `other-cwd`: one of another folder, where this folder has one of its own. */
  id: {
    words: 'session id',
    values: {
      good: 'good',
      unknown: 'unknown',
      'other-cwd': 'of another cwd',
      deleted: 'deleted',
      closed: 'closed',
    },
  },
  /**
   * What the client advertises. `extras`: all that needs neither files nor terminals; `subagents`: child
   * sessions, which v2 takes for granted.
   */
  capabilities: {
    words: 'client capabilities',
    values: {
      none: 'none',
      extras: 'all but files and terminals',
      subagents: 'child sessions',
    },
  },
  /**
   * Whether turn 1 lets a child session do the work, where the client takes child sessions and where it
   * does not. v2 takes them for granted.
   */
  subagents: {
    words: 'subagents',
    values: {
      none: 'no child works',
      with: 'a child works',
      without: 'delegated without the capability',
    },
  },
  /** MCP servers of the restore, seen from those the session was made with. */
  mcp: { words: 'MCP servers', values: { same: 'the same', other: 'another one', none: 'none' } },
} as const;

export type Axis = keyof typeof TABLE;
export type Axes = { readonly [A in Axis]: keyof (typeof TABLE)[A]['values'] };
export const AXES = Object.keys(TABLE) as readonly Axis[];

/** All values of an axis that a version knows. */
export function axisValues(axis: Axis, version: 1 | 2): readonly string[] {
  if (axis === 'variant') return VARIANTS[version];
  const all = Object.keys(TABLE[axis].values);
  const isOfV1 = (value: string) =>
    (axis === 'capabilities' && value === 'subagents') ||
    (axis === 'subagents' && value === 'without');
  return version === 1 ? all : all.filter((value) => !isOfV1(value));
}

export function axisWords(axis: Axis): string {
  return TABLE[axis].words;
}

/** `killed in mid-stream`, `trailing slash`. */
export function axisValueWords(axis: Axis, value: string): string {
  const words: Readonly<Record<string, string>> = TABLE[axis].values;
  return words[value] ?? value;
}

/** What names a cell: its values, those of the base cell left out: `load`, `load stop=kill`. */
export function cellId(axes: Axes, base: Axes): string {
  const others = AXES.filter((axis) => axis !== 'variant' && axes[axis] !== base[axis]);
  return [axes.variant, ...others.map((axis) => `${axis}=${axes[axis]}`)].join(' ');
}
