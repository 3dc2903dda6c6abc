// The columns of the timeline, one entry per column: its head, its width, what a cell contains, and its
// words in the one name of a row. Columns give way to the summary; a person shows, hides and sizes them.
import type { ClassValue } from 'svelte/elements';
import { formatBytes } from '../../lib/format.ts';
import { formatClock, formatSpan, formatTimeOfDay, knownDate } from '../../lib/format-time.ts';
import type { RowKind } from '../../model/columns.ts';
import type { FrameRow, RowView } from '../../model/timeline/row-view.ts';
import type { ColumnChoice } from '../../state/prefs.svelte.ts';
import {
  cursorWords,
  failedLive,
  findingsName,
  ORIGIN_WORDS,
  turnFigures,
  windowVerb,
} from './row-words.ts';

/** What the pointer is on: uses of a session's chip, both frames of an exchange. */
export interface Lit {
  readonly session?: string;
  readonly exchange?: string;
}
/** Pixels there are for rows, and those that the widest values of a trace take. */
export interface ColumnRoom {
  readonly list: number;
  readonly seq: number;
  readonly at: number;
  readonly method: number;
  readonly chip: number;
  readonly id: number;
}

interface Column {
  readonly id: string;
  readonly head: string;
  /** The head is for those alone who do not see the column. */
  readonly unseen?: true;
  readonly right?: true;
  /** A person can show, hide and size it. */
  readonly optional?: true;
  /** The page shows it only if a person wants it. */
  readonly extra?: true;
  /** Pixels; absent: the rest, which is the summary's. */
  width?(room: ColumnRoom): number;
  /** In rows of two lines: its place in the grid, the track it brings, and another head or none. */
  readonly narrow?: { readonly area: string; readonly width?: string; readonly head?: string };
  /** The text of a cell; `startedAt` is the start of the trace in ISO 8601. Absent: FrameRow draws it. */
  text?(row: FrameRow, startedAt: string): string;
  tone?(row: FrameRow, lit: Lit): ClassValue | undefined;
  title?(row: FrameRow): string | undefined;
  /** Its part of the name of a row, for those who do not see it. */
  words?(row: FrameRow): readonly (string | false | undefined)[];
}

const SIDES = { client: 'client to agent', agent: 'agent to client' } as const;
const KIND_WORDS: Readonly<Record<RowKind, string>> = {
  req: 'request',
  res: 'answer',
  err: 'error answer',
  ntf: 'notification',
  bad: 'not a message',
  std: 'stderr',
  evt: 'event',
};
/** Width of the waterfall, whose time is that of the strip. */
export const FALL_PX = 180;
const clock = ({ at, stood }: FrameRow, startedAt: string) => {
  const start = knownDate(startedAt);
  return formatTimeOfDay(start && new Date(start.getTime() + at + (stood ?? 0)));
};
/** Whether the pointer is on a frame of the same exchange. */
export const isPartner = (row: FrameRow, lit: Lit) =>
  row.id !== undefined && lit.exchange === `${row.id} ${row.latency}`;

const ALL = [
  {
    id: 'g',
    head: 'Replay',
    unseen: true,
    width: () => 34,
    narrow: { area: '1 / 1 / 3', width: '34px' },
  },
  {
    id: 'seq',
    head: '#',
    right: true,
    width: ({ seq }) => seq,
    narrow: { area: '1 / 2', width: 'var(--w-seq)' },
    text: ({ seq, member }) => (member === undefined ? String(seq) : `/${member}`),
    title: ({ seq, run }) => run && `#${seq}–#${run.last}`,
    words: (row) => [
      row.run ? `${row.seq} to ${row.run.last}` : `${row.seq}`,
      row.member !== undefined && `message ${row.member} of its array`,
      row.late ? 'late' : row.replay && 'replay',
    ],
  },
  {
    id: 'at',
    head: 'time',
    right: true,
    optional: true,
    width: ({ at }) => at,
    text: ({ at }) => formatClock(at),
  },
  {
    id: 'delta',
    head: 'Δ',
    right: true,
    optional: true,
    width: () => 62,
    text: ({ delta }) => (delta === undefined ? '' : `+${formatSpan(delta)}`),
  },
  {
    ...{ id: 'clock', head: 'wall clock', right: true, optional: true, extra: true },
    width: () => 92,
    text: clock,
  },
  {
    id: 'arrow',
    head: 'Direction',
    unseen: true,
    width: () => 20,
    narrow: { area: '1 / 3', width: '20px' },
    tone: ({ from }) => (from === 'client' ? 'out' : 'in'),
    title: ({ origin }) => (origin === 'peer' ? undefined : ORIGIN_WORDS[origin]),
    words: ({ from }) => [from && SIDES[from]],
  },
  {
    id: 'kind',
    head: 'Kind',
    unseen: true,
    width: () => 26,
    text: ({ kind }) => kind,
    // A name has the method before the summary, also where it is after it on screen.
    words: ({ kind, method }) => [
      kind !== 'ntf' && KIND_WORDS[kind],
      method !== KIND_WORDS[kind] && method,
    ],
  },
  {
    id: 'summary',
    head: 'what',
    narrow: { area: '1 / 4', width: 'minmax(0, 1fr)', head: 'what, method' },
    words: (row) => [row.summary, failedLive(row)],
  },
  {
    id: 'method',
    head: 'method',
    optional: true,
    right: true,
    width: ({ method }) => method,
    narrow: { area: '2 / 4 / 3 / 6', head: '' },
  },
  {
    id: 'session',
    head: 'session',
    unseen: true,
    optional: true,
    /** 0: all frames are of one session. */
    width: ({ chip }) => chip,
    narrow: { area: '1 / 5', width: 'auto', head: '' },
    words: ({ session }) => [session?.replace(/^S/, 'session ')],
  },
  {
    id: 'id',
    head: 'id',
    optional: true,
    width: ({ id }) => id,
    tone: (row, lit) => ['chip', isPartner(row, lit) && 'hl'],
  },
  {
    id: 'size',
    head: 'size',
    optional: true,
    right: true,
    width: () => 50,
    text: ({ size }) => (size > 0 ? formatBytes(size) : ''),
    words: ({ size }) => [size > 0 && formatBytes(size)],
  },
  {
    id: 'latency',
    head: 'latency',
    optional: true,
    right: true,
    width: () => 54,
    words: ({ latency, waits }) => [
      latency !== undefined && formatSpan(latency),
      waits && 'waits for an answer',
    ],
  },
  { id: 'fall', head: 'waterfall', optional: true, width: () => FALL_PX },
] as const satisfies readonly Column[];

/** Those whose cells are drawn. */
export type Drawn = Exclude<(typeof ALL)[number], { text: unknown }>['id'];
export interface ShownColumn extends Omit<Column, 'width' | 'narrow'> {
  readonly area?: string | undefined;
  /** Pixels; absent in rows of two lines. */
  readonly px?: number;
}
export interface ColumnLayout {
  readonly columns: readonly ShownColumn[];
  /** Of their grid. */
  readonly tracks: string;
  /** Rows have two lines. */
  readonly narrow: boolean;
  /** What gave way to the summary. */
  readonly left: ReadonlySet<string>;
}

/** What people read: so wide it is before anything else has room. */
const SUMMARY = 280;
/** Both times stand beside each other where there is that much besides. */
const SPARE = 160;
/** A list so narrow has rows of two lines. */
const TWO_LINES = 600;
const GAP = 6;
const EDGE = 8;
/** Of the word `replay` within the summary, which the tape beside it says too. */
const REPLAY_WORD = 48;
/** For `agent_message_chunk`, and methods without the `session/` that most begin with. */
const BARE_METHOD = 124;

/** Who gives way first; `bare`: the `session/` of a method. */
const LEAVES = ['delta', 'size', 'id', 'latency', 'session', 'bare', 'kind', 'at'];
/** Pixels that columns of a person's choice leave to the summary. */
export const LEAST_SUMMARY = 160;
const MIN_PX = 28;
const MAX_PX = 600;

/** The columns that a person can show and hide. */
export const OPTIONAL: readonly { readonly id: string; readonly head: string }[] = ALL.filter(
  (column) => 'optional' in column,
);

/**
 * The columns that fit beside a summary that can be read, and the tracks of their grid. A column that a
 * person shows gives way last.
 */
export function columnsOf(
  room: ColumnRoom,
  { shown, widths }: ColumnChoice = { shown: {}, widths: {} },
): ColumnLayout {
  const every: readonly Column[] = ALL;
  const all = every.filter(({ id, extra }) => !extra || shown[id]);
  const left = new Set(all.filter(({ id }) => shown[id] === false).map(({ id }) => id));
  const given = () =>
    left.has('bare') ? { ...room, method: Math.min(room.method, BARE_METHOD) } : room;
  const standing = () => all.filter(({ id }) => !left.has(id));
  const pixels = ({ id, width, optional }: Column): number | undefined => {
    const own = optional && widths[id];
    return own ? Math.max(MIN_PX, Math.min(own, MAX_PX)) : width?.(given());
  };
  /** Pixels of the summary. */
  const rest = () => {
    const columns = standing();
    const taken = columns.reduce((sum, column) => sum + (pixels(column) ?? 0), 0);
    return room.list - EDGE - GAP * (columns.length - 1) - taken;
  };
  const giveWay = (part: string, least = SUMMARY) => {
    if (shown[part] !== true && rest() < least) left.add(part);
  };
  if (room.chip === 0) left.add('session');
  giveWay('delta', SUMMARY + SPARE);
  giveWay('fall');
  giveWay('replay', SUMMARY + REPLAY_WORD);
  for (const part of LEAVES) giveWay(part);
  const isChosen = [...Object.values(shown), ...Object.keys(widths)].some(Boolean);
  const least = isChosen ? LEAST_SUMMARY : SUMMARY;
  for (const part of ['clock', 'fall', ...LEAVES]) if (rest() < least) left.add(part);
  // Widths that were chosen in a wider list do not fit here.
  if (rest() < least && Object.keys(widths).length > 0)
    return columnsOf(room, { shown, widths: {} });
  if (room.list < TWO_LINES || rest() < least) {
    const columns = all.flatMap((column): readonly ShownColumn[] =>
      column.narrow && (column.id !== 'session' || room.chip > 0)
        ? [{ ...column, head: column.narrow.head ?? column.head, area: column.narrow.area }]
        : [],
    );
    const tracks = all.flatMap(({ narrow }) => narrow?.width ?? []).join(' ');
    return { columns, tracks, narrow: true, left: new Set(['latency']) };
  }
  const columns = standing().map((column) => ({ ...column, px: pixels(column) ?? rest() }));
  const tracks = columns.map(({ px, width }) => (width ? `${px}px` : 'minmax(0, 1fr)'));
  return { columns, tracks: tracks.join(' '), narrow: false, left };
}

/** The choice with this column shown or hidden. */
export function withShown({ shown, widths }: ColumnChoice, id: string, on: boolean): ColumnChoice {
  return { shown: { ...shown, [id]: on }, widths };
}

/** The choice with this width of a column; undefined: as wide as the page decides. */
export function withWidth(
  { shown, widths }: ColumnChoice,
  id: string,
  px: number | undefined,
): ColumnChoice {
  const { [id]: _, ...others } = widths;
  const own = px && Math.round(Math.max(MIN_PX, Math.min(px, MAX_PX)));
  return { shown, widths: own ? { ...others, [id]: own } : others };
}

/** The time since the row above in place of the time since the start, or both as the page decides. */
export function swapTimes({ shown, widths }: ColumnChoice): ColumnChoice {
  const { at, delta, ...others } = shown;
  const isSwapped = at === false && delta === true;
  return { shown: isSwapped ? others : { ...others, at: false, delta: true }, widths };
}

/** `412, replay, agent to client, tool_call_update, read config.json · completed, session 1, 1.1 kB`. */
export function rowName(row: RowView): string {
  switch (row.type) {
    case 'fold':
      return `${row.frames} frames folded, ${row.seq} to ${row.last}`;
    case 'window': {
      const { window } = row;
      const parts = [
        `Replay window, ${windowVerb(window)} ${window.request}`,
        window.cursor !== undefined && `from ${cursorWords(window.cursor)}`,
        `${window.updates} updates`,
        window.late > 0 && `${window.late} late`,
        window.forbidden && 'not allowed',
        window.outcome !== 'answered' && window.outcome,
        row.findings !== undefined && findingsName(row.findings),
      ];
      return parts.filter((part) => part !== false).join(', ');
    }
    case 'turn': {
      const { turn } = row;
      const parts = [
        `Turn ${turn.number}`,
        turn.prompt ?? 'begun by the agent',
        row.matches !== undefined && `${row.matches} match`,
        ...turnFigures(turn),
        turn.failed > 0 && `${turn.failed} failed`,
        turn.end ?? turn.left,
        row.findings && findingsName(row.findings),
      ];
      return parts.filter(Boolean).join(', ');
    }
    case 'frame': {
      const all: readonly Column[] = ALL;
      const parts = [
        ...all.flatMap(({ words }) => words?.(row) ?? []),
        row.findings && findingsName(row.findings),
        row.mark !== undefined && (row.mark === '' ? 'marked' : `marked “${row.mark}”`),
        ...row.pins.map((pin) => `replay cursor ${pin.letter}`),
      ];
      return parts.filter((part) => part).join(', ');
    }
  }
}
