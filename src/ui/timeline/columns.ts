// The columns of the timeline, one entry a column: its head, its place at every width of the page,
// what stands in a cell, and its words in the one name of a row. List, heads and name read this table.
import type { ClassValue } from 'svelte/elements';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatClock, formatSpan } from '../../lib/format-time.ts';
import type { RowKind } from '../../model/columns.ts';
import type { FrameRow, RowView } from '../../model/timeline/row-view.ts';
import { cursorWords, findingsName, windowVerb } from './row-words.ts';

/** Of the time column: since the start, since the row above, or both beside each other. */
export type ShownTime = 'start' | 'delta' | 'both';
/** What the pointer is on: uses of a session's chip, both frames of an exchange. */
export interface Lit {
  readonly session?: string;
  readonly exchange?: string;
}
/** By the width of the page: under 720, to 1100, to 1600, beyond. */
export type Layout = 'narrow' | 'medium' | 'full' | 'wide';

interface Column {
  readonly id: string;
  readonly head: string;
  /** The head is for those alone who do not see the column. */
  readonly unseen?: true;
  readonly right?: true;
  /** As a track of a CSS grid. */
  readonly width: string;
  /** To 1100 pixels; absent: as beyond. */
  readonly medium?: string;
  /** Drawn from 1600 pixels on alone. */
  readonly wideOnly?: true;
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
const delta = (row: FrameRow) => (row.delta === undefined ? '' : `+${formatSpan(row.delta)}`);
/** Whether the pointer is on a frame of the same exchange. */
export const isPartner = (row: FrameRow, lit: Lit) =>
  row.id !== undefined && lit.exchange === `${row.id} ${row.latency}`;

const ALL = [
  {
    id: 'g',
    head: 'Replay',
    unseen: true,
    width: '34px',
    narrow: { area: '1 / 1 / 3', width: '34px' },
  },
  {
    id: 'seq',
    head: '#',
    right: true,
    width: 'var(--w-seq)',
    narrow: { area: '1 / 2', width: 'var(--w-seq)' },
    text: ({ seq }) => String(seq),
    title: ({ seq, run }) => run && `#${seq}–#${run.last}`,
    words: (row) => [
      row.run ? `${row.seq} to ${row.run.last}` : `${row.seq}`,
      row.late ? 'late' : row.replay && 'replay',
    ],
  },
  {
    id: 'at',
    head: 'time',
    right: true,
    width: 'var(--w-at)',
    text: (row, time) => (time === 'delta' ? delta(row) : formatClock(row.at)),
  },
  { id: 'delta', head: 'Δ', right: true, width: '62px', wideOnly: true, text: delta },
  {
    id: 'arrow',
    head: 'Direction',
    unseen: true,
    width: '14px',
    narrow: { area: '1 / 3', width: '14px' },
    tone: ({ from }) => (from === 'client' ? 'out' : 'in'),
    words: ({ from }) => [from && SIDES[from]],
  },
  {
    id: 'kind',
    head: 'Kind',
    unseen: true,
    width: '26px',
    text: ({ kind }) => kind,
    words: ({ kind }) => [kind !== 'ntf' && KIND_WORDS[kind]],
  },
  {
    id: 'method',
    head: 'method',
    width: '168px',
    medium: '150px',
    narrow: { area: '1 / 4', width: 'minmax(0, 1fr)', head: 'method, summary' },
    tone: ({ isUpdate }) => (isUpdate ? 'up' : undefined),
    words: ({ method, kind }) => [method !== KIND_WORDS[kind] && method],
  },
  {
    id: 'summary',
    head: 'summary',
    width: 'minmax(0, 1fr)',
    narrow: { area: '2 / 4 / 3 / 6', head: '' },
    words: ({ summary }) => [summary],
  },
  {
    id: 'session',
    head: 'Session',
    unseen: true,
    width: 'var(--w-chip, 28px)',
    medium: 'var(--w-chip, 30px)',
    narrow: { area: '1 / 5', width: 'auto', head: '' },
    words: ({ session }) => [session?.replace(/^S/, 'session ')],
  },
  {
    id: 'id',
    head: 'id',
    width: '28px',
    medium: '30px',
    tone: (row, lit) => ['chip', isPartner(row, lit) && 'hl'],
  },
  {
    id: 'size',
    head: 'size',
    right: true,
    width: '50px',
    text: ({ size }) => (size > 0 ? formatBytes(size) : ''),
    words: ({ size }) => [size > 0 && formatBytes(size)],
  },
  {
    id: 'latency',
    head: 'latency',
    right: true,
    width: '54px',
    words: ({ latency, waits }) => [
      latency !== undefined && formatSpan(latency),
      waits && 'waits for an answer',
    ],
  },
] as const satisfies readonly Column[];

/** Those whose cells are drawn. */
export type Drawn = Exclude<(typeof ALL)[number], { text: unknown }>['id'];
export interface ShownColumn extends Column {
  readonly area?: string | undefined;
}

/** The columns of that width, and the tracks of their grid. */
export function columnsOf(layout: Layout): {
  readonly columns: readonly ShownColumn[];
  readonly tracks: string;
} {
  const all: readonly Column[] = ALL;
  const columns = all.flatMap((column): readonly ShownColumn[] => {
    const { narrow, medium, wideOnly } = column;
    if (layout === 'narrow')
      return narrow ? [{ ...column, head: column.head, width: '', ...narrow }] : [];
    if (wideOnly && layout !== 'wide') return [];
    return [layout === 'medium' && medium !== undefined ? { ...column, width: medium } : column];
  });
  return { columns, tracks: columns.map(({ width }) => width).join(' ') };
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
