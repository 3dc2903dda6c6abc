// The figures of a trace as a report: aligned columns, for a terminal or a message to a friend.
import { formatBytes, count, formatCount } from '../../lib/format.ts';
import { formatSpan } from '../../lib/format-time.ts';
import { known } from '../../lib/time.ts';
import type { Block, ColumnHead, ReportDocument } from '../../report/document.ts';
import { lines, section } from '../../report/words.ts';
import { itemsWords, othersWords, overheadWords, timesWords } from '../timeline/replay-words.ts';
import { facts, oneLine } from '../words.ts';
import type { MethodStats } from './methods.ts';
import { signWords, toolWords, waitsWords, type OpenTurn } from './open-turns.ts';
import { SPENT, type Stall } from './spent.ts';
import type { RestoreStats, TraceStats, TurnStats, UsageStats } from './stats.ts';
import { costWords } from '../facts/usage.ts';
import { isRanked, latencyWords, rateWords, sleepsWords, SPENT_WORDS } from './words.ts';

export function statsDocument(stats: TraceStats): ReportDocument {
  const { frames, bytes } = stats;
  const total = frames.client + frames.agent;
  const title = facts(
    `${count(total, 'frame')} ${known(stats.duration) === undefined ? 'without times' : `in ${formatSpan(stats.duration)}`}`,
    `${formatCount(frames.client)} from the client, ${formatBytes(bytes.client)}`,
    `${formatCount(frames.agent)} from the agent, ${formatBytes(bytes.agent)}`,
  );
  const beside = facts(
    `${count(stats.stderrLines, 'line')} of stderr, ${formatBytes(bytes.stderr)}`,
    `${count(stats.badLines, 'line')} that no JSON-RPC message is in`,
    stats.missing > 0 && `${count(stats.missing, 'event')} missing`,
  );
  return {
    name: 'acp-scope stats',
    title: 'A trace in figures',
    untitled: true,
    blocks: [
      lines(title, beside, ...holesLine(stats), ...spentLine(stats), ...sleepsLine(stats)),
      ...table('Methods', METHOD_HEADS, stats.methods.map(methodRow)),
      ...table('Turns', TURN_HEADS, stats.turns.map(turnRow)),
      ...table('Open turns', OPEN_HEADS, stats.openTurns.map(openRow)),
      ...table('Of all turns', RANK_HEADS, rankRows(stats)),
      ...table('Restores', RESTORE_HEADS, stats.restores.map(restoreRow)),
      ...table('Stalls', STALL_HEADS, stats.stalls.map(stallRow)),
      ...table('Usage', USAGE_HEADS, stats.usage.map(usageRow)),
    ],
    suites: [],
  };
}

function holesLine({ holes }: TraceStats): readonly string[] {
  return holes ? [`not whole: ${holes.join('; ')}`] : [];
}

function table(
  title: string,
  heads: readonly ColumnHead[],
  rows: readonly string[][],
): readonly Block[] {
  return rows.length === 0 ? [] : [section(title, { kind: 'table', heads, rows })];
}

function right(name: string): ColumnHead {
  return { name, right: true };
}

const METHOD_HEADS: readonly ColumnHead[] = [
  { name: 'method' },
  { name: 'side' },
  ...['live', 'replayed', 'bytes', 'failed', 'unanswered', 'p50', 'p95', 'p99', 'max'].map(right),
];
function methodRow(row: MethodStats): string[] {
  const { latency, failed, unanswered } = row;
  return [
    `${row.update ? 'update ' : ''}${oneLine(row.method, 60)}`,
    row.side,
    figure(row.live),
    figure(row.replayed),
    formatBytes(row.bytes),
    figure(failed),
    figure(unanswered),
    ...latencyWords(latency),
  ];
}

const TURN_HEADS: readonly ColumnHead[] = [
  right('turn'),
  { name: 'frames' },
  { name: 'session' },
  ...['took', 'first', 'question', 'agent', 'stalled'].map(right),
  { name: 'ended' },
];
function turnRow(turn: TurnStats): string[] {
  return [
    String(turn.turn),
    `#${turn.begin}–${turn.end}`,
    turn.session,
    formatSpan(turn.took),
    turn.toFirst === undefined ? '' : formatSpan(turn.toFirst),
    turn.person > 0 ? formatSpan(turn.person) : '',
    formatSpan(turn.agent),
    turn.stalls > 0 ? formatSpan(turn.stalled) : '',
    oneLine(turn.stopReason, 80),
  ];
}

const OPEN_HEADS: readonly ColumnHead[] = [
  right('turn'),
  { name: 'from' },
  { name: 'session' },
  { name: 'last sign of life' },
  right('silent'),
  { name: 'open tools' },
  { name: 'waits for' },
];
function openRow(turn: OpenTurn): string[] {
  return [
    String(turn.turn),
    `#${turn.begin}`,
    turn.session,
    oneLine(signWords(turn), 60),
    formatSpan(turn.silent),
    oneLine(toolWords(turn), 80),
    waitsWords(turn),
  ];
}

const RANK_HEADS: readonly ColumnHead[] = [
  { name: 'turns' },
  ...['p50', 'p95', 'p99', 'max'].map(right),
];
function rankRows({ turnTimes }: TraceStats): readonly string[][] {
  return (['took', 'toFirst', 'agent'] as const).flatMap((of) => {
    const ranks = turnTimes[of];
    return ranks && isRanked(ranks)
      ? [[of === 'toFirst' ? 'first' : of, ...latencyWords(ranks)]]
      : [];
  });
}

const RESTORE_HEADS: readonly ColumnHead[] = [
  { name: 'frame' },
  { name: 'session' },
  { name: 'request' },
  ...['updates', 'bytes', 'overhead', 'took', 'a second'].map(right),
  { name: 'what came' },
];
function restoreRow(window: RestoreStats): string[] {
  const { cursor, problem, updates, bytes, late, figures } = window;
  const items = itemsWords(figures).join(', ');
  const others = othersWords(figures).map((words) => oneLine(words, 60));
  return [
    `#${window.request}`,
    window.session,
    facts(window.method, cursor !== undefined && `replayFrom ${oneLine(cursor, 60)}`),
    figure(updates),
    formatBytes(bytes),
    overheadWords(figures) ?? '',
    formatSpan(window.took),
    rateWords(window.rate),
    facts(
      window.outcome === 'answered' ? undefined : window.outcome,
      problem !== undefined && oneLine(problem, 80),
      items === '' ? 'no history' : items,
      others.length > 0 && others.join(', '),
      updates > 0 && timesWords(window).join(', '),
      late > 0 && `${figure(late)} late`,
      window.forbidden && 'not allowed',
    ),
  ];
}

const STALL_HEADS: readonly ColumnHead[] = [
  { name: 'frames' },
  { name: 'session' },
  right('silent'),
  { name: 'after' },
  { name: 'ended by' },
];
function stallRow(stall: Stall): string[] {
  return [
    `#${stall.after}–${stall.endedBy}`,
    stall.session,
    formatSpan(stall.length),
    ...[stall.afterName, stall.name].map((name) => oneLine(name, 60)),
  ];
}

const USAGE_HEADS: readonly ColumnHead[] = [
  { name: 'session' },
  ...['from', 'to', 'of', 'cost'].map(right),
];
function usageRow({ session, points }: UsageStats): string[] {
  const [first, last] = [points[0], points.at(-1)];
  const { cost } = last ?? {};
  return [
    session,
    figure(first?.used),
    figure(last?.used),
    figure(last?.size),
    cost ? costWords(cost) : '',
  ];
}

/** `in all: agent 3.1 s · person 12 s`, where the trace has times. */
function spentLine({ spent, duration }: TraceStats): string[] {
  if (known(duration) === undefined || duration <= 0) return [];
  const parts = SPENT.map(
    (who) => spent[who] > 0 && `${formatSpan(spent[who])} ${SPENT_WORDS[who]}`,
  );
  return [facts(...parts)];
}

function sleepsLine(stats: TraceStats): string[] {
  const words = sleepsWords(stats);
  return words === undefined ? [] : [words];
}

function figure(value: number | undefined): string {
  return value === undefined ? '' : formatCount(value);
}
