// The tables of Timing: what each cell shows, and to which frames a row leads; and the table of methods.
import { count, formatCount } from '../../lib/format.ts';
import { formatSpan } from '../../lib/format-time.ts';
import { latencyWords } from '../../model/performance/words.ts';
import type { MethodStats } from '../../model/performance/methods.ts';
import type { Measured } from './timing.svelte.ts';
import { termValue } from '../../state/timeline/query-terms.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';

/** A part of a bar, from 0 to 1 of its width. */
export interface BarPart {
  readonly from: number;
  readonly to: number;
  readonly tone: 'agent' | 'person' | 'client' | 'restore' | 'waits';
}

export interface Cell {
  readonly text: string;
  readonly tone?: 'err' | 'warn' | 'dim';
  /** Drawn instead of the text, which then is what it says. */
  readonly trend?: readonly number[];
  readonly bar?: readonly BarPart[];
}

export interface Head {
  readonly name: string;
  readonly title: string;
  readonly right?: boolean;
  /** Of its column, as in `grid-template-columns`; and about so many px of a picture. */
  readonly width: string;
  readonly px: number;
  /** Not shown where there is little room. */
  readonly wide?: true;
}

/** Frames of a trace: those of a query, or one. */
export interface FrameTarget {
  readonly connection: ConnectionId;
  readonly query: string;
  readonly seq?: Seq;
}

export interface TimesRow {
  readonly key: string;
  readonly cells: readonly Cell[];
  readonly opens: FrameTarget;
  /** The slow ones of those that it opens. */
  readonly slow?: FrameTarget;
}

export interface TimesTable {
  readonly heads: readonly Head[];
  readonly rows: readonly TimesRow[];
  readonly foot: string;
}

export const text = (value: string, tone?: Cell['tone']): Cell => ({
  text: value,
  ...(tone && { tone }),
});
export const span = (ms: number | undefined): Cell => text(ms === undefined ? '' : formatSpan(ms));
export const number = (value: number | undefined, tone?: Cell['tone']): Cell =>
  text(value === undefined || value === 0 ? '' : formatCount(value), value ? tone : undefined);

export function figure(name: string, title: string, more: Partial<Head> = {}): Head {
  return { name, title, right: true, width: '60px', px: 64, ...more };
}

/** Returns the table without columns that are empty in every row. */
export function withoutEmpty({ heads, rows, foot }: TimesTable): TimesTable {
  const filled = heads.map((_, at) => rows.some(({ cells }) => (cells[at]?.text ?? '') !== ''));
  const only = <T>(all: readonly T[]) => all.filter((_, at) => filled[at]);
  return {
    heads: only(heads),
    rows: rows.map((row) => ({ ...row, cells: only(row.cells) })),
    foot,
  };
}

const ANSWERERS: readonly MethodStats['answeredBy'][] = ['agent', 'client', 'person'];

/** Requests by who answers them, the slowest first; of several traces side by side. */
export function methodTable(measured: readonly Measured[]): TimesTable {
  const isAlone = measured.length === 1;
  const byKey = new Map<string, (MethodStats | undefined)[]>();
  for (const [at, { figures }] of measured.entries())
    for (const method of figures.methods) {
      if (method.answeredBy === undefined) continue;
      const key = `${method.side} ${method.method}`;
      const all = byKey.get(key) ?? measured.map(() => undefined);
      all[at] = method;
      byKey.set(key, all);
    }
  const slowest = (all: readonly (MethodStats | undefined)[]) =>
    Math.max(...all.map((one) => one?.latency?.p95 ?? -1));
  const rows = [...byKey].map(([key, all]) => ({ key, all, p95: slowest(all) }));
  const groupOf = ({ all }: (typeof rows)[number]) =>
    ANSWERERS.indexOf(all.find((one) => one !== undefined)?.answeredBy);
  rows.sort((a, b) => groupOf(a) - groupOf(b) || b.p95 - a.p95);
  return {
    heads: [
      { name: 'method', title: 'Method', width: 'minmax(90px, 300px)', px: 230 },
      {
        name: 'answered by',
        title: 'Who sends the response',
        width: '96px',
        px: 96,
        wide: true,
      },
      ...(isAlone ? ALONE : measured.flatMap(({ trace }) => besideHeads(`c${trace.number}`))),
    ],
    rows: rows.flatMap(({ key, all }) => {
      const at = all.findIndex((one) => one !== undefined);
      const [one, of] = [all[at], measured[at]];
      if (!one || !of) return [];
      const cells = isAlone ? aloneCells(one) : all.flatMap(besideCells);
      const query = `type:req side:${one.side} method:${termValue(one.method)}`;
      const { connection } = of.trace;
      return [
        {
          ...{ key, opens: { connection, query } },
          cells: [
            text(one.method),
            text(one.answeredBy === 'person' ? 'person, policy' : (one.answeredBy ?? ''), 'dim'),
            ...cells,
          ],
          ...(one.latency && {
            slow: { connection, query: `${query} latency>=${one.latency.p95}` },
          }),
        },
      ];
    }),
    foot: methodFoot(measured),
  };
}

const ALONE: readonly Head[] = [
  figure('calls', 'Requests, without replayed ones', { width: '52px', px: 52, wide: true }),
  figure('failed', 'The response is an error', { width: '46px', px: 52, wide: true }),
  figure('open', 'Awaiting a response', { width: '46px', px: 52, wide: true }),
  figure('p50', 'Half of the responses came sooner; from five calls on'),
  figure('p95', '95 of 100 responses came sooner; from five calls on'),
  figure('p99', '99 of 100 responses came sooner; from five calls on', { wide: true }),
  figure('slowest', 'The slowest response'),
  {
    ...{ name: 'over time', title: 'The slowest response of each part, first to last' },
    ...{ width: 'minmax(96px, 200px)', px: 120, wide: true },
  },
];
function aloneCells(one: MethodStats): Cell[] {
  const { latency, trend } = one;
  return [
    number(one.live),
    number(one.failed, 'err'),
    number(one.unanswered, 'warn'),
    ...latencyWords(latency).map((words) => text(words)),
    trend && trend.length > 2
      ? { text: `from ${formatSpan(trend[0] ?? 0)} to ${formatSpan(trend.at(-1) ?? 0)}`, trend }
      : text(''),
  ];
}

function besideHeads(name: string): Head[] {
  return [
    figure(`${name} calls`, `${name}: requests, without replayed ones`, { wide: true }),
    figure(`${name} p50`, `${name}: half of the responses came sooner`, { wide: true }),
    figure(`${name} p95`, `${name}: 95 of 100 responses came sooner`, { wide: true }),
    figure(`${name} slowest`, `${name}: the slowest response`),
  ];
}
function besideCells(one: MethodStats | undefined): Cell[] {
  const [p50 = '', p95 = '', , max = ''] = latencyWords(one?.latency);
  return [number(one?.live), ...[p50, p95, max].map((words) => text(words))];
}

function methodFoot(measured: readonly Measured[]): string {
  const [first] = measured;
  if (!first || measured.length > 1) return '';
  const { methods, counts } = first.figures;
  const cut = counts.methods - methods.length;
  return cut > 0 ? `${count(cut, 'rarer method')} not shown` : '';
}
