// The resume lab of an agent: which cells it tries and what they cost, and what came of them.
import type {
  LabAxisView,
  LabCellView,
  LabPrice,
  LabValues,
  RunBegun,
} from '../../engine/runs/run-messages.ts';
import type { App } from '../app.svelte.ts';
import { isSamePick, RunForm } from './run-form.svelte.ts';
import { labCases, cellKey, type TestCase } from './test-cases.ts';

/** `short`: every restore, after a quiet end and after a kill. `each`: one axis at a time. */
export type LabPreset = 'short' | 'each' | 'own';

export class Lab extends RunForm<'lab'> {
  axes = $state.raw<readonly LabAxisView[]>([]);
  #own = $state.raw<LabValues>({});
  preset = $state<LabPreset>('short');
  cost = $state.raw<LabPrice | undefined>();
  /** Cells of the plan that are not tried, by id. */
  #without = $state.raw<readonly string[]>([]);
  #cell = $state.raw<LabCellView | undefined>();
  #cellBefore = $state.raw<LabCellView | undefined>();
  #picked = $state.raw<Pick<TestCase, 'cell' | 'cellBefore' | 'run'>>({});
  repeat = $state(1);
  cursors = $state(true);
  #asked = 0;
  /** The version whose cells are chosen among. */
  #planned: 1 | 2 | undefined;

  constructor(app: App) {
    super(app, 'lab');
  }

  cases: readonly TestCase[] = $derived.by(() =>
    labCases(
      this.cost,
      (id) => (this.canRun ? !this.#without.includes(id) : undefined),
      this.toldBy,
    ),
  );

  override get price() {
    const { cost, repeat } = this;
    if (!this.canRun || !cost) return undefined;
    return { cases: cost.cells * repeat + (cost.cursors ? 1 : 0), prompts: cost.cost.most };
  }

  /** Behind the cell that is shown. */
  get cell(): LabCellView | undefined {
    return this.#cell?.line.id === this.#picked.cell?.id ? this.#cell : undefined;
  }
  /** The same cell in the run it is compared with. */
  get cellBefore(): { readonly at: string; readonly cell: LabCellView } | undefined {
    const { cellBefore } = this.#picked;
    const cell = this.#cellBefore;
    return cellBefore && cell?.line.id === cellBefore.id ? { at: cellBefore.at, cell } : undefined;
  }
  /** What is tried of each axis; none of them: one axis at a time. */
  get values(): LabValues {
    if (this.preset === 'each') return {};
    return this.preset === 'own' ? this.#own : this.#short();
  }

  usePreset(preset: LabPreset): Promise<void> {
    if (preset === 'own' && this.preset !== 'own') this.#own = this.#ownFrom();
    this.preset = preset;
    return this.#planAnew();
  }

  /** Tries these cells or leaves them, all alike. */
  toggleCells(...cases: readonly TestCase[]): Promise<void> {
    const ids = this.#idsOf(cases);
    const isOn = ids.every((id) => !this.#without.includes(id));
    const rest = this.#without.filter((id) => !ids.includes(id));
    this.#without = isOn ? [...rest, ...ids] : rest;
    return this.reprice();
  }

  /** These alone. */
  chooseCells(cases: readonly TestCase[]): Promise<void> {
    const ids = this.#idsOf(cases);
    const all = this.cost?.planned.map(({ id }) => id) ?? [];
    this.#without = all.filter((id) => !ids.includes(id));
    return this.reprice();
  }

  /** As the plan calls them. */
  #idsOf(cases: readonly TestCase[]): readonly string[] {
    const places = cases.map(({ id }) => id);
    return (
      this.cost?.planned.flatMap((line) => (places.includes(cellKey(line)) ? [line.id] : [])) ?? []
    );
  }

  isOn(axis: string, value: string): boolean {
    const values = Object.entries(this.values).find(([key]) => key === axis)?.[1];
    return values === undefined || values.includes(value);
  }

  /** One value at least stays. */
  toggle({ axis, values }: LabAxisView, value: string): Promise<void> {
    const from = this.preset === 'own' ? this.#own : this.#ownFrom();
    const now = from[axis] ?? [];
    const next = values
      .map((one) => one.value)
      .filter((one) => (one === value ? !now.includes(one) : now.includes(one)));
    this.#own = { ...from, [axis]: next.length === 0 ? now : next };
    this.preset = 'own';
    return this.#planAnew();
  }

  /** Other values make other cells. */
  #planAnew(): Promise<void> {
    this.#without = [];
    return this.reprice();
  }

  /** What is chosen, to be taken back later. */
  get choice() {
    return { without: this.#without, cursors: this.cursors };
  }
  take({ without, cursors }: Lab['choice']): Promise<void> {
    this.#without = without;
    this.cursors = cursors;
    return this.reprice();
  }

  show(it: Pick<TestCase, 'cell' | 'cellBefore' | 'run'>): Promise<void> {
    this.#picked = it;
    return this.#loadCell();
  }

  async reprice(): Promise<void> {
    const { connection, cursors } = this;
    if (connection === undefined) return;
    const asked = ++this.#asked;
    const order = { ...this.#order(), cursors, most: Infinity };
    const cost = await this.app.engine.runs.labPrice(connection, order);
    if (asked === this.#asked) this.cost = cost;
  }

  #order() {
    const { version, values, repeat, cursor, texts } = this;
    const planned = this.cost?.planned ?? [];
    const only = planned.map(({ id }) => id).filter((id) => !this.#without.includes(id));
    return {
      version,
      values,
      repeat,
      cursor,
      texts,
      only: this.#without.length === 0 ? undefined : only,
    };
  }

  override async refresh(): Promise<void> {
    const before = this.report?.id;
    await super.refresh();
    if (this.report?.id !== before) this.#cell = undefined;
    await this.#loadCell();
  }

  protected async load(): Promise<void> {
    const { version } = this;
    const axes = await this.app.engine.runs.labAxes(version);
    if (version !== this.version) return;
    this.axes = axes;
    // Values of the other version are none of this one.
    if (this.#planned !== version && this.preset === 'own') this.preset = 'short';
    if (this.#planned !== version) this.#without = [];
    this.#planned = version;
    await this.reprice();
  }

  protected async start(most: number): Promise<RunBegun | undefined> {
    const { connection, cursors } = this;
    if (connection === undefined) return undefined;
    return this.app.engine.runs.runLab(connection, { ...this.#order(), cursors, most });
  }

  async #loadCell(): Promise<void> {
    const shown = this.#picked;
    const { cell, cellBefore, run } = shown;
    const pick = run === undefined ? this.pick : { run };
    if (pick === undefined || !cell) return;
    const { labCell } = this.app.engine.runs;
    const [is, was] = await Promise.all([
      labCell(pick, cell.id),
      cellBefore && labCell({ run: cellBefore.run }, cellBefore.id),
    ]);
    if (shown !== this.#picked || (run === undefined && !isSamePick(pick, this.pick))) return;
    this.#cell = is;
    this.#cellBefore = was;
  }

  /** Every restore, after a quiet end and after a kill; all else as plain as can be. */
  #short(): LabValues {
    const all = (meant: string) =>
      this.axes.find(({ axis }) => axis === meant)?.values.map(({ value }) => value) ?? [];
    return {
      variant: all('variant'),
      stop: ['stdin', 'kill'],
      cwd: ['exact'],
      id: ['good'],
      capabilities: ['none'],
      mcp: ['same'],
    };
  }

  #ownFrom(): LabValues {
    return this.preset === 'own' ? this.#own : this.#short();
  }
}
