// A query asked of one trace after another, open or stored, and checked where it asks for findings: how many
// of its events match, and the first of them. What was read for it is let go before the next is read.
import { foundFrames, type FoundFrame } from '../../model/query/found-frame.ts';
import { parseQuery } from '../../model/query/parse.ts';
import { asks, type Query } from '../../model/query/query.ts';
import { Search } from '../../model/query/search.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { Parts } from '../parts.ts';
import { othersTurn } from '../traces/intake.ts';

/** Events that are said of each trace. */
const SAID = 5;
/** Milliseconds of work before others get their turn, and how many events are tested between two looks at the clock. */
const SLICE = 6;
const STRIDE = 1024;

export interface TraceFind {
  readonly count: number;
  readonly first: readonly FoundFrame[];
  /** Why that is not all. */
  readonly problem?: string;
}

/** The query cannot be asked, of this trace or any other. */
interface BrokenFind {
  readonly broken: string;
}

export class TraceFinds {
  readonly #parts: Pick<Parts, 'catalog' | 'traces' | 'finder' | 'checks'>;
  #stop = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: Pick<Parts, 'catalog' | 'traces' | 'finder' | 'checks'>) {
    this.#parts = parts;
  }

  /** Ends the one before. Undefined: it was ended itself, or there is no such trace any more. */
  find(connection: ConnectionId, text: string): Promise<TraceFind | BrokenFind | undefined> {
    this.end();
    const { signal } = (this.#stop = new AbortController());
    const parsed = parseQuery(text);
    if (!parsed.ok) return Promise.resolve({ broken: parsed.problem.message });
    const { query } = parsed;
    // One at a time lies in memory.
    const found = this.#last.then(() => this.#find(connection, query, signal));
    this.#last = found.catch(() => undefined);
    return found;
  }

  /** Nobody waits for what is being looked for. */
  end(): void {
    this.#stop.abort();
  }

  async #find(
    connection: ConnectionId,
    query: Query,
    signal: AbortSignal,
  ): Promise<TraceFind | undefined> {
    const { catalog, traces, finder, checks } = this.#parts;
    const stored = catalog.get(connection);
    if (!stored || signal.aborted) return undefined;
    const wasOpen = traces.get(connection) !== undefined;
    const isOfFindings = asks(query, 'finding', 'sev');
    const checking = isOfFindings ? await checks.get() : undefined;
    if (isOfFindings && !checking)
      return { count: 0, first: [], problem: 'The rules could not be loaded: nothing is checked.' };
    const wasChecked = checking?.get(connection) !== undefined;
    try {
      const { index, lines } = await traces.whole(connection);
      await checking?.whole(connection, signal);
      if (signal.aborted) return undefined;
      const search = new Search(query, index, lines, finder);
      const problem = await search.ask(signal);
      const places: number[] = [];
      let count = 0;
      let until = performance.now() + SLICE;
      for (let at = 0; at < search.end; at++) {
        if (at % STRIDE === 0 && performance.now() > until) {
          await othersTurn();
          until = performance.now() + SLICE;
        }
        if (signal.aborted) return undefined;
        if (search.test(at) && count++ < SAID) places.push(at);
      }
      const frameAt = foundFrames({ index, eventAt: (at) => lines.event(at) });
      const unread =
        index.length < stored.events ? 'Not all of this trace could be read.' : undefined;
      const why = problem?.message ?? unread;
      return { count, first: places.map(frameAt), ...(why !== undefined && { problem: why }) };
    } finally {
      if (!wasChecked) checking?.forget(connection);
      if (!wasOpen) traces.release(connection);
    }
  }
}
