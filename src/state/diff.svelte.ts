// The diff view: which two traces are compared, how, what is shown of it, and the line looked at.
// What is compared stands in the address (diff-pair.ts).
import { untrack } from 'svelte';
import type { Alias, DiffView, RowMark, Slice } from '../diff/traces/report.ts';
import type { DiffAsk, DiffLook, ShownRow } from '../engine/diff-messages.ts';
import type { TraceSummary } from '../engine/messages.ts';
import type { ConnectionId } from '../trace/event.ts';
import { DEFAULT_IGNORE, type AliasKind } from '../model/compare-terms.ts';
import type { App } from './app.svelte.ts';
import { aliasesByName, realValues } from './diff-aliases.ts';
import { keepTastes, readTastes, type DiffTastes } from './diff-kept.ts';
import { DiffLines } from './diff-lines.ts';
import { formatPair, parsePair, swapped, type DiffPair } from './diff-pair.ts';
import { DiffRowFeed } from './diff-rows.svelte.ts';
import { keptWith } from './kept.svelte.ts';
import { Paced } from './paced.ts';

export type DiffSide = 'left' | 'right';
type DiffLayout = 'beside' | 'unified';

/** The one of the page. */
export const diffOf = keptWith((app) => new Diff(app));

/** A comparison that is quicker is made again by itself when a trace grows. */
const QUICK = 300;
const SAY_AFTER = 2000;
const LOOK_AGAIN = 400;

export class Diff {
  readonly #app: App;
  readonly #feed: DiffRowFeed;
  readonly #again = new Paced(() => this.#load(), 1500);
  #look = $state.raw<DiffLook | undefined>();
  #problem = $state.raw<string | undefined>();
  #busy = $state(false);
  #cancelled = $state(false);
  #doing = $state.raw<string | undefined>();
  #tastes = $state.raw<DiffTastes>(readTastes());
  #rawAliases = $state.raw<readonly Alias[]>([]);
  #hidden = $state.raw<readonly RowMark[]>([]);
  #opened = $state.raw<readonly number[]>([]);
  #toggled = $state.raw<readonly number[]>([]);
  #whole = $state.raw<readonly number[]>([]);
  #at = $state(0);
  #asked = 0;

  layout = $state<DiffLayout>('beside');
  /** The side that is shown where there is room for one. */
  side = $state<DiffSide>('left');

  constructor(app: App) {
    this.#app = app;
    this.#feed = new DiffRowFeed(app.engine);
  }

  pair: DiffPair = $derived.by(() => parsePair(this.#app.diff));
  left: TraceSummary | undefined = $derived.by(() => this.#trace(this.pair.left));
  right: TraceSummary | undefined = $derived.by(() => this.#trace(this.pair.right));
  /** One of the two is not stored here. */
  missing: DiffSide | undefined = $derived.by(() => {
    if (this.pair.left !== undefined && !this.left) return 'left';
    return this.pair.right !== undefined && !this.right ? 'right' : undefined;
  });
  ask: DiffAsk | undefined = $derived.by(() => {
    const { view, leftPart, rightPart } = this.pair;
    if (!this.left || !this.right) return undefined;
    return {
      ...{ left: this.left.connection, right: this.right.connection, view },
      ...{
        ignore: this.#tastes.ignore,
        raw: this.#tastes.raw,
        rawValues: realValues(this.#rawAliases),
      },
      ...(leftPart && { leftSlice: leftPart }),
      ...(rightPart && { rightSlice: rightPart }),
    };
  });
  readonly #key: string = $derived.by(() => JSON.stringify(this.ask ?? null));

  /** Of what is to be compared; undefined: it is not there yet. */
  look: DiffLook | undefined = $derived.by(() => {
    const [look, ask] = [this.#look, this.ask];
    return look && ask && sameThings(look.ask, ask) ? look : undefined;
  });
  lines: DiffLines | undefined = $derived.by(
    () =>
      this.look &&
      new DiffLines(this.look, {
        hidden: this.#hidden,
        opened: this.#opened,
        toggled: this.#toggled,
        whole: this.#whole,
      }),
  );
  at: number = $derived.by(() => Math.max(0, Math.min(this.#at, (this.lines?.length ?? 1) - 1)));
  /** Of the differences, the one looked at or before it, from 1; 0: before the first. */
  nth: number = $derived.by(() => countUpTo(this.lines?.differing ?? [], this.at));
  /** Events that came since. */
  grown: number = $derived.by(() => {
    const [look, left, right] = [this.look, this.left, this.right];
    if (!look || !left || !right) return 0;
    const more = (trace: TraceSummary, then: number) =>
      trace.state === 'running' ? Math.max(0, trace.events - then) : 0;
    return more(left, look.events.a) + more(right, look.events.b);
  });
  /** By name, those that the engine told of. */
  aliases: ReadonlyMap<string, Alias> = $derived.by(() => aliasesByName(this.look?.aliases ?? []));

  get problem(): string | undefined {
    return this.#problem;
  }
  get isBusy(): boolean {
    return this.#busy;
  }
  get isCancelled(): boolean {
    return this.#cancelled;
  }
  /** What it is at; undefined while it has not taken long. */
  get doing(): string | undefined {
    return this.#doing;
  }
  get ignore(): readonly string[] {
    return this.#tastes.ignore;
  }
  get raw(): readonly AliasKind[] {
    return this.#tastes.raw;
  }
  /** Single aliases that are off. */
  get rawAliases(): readonly Alias[] {
    return this.#rawAliases;
  }
  get hidden(): readonly RowMark[] {
    return this.#hidden;
  }
  get isUsual(): boolean {
    return JSON.stringify(this.#tastes.ignore) === JSON.stringify(DEFAULT_IGNORE);
  }

  /** Call in an effect: the trace looked at is one of the two, and what is asked for is compared. */
  watch(): void {
    const current = this.#app.current?.connection;
    const { left, right } = this.pair;
    if (current !== undefined && current !== left && current !== right) this.take('left', current);
    void this.#key;
    untrack(() => void this.#load());
  }

  /** Call in an effect: what runs and is quickly compared is compared again. */
  watchGrowth(): void {
    if (this.grown > 0 && (this.look?.took ?? QUICK) < QUICK) this.#again.poke();
  }

  /** This trace on that side. */
  take(side: DiffSide, connection: ConnectionId, part?: Slice): void {
    const { [side === 'left' ? 'leftPart' : 'rightPart']: _, ...pair } = this.pair;
    this.set({
      ...pair,
      [side]: connection,
      ...(part && { [side === 'left' ? 'leftPart' : 'rightPart']: part }),
    });
  }
  /** Only this part of the trace on that side; undefined: all of it. */
  takePart(side: DiffSide, part: Slice | undefined): void {
    const connection = this.pair[side];
    if (connection !== undefined) this.take(side, connection, part);
  }
  set(pair: DiffPair): void {
    this.#app.diff = formatPair(pair);
  }
  show(view: DiffView): void {
    this.set({ ...this.pair, view });
  }
  swap(): void {
    this.set(swapped(this.pair));
  }
  compareAgain(): void {
    void this.#load();
  }
  cancel(): void {
    void this.#app.engine.cancelDiff();
  }

  /** Shows or hides rows of a mark. */
  showMark(mark: RowMark, shown: boolean): void {
    const row = this.lines?.rowAt(this.at) ?? 0;
    const others = this.#hidden.filter((other) => other !== mark);
    this.#hidden = shown ? others : [...others, mark];
    this.selectRow(row);
  }

  useKind(kind: AliasKind, on: boolean): void {
    const raw = this.#tastes.raw.filter((other) => other !== kind);
    this.#keep({ ...this.#tastes, raw: on ? raw : [...raw, kind] });
  }
  useAlias(alias: Alias, on: boolean): void {
    const others = this.#rawAliases.filter(({ a, b }) => a !== alias.a || b !== alias.b);
    this.#rawAliases = on ? others : [...others, alias];
  }

  /** A sentence: why the rule cannot be taken. */
  async addRule(rule: string): Promise<string | undefined> {
    const wanted = rule.trim();
    const { ask } = this;
    if (!ask || wanted === '' || this.ignore.includes(wanted)) return undefined;
    const ignore = [...this.ignore, wanted];
    const answer = await this.#app.engine.diff({ ...ask, ignore });
    if (answer && 'problem' in answer) return answer.problem;
    this.#keep({ ...this.#tastes, ignore });
    return undefined;
  }
  removeRule(rule: string): void {
    this.#keep({ ...this.#tastes, ignore: this.ignore.filter((other) => other !== rule) });
  }
  usualRules(): void {
    this.#keep({ ...this.#tastes, ignore: DEFAULT_IGNORE });
  }

  select(at: number): void {
    this.#at = Math.max(0, Math.min(at, (this.lines?.length ?? 1) - 1));
  }
  /** The row, or the fold it is in. */
  selectRow(row: number): void {
    if (this.lines) this.select(this.lines.lineOf(row));
  }
  /** The next row that differs, or the one before; stops at the ends. */
  stepDifference(by: 1 | -1): void {
    const differing = this.lines?.differing ?? [];
    const before = countUpTo(differing, by > 0 ? this.at : this.at - 1);
    const next = differing[by > 0 ? before : before - 1];
    if (next !== undefined) this.#at = next;
  }

  /** Opens or closes a fold, or the fields of a row. */
  toggle(at: number, open?: boolean): void {
    const line = this.lines?.line(at);
    if (line?.type === 'more') this.#whole = [...this.#whole, line.row];
    if (line?.type !== 'fold' && line?.type !== 'row') return;
    if (open === line.open || (line.type === 'row' && !line.opens)) return;
    if (line.type === 'fold') this.#opened = flipped(this.#opened, line.row);
    else this.#toggled = flipped(this.#toggled, line.row);
  }
  /** Opens all that is folded, or closes it again. */
  toggleFolds(): void {
    const { lines } = this;
    if (!lines) return;
    const row = lines.rowAt(this.at);
    this.#opened = this.#opened.length > 0 ? [] : lines.folds();
    this.selectRow(row);
  }

  row(row: number): ShownRow | undefined {
    return this.#feed.row(row);
  }
  /** These lines are on screen. */
  fetch(from: number, to: number): void {
    const { look, lines } = this;
    if (!look || !lines) return;
    const end = Math.min(to, lines.length);
    const rows = Array.from({ length: end - from }, (_, at) => lines.rowAt(from + at));
    this.#feed.want(look.diff, rows);
  }

  #trace(connection: ConnectionId | undefined): TraceSummary | undefined {
    return this.#app.traces.find((trace) => trace.connection === connection);
  }

  #keep(tastes: DiffTastes): void {
    this.#tastes = tastes;
    keepTastes(tastes);
  }

  async #load(): Promise<void> {
    const { ask } = this;
    const asked = ++this.#asked;
    this.#problem = undefined;
    this.#cancelled = false;
    if (!ask) {
      this.#busy = false;
      return;
    }
    this.#busy = true;
    void this.#sayWhatItDoes(asked);
    const answer = await this.#app.engine.diff(ask);
    if (asked !== this.#asked) return;
    this.#busy = false;
    this.#doing = undefined;
    if (!answer) this.#cancelled = true;
    else if ('problem' in answer) this.#problem = answer.problem;
    else this.#take(answer);
  }

  #take(look: DiffLook): void {
    const before = this.#look;
    const row = this.lines?.rowAt(this.at) ?? 0;
    this.#look = look;
    if (before && sameThings(before.ask, look.ask)) return this.selectRow(row);
    this.#opened = this.#toggled = this.#whole = [];
    this.#at = 0;
  }

  async #sayWhatItDoes(asked: number): Promise<void> {
    for (let wait = SAY_AFTER; ; wait = LOOK_AGAIN) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (asked !== this.#asked || !this.#busy) return;
      const doing = await this.#app.engine.diffProgress();
      if (asked === this.#asked && this.#busy) this.#doing = doing;
    }
  }
}

/** The same parts of the same traces in the same view; what is left out may be another. */
function sameThings(one: DiffAsk, other: DiffAsk): boolean {
  const said = ({ left, right, view, leftSlice, rightSlice }: DiffAsk) =>
    JSON.stringify([left, right, view, leftSlice, rightSlice]);
  return said(one) === said(other);
}

/** In if it was out, and out if it was in. */
function flipped(list: readonly number[], value: number): readonly number[] {
  return list.includes(value) ? list.filter((other) => other !== value) : [...list, value];
}

function countUpTo(ascending: readonly number[], most: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
