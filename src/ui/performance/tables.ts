// The tables of the performance view: what stands in each cell, and to which frames a row leads.
import { formatBytes, count, formatCount } from '../../lib/format.ts';
import { formatSpan } from '../../lib/format-time.ts';
import { known } from '../../lib/time.ts';
import type { MethodStats } from '../../model/performance/methods.ts';
import type { TurnStats, UsageStats } from '../../model/performance/stats.ts';
import { costWords } from '../../model/performance/words.ts';
import type { Measured } from '../../state/performance/performance.svelte.ts';
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
export interface Target {
  readonly connection: ConnectionId;
  readonly query: string;
  readonly seq?: Seq;
}

export interface Row {
  readonly key: string;
  readonly cells: readonly Cell[];
  readonly opens: Target;
  /** The slow ones of those that it opens. */
  readonly slow?: Target;
}

export interface Table {
  readonly heads: readonly Head[];
  readonly rows: readonly Row[];
  readonly foot: string;
}

const text = (value: string, tone?: Cell['tone']): Cell => ({ text: value, ...(tone && { tone }) });
const span = (ms: number | undefined): Cell => text(ms === undefined ? '' : formatSpan(ms));
const number = (value: number | undefined, tone?: Cell['tone']): Cell =>
  text(value === undefined || value === 0 ? '' : formatCount(value), value ? tone : undefined);

function figure(name: string, title: string, more: Partial<Head> = {}): Head {
  return { name, title, right: true, width: '60px', px: 64, ...more };
}

const ANSWERERS: readonly MethodStats['answeredBy'][] = ['agent', 'client', 'person'];

/** Requests by who answers them, the slowest first; of several traces side by side. */
export function methodTable(measured: readonly Measured[]): Table {
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
        title: 'Who answers it',
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
  figure('failed', 'Answered with an error', { width: '46px', px: 52, wide: true }),
  figure('open', 'Without an answer', { width: '46px', px: 52, wide: true }),
  figure('p50', 'Half of the answers came sooner'),
  figure('p95', '95 of 100 answers came sooner'),
  figure('p99', '99 of 100 answers came sooner', { wide: true }),
  figure('max', 'The slowest answer'),
  {
    ...{ name: 'in their order', title: 'The slowest answer of each part, first to last' },
    ...{ width: 'minmax(96px, 200px)', px: 120, wide: true },
  },
];
function aloneCells(one: MethodStats): Cell[] {
  const { latency, trend } = one;
  return [
    number(one.live),
    number(one.failed, 'err'),
    number(one.unanswered, 'warn'),
    ...[latency?.p50, latency?.p95, latency?.p99, latency?.max].map(span),
    trend && trend.length > 1
      ? { text: `from ${formatSpan(trend[0] ?? 0)} to ${formatSpan(trend.at(-1) ?? 0)}`, trend }
      : text(''),
  ];
}

function besideHeads(name: string): Head[] {
  return [
    figure(`${name} calls`, `${name}: requests, without replayed ones`, { wide: true }),
    figure(`${name} p50`, `${name}: half of the answers came sooner`, { wide: true }),
    figure(`${name} p95`, `${name}: 95 of 100 answers came sooner`),
    figure(`${name} max`, `${name}: the slowest answer`, { wide: true }),
  ];
}
function besideCells(one: MethodStats | undefined): Cell[] {
  const { latency } = one ?? {};
  return [number(one?.live), ...[latency?.p50, latency?.p95, latency?.max].map(span)];
}

function methodFoot(measured: readonly Measured[]): string {
  const [first] = measured;
  if (!first || measured.length > 1) return '';
  const { methods, counts } = first.figures;
  const told = methods.filter(({ answeredBy }) => answeredBy === undefined);
  const cut = counts.methods - methods.length;
  return [
    told.length > 0 && `${count(told.length, 'kind')} of notification need no answer`,
    cut > 0 && `${count(cut, 'rarer method')} not shown`,
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

export function turnTable({ trace, figures }: Measured): Table {
  const longest = Math.max(0, ...figures.turns.map(({ took }) => known(took) ?? 0));
  const hidden = figures.counts.turns - figures.turns.length;
  return {
    heads: [
      { name: 'frames', title: 'From its first frame to its last', width: '92px', px: 96 },
      { name: 'session', title: 'Session', width: '54px', px: 54, wide: true },
      figure('took', 'From its begin to its end'),
      figure('first', 'From the prompt to the first piece of a message, thought or tool call'),
      figure('agent', 'Without the time its questions were open, and the client worked for it'),
      figure('question', 'While a permission or another question of the agent was open'),
      figure('stalled', 'Silence of 5 s and more, while the agent waited for nobody', {
        wide: true,
      }),
      {
        ...{ name: 'who was waited for', title: 'Against the longest turn' },
        ...{ width: 'minmax(96px, 1fr)', px: 240, wide: true },
      },
      { name: 'ended', title: 'Why it ended', width: '128px', px: 140, wide: true },
    ],
    rows: figures.turns.map((turn) => ({
      key: `${turn.begin}`,
      cells: [
        text(`#${turn.begin}–${turn.end}`),
        text(turn.session, 'dim'),
        span(turn.took),
        span(turn.toFirst),
        span(turn.agent),
        turn.person > 0 ? span(turn.person) : text(''),
        turn.stalls > 0 ? { text: formatSpan(turn.stalled), tone: 'warn' } : text(''),
        { text: turnWords(turn), bar: turnBar(turn, longest) },
        text(turn.stopReason, 'dim'),
      ],
      opens: {
        connection: trace.connection,
        query: `seq:${turn.begin}..${turn.end}`,
        seq: turn.begin,
      },
    })),
    foot: hidden > 0 ? `${count(hidden, 'faster turn')} not shown` : '',
  };
}

function turnWords({ agent, person, client }: TurnStats): string {
  return `agent ${formatSpan(agent)}, question open ${formatSpan(person)}, client ${formatSpan(client)}`;
}

function turnBar({ agent, person, client }: TurnStats, longest: number): readonly BarPart[] {
  let from = 0;
  return (
    [
      ['agent', agent],
      ['client', client],
      ['person', person],
    ] as const
  ).flatMap(([tone, ms]) => {
    if (!(ms > 0) || longest <= 0) return [];
    const part = { from, to: from + ms / longest, tone };
    from = part.to;
    return [part];
  });
}

/** Of all traces side by side, on one scale. */
export function restoreTable(measured: readonly Measured[]): Table {
  const all = measured.flatMap(({ trace, figures }) =>
    figures.restores.map((restore) => ({ trace, restore })),
  );
  const longest = Math.max(0, ...all.map(({ restore }) => known(restore.took) ?? 0));
  const hidden = measured.reduce(
    (sum, { figures }) => sum + figures.counts.restores - figures.restores.length,
    0,
  );
  return {
    heads: [
      { name: 'frame', title: 'The request', width: '64px', px: 70 },
      { name: 'session', title: 'Session', width: '54px', px: 54, wide: true },
      { name: 'request', title: 'Request', width: 'minmax(88px, 190px)', px: 180 },
      figure('updates', 'Replayed updates', { width: '54px' }),
      figure('bytes', 'Of the replayed updates', { wide: true }),
      figure('a second', 'Replayed updates a second, until the last one came'),
      figure('first', 'From the request to the first replayed frame', { wide: true }),
      figure('last', 'From the request to the last replayed frame', { wide: true }),
      figure('answer', 'From the request to its answer'),
      {
        ...{
          name: 'replayed, answered',
          title: 'From the first replayed frame to the last, on one scale',
        },
        ...{ width: 'minmax(96px, 1fr)', px: 240, wide: true },
      },
    ],
    rows: all.map(({ trace, restore }) => {
      const { toFirst, toLast } = restore.figures;
      const share = (ms: number | undefined) => (longest > 0 ? (ms ?? 0) / longest : 0);
      const isAnswered = restore.outcome === 'answered' || restore.outcome === 'rejected';
      return {
        key: `${trace.connection} ${restore.request}`,
        cells: [
          text(`${measured.length > 1 ? `c${trace.number}` : ''}#${restore.request}`),
          text(restore.session, 'dim'),
          text(
            restore.cursor === undefined ? restore.method : `${restore.method} ${restore.cursor}`,
          ),
          number(restore.updates),
          text(restore.updates > 0 ? formatBytes(restore.bytes) : ''),
          text(restore.rate === undefined ? '' : formatCount(Math.round(restore.rate))),
          span(toFirst),
          span(toLast),
          isAnswered ? span(restore.took) : text(restore.outcome, 'warn'),
          {
            text: isAnswered ? `answered after ${formatSpan(restore.took)}` : restore.outcome,
            bar: [
              { from: 0, to: share(restore.took), tone: 'waits' },
              ...(toFirst === undefined
                ? []
                : [{ from: share(toFirst), to: share(toLast), tone: 'restore' } as const]),
            ],
          },
        ],
        opens: {
          connection: trace.connection,
          query: '',
          seq: restore.request,
        },
      };
    }),
    foot: hidden > 0 ? `${count(hidden, 'earlier restore')} not shown` : '',
  };
}

export function usageTable({ trace, figures }: Measured): Table {
  return {
    heads: [
      { name: 'session', title: 'Session', width: '64px', px: 70 },
      figure('told', 'How often usage was told, of which some stand for all', { wide: true }),
      figure('from', 'Tokens in the context, at first', { width: '76px', px: 80 }),
      figure('to', 'Tokens in the context, at last', { width: '76px', px: 80 }),
      figure('of', 'Tokens there is room for', { width: '76px', px: 80 }),
      figure('full', 'Share of the room', { width: '46px', px: 50 }),
      { name: 'cost', title: 'Of the session so far', right: true, width: '110px', px: 110 },
    ],
    rows: figures.usage.map((one) => ({
      key: one.sessionId,
      cells: usageCells(one),
      opens: {
        connection: trace.connection,
        query: `update:usage_update session:${one.session}`,
      },
    })),
    foot: '',
  };
}

function usageCells({ session, points }: UsageStats): Cell[] {
  const [first, last] = [points[0], points.at(-1)];
  const { used = 0, size = 0, cost } = last ?? {};
  return [
    text(session),
    number(points.length),
    number(first?.used),
    number(used),
    number(size),
    text(size > 0 ? `${Math.round((100 * used) / size)} %` : ''),
    text(cost ? costWords(cost) : ''),
  ];
}
