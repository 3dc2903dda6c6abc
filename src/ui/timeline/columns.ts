// The columns of the timeline, one entry a column: its head, how wide it is and when it gives way to
// the summary, what stands in a cell, and its words in the one name of a row. List, heads and name
// read this table.
import type { ClassValue } from 'svelte/elements';
import { formatBytes } from '../../lib/format.ts';
import { formatClock, formatSpan } from '../../lib/format-time.ts';
import type { RowKind } from '../../model/columns.ts';
import type { FrameRow, RowView } from '../../model/timeline/row-view.ts';
import {
  cursorWords,
  failedLive,
  findingsName,
  ORIGIN_WORDS,
  turnFigures,
  windowVerb,
} from './row-words.ts';

/** Of the time column: since the start, since the row above, or both beside each other. */
export type ShownTime = 'start' | 'delta' | 'both';
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
  /** Pixels; absent: the rest, which is the summary's. */
  width?(room: ColumnRoom): number;
  /** In rows of two lines: its place in the grid, the track it brings, and another head or none. */
  readonly narrow?: { readonly area: string; readonly width?: string; readonly head?: string };
  /** What a cell says. Absent: FrameRow draws it. */
  text?(row: FrameRow, time: ShownTime): string;
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
const delta = (row: FrameRow) => (row.delta === undefined ? '' : `+${formatSpan(row.delta)}`);
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
    width: ({ at }) => at,
    text: (row, time) => (time === 'delta' ? delta(row) : formatClock(row.at)),
  },
  { id: 'delta', head: 'Δ', right: true, width: () => 62, text: delta },
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
    right: true,
    width: ({ method }) => method,
    narrow: { area: '2 / 4 / 3 / 6', head: '' },
  },
  {
    id: 'session',
    head: 'Session',
    unseen: true,
    /** 0: all frames are of one session. */
    width: ({ chip }) => chip,
    narrow: { area: '1 / 5', width: 'auto', head: '' },
    words: ({ session }) => [session?.replace(/^S/, 'session ')],
  },
  {
    id: 'id',
    head: 'id',
    width: ({ id }) => id,
    tone: (row, lit) => ['chip', isPartner(row, lit) && 'hl'],
  },
  {
    id: 'size',
    head: 'size',
    right: true,
    width: () => 50,
    text: ({ size }) => (size > 0 ? formatBytes(size) : ''),
    words: ({ size }) => [size > 0 && formatBytes(size)],
  },
  {
    id: 'latency',
    head: 'latency',
    right: true,
    width: () => 54,
    words: ({ latency, waits }) => [
      latency !== undefined && formatSpan(latency),
      waits && 'waits for an answer',
    ],
  },
  { id: 'fall', head: 'waterfall', width: () => FALL_PX },
] as const satisfies readonly Column[];

/** Those whose cells are drawn. */
export type Drawn = Exclude<(typeof ALL)[number], { text: unknown }>['id'];
export interface ShownColumn extends Omit<Column, 'width' | 'narrow'> {
  readonly area?: string | undefined;
}
interface ColumnLayout {
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

/** The columns that fit beside a summary that can be read, and the tracks of their grid. */
export function columnsOf(room: ColumnRoom): ColumnLayout {
  const all: readonly Column[] = ALL;
  const left = new Set<string>();
  const given = () =>
    left.has('bare') ? { ...room, method: Math.min(room.method, BARE_METHOD) } : room;
  const standing = () => all.filter(({ id }) => !left.has(id));
  /** Pixels of the summary. */
  const rest = () => {
    const columns = standing();
    const taken = columns.reduce((sum, { width }) => sum + (width?.(given()) ?? 0), 0);
    return room.list - EDGE - GAP * (columns.length - 1) - taken;
  };
  if (room.chip === 0) left.add('session');
  if (rest() < SUMMARY + SPARE) left.add('delta');
  if (rest() < SUMMARY) left.add('fall');
  if (rest() < SUMMARY + REPLAY_WORD) left.add('replay');
  for (const part of LEAVES) if (rest() < SUMMARY) left.add(part);
  if (room.list < TWO_LINES || rest() < SUMMARY) {
    const columns = all.flatMap((column): readonly ShownColumn[] =>
      column.narrow && (column.id !== 'session' || room.chip > 0)
        ? [{ ...column, head: column.narrow.head ?? column.head, area: column.narrow.area }]
        : [],
    );
    const tracks = all.flatMap(({ narrow }) => narrow?.width ?? []).join(' ');
    return { columns, tracks, narrow: true, left: new Set(['latency']) };
  }
  const columns = standing();
  const tracks = columns.map(({ width }) => (width ? `${width(given())}px` : 'minmax(0, 1fr)'));
  return { columns, tracks: tracks.join(' '), narrow: false, left };
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
