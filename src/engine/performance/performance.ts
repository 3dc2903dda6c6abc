// The figures of a trace for the page: those of `acp-scope stats`, bounded in number, and its exchanges
// and turns as spans of time. Read on as the trace grows.
import { FLAG } from '../../model/columns.ts';
import { traceStats, type TraceStats } from '../../model/performance/stats.ts';
import { isTold, Told } from '../../model/performance/told.ts';
import {
  waterfall,
  type WaterfallAsk,
  type WaterfallView,
} from '../../model/performance/waterfall.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { Parts } from '../parts.ts';
import { Follower } from '../timeline/folds.ts';
import type { OpenTrace } from '../traces/open-trace.ts';

/** Rows of each kind that the page gets. */
const MOST_ROWS = 300;

export interface Figures extends TraceStats {
  /** How many there are of those that are bounded here: of turns the slowest are kept, of methods the most frequent, of restores the newest. */
  readonly counts: { readonly methods: number; readonly turns: number; readonly restores: number };
}

interface Known {
  readonly follower: Follower<Told>;
  /** Of so many events. */
  stats?: { readonly events: number; readonly of: TraceStats };
}

export class Performance {
  readonly #parts: Pick<Parts, 'catalog' | 'traces'>;
  readonly #known = new WeakMap<OpenTrace, Known>();

  constructor(parts: Pick<Parts, 'catalog' | 'traces'>) {
    this.#parts = parts;
  }

  /** Undefined: there is no such trace any more. */
  async figures(connection: ConnectionId): Promise<Figures | undefined> {
    const found = await this.#statsOf(connection);
    if (!found) return undefined;
    const { stats } = found;
    const { methods, turns, restores } = stats;
    const slow = new Set(turns.toSorted((a, b) => b.took - a.took).slice(0, MOST_ROWS));
    return {
      ...stats,
      methods: methods.toSorted((a, b) => b.live - a.live).slice(0, MOST_ROWS),
      turns: turns.filter((turn) => slow.has(turn)),
      restores: restores.slice(-MOST_ROWS),
      usage: stats.usage.slice(-MOST_ROWS),
      counts: { methods: methods.length, turns: turns.length, restores: restores.length },
    };
  }

  async waterfall(connection: ConnectionId, ask: WaterfallAsk): Promise<WaterfallView | undefined> {
    const found = await this.#statsOf(connection);
    if (!found) return undefined;
    return waterfall(found.trace.index, found.stats.turns, {
      ...ask,
      most: Math.min(ask.most, MOST_ROWS),
    });
  }

  async #statsOf(
    connection: ConnectionId,
  ): Promise<{ readonly trace: OpenTrace; readonly stats: TraceStats } | undefined> {
    const { catalog, traces } = this.#parts;
    if (!catalog.get(connection)) return undefined;
    const trace = await traces.whole(connection);
    const { index } = trace;
    const known = this.#known.get(trace) ?? { follower: toldOf(trace) };
    this.#known.set(trace, known);
    if (known.stats?.events !== index.length) {
      const told = await known.follower.upToDate();
      known.stats = { events: index.length, of: traceStats(index, told, trace.missing) };
    }
    return { trace, stats: known.stats.of };
  }
}

function toldOf(trace: OpenTrace): Follower<Told> {
  const { columns } = trace.index;
  return new Follower(
    trace,
    new Told(),
    (place) => isTold(columns, place),
    (told, event, message, place) => {
      if (event.type === 'frame' && message)
        told.take(event, message, columns.has(place, FLAG.replay | FLAG.late));
    },
  );
}
