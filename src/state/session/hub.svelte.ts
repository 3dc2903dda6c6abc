// Everything known of a session, over all its connections: its rows, and the row looked at.
import type { WindowStrip } from '../../engine/fidelity/fidelities.ts';
import type { SessionHub } from '../../engine/messages.ts';
import type { Answer } from '../../model/fidelity/report/answer.ts';
import { LIVE_PART } from '../../model/sessions/compare-terms.ts';
import type { StateView } from '../../model/fold/look.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { setOf } from '../sets.ts';
import { Asked } from '../asked.svelte.ts';
import { formatPair, type DiffPair } from '../diff/diff-pair.ts';
import {
  changesOf,
  hubRows,
  type HubCell,
  type HubRow,
  type HubRows,
  type LivedRow,
  type RestoreRow,
  type RunRow,
} from './hub-rows.ts';
import { clockOf, lanesOf, type Clock, type Lane } from './lanes.ts';

const PAUSE_MS = 500;
/** So far back the last word before an answer is looked for. */
const LAST_ITEMS = 20;
const HARMS = ['late', 'incomplete', 'wrong'];

/** How bad a restore is, to compare it with the run before; undefined: not known. */
function rankOf(answer: Answer | undefined): number | undefined {
  if (!answer || answer.protocol === 'inconclusive') return undefined;
  const harm = HARMS.indexOf(answer.history) + 1;
  return answer.protocol === 'violated' ? HARMS.length + 1 + harm : harm;
}

interface HubOf {
  /** Undefined: of none. */
  readonly session: () => string | undefined;
}

export class Hub {
  readonly #app: App;
  readonly #of: HubOf;
  readonly #told: Asked<string, SessionHub>;
  readonly #strips: Asked<string, readonly WindowStrip[]>;
  /** Runs that a person closed. */
  #turned = $state.raw<readonly string[]>([]);
  #chosen = $state.raw<string | undefined>();
  #second = $state.raw<string | undefined>();

  constructor(app: App, of: HubOf) {
    this.#app = app;
    this.#of = of;
    const { session } = of;
    this.#told = new Asked(session, (of) => app.engine.sessions.hub(of), PAUSE_MS);
    this.#strips = new Asked(session, (of) => this.#compare(of), PAUSE_MS);
  }

  get sessionId(): string | undefined {
    return this.#of.session();
  }

  /** Undefined: it is being read. */
  get told(): SessionHub | undefined {
    return this.#told.told;
  }
  /** What came back held against what was lived, as it is now. */
  async comparedNow(): Promise<readonly WindowStrip[]> {
    return this.sessionId === undefined ? [] : this.#compare(this.sessionId);
  }
  async #compare(session: string): Promise<readonly WindowStrip[]> {
    const { current, engine } = this.#app;
    return current ? engine.fidelity.strips(current.connection, session) : [];
  }

  /** Tests of memory, which restore copies of the session, are listed with its restores. */
  showsTests = $state(false);
  /** How many of them can be hidden: where nothing else came back, they are what there is to see. */
  tests: number = $derived.by(() => {
    const restores = this.told?.restores ?? [];
    const copies = restores.filter(({ ofCopy }) => ofCopy);
    return copies.length === restores.length ? 0 : setOf(copies.map(({ run }) => run?.id)).size;
  });
  #listed: SessionHub | undefined = $derived.by(() => {
    const { told } = this;
    if (!told || this.tests === 0 || this.showsTests) return told;
    const runs = setOf(told.restores.flatMap(({ ofCopy, run }) => (ofCopy && run ? run.id : [])));
    const ofTests = setOf(
      this.#app.traces.flatMap(({ connection, group }) =>
        group && runs.has(group.id) ? connection : [],
      ),
    );
    return {
      ...told,
      restores: told.restores.filter(({ ofCopy }) => !ofCopy),
      connections: told.connections.filter(({ connection }) => !ofTests.has(connection)),
    };
  });
  /** On so many it was met, but for tests that are hidden. */
  connections: number = $derived.by(
    () => setOf(this.#listed?.connections.map(({ connection }) => connection) ?? []).size,
  );

  #all: HubRows = $derived.by(() => {
    const hub = this.#listed;
    if (!hub) return { rows: [], scale: { items: 0, turns: [], room: 1 } };
    const strips = this.#strips.told ?? [];
    const runs = hub.restores.flatMap(({ run }) => (run ? [run.id] : []));
    const opened = runs.filter((run) => this.#isOpen(run));
    return hubRows({ hub, strips, traces: this.#app.traces, opened });
  });
  rows: readonly HubRow[] = $derived(this.#all.rows);
  /** Each of them once, whether its run is open or not. */
  restores: readonly RestoreRow[] = $derived.by(() =>
    this.rows.flatMap((row): readonly RestoreRow[] => {
      if (row.kind === 'run') return row.restores;
      return row.kind === 'restore' && !row.inRun ? [row] : [];
    }),
  );
  lanes: readonly Lane[] = $derived.by(() =>
    this.#listed ? lanesOf(this.#listed, this.#app.traces) : [],
  );
  clock: Clock = $derived.by(() => clockOf(this.lanes));
  /** Where a trace is put that does not know when it began, epoch ms; undefined: it knows. */
  putAt(connection: ConnectionId): number | undefined {
    const one = this.told?.connections.find((it) => it.connection === connection);
    return one?.isClockless ? one.began : undefined;
  }
  scale: HubRows['scale'] = $derived(this.#all.scale);

  /** The row looked at: the chosen one, else that of the frame selected, else the newest that was judged. */
  at: number = $derived.by(() => {
    const { rows } = this;
    const chosen = rows.findIndex(({ key }) => key === this.#chosen);
    if (chosen >= 0) return chosen;
    const { current, timeline } = this.#app;
    const seq = timeline.selected;
    const ofFrame = rows.findLastIndex(
      (row) =>
        seq !== undefined &&
        row.connection === current?.connection &&
        row.seq !== undefined &&
        row.seq <= seq,
    );
    return ofFrame >= 0 ? ofFrame : this.#newest();
  });
  /** What was judged last; that of its children stands below it. */
  #newest(): number {
    const { rows } = this;
    const judged = rows.findLastIndex(({ kind }) => kind === 'restore' || kind === 'run');
    return judged >= 0 ? judged : Math.max(0, rows.length - 1);
  }
  row: HubRow | undefined = $derived(this.rows[this.at]);

  /** Call in an effect: asks anew when a trace has grown. */
  watch(): void {
    this.#told.watch(this.#app.traces);
    this.#strips.watch(this.#app.traces);
  }

  /** No row stays chosen: the newest that was judged is looked at. */
  unchoose(): void {
    this.#chosen = undefined;
  }
  chooseNewest(): void {
    this.choose(this.#newest());
  }
  choose(at: number): void {
    this.#chosen = this.rows[at]?.key;
    this.#second = undefined;
  }

  /** The row looked at lies in this lane. */
  isIn({ connection, run, child }: Lane): boolean {
    const { row } = this;
    if (child) return row?.kind === 'child' && row.session === child.sessionId;
    const own = row?.kind === 'restore' ? row.restore.run?.id : undefined;
    const of = row?.kind === 'run' ? row.run : own;
    return run === undefined ? of === undefined && row?.connection === connection : of === run;
  }
  /** Its restore or its run, else what was lived in it; that of a child is its own session. */
  chooseLane({ connection, run, child }: Lane): void {
    if (child) return void this.#app.showSession(child.sessionId, connection);
    const isOf = (row: HubRow) =>
      run === undefined ? row.connection === connection : row.kind === 'run' && row.run === run;
    const of = this.rows.filter(isOf);
    const row =
      of.find(({ kind }) => kind === 'restore') ?? of.find(({ kind }) => kind === 'lived');
    this.#chosen = (row ?? of[0])?.key;
  }

  // Two rows beside each other.

  /** What was lived or came back, in runs that are not open too; but this one. */
  comparedWith(row: HubRow): readonly (LivedRow | RestoreRow)[] {
    const all = this.rows.flatMap((one): readonly (LivedRow | RestoreRow)[] => {
      if (one.kind === 'run' && !one.open) return one.restores;
      return one.kind === 'lived' || one.kind === 'restore' ? [one] : [];
    });
    const others = all.filter(({ key }) => key !== row.key);
    return others.length < all.length ? others : [];
  }
  /** The row chosen beside the one looked at. */
  second: LivedRow | RestoreRow | undefined = $derived.by(() => {
    const { row } = this;
    return row && this.comparedWith(row).find(({ key }) => key === this.#second);
  });
  chooseSecond(at: number): void {
    this.#second = this.rows[at]?.key;
  }
  /** The next row there that can be compared. */
  moveSecond(by: 1 | -1): void {
    const { row, rows, second } = this;
    const keys = row ? this.comparedWith(row).map(({ key }) => key) : [];
    let at = second ? rows.findIndex(({ key }) => key === second.key) : this.at;
    do at += by;
    while (rows[at] && !keys.includes(rows[at]?.key ?? ''));
    if (rows[at]) this.chooseSecond(at);
  }
  /** The older at the left. */
  async compare(one: HubRow, other: HubRow): Promise<void> {
    const [left, right] = other.at <= one.at ? [other, one] : [one, other];
    const restore = [one, other].find(({ kind }) => kind === 'restore');
    if (restore && [one, other].some(({ kind }) => kind === 'lived'))
      return this.open(restore, 'compare');
    const pair: DiffPair = {
      ...{ left: left.connection, right: right.connection, view: 'story' },
      ...{ leftPart: partOf(left), rightPart: partOf(right) },
    };
    await this.#app.compare(left.connection, formatPair(pair));
  }

  /** Lists the restores of a run, or lists them no more. */
  toggle(run: string, open = !this.#isOpen(run)): void {
    if (open === this.#isOpen(run)) return;
    const others = this.#turned.filter((one) => one !== run);
    this.#turned = others.length < this.#turned.length ? others : [...others, run];
  }
  #isOpen(run: string): boolean {
    return !this.#turned.includes(run);
  }

  /** Of the run looked at, or that the restore looked at belongs to. */
  openRun(open: boolean): void {
    const { row } = this;
    if (row?.kind === 'run') this.toggle(row.run, open);
    if (open || row?.kind !== 'restore' || row.restore.run === undefined) return;
    const { id } = row.restore.run;
    this.#chosen = `v ${id}`;
    this.toggle(id, false);
  }

  /** The restore looked at, if it was answered with more than an error. */
  get #answered(): RestoreRow | undefined {
    const { row } = this;
    if (row?.kind !== 'restore' || row.restore.window.outcome === 'rejected') return undefined;
    return row.restore.window.answer === undefined ? undefined : row;
  }
  /** What a client holds of the session once that restore is answered. */
  readonly after = new Asked<string, StateView | undefined>(
    () => this.#answered?.key,
    async () => {
      const { window } = this.#answered?.restore ?? {};
      const { connection } = this.#answered ?? {};
      if (connection === undefined || window?.answer === undefined) return undefined;
      const ask = { at: window.answer, since: 0, most: LAST_ITEMS };
      return this.#app.engine.sessions.conversation(connection, window.sessionId, ask);
    },
    PAUSE_MS,
  );

  /** Against the run before it. */
  changesOf(run: RunRow): ReturnType<typeof changesOf> {
    return changesOf(run, this.rows, ({ strip }) => rankOf(strip?.answer));
  }

  /** Opens the comparison at the row of a cell, or the trace at the frame of a live one. */
  async openCell(row: LivedRow | RestoreRow, cell: HubCell): Promise<void> {
    if (row.kind === 'restore') return this.#compareAt(row, cell.row);
    if (this.sessionId === undefined) return;
    await this.#app.pickSession(row.connection, this.sessionId, 'trace');
    if (cell.frame !== undefined) await this.#app.jump(cell.frame);
  }
  async #compareAt({ connection, restore }: RestoreRow, row?: number): Promise<void> {
    const { fidelityViewOf } = await import('../fidelity/fidelity.svelte.ts');
    await fidelityViewOf(this.#app).choose({ connection, request: restore.window.request }, row);
  }

  async open(row: HubRow, view: 'trace' | 'conversation' | 'compare'): Promise<void> {
    const { connection, seq } = row;
    const session = this.sessionId;
    if (view === 'compare' && row.kind === 'restore') return this.#compareAt(row);
    const meant = row.kind === 'restore' ? row.restore.window.sessionId : session;
    if (meant === undefined) return;
    await this.#app.pickSession(connection, meant, view === 'compare' ? 'trace' : view);
    if (seq === undefined) return;
    if (view === 'conversation' && row.kind === 'restore')
      this.#app.playhead = row.restore.window.answer ?? seq;
    else if (view === 'trace') await this.#app.jump(seq);
  }
}

/** Of its trace: what was lived, or the restore with what came late of it. */
function partOf(row: HubRow): NonNullable<DiffPair['leftPart']> {
  const isRestore = row.kind === 'restore';
  return { query: isRestore ? `window:#${row.restore.window.request}` : LIVE_PART };
}
