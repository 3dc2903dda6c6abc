// The figures of a trace as plain text: aligned columns, for a terminal or a message to a friend.
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatSpan } from '../../lib/format-time.ts';
import { count } from '../../lib/format-count.ts';
import { itemsWords, othersWords, overheadWords, timesWords } from '../timeline/replay-words.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';
import type { MethodStats, TraceStats, TurnStats } from './stats.ts';
import { facts, oneLine } from '../words.ts';

/** Lines without an end of the last one. What peers wrote in them is made safe for a terminal. */
export function renderStats(stats: TraceStats): string {
  const { frames, bytes } = stats;
  const total = frames.client + frames.agent;
  const head = [
    facts(
      `${count(total, 'frame')} in ${formatSpan(stats.duration)}`,
      `${figure(frames.client)} from the client, ${formatBytes(bytes.client)}`,
      `${figure(frames.agent)} from the agent, ${formatBytes(bytes.agent)}`,
    ),
    facts(
      `${count(stats.stderrLines, 'line')} of stderr, ${formatBytes(bytes.stderr)}`,
      `${count(stats.badLines, 'line')} that no JSON-RPC message is in`,
      stats.missing > 0 && `${count(stats.missing, 'event')} missing`,
    ),
  ];
  const parts = [
    head.join('\n'),
    section('Methods', METHOD_HEAD, stats.methods.map(methodRow)),
    section('Turns', TURN_HEAD, stats.turns.map(turnRow)),
    section('Restores', RESTORE_HEAD, stats.restores.map(restoreRow)),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** A heading; `>` before it: the column holds figures and stands to the right. */
type Head = readonly string[];

const METHOD_HEAD: Head = [
  'method',
  'side',
  '>live',
  '>replayed',
  '>bytes',
  '>failed',
  '>unanswered',
  '>p50',
  '>p95',
  '>max',
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

const TURN_HEAD: Head = ['frames', 'session', '>took', 'ended'];
function turnRow(turn: TurnStats): string[] {
  return [
    `#${turn.begin}–${turn.end}`,
    turn.session,
    formatSpan(turn.took),
    oneLine(turn.stopReason, 80),
  ];
}

const RESTORE_HEAD: Head = [
  'frame',
  'session',
  'request',
  '>updates',
  '>bytes',
  '>overhead',
  '>took',
  'what came',
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
  return value === undefined ? '' : value.toLocaleString('en-US');
}

function section(title: string, head: Head, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const names = head.map((name) => name.replace('>', ''));
  const all = [names, ...rows];
  const widths = names.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  const lines = all.map((row) =>
    row
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        return head[i]?.startsWith('>') ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return [title, ...lines].join('\n');
}
