// The figures of each turn, for its head in the timeline. Which events a turn has is in the column `turn`; here
// they are counted, event by event, so that a head costs the same for a turn of any length.
import { ASKS, isMethodOf } from '../../acp/methods.ts';
import { uint32 } from '../../lib/growable.ts';
import { isCrash } from '../../trace/agent-end.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { EVT, FLAG, REQ } from '../columns.ts';
import type { TraceIndex } from '../trace-index.ts';

/** Events are named by their place in the index. */
export interface TurnFigures {
  readonly number: number;
  readonly first: number;
  readonly last: number;
  /** The event that ended it; undefined: it has not ended, as far as is known. */
  readonly end: number | undefined;
  readonly frames: number;
  readonly tools: number;
  /** Tool calls that failed. */
  readonly failed: number;
  /** Questions to the person. */
  readonly asks: number;
}

/** The turn that an event is shown under; 0: none. History stands under its replay window. */
export function turnShownAt({ columns }: TraceIndex, event: number): number {
  const isHistory = columns.window.get(event) > 0 && !columns.has(event, FLAG.late);
  return isHistory ? 0 : columns.turn.get(event);
}

export class TurnBook {
  readonly #index: TraceIndex;
  // By the number of the turn; events as the place plus one, so that 0 is none.
  readonly #first = uint32();
  readonly #last = uint32();
  readonly #end = uint32();
  readonly #frames = uint32();
  readonly #tools = uint32();
  readonly #failed = uint32();
  readonly #asks = uint32();
  readonly #all = [
    ...[this.#first, this.#last, this.#end, this.#frames],
    ...[this.#tools, this.#failed, this.#asks],
  ];
  readonly #open = new Set<number>();
  /** Turns that were open when the agent ended, by that event. */
  readonly #cutBy = new Map<number, number>();

  constructor(index: TraceIndex) {
    this.#index = index;
  }

  /** Every event, in order. */
  take(event: number): void {
    const { columns, toolIds } = this.#index;
    const kind = columns.kind.get(event);
    if (kind === EVT) return this.#cut(event);
    const turn = turnShownAt(this.#index, event);
    if (turn === 0) return;
    while (this.#first.length <= turn) for (const column of this.#all) column.push(0);
    if (this.#first.get(turn) === 0) {
      this.#first.set(turn, event + 1);
      this.#open.add(turn);
    }
    this.#last.set(turn, event + 1);
    if (!columns.has(event, FLAG.member)) this.#frames.add(turn, 1);
    const isNew = columns.item.get(event) === event + 1;
    if (isNew && toolIds.has(event)) this.#tools.add(turn, 1);
    if (kind === REQ && isMethodOf(ASKS, columns.nameOf(event))) this.#asks.add(turn, 1);
    const status = columns.status.get(event);
    if (status > 0 && columns.statuses.text(status) === 'failed') {
      if (columns.nameOf(event).startsWith('tool_call')) this.#failed.add(turn, 1);
    }
    if (!columns.has(event, FLAG.turnEnd)) return;
    this.#end.set(turn, event + 1);
    this.#open.delete(turn);
  }

  /** Undefined: no such turn has begun. */
  get(number: number): TurnFigures | undefined {
    const first = this.#first.get(number) - 1;
    if (first < 0) return undefined;
    const end = this.#end.get(number) - 1;
    return {
      number,
      first,
      last: this.#last.get(number) - 1,
      end: end < 0 ? undefined : end,
      frames: this.#frames.get(number),
      tools: this.#tools.get(number),
      failed: this.#failed.get(number),
      asks: this.#asks.get(number),
    };
  }

  /** True if the turn may still end. */
  isOpen(number: number): boolean {
    return this.#open.has(number);
  }

  /** The places where the agent crashed. */
  crashes(eventAt: (place: number) => TraceEvent): readonly number[] {
    return [...this.#cutBy.keys()].filter((place) => isCrash(eventAt(place)));
  }

  /** How many turns this end of the agent interrupted. */
  cutBy(exit: number): number {
    return this.#cutBy.get(exit) ?? 0;
  }

  #cut(event: number): void {
    if (this.#index.columns.nameOf(event) !== 'exit') return;
    this.#cutBy.set(event, this.#open.size);
    this.#open.clear();
  }
}
