// Requests and notifications by method and side: how many, how large, and how long answers took.
import { ASKS, isMethodOf } from '../../acp/methods.ts';
import { defined } from '../../lib/defined.ts';
import { known, millis } from '../../lib/time.ts';
import type { Side } from '../../trace/event.ts';
import { FLAG } from '../columns.ts';
import { asleepBetween } from '../facts/sleeps.ts';
import type { TraceIndex } from '../trace-index.ts';

/** Milliseconds, by nearest rank. */
export interface Latency {
  /** Number of measured values. */
  readonly n: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
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
  /** Requests only, as the rest. A question to a person says nothing of how fast a program is. */
  readonly answeredBy?: Side | 'person';
  readonly failed?: number;
  readonly unanswered?: number;
  readonly latency?: Latency;
  /** The longest latency in each of up to `TREND` equal parts of the answered ones, in their order. */
  readonly trend?: readonly number[];
}

const TREND = 24;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Latencies count no sleep. */
export function methodStats({ columns, sleeps }: TraceIndex): readonly MethodStats[] {
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
    if (columns.has(i, FLAG.replay | FLAG.late)) row.replayed++;
    else row.live++;
    row.bytes += columns.size.get(i);
    if (kind !== 'req') continue;
    const answer = columns.partnerOf(i);
    row.answeredBy ??= answererOf(method, side);
    row.failed ??= 0;
    row.unanswered ??= 0;
    if (answer === undefined) row.unanswered += columns.has(i, FLAG.kept) ? 0 : 1;
    else {
      if (columns.kindOf(answer) === 'err') row.failed++;
      const took = known(
        columns.at.get(answer) - columns.at.get(i) - asleepBetween(sleeps, i, answer),
      );
      if (took === undefined) continue;
      const all = times.get(key);
      if (all) all.push(took);
      else times.set(key, [took]);
    }
  }
  return [...rows].map(([key, row]) => {
    const took = times.get(key);
    return defined({ ...row, latency: took && latencyOf(took), trend: took && trendOf(took) });
  });
}

/** Whom a request of this side waits for. */
export function answererOf(method: string, side: Side): Side | 'person' {
  if (side === 'client') return 'agent';
  return isMethodOf(ASKS, method) ? 'person' : 'client';
}

export function latencyOf(times: readonly number[]): Latency {
  const sorted = Float64Array.from(times).sort();
  const rank = (share: number) =>
    millis(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { n: times.length, p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), max: rank(1) };
}

function trendOf(times: readonly number[]): readonly number[] {
  const parts = Math.min(TREND, times.length);
  const trend = Array.from({ length: parts }, () => 0);
  for (const [at, took] of times.entries()) {
    const part = Math.floor((at * parts) / times.length);
    trend[part] = Math.max(trend[part] ?? 0, millis(took));
  }
  return trend;
}
