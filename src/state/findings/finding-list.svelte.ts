// The findings of the trace looked at, as a list: fetched when the checker has something new, filtered,
// opened and closed, with one of them selected. View and drawer show the same one.
import { SvelteMap } from 'svelte/reactivity';
import type {
  CheckChoice,
  FindingsAnswer,
  FindingView,
} from '../../engine/findings/finding-messages.ts';
import type { EditionId } from '../../acp/editions/edition.ts';
import { formatBytes } from '../../lib/format.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import {
  findingFits,
  NO_FILTERS,
  findingPlaces,
  rowsAround,
  findingRows,
  sessionsIn,
  type FindingFilters,
  type ListRow,
  type TreePlaces,
} from './finding-rows.ts';
import { keptWith } from '../kept.svelte.ts';
import { Throttled } from '../throttled.ts';

/** Bytes of an edition's document; that of an SDK has about 100 kB. */
const MAX_EDITION = 8 << 20;
const PAUSE_MS = 250;
/** Times as long as a slow answer took, before the next is asked for. */
const REST = 3;
const NONE: readonly FindingView[] = [];

/** Where a rule is set aside: in the session and method of the finding, in its session, or everywhere. */
export type Scope = 'here' | 'session' | 'trace';

/** The one of the page: made by the first place that shows it, and there for the next. */
export const findingListOf = keptWith((app) => (app.findings.list = new FindingList(app)));

export class FindingList {
  readonly #app: App;
  readonly #fetching = new Throttled(() => this.#fetch(), PAUSE_MS);
  #answer = $state.raw<(FindingsAnswer & { readonly connection: ConnectionId }) | undefined>();
  readonly #toggled = new SvelteMap<string, boolean>();
  filters = $state.raw<FindingFilters>(NO_FILTERS);
  /** The row looked at where it is no finding, and the finding that it showed then. */
  #row = $state.raw<string | undefined>();
  #lead = $state.raw<string | undefined>();

  constructor(app: App) {
    this.#app = app;
  }

  /** Of the trace looked at; undefined: they are not here yet. */
  get findings(): readonly FindingView[] | undefined {
    const { current, findings } = this.#app;
    const isOfIt = this.#answer?.connection === current?.connection && findings.state;
    return isOfIt ? this.#answer?.findings : undefined;
  }
  rows = $derived.by(() => findingRows(this.findings ?? NONE, this.filters, this.#toggled));
  selected: FindingView | undefined = $derived.by(() =>
    this.findings?.find(({ key }) => key === this.#app.findings.selected),
  );
  sessions: readonly string[] = $derived(sessionsIn(this.findings ?? NONE));

  filter(change: Partial<FindingFilters>): void {
    this.filters = { ...this.filters, ...change };
  }
  get isFiltered(): boolean {
    const { text, without, side, verdict, session } = this.filters;
    const chosen = [side, verdict, session].some((one) => one !== 'all');
    return text.trim() !== '' || without.size > 0 || chosen;
  }
  showAll(): void {
    this.filters = NO_FILTERS;
  }

  /** Takes the filter away if it hides this finding. */
  letIn(key: string): void {
    const finding = this.findings?.find((one) => one.key === key);
    if (finding && !findingFits(finding, this.filters)) this.showAll();
  }

  /** The row that keys act on: the first unless another was chosen. */
  at: number = $derived.by(() => {
    const key = this.#row ?? this.#app.findings.selected;
    const finding = this.findings?.find((one) => one.key === key);
    // One that was alone may lie in a closed group now.
    const keys = [key, ...(finding ? rowsAround(finding) : [])];
    const places = keys.map((one) => this.rows.findIndex((row) => row.key === one));
    return places.find((place) => place >= 0) ?? 0;
  });
  /** Where each row stands among those beside it. */
  places: TreePlaces = $derived(findingPlaces(this.rows));

  /** The finding to show beside the list: the one chosen, else that of the row, or the next one. */
  get shown(): FindingView | undefined {
    if (this.#row === undefined && this.selected) return this.selected;
    const looked = this.findings?.find(({ key }) => key === this.#row);
    if (looked) return looked;
    const { rows } = this;
    for (let i = this.at; i < rows.length; i++) {
      const row = rows[i];
      if (row?.type === 'finding') return row.finding;
      // Others may come to stand before it: what is looked at stays.
      if (row?.type === 'rule')
        return this.findings?.find(({ key }) => key === this.#lead) ?? row.lead;
    }
    return this.selected ?? this.findings?.[0];
  }

  /** Call from an effect: asks again whenever there is something new. */
  watch(): void {
    const { state } = this.#app.findings;
    const isOld =
      this.#answer?.version !== state?.version || this.#answer?.connection !== state?.connection;
    if (state && isOld) this.#fetching.poke();
  }

  select(index: number): void {
    const row = this.rows[Math.max(0, Math.min(index, this.rows.length - 1))];
    if (!row) return;
    if (row.type === 'finding') {
      this.#row = undefined;
      this.#app.findings.selected = row.key;
    } else this.#look(row);
  }
  /** At a row that is no finding. */
  #look(row: ListRow): void {
    this.#row = row.key;
    this.#lead = undefined;
    this.#lead = this.shown?.key;
  }

  /** Opens what lies over the selected finding. */
  reveal(): void {
    const { selected } = this;
    this.#row = undefined;
    if (selected) for (const key of rowsAround(selected)) this.#toggled.set(key, true);
  }

  toggle(index: number, open?: boolean): void {
    const row = this.rows[index];
    if (row && row.type !== 'finding') this.#toggled.set(row.key, open ?? !row.open);
  }

  /** To a frame of a finding in the trace. */
  async show(seq: Seq): Promise<void> {
    this.#app.view = 'trace';
    await this.#app.jump(seq);
  }

  /** What a client ought to believe at the first frame of the finding that is shown. */
  async showState(): Promise<void> {
    const first = this.shown?.places[0];
    if (first) await this.#app.stateAt(first.seq, this.shown?.session);
  }

  /** All frames of a finding in the trace, and no others. */
  async showAllFrames({ rule, verdict, session }: FindingView): Promise<void> {
    const chip = this.#app.facts?.sessions.find((one) => one.sessionId === session)?.chip;
    const what = verdict === 'undecidable' ? verdict : rule;
    this.#app.view = 'trace';
    await this.#app.timeline.setQuery(`finding:${what}${chip ? ` session:${chip}` : ''}`);
  }

  /** The next frame of a finding, before or after. */
  next({ key }: FindingView, from: Seq, direction: 1 | -1): Promise<Seq | undefined> {
    const { current, engine } = this.#app;
    if (!current) return Promise.resolve(undefined);
    return engine.findings.next(current.connection, from, direction, { key });
  }

  async suppress(finding: FindingView, scope: Scope, reason: string): Promise<void> {
    const { current, engine } = this.#app;
    if (!current) return;
    const { rule, session, method } = finding;
    const suppression = {
      kind: 'suppress',
      rule,
      ...(scope !== 'trace' && session !== undefined && { session }),
      ...(scope === 'here' && method !== undefined && { method }),
      reason: reason.trim(),
    } as const;
    await engine.traces.annotate(current.connection, suppression);
    this.#app.tell('info', `Set ${rule} aside.`, {
      label: 'Undo',
      run: () => void engine.traces.unannotate(current.connection, suppression),
    });
  }

  /** Lets a finding count again. */
  async countAgain({ suppressed }: FindingView): Promise<void> {
    const { current, engine } = this.#app;
    if (current && suppressed) await engine.traces.unannotate(current.connection, suppressed);
  }

  async choose(choice: Partial<CheckChoice>): Promise<void> {
    const { state } = this.#app.findings;
    if (!state) return;
    await this.#app.engine.findings.choose(state.connection, { ...state.choice, ...choice });
  }

  /** Makes the edition in a file known, and checks the trace against that edition if it is of its version. */
  async openEdition(file: File): Promise<void> {
    const app = this.#app;
    if (file.size > MAX_EDITION) {
      const sizes = `${formatBytes(file.size)}, and an edition has at most ${formatBytes(MAX_EDITION)}`;
      return app.tell('error', `Cannot open \`${file.name}\`: the file has ${sizes}.`);
    }
    const text = await file.text().catch(() => undefined);
    if (text === undefined)
      return app.tell('error', `Cannot read \`${file.name}\`. Choose the file again.`);
    const opened = await app.engine.findings.openEdition(text);
    if (opened === undefined) return;
    if (typeof opened === 'string') {
      const help = 'acp-scope edition makes an edition from the schema of an SDK.';
      return app.tell('error', `Cannot open \`${file.name}\` as an edition: ${opened}. ${help}`);
    }
    const { edition, words, version, isStored } = opened;
    if (!isStored)
      app.tell('warn', `Cannot store ${words}. A reload of the page forgets the edition.`);
    const spoken = app.facts?.handshake?.version;
    if (spoken === undefined || spoken === version) return this.choose({ edition });
    app.tell('info', `Opened ${words}. This trace uses v${spoken}: its check stays as it was.`);
  }

  /** Forgets an edition that was opened from a file. */
  async forgetEdition(edition: EditionId): Promise<void> {
    const problem = await this.#app.engine.findings.forgetEdition(edition);
    if (problem !== undefined) this.#app.tell('error', problem);
  }

  async #fetch(): Promise<void> {
    const connection = this.#app.current?.connection;
    if (connection === undefined) return;
    const from = performance.now();
    const answer = await this.#app.engine.findings.all(connection);
    if (answer) {
      const isFirst = this.#answer?.connection !== connection;
      this.#answer = { ...answer, connection };
      const [first] = this.rows;
      if (first && (isFirst || this.#row === undefined) && !this.selected) this.#look(first);
    }
    // A hundred thousand of them take their time to come: the check is to go on meanwhile.
    const took = performance.now() - from;
    if (took > PAUSE_MS) await new Promise((resolve) => setTimeout(resolve, REST * took));
  }
}
