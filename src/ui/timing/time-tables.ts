// The tables of turns, stalls, restores and context usage. Traces side by side share one scale.
import { count, formatBytes, formatCount, formatShare } from '../../lib/format.ts';
import { formatSpan } from '../../lib/format-time.ts';
import { known } from '../../lib/time.ts';
import { signWords, toolWords, waitsWords } from '../../model/performance/open-turns.ts';
import type { Stall } from '../../model/performance/spent.ts';
import type { TurnStats, UsageStats } from '../../model/performance/stats.ts';
import { isRanked, rateWords } from '../../model/performance/words.ts';
import { costWords } from '../../model/facts/usage.ts';
import type { Measured } from './timing.svelte.ts';
import {
  figure,
  number,
  span,
  text,
  type BarPart,
  type Cell,
  type Head,
  type TimesRow,
  type TimesTable,
} from './tables.ts';

/** The column that says where: with the trace, where there are several. */
function placeHead(measured: readonly Measured[], name: string, title: string): Head {
  const px = measured.length > 1 ? 132 : 96;
  return { name, title, width: `minmax(76px, ${px}px)`, px };
}
const placeCell = (measured: readonly Measured[], { trace }: Measured, words: string): Cell =>
  text(measured.length > 1 ? `c${trace.number} ${words}` : words);

const SESSION: Head = { name: 'session', title: 'Session', width: '54px', px: 54, wide: true };

const longestOf = (all: readonly number[]) => Math.max(0, ...all.map((one) => known(one) ?? 0));
const total = (measured: readonly Measured[], of: (one: Measured) => number) =>
  measured.reduce((sum, one) => sum + of(one), 0);
const notShown = (hidden: number, what: string) =>
  hidden > 0 ? `${count(hidden, what)} not shown` : '';

/** The turns of each trace, below the time within which half and 95 of 100 of them ended. */
export function turnTable(measured: readonly Measured[]): TimesTable {
  const longest = longestOf(
    measured.flatMap(({ figures }) => figures.turns.map(({ took }) => took)),
  );
  const hidden = total(measured, ({ figures }) => figures.counts.turns - figures.turns.length);
  return {
    heads: [
      placeHead(measured, 'frames', 'From its first frame to its last'),
      SESSION,
      figure('took', 'From its begin to its end'),
      figure(
        'to first',
        'Time to first update: from the prompt to a message, thought or tool call',
      ),
      figure('agent', 'Without the time in which the agent waited for the user or the client'),
      figure('user', 'While the agent waited for the user: a permission or another question', {
        wide: true,
      }),
      figure('stalled', 'Silences over 5 s while the agent was working', {
        wide: true,
      }),
      {
        ...{ name: 'who was waited for', title: 'Against the longest turn' },
        ...{ width: 'minmax(96px, 1fr)', px: 240, wide: true },
      },
      { name: 'ended', title: 'Why it ended', width: '128px', px: 140, wide: true },
    ],
    rows: measured.flatMap((one) => [
      ...rankRows(measured, one),
      ...one.figures.turns.map((turn) => turnRow(measured, one, turn, longest)),
    ]),
    foot: notShown(hidden, 'faster turn'),
  };
}

/** The percentiles of the turns of a trace, as its first rows; from five turns on. */
function rankRows(measured: readonly Measured[], one: Measured): TimesRow[] {
  const { trace, figures } = one;
  const { took, toFirst, agent } = figures.turnTimes;
  if (!isRanked(took)) return [];
  const { connection } = trace;
  return (['p50', 'p95'] as const).map((rank) => ({
    key: `${connection} ${rank}`,
    cells: [
      placeCell(measured, one, `${rank} of ${formatCount(figures.counts.turns)}`),
      text(''),
      ...[took, toFirst, agent].map((ranks) => span(ranks?.[rank])),
    ],
    opens: { connection, query: 'method:session/prompt' },
  }));
}

function turnRow(
  measured: readonly Measured[],
  one: Measured,
  turn: TurnStats,
  longest: number,
): TimesRow {
  const { connection } = one.trace;
  return {
    key: `${connection} ${turn.begin}`,
    cells: [
      placeCell(measured, one, `#${turn.begin}–${turn.end}`),
      text(turn.session, 'dim'),
      span(turn.took),
      span(turn.toFirst),
      span(turn.agent),
      turn.person > 0 ? span(turn.person) : text(''),
      turn.stalls > 0 ? text(formatSpan(turn.stalled), 'warn') : text(''),
      { text: turnWords(turn), bar: turnBar(turn, longest) },
      text(turn.stopReason, 'dim'),
    ],
    opens: { connection, query: `turn:${turn.turn}`, seq: turn.begin },
  };
}

function turnWords({ agent, person, client }: TurnStats): string {
  return `agent ${formatSpan(agent)}, user ${formatSpan(person)}, client ${formatSpan(client)}`;
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

/** The turns that had not ended when the trace did. */
export function openTable(measured: readonly Measured[]): TimesTable {
  return {
    heads: [
      placeHead(measured, 'from', 'The first frame of the turn'),
      SESSION,
      {
        ...{ name: 'last sign of life', title: 'The last frame of the agent in the turn' },
        ...{ width: 'minmax(110px, 220px)', px: 200 },
      },
      figure('silent', 'From that frame to the end of the trace'),
      { name: 'waits for', title: 'Who was waited for', width: 'minmax(80px, 220px)', px: 180 },
      {
        ...{ name: 'open tools', title: 'Tool calls without a final status' },
        ...{ width: 'minmax(96px, 1fr)', px: 240, wide: true },
      },
    ],
    rows: measured.flatMap((one) =>
      one.figures.openTurns.map((turn) => ({
        key: `${one.trace.connection} ${turn.turn}`,
        cells: [
          placeCell(measured, one, `#${turn.begin}`),
          text(turn.session, 'dim'),
          text(signWords(turn)),
          text(formatSpan(turn.silent), 'warn'),
          text(waitsWords(turn)),
          text(toolWords(turn), 'dim'),
        ],
        opens: {
          connection: one.trace.connection,
          query: `turn:${turn.turn}`,
          seq: turn.last?.seq ?? turn.begin,
        },
      })),
    ),
    foot: '',
  };
}

/** Silences of the agent, the longest first, whichever trace they are of. */
export function stallTable(measured: readonly Measured[]): TimesTable {
  const all = measured.flatMap((one) => one.figures.stalls.map((stall) => ({ one, stall })));
  all.sort((a, b) => b.stall.length - a.stall.length);
  const longest = longestOf(all.map(({ stall }) => stall.length));
  const hidden = total(measured, ({ figures }) => figures.stallCount - figures.stalls.length);
  return {
    heads: [
      placeHead(measured, 'frames', 'The last frame before the silence, and the one that ended it'),
      SESSION,
      figure('silent', 'How long the session sent nothing'),
      { name: 'after', title: 'The last message before it', width: 'minmax(88px, 190px)', px: 180 },
      {
        ...{ name: 'ended by', title: 'The next message' },
        ...{ width: 'minmax(88px, 190px)', px: 180, wide: true },
      },
      {
        ...{ name: 'against the longest', title: 'On one scale' },
        ...{ width: 'minmax(96px, 1fr)', px: 240, wide: true },
      },
    ],
    rows: all.map(({ one, stall }) => stallRow(measured, one, stall, longest)),
    foot: notShown(hidden, 'shorter stall'),
  };
}

function stallRow(
  measured: readonly Measured[],
  one: Measured,
  { length, after, endedBy, session, afterName, name }: Stall,
  longest: number,
): TimesRow {
  const { connection } = one.trace;
  return {
    key: `${connection} ${after} ${endedBy}`,
    cells: [
      placeCell(measured, one, `#${after}–${endedBy}`),
      text(session, 'dim'),
      text(formatSpan(length), 'warn'),
      text(afterName),
      text(name),
      {
        text: `silent for ${formatSpan(length)}`,
        bar: [{ from: 0, to: longest > 0 ? length / longest : 0, tone: 'agent' }],
      },
    ],
    opens: { connection, query: '', seq: endedBy },
  };
}

export function restoreTable(measured: readonly Measured[]): TimesTable {
  const all = measured.flatMap((one) => one.figures.restores.map((restore) => ({ one, restore })));
  const longest = longestOf(all.map(({ restore }) => restore.took));
  const hidden = total(
    measured,
    ({ figures }) => figures.counts.restores - figures.restores.length,
  );
  return {
    heads: [
      placeHead(measured, 'frame', 'The request'),
      SESSION,
      { name: 'request', title: 'Request', width: 'minmax(88px, 190px)', px: 180 },
      figure('updates', 'Replayed updates', { width: '54px' }),
      figure('bytes', 'Of the replayed updates', { wide: true }),
      figure('a second', 'Replayed updates a second, until the last one came'),
      figure('first', 'From the request to the first replayed frame', { wide: true }),
      figure('last', 'From the request to the last replayed frame', { wide: true }),
      figure('response', 'From the request to its response'),
      {
        ...{
          name: 'replay and response',
          title: 'From the first replayed frame to the last, on one scale',
        },
        ...{ width: 'minmax(96px, 1fr)', px: 240, wide: true },
      },
    ],
    rows: all.map(({ one, restore }) => {
      const { connection } = one.trace;
      const { toFirst, toLast } = restore.figures;
      const share = (ms: number | undefined) => (longest > 0 ? (ms ?? 0) / longest : 0);
      const isAnswered = restore.outcome === 'answered' || restore.outcome === 'rejected';
      return {
        key: `${connection} ${restore.request}`,
        cells: [
          placeCell(measured, one, `#${restore.request}`),
          text(restore.session, 'dim'),
          text(
            restore.cursor === undefined ? restore.method : `${restore.method} ${restore.cursor}`,
          ),
          number(restore.updates),
          text(restore.updates > 0 ? formatBytes(restore.bytes) : ''),
          text(rateWords(restore.rate)),
          span(toFirst),
          span(toLast),
          isAnswered ? span(restore.took) : text(restore.outcome, 'warn'),
          {
            text: isAnswered ? `response after ${formatSpan(restore.took)}` : restore.outcome,
            bar: [
              { from: 0, to: share(restore.took), tone: 'waits' },
              ...(toFirst === undefined
                ? []
                : [{ from: share(toFirst), to: share(toLast), tone: 'restore' } as const]),
            ],
          },
        ],
        opens: { connection, query: '', seq: restore.request },
      };
    }),
    foot: notShown(hidden, 'earlier restore'),
  };
}

export function usageTable(measured: readonly Measured[]): TimesTable {
  return {
    heads: [
      placeHead(measured, 'session', 'Session'),
      figure('updates', 'Usage updates, of which a few hundred are read', { wide: true }),
      figure('first', 'Tokens in the context, in the first update', { width: '76px', px: 80 }),
      figure('last', 'Tokens in the context, in the last update', { width: '76px', px: 80 }),
      figure('window', 'Size of the context in tokens', { width: '76px', px: 80 }),
      figure('used', 'Used share of the window', { width: '46px', px: 50 }),
      { name: 'cost', title: 'Of the session so far', right: true, width: '110px', px: 110 },
    ],
    rows: measured.flatMap((one) =>
      one.figures.usage.map((usage) => ({
        key: `${one.trace.connection} ${usage.sessionId}`,
        cells: [placeCell(measured, one, usage.session), ...usageCells(usage)],
        opens: {
          connection: one.trace.connection,
          query: `update:usage_update session:${usage.session}`,
        },
      })),
    ),
    foot: '',
  };
}

function usageCells({ points }: UsageStats): Cell[] {
  const [first, last] = [points[0], points.at(-1)];
  const { used = 0, size = 0, cost } = last ?? {};
  return [
    number(points.length),
    number(first?.used),
    number(used),
    number(size),
    text(size > 0 ? formatShare(used / size) : ''),
    text(cost ? costWords(cost) : ''),
  ];
}
