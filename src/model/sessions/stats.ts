// A trace in figures: frames by method and side, latency, turns, restores. History replay is
// counted apart: it says nothing of how an agent works.
import { defined } from '../../lib/defined.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { count, formatCount } from '../../lib/format-count.ts';
import { formatSpan } from '../../lib/format-time.ts';
import { known, millis, type Millis } from '../../lib/time.ts';
import { FLAG } from '../columns.ts';
import { chipBook } from '../facts/chips.ts';
import { type TurnEnd, TurnReader } from '../facts/turns.ts';
import { saidBy } from '../timeline/digest.ts';
import { itemsWords, othersWords, overheadWords, timesWords } from '../timeline/replay-words.ts';
import type { ReplayWindowView } from '../timeline/row-view.ts';
import { TraceIndex } from '../trace-index.ts';
import { errorWords, facts, oneLine } from '../words.ts';
import type { Block, ColumnHead, ReportDocument } from '../../report/document.ts';
import { lines, section } from '../../report/words.ts';
import { connectionId, type Seq, type Side, type TraceEvent } from '../../trace/event.ts';

/** Milliseconds, by nearest rank. */
interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** Requests and notifications of one method from one side; answers count with their request. */
export interface MethodStats {
  /** The method, or the variant of a `session/update`. */
  readonly method: string;
  readonly update: boolean;
  readonly side: Side;
  readonly live: number;
  readonly replayed: number;
  /** Bytes of these lines, answers not among them. */
  readonly bytes: number;
  /** Requests only, as the rest. */
  readonly failed?: number;
  readonly unanswered?: number;
  readonly latency?: Latency;
}

export interface TurnStats {
  /** v1: the prompt; v2: the update to `running`. */
  readonly begin: Seq;
  readonly end: Seq;
  readonly session: string;
  readonly sessionId: string;
  /** `NO_TIME`, and `null` in JSON, where the trace has no times; so `duration`. */
  readonly took: Millis;
  /** As the agent gave it; the error's words where the prompt failed. */
  readonly stopReason: string;
}

export interface TraceStats {
  readonly duration: Millis;
  readonly events: number;
  readonly frames: { readonly client: number; readonly agent: number };
  /** Bytes of lines, without their 0x0A. */
  readonly bytes: { readonly client: number; readonly agent: number; readonly stderr: number };
  readonly stderrLines: number;
  /** Lines that are not JSON, or no message. */
  readonly badLines: number;
  /** Events that are missing, by the gaps told. */
  readonly missing: number;
  readonly methods: readonly MethodStats[];
  readonly turns: readonly TurnStats[];
  readonly restores: readonly ReplayWindowView[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class StatsFold {
  readonly #index = new TraceIndex(connectionId('stats'), chipBook());
  readonly #turns: TurnStats[] = [];
  readonly #reader = new TurnReader();
  #missing = 0;

  constructor() {
    // Figures are of what there is: nothing comes after it.
    this.#index.isOver = () => true;
  }

  append(event: TraceEvent): void {
    const message = saidBy(event);
    this.#index.append(event, message);
    if (event.type === 'gap' && !event.omitted) this.#missing += event.count;
    const end = event.type === 'frame' && message && this.#reader.take(event, message);
    if (end) this.#ended(end);
  }

  stats(): TraceStats {
    const { columns } = this.#index;
    const frames = { client: 0, agent: 0 };
    const bytes = { client: 0, agent: 0, stderr: 0 };
    let stderrLines = 0;
    let badLines = 0;
    for (let i = 0; i < columns.length; i++) {
      const side = columns.fromOf(i);
      const kind = columns.kindOf(i);
      if (side !== undefined) frames[side]++;
      if (kind === 'std') stderrLines++;
      if (kind === 'bad') badLines++;
      if (side !== undefined || kind === 'std') bytes[side ?? 'stderr'] += columns.size.get(i);
    }
    const last = columns.length - 1;
    return {
      duration: millis(last < 0 ? 0 : columns.at.get(last) - columns.at.get(0)),
      events: columns.length,
      frames,
      bytes,
      stderrLines,
      badLines,
      missing: this.#missing,
      methods: this.#methods(),
      turns: this.#turns,
      restores: this.#index.windows(),
    };
  }

  #ended({ began, seq: end, sessionId, reason, error }: TurnEnd): void {
    const { columns } = this.#index;
    const at = (seq: Seq) => columns.timeOf(columns.indexOf(seq));
    const took = millis(at(end) - at(began));
    const session = this.#index.sessionNamed(sessionId)?.facts.chip ?? '';
    const stopReason = error ? errorWords(error) : (reason ?? 'none given');
    this.#turns.push({ begin: began, end, session, sessionId, took, stopReason });
  }

  #methods(): MethodStats[] {
    const { columns } = this.#index;
    const rows = new Map<string, Mutable<MethodStats>>();
    const times = new Map<string, number[]>();
    for (let i = 0; i < columns.length; i++) {
      const kind = columns.kindOf(i);
      const side = columns.fromOf(i);
      if (side === undefined || (kind !== 'req' && kind !== 'ntf')) continue;
      const method = columns.nameOf(i);
      const update = columns.has(i, FLAG.update);
      const key = `${side} ${update} ${method}`;
      const row = rows.get(key) ?? { method, update, side, live: 0, replayed: 0, bytes: 0 };
      rows.set(key, row);
      const replayed = columns.has(i, FLAG.replay) || columns.has(i, FLAG.late);
      if (replayed) row.replayed++;
      else row.live++;
      row.bytes += columns.size.get(i);
      if (kind !== 'req') continue;
      const answer = columns.partnerOf(i);
      row.failed ??= 0;
      row.unanswered ??= 0;
      if (answer === undefined) row.unanswered++;
      else {
        if (columns.kindOf(answer) === 'err') row.failed++;
        const took = known(columns.at.get(answer) - columns.at.get(i));
        if (took === undefined) continue;
        const all = times.get(key);
        if (all) all.push(took);
        else times.set(key, [took]);
      }
    }
    return [...rows].map(([key, row]) => defined({ ...row, latency: latencyOf(times.get(key)) }));
  }
}

function latencyOf(times: readonly number[] | undefined): Latency | undefined {
  if (times === undefined) return undefined;
  const sorted = times.toSorted((a, b) => a - b);
  const rank = (share: number) =>
    millis(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { p50: rank(0.5), p95: rank(0.95), max: rank(1) };
}

// The figures of a trace as a report: aligned columns, for a terminal or a message to a friend.

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
      lines(title, beside),
      ...table('Methods', METHOD_HEADS, stats.methods.map(methodRow)),
      ...table('Turns', TURN_HEADS, stats.turns.map(turnRow)),
      ...table('Restores', RESTORE_HEADS, stats.restores.map(restoreRow)),
    ],
    suites: [],
  };
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

const TURN_HEADS: readonly ColumnHead[] = [
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

const RESTORE_HEADS: readonly ColumnHead[] = [
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
