// The session view: everything known of the session looked at, its rows, and the row looked at.
import { untrack } from 'svelte';
import { shutGate } from '../../acp/gate.ts';
import type { WindowStrip } from '../../engine/fidelity/fidelities.ts';
import type { SessionHub, TraceSummary } from '../../engine/messages.ts';
import type { HandshakeView } from '../../model/facts/facts-view.ts';
import { heldOf, type Held } from '../../model/restore/restore-words.ts';
import {
  hasReplay,
  SHAPES,
  variantOf,
  type ShapeFacts,
  type ShapeId,
} from '../../model/restore/restore-shapes.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { Asked } from '../asked.svelte.ts';
import { keptWith } from '../kept.svelte.ts';
import { formatPair, type DiffPair } from '../diff/diff-pair.ts';
import { hubRows, type HubRow, type HubRows, type LivedRow, type RestoreRow } from './hub-rows.ts';
import { clockOf, lanesOf, type Clock, type Lane } from './lanes.ts';

const PAUSE_MS = 500;
const CAME_BACK: ReadonlySet<HubRow['kind']> = new Set(['restore', 'run', 'child']);

interface RestoreToCome {
  readonly connection: ConnectionId;
  readonly sessionId: string;
}

/** The one of the page: of the session looked at. */
export const hubOf = keptWith((app) => {
  const hub = new Hub(app, { session: () => app.session?.sessionId });
  $effect(() => hub.goOn());
  return hub;
});

interface HubOf {
  /** Undefined: of none. */
  readonly session: () => string | undefined;
  /** What came back alone, each restore of a run in a row of its own from the start. */
  readonly restoresOnly?: boolean;
}

export class Hub {
  readonly #app: App;
  readonly #of: HubOf;
  readonly #told: Asked<string, SessionHub>;
  readonly #strips: Asked<string, readonly WindowStrip[]>;
  /** Runs that a person opened, or closed where they are open from the start. */
  #turned = $state.raw<readonly string[]>([]);
  #chosen = $state.raw<string | undefined>();
  /** What is being sent of what was not tried. */
  trying = $state.raw<ShapeId | undefined>();
  /** What an agent refused to be asked, by session. */
  #refused = $state.raw<readonly string[]>([]);
  /** A session to restore as soon as the agent started for it has shaken hands. */
  #awaited = $state.raw<RestoreToCome | undefined>();

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

  /** The agent is being started again. */
  get isStarting(): boolean {
    return this.#awaited !== undefined;
  }

  /** The newest connection to start again from; undefined: one of the session runs, or none was ours. */
  ended: TraceSummary | undefined = $derived.by(() => {
    const on = this.told?.connections.map(({ connection }) => connection) ?? [];
    const ours = this.#app.traces.filter(
      ({ connection, mode, group }) =>
        on.includes(connection) && mode === 'drive' && group === undefined,
    );
    if (ours.some(({ state }) => state === 'running')) return undefined;
    return ours.toSorted((a, b) => b.number - a.number)[0];
  });

  /** The same command again, and the plainest restore of the session that it offers. */
  async startAgain(): Promise<void> {
    const { sessionId } = this;
    if (!this.ended || sessionId === undefined || this.#awaited) return;
    const connection = await this.#app.library.startAgain(this.ended.connection);
    if (connection === undefined) return;
    this.#awaited = { connection, sessionId };
    await this.#app.show(connection, 'session');
  }

  /** Call in an effect: restores the session when the agent started for it is ready. */
  goOn(): void {
    const awaited = this.#awaited;
    const { current, facts, canSend } = this.#app;
    if (!awaited || current === undefined) return;
    const isGone = current.connection === awaited.connection && current.state === 'ended';
    const isElsewhere = current.connection !== awaited.connection && current.state === 'running';
    if (isGone || isElsewhere || facts?.handshake?.error !== undefined) {
      untrack(() => (this.#awaited = undefined));
      return;
    }
    const version = facts?.handshake?.version;
    if (current.connection !== awaited.connection || version === undefined || !canSend) return;
    untrack(() => void this.#restore(awaited, facts?.handshake));
  }

  async #restore({ connection, sessionId }: RestoreToCome, handshake: HandshakeView | undefined) {
    this.#awaited = undefined;
    const form = await this.#app.restore();
    form.choose(sessionId);
    form.setShape(plainestOf(handshake));
    await form.send();
    await this.#app.pickSession(connection, sessionId, 'session');
    this.#chosen = undefined;
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
  /** The replays were held against what was lived. */
  get isCompared(): boolean {
    return this.#strips.told !== undefined;
  }

  #all: HubRows = $derived.by(() => {
    const hub = this.told;
    if (!hub) return { rows: [], scale: { items: 0, turns: [], room: 1 } };
    const strips = this.#strips.told ?? [];
    const runs = hub.restores.flatMap(({ run }) => (run ? [run.id] : []));
    const opened = runs.filter((run) => this.#isOpen(run));
    return hubRows({ hub, strips, traces: this.#app.traces, opened });
  });
  rows: readonly HubRow[] = $derived.by(() => {
    const { rows } = this.#all;
    return this.#of.restoresOnly === true ? rows.filter(({ kind }) => CAME_BACK.has(kind)) : rows;
  });
  /** Each of them once, whether its run is open or not. */
  restores: readonly RestoreRow[] = $derived.by(() =>
    this.rows.flatMap((row): readonly RestoreRow[] => {
      if (row.kind === 'run') return row.restores;
      return row.kind === 'restore' && !row.inRun ? [row] : [];
    }),
  );
  lanes: readonly Lane[] = $derived.by(() =>
    this.told ? lanesOf(this.told, this.#app.traces) : [],
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
    if (ofFrame >= 0) return ofFrame;
    const judged = rows.findLastIndex(({ kind }) => kind === 'restore' || kind === 'run');
    return judged >= 0 ? judged : Math.max(0, rows.length - 1);
  });
  row: HubRow | undefined = $derived(this.rows[this.at]);

  /** Call in an effect: asks anew when a trace has grown. */
  watch(): void {
    this.#told.watch(this.#app.traces);
    this.#strips.watch(this.#app.traces);
  }

  choose(at: number): void {
    this.#chosen = this.rows[at]?.key;
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
  /** The older at the left. */
  async compare(one: HubRow, other: HubRow): Promise<void> {
    const [left, right] = other.at <= one.at ? [other, one] : [one, other];
    const pair: DiffPair = {
      ...{ left: left.connection, right: right.connection, view: 'story' },
      ...{ leftPart: partOf(left), rightPart: partOf(right) },
    };
    await this.#app.compare(left.connection, formatPair(pair));
  }

  // What was not tried yet.

  untried: readonly ShapeFacts[] = $derived.by(() => {
    const session = this.sessionId;
    const tried = this.told?.restores.map(
      ({ window }) => `${window.version} ${variantOf(window).name}`,
    );
    return SHAPES.filter(
      ({ id, version, name }) =>
        version !== undefined &&
        id !== 'custom' &&
        !tried?.includes(`${version} ${name}`) &&
        !this.#refused.includes(`${session} v${version}`),
    );
  });
  /** On a connection of the command looked at. */
  get canTry(): boolean {
    const { current, link } = this.#app;
    return current?.mode === 'drive' && link.status === 'open' && this.trying === undefined;
  }
  /** Sends it on a fresh connection; nothing is prompted. */
  async tryShape({ id, version }: ShapeFacts): Promise<void> {
    const session = this.sessionId;
    if (session === undefined || !this.canTry) return;
    this.trying = id;
    const form = await this.#app.restore();
    form.choose(session);
    form.setShape(id);
    const before = form.run.begun;
    await form.run.sendFresh();
    this.trying = undefined;
    const refused = form.run.begun === before ? undefined : form.run.notSent[0];
    if (!refused) return;
    this.#refused = [...this.#refused, `${session} v${version}`];
    this.#app.tell('warn', `Not sent: ${refused.words}.`);
  }

  /** Lists the restores of a run, or lists them no more. */
  toggle(run: string, open = !this.#isOpen(run)): void {
    if (open === this.#isOpen(run)) return;
    const others = this.#turned.filter((one) => one !== run);
    this.#turned = others.length < this.#turned.length ? others : [...others, run];
  }
  #isOpen(run: string): boolean {
    return (this.#of.restoresOnly === true) !== this.#turned.includes(run);
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

  /** Until it was compared, nobody calls it as due. */
  heldOf({ restore, strip }: RestoreRow): Held {
    const held = heldOf(restore, strip?.shortfall);
    const isOpen = restore.due === true && hasReplay(restore.window) && !this.isCompared;
    return isOpen ? { ...held, mark: 'dim' } : held;
  }

  async open(row: HubRow, view: 'trace' | 'conversation' | 'fidelity'): Promise<void> {
    const { connection, seq } = row;
    const session = this.sessionId;
    if (view === 'fidelity' && row.kind === 'restore') {
      const { fidelityViewOf } = await import('../fidelity/fidelity.svelte.ts');
      await fidelityViewOf(this.#app).choose({ connection, request: row.restore.window.request });
      return;
    }
    const meant = row.kind === 'restore' ? row.restore.window.sessionId : session;
    if (meant === undefined) return;
    await this.#app.pickSession(connection, meant, view === 'fidelity' ? 'trace' : view);
    if (seq === undefined) return;
    if (view === 'conversation' && row.kind === 'restore')
      this.#app.playhead = row.restore.window.answer ?? seq;
    else if (view === 'trace') await this.#app.jump(seq);
  }
}

/** Of its trace: what was lived, or the restore up to its answer. */
function partOf(row: HubRow): NonNullable<DiffPair['leftPart']> {
  if (row.kind !== 'restore') return { query: 'is:live' };
  const { request, answer } = row.restore.window;
  return answer === undefined ? { from: request } : { from: request, to: answer };
}

/** What brings the whole history back; else what brings the session back at all. */
function plainestOf(handshake: HandshakeView | undefined): 'load' | 'resume' | 'start' {
  if (handshake?.version !== 1) return 'start';
  const isShut = (method: 'session/load' | 'session/resume') =>
    shutGate(method, 'client', 1, handshake) !== undefined;
  return isShut('session/load') && !isShut('session/resume') ? 'resume' : 'load';
}
