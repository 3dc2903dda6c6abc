// What the resume lab varies: by which request a session is restored, how the agent ended before, with
// which folder, id, client capabilities and MCP servers. Values are the words of the command line.
import type { ShapeId } from '../../model/restore/restore-shapes.ts';

export type LabVariant = Exclude<ShapeId, 'raw'>;

export const VARIANTS: Readonly<Record<1 | 2, readonly LabVariant[]>> = {
  1: ['load', 'resume'],
  2: ['start', 'omitted', 'null', 'custom', 'unknown', 'malformed'],
};

/** How the first agent ends. The last three end it by SIGKILL, at that moment. */
export const STOPS = ['stdin', 'term', 'kill', 'mid-stream', 'permission', 'child'] as const;
export type LabStop = (typeof STOPS)[number];

/** `cwd` of the restore, seen from the session's. */
export const CWDS = ['exact', 'slash', 'relative', 'other', 'deleted'] as const;
export type LabCwd = (typeof CWDS)[number];

/** The session asked for. `other-cwd`: one of another folder, where this folder has one of its own. */
export const IDS = ['good', 'unknown', 'other-cwd', 'deleted', 'closed'] as const;
export type LabId = (typeof IDS)[number];

/**
 * What the client advertises. `extras`: all that needs neither files nor terminals; `subagents`: child
 * sessions, which v2 takes for granted.
 */
export const CAPABILITIES = ['none', 'extras', 'subagents'] as const;
export type LabCapabilities = (typeof CAPABILITIES)[number];

/**
 * Whether turn 1 lets a child session do the work, where the client takes child sessions and where it
 * does not. v2 takes them for granted.
 */
export const SUBAGENTS = ['none', 'with', 'without'] as const;
export type LabSubagents = (typeof SUBAGENTS)[number];

/** MCP servers of the restore, seen from those the session was made with. */
export const MCPS = ['same', 'other', 'none'] as const;
export type LabMcp = (typeof MCPS)[number];

export interface Axes {
  readonly variant: LabVariant;
  readonly stop: LabStop;
  readonly cwd: LabCwd;
  readonly id: LabId;
  readonly capabilities: LabCapabilities;
  readonly subagents: LabSubagents;
  readonly mcp: LabMcp;
}

export type Axis = keyof Axes;
export const AXES: readonly Axis[] = [
  'variant',
  'stop',
  'cwd',
  'id',
  'capabilities',
  'subagents',
  'mcp',
];

/** All values of an axis that a version knows. */
export function valuesOf(axis: Axis, version: 1 | 2): readonly string[] {
  switch (axis) {
    case 'variant':
      return VARIANTS[version];
    case 'stop':
      return STOPS;
    case 'cwd':
      return CWDS;
    case 'id':
      return IDS;
    case 'capabilities':
      return version === 1 ? CAPABILITIES : ['none', 'extras'];
    case 'subagents':
      return version === 1 ? SUBAGENTS : ['none', 'with'];
    case 'mcp':
      return MCPS;
  }
}

export const AXIS_WORDS: Readonly<Record<Axis, string>> = {
  variant: 'restore',
  stop: 'stop moment',
  cwd: 'cwd',
  id: 'session id',
  capabilities: 'client capabilities',
  subagents: 'subagents',
  mcp: 'MCP servers',
};

const VALUE_WORDS: Readonly<Record<Axis, Readonly<Record<string, string>>>> = {
  variant: {
    load: 'session/load',
    resume: 'session/resume',
    start: 'replayFrom start',
    omitted: 'no replayFrom',
    null: 'replayFrom null',
    custom: 'replayFrom a message',
    unknown: 'replayFrom unknown type',
    malformed: 'replayFrom malformed',
  },
  stop: {
    stdin: 'stdin closed',
    term: 'SIGTERM',
    kill: 'SIGKILL',
    'mid-stream': 'killed in mid-stream',
    permission: 'killed while a permission is open',
    child: 'killed while a child works',
  },
  cwd: {
    exact: 'exact',
    slash: 'trailing slash',
    relative: 'relative',
    other: 'another folder',
    deleted: 'deleted folder',
  },
  id: {
    good: 'good',
    unknown: 'unknown',
    'other-cwd': 'of another cwd',
    deleted: 'deleted',
    closed: 'closed',
  },
  capabilities: {
    none: 'none',
    extras: 'all but files and terminals',
    subagents: 'child sessions',
  },
  subagents: {
    none: 'no child works',
    with: 'a child works',
    without: 'delegated without the capability',
  },
  mcp: { same: 'the same', other: 'another one', none: 'none' },
};

/** `killed in mid-stream`, `trailing slash`. */
export function valueWords(axis: Axis, value: string): string {
  return VALUE_WORDS[axis][value] ?? value;
}

/** What names a cell: its values, those of the base cell left out: `load`, `load stop=kill`. */
export function cellId(axes: Axes, base: Axes): string {
  const others = AXES.filter((axis) => axis !== 'variant' && axes[axis] !== base[axis]);
  return [axes.variant, ...others.map((axis) => `${axis}=${axes[axis]}`)].join(' ');
}
