// The library of this page: its traces as they are listed, what is looked for in all of them, and what a rule
// takes away.
import { SvelteMap } from 'svelte/reactivity';
import type { TraceFind } from '../../engine/library/trace-finds.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { keptWith } from '../kept.svelte.ts';
import { tagsOf } from './tags.ts';
import {
  traceFits,
  libraryRows,
  runRows,
  sorted,
  type LibraryRow,
  type Sort,
  type SortBy,
} from './library-rows.ts';
import { PRUNE_FORM, pruned, ruleOf, type PruneForm, type Pruned } from './prune.ts';

export const libraryOf = keptWith((app) => new LibraryList(app));

/** What is looked for in all traces. */
interface Asked {
  readonly query: string;
  readonly done: number;
  readonly of: number;
  /** The trace that is being read. */
  readonly reading?: string | undefined;
  /** Nothing of it can be asked, as a sentence. */
  readonly broken?: string;
}

const NOTHING: Pruned = { goes: [], stays: [] };

export class LibraryList {
  readonly #app: App;
  filter = $state('');
  sort = $state.raw<Sort>({ by: 'when', down: true });
  #key = $state.raw<string | undefined>();
  #held = $state.raw<ConnectionId | undefined>();
  asked = $state.raw<Asked | undefined>();
  readonly #finds = new SvelteMap<ConnectionId, TraceFind>();
  #search = 0;
  /** Runs that a person opened (true) or closed (false), by the key of their row. */
  readonly #toggled = new SvelteMap<string, boolean>();
  /** What is to go; undefined: nobody asks. */
  pruneForm = $state.raw<PruneForm | undefined>();
  #elsewhere = $state.raw<readonly ConnectionId[]>([]);

  constructor(app: App) {
    this.#app = app;
  }

  get traces(): readonly TraceSummary[] {
    return this.#app.traces;
  }
  /** Those that the words fit, as they are listed. */
  listed = $derived.by(() =>
    sorted(
      this.#app.traces.filter((trace) => traceFits(trace, this.filter)),
      this.sort,
    ),
  );
  rule = $derived(this.pruneForm && ruleOf(this.pruneForm));
  pruned: Pruned = $derived.by(() => {
    if (!this.rule) return NOTHING;
    const here = this.#app.current?.connection;
    return pruned(this.listed, this.rule, { now: Date.now(), here, elsewhere: this.#elsewhere });
  });
  rows: readonly LibraryRow[] = $derived.by(() => {
    if (!this.pruneForm)
      return this.asked
        ? libraryRows(this.listed, this.#finds)
        : runRows(this.listed, (key) => this.#toggled.get(key) ?? this.filter.trim() !== '');
    const { goes, stays } = this.pruned;
    const row = (trace: TraceSummary) => ({ type: 'trace', key: trace.connection, trace }) as const;
    return [
      ...goes.map((trace) => ({ ...row(trace), fate: 'goes' as const })),
      ...stays.map(({ trace, why }) => ({ ...row(trace), fate: `stays: ${why}` as const })),
    ];
  });
  /** The row looked at: the first, where that is gone. */
  at: number = $derived(
    Math.max(
      0,
      this.rows.findIndex(({ key }) => key === this.#key),
    ),
  );
  row: LibraryRow | undefined = $derived(this.rows[this.at]);
  /** What was found so far. */
  found = $derived.by(() => {
    const all = [...this.#finds.values()].filter((find) => find.count > 0);
    return { traces: all.length, frames: all.reduce((sum, find) => sum + find.count, 0) };
  });
  /** All tags there are, the most used first. */
  tags: readonly string[] = $derived.by(() => tagsOf(this.#app.traces));

  /** The trace looked at. */
  trace: TraceSummary | undefined = $derived.by(
    () =>
      this.#app.traces.find(({ connection }) => connection === this.#held) ??
      (this.row?.type === 'run' ? undefined : this.row?.trace),
  );

  select(index: number): void {
    this.#key = this.rows[Math.max(0, Math.min(this.rows.length - 1, index))]?.key;
  }

  /** Words are written about this one: it is looked at until they are, also where the list leaves it out now. */
  hold(trace: TraceSummary | undefined): void {
    this.#held = trace?.connection;
    // A list that is ordered anew has it still.
    if (trace && this.row?.trace === trace) this.#key = this.row.key;
  }

  /** Names are read from A on, numbers and times from the largest down; again turns it round. */
  sortBy(by: SortBy): void {
    const down = by === this.sort.by ? !this.sort.down : by !== 'name' && by !== 'agent';
    this.sort = { by, down };
  }

  /** Opens the run looked at to its traces, or closes it. */
  toggle(open?: boolean): void {
    if (this.row?.type === 'run') this.#toggled.set(this.row.key, open ?? !this.row.open);
  }

  /** Shows it, under what was looked for; of a row with a frame, that frame; of a run, its traces. */
  async open(row = this.row): Promise<void> {
    if (!row) return;
    if (row.type === 'run') return this.toggle();
    await this.show(row.trace);
    if (row.type === 'hit') await this.#app.jump(row.frame.seq);
  }
  show({ connection }: TraceSummary): Promise<void> {
    return this.#app.show(connection, 'trace', this.pruneForm ? undefined : this.asked?.query);
  }

  /** Looks for it in the traces that are listed, one after the other. An empty one ends what was looked for. */
  async find(text: string): Promise<void> {
    this.stop();
    this.#finds.clear();
    const query = text.trim();
    this.asked = undefined;
    this.#app.sought = query || undefined;
    if (query === '') return;
    const mine = this.#search;
    const all = this.listed.filter(({ events }) => events > 0);
    const asked = { query, of: all.length };
    for (const [done, { connection, name }] of all.entries()) {
      this.asked = { ...asked, done, reading: name };
      const found = await this.#app.engine.finds.find(connection, query).catch(failed);
      if (mine !== this.#search) return;
      if (found && 'broken' in found) {
        this.asked = { ...asked, done, broken: found.broken };
        return;
      }
      if (found) this.#finds.set(connection, found);
    }
    this.asked = { ...asked, done: all.length };
  }

  /** What was found so far stays. */
  stop(): void {
    this.#search++;
    if (this.asked?.reading === undefined) return;
    void this.#app.engine.finds.end();
    this.asked = { ...this.asked, reading: undefined };
  }

  /** Asks what is to go. */
  async askPrune(): Promise<void> {
    this.pruneForm = PRUNE_FORM;
    await this.#lookElsewhere();
  }

  /** Deletes what the rule takes away, unless that is other than what was shown. */
  async prune(): Promise<void> {
    const shown = this.pruned.goes;
    await this.#lookElsewhere();
    const { goes } = this.pruned;
    if (
      goes.some((trace) => !shown.some(({ connection }) => connection === trace.connection)) ||
      goes.length < shown.length
    ) {
      this.#app.tell('warn', 'What goes has changed meanwhile. Nothing was deleted: look again.');
      return;
    }
    this.pruneForm = undefined;
    await this.#app.library.removeAll(goes);
  }

  /** All that can go: what is recorded now stays. */
  get ended(): readonly TraceSummary[] {
    return this.#app.traces.filter(({ state }) => state === 'ended');
  }

  async #lookElsewhere(): Promise<void> {
    this.#elsewhere = await this.#app.engine.library.openElsewhere();
  }
  /** Those that other tabs show; known where it was asked. */
  async openElsewhere(): Promise<number> {
    await this.#lookElsewhere();
    return this.ended.filter(({ connection }) => this.#elsewhere.includes(connection)).length;
  }
}

/** A trace that could not be read at all does not end the search of the others. */
function failed(error: unknown): TraceFind {
  const words = error instanceof Error ? error.message : String(error);
  return { count: 0, first: [], problem: `This trace could not be searched: ${words}.` };
}
