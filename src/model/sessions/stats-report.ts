// The figures of a trace as a report: aligned columns, for a terminal or a message to a friend.
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatSpan } from '../../lib/format-time.ts';
import { count, formatCount } from '../../lib/format-count.ts';
import type { Block, Head, ReportDocument } from '../../report/document.ts';
import { lines, section } from '../../report/words.ts';
import { itemsWords, othersWords, overheadWords, timesWords } from '../timeline/replay-words.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';
import type { MethodStats, TraceStats, TurnStats } from './stats.ts';
import { facts, oneLine } from '../words.ts';

export function statsDocument(stats: TraceStats): ReportDocument {
  const { frames, bytes } = stats;
  const total = frames.client + frames.agent;
  const title = facts(
    `${count(total, 'frame')} in ${formatSpan(stats.duration)}`,
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
      lines(title, beside),
      ...table('Methods', METHOD_HEADS, stats.methods.map(methodRow)),
      ...table('Turns', TURN_HEADS, stats.turns.map(turnRow)),
      ...table('Restores', RESTORE_HEADS, stats.restores.map(restoreRow)),
    ],
    suites: [],
  };
}

function table(title: string, heads: readonly Head[], rows: readonly string[][]): readonly Block[] {
  return rows.length === 0 ? [] : [section(title, { kind: 'table', heads, rows })];
}

function right(name: string): Head {
  return { name, right: true };
}

const METHOD_HEADS: readonly Head[] = [
  { name: 'method' },
  { name: 'side' },
  ...['live', 'replayed', 'bytes', 'failed', 'unanswered', 'p50', 'p95', 'max'].map(right),
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
    latency ? formatSpan(latency.p50) : '',
    latency ? formatSpan(latency.p95) : '',
    latency ? formatSpan(latency.max) : '',
  ];
}

const TURN_HEADS: readonly Head[] = [
  { name: 'frames' },
  { name: 'session' },
  right('took'),
  { name: 'ended' },
];
function turnRow(turn: TurnStats): string[] {
  return [
    `#${turn.begin}–${turn.end}`,
    turn.session,
    formatSpan(turn.took),
    oneLine(turn.stopReason, 80),
  ];
}

const RESTORE_HEADS: readonly Head[] = [
  { name: 'frame' },
  { name: 'session' },
  { name: 'request' },
  ...['updates', 'bytes', 'overhead', 'took'].map(right),
  { name: 'what came' },
];
function restoreRow(window: ReplayWindowView): string[] {
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
    facts(
      window.outcome === 'answered' ? undefined : window.outcome,
      problem !== undefined && oneLine(problem, 80),
      items === '' ? 'no history' : items,
      others.length > 0 && others.join(', '),
      updates > 0 && timesWords(window).join(', '),
      late > 0 && `${figure(late)} after the answer`,
      window.forbidden && 'not allowed',
    ),
  ];
}

function figure(value: number | undefined): string {
  return value === undefined ? '' : formatCount(value);
}
