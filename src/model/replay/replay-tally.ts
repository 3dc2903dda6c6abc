// What a replay window brought, counted as it comes: things by kind, times, and how many updates
// it took to say them.
import { defined } from '../../lib/defined.ts';
import { millis, type Millis } from '../../lib/time.ts';
import { isHistory, type ItemKind } from '../facts/variants.ts';

/** The figures of a replay window. Times are since its request. */
export interface ReplayFigures {
  /** Messages, tool calls, terminals, plans and so on, by kind; each counts once. */
  readonly items: Readonly<Partial<Record<ItemKind, number>>>;
  /** The same of the child sessions that the restore brought; absent: none. */
  readonly children?: Readonly<Partial<Record<ItemKind, number>>>;
  /** Updates that are about none of these, by variant: commands, modes, usage, … */
  readonly others: Readonly<Record<string, number>>;
  /** Updates that told messages and tool calls: more of them than items where they come in chunks. */
  readonly chunks: number;
  /** The first and the last replayed frame. Undefined: none came. */
  readonly toFirst?: Millis;
  readonly toLast?: Millis;
}

export class ReplayTally {
  private readonly seen = new Set<string>();
  private readonly items: Partial<Record<ItemKind, number>> = {};
  private readonly children: Partial<Record<ItemKind, number>> = {};
  private readonly others: Record<string, number> = {};
  private chunks = 0;
  private first: number | undefined;
  private last = 0;

  /** True: the item is new here. `item`: what names it in the trace; `isOfChild`: a child session has it. */
  add(
    kind: ItemKind | undefined,
    variant: string,
    item: number,
    at: number,
    isOfChild: boolean,
  ): boolean {
    this.first ??= at;
    this.last = at;
    if (kind === undefined) {
      this.others[variant] = (this.others[variant] ?? 0) + 1;
      return false;
    }
    if (isHistory(kind)) this.chunks++;
    const key = `${kind} ${item}`;
    if (this.seen.has(key)) return false;
    this.seen.add(key);
    const items = isOfChild ? this.children : this.items;
    items[kind] = (items[kind] ?? 0) + 1;
    return true;
  }

  /** No more will come: what was seen is let go, its figures stay. */
  close(): void {
    this.seen.clear();
  }

  /** `since`: the time of the request. */
  figures(since: number): ReplayFigures {
    const first = this.first;
    const after = (at: number) => millis(Math.max(0, at - since));
    return defined({
      items: { ...this.items },
      children: Object.keys(this.children).length > 0 ? { ...this.children } : undefined,
      others: { ...this.others },
      chunks: this.chunks,
      toFirst: first === undefined ? undefined : after(first),
      toLast: first === undefined ? undefined : after(this.last),
    });
  }
}

/** Updates for each message and tool call. Undefined: there were none. */
export function overhead({ items, children, chunks }: ReplayFigures): number | undefined {
  const things = historyItems(items) + historyItems(children ?? {});
  return things === 0 ? undefined : chunks / things;
}

/** Messages, those between sessions too, and tool calls. */
export function historyItems(items: ReplayFigures['items']): number {
  const kinds = Object.entries(items) as [ItemKind, number][];
  return kinds.reduce((sum, [kind, count]) => (isHistory(kind) ? sum + count : sum), 0);
}

/** Updates a second until the last one came; undefined: fewer than two did, or nobody knows when. */
export function replayRate(updates: number, { toLast }: ReplayFigures): number | undefined {
  if (updates < 2 || toLast === undefined || !(toLast > 0)) return undefined;
  return Math.round((updates / toLast) * 1_000_000) / 1000;
}
