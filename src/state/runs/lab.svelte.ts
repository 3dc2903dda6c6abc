// The resume lab of an agent: which cells it tries and what they cost, and what came of them.
import type {
  LabAxisView,
  LabCellView,
  LabLine,
  LabPrice,
  LabReportView,
  LabValues,
  RunBegun,
  RunPick,
} from '../../engine/runs/run-messages.ts';
import { VERDICTS } from './run-words.ts';
import type { App } from '../app.svelte.ts';
import { isSamePick, RunForm } from './run-form.svelte.ts';

/** `short`: every restore, after a quiet end and after a kill. `each`: one axis at a time. */
export type LabPreset = 'short' | 'each' | 'own';

export class Lab extends RunForm<LabReportView> {
  axes = $state.raw<readonly LabAxisView[]>([]);
  #own = $state.raw<LabValues>({});
  preset = $state<LabPreset>('short');
  price = $state.raw<LabPrice | undefined>();
  #cell = $state.raw<LabCellView | undefined>();
  #picked = $state<string | undefined>();
  repeat = $state(1);
  cursors = $state(true);

  constructor(app: App) {
    super(app, 'lab');
  }

  /** Where nobody picked one: the worst that has a result. */
  shown: string | undefined = $derived.by(() => {
    const lines = this.lines;
    if (lines.some(({ id }) => id === this.#picked)) return this.#picked;
    const rank = ({ verdict = 'skip' }: LabLine) => VERDICTS.indexOf(verdict);
    return lines.filter(({ runs }) => runs > 0).toSorted((a, b) => rank(a) - rank(b))[0]?.id;
  });
  lines: readonly LabLine[] = $derived.by(
    () => this.report?.groups.flatMap(({ cells }) => cells) ?? [],
  );

  /** Behind the cell that is shown. */
  get cell(): LabCellView | undefined {
    return this.#cell?.line.id === this.shown ? this.#cell : undefined;
  }
  /** What is tried of each axis; none of them: one axis at a time. */
  get values(): LabValues {
    if (this.preset === 'each') return {};
    return this.preset === 'own' ? this.#own : this.#short();
  }

  usePreset(preset: LabPreset): Promise<void> {
    if (preset === 'own' && this.preset !== 'own') this.#own = this.#ownFrom();
    this.preset = preset;
    return this.reprice();
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
    return this.reprice();
  }

  show(id: string): Promise<void> {
    this.#picked = id;
    return this.#loadCell();
  }

  async reprice(): Promise<void> {
    const { connection, version, values, repeat, cursors } = this;
    this.asking = false;
    if (connection === undefined) return;
    const order = { version, values, repeat, cursors, most: Infinity, cursor: undefined };
    const price = await this.app.engine.runs.labPrice(connection, order);
    const isSame = version === this.version && repeat === this.repeat && cursors === this.cursors;
    if (connection === this.connection && isSame) this.price = price;
  }

  override async refresh(): Promise<void> {
    const before = this.report?.id;
    await super.refresh();
    if (this.report?.id !== before) this.#cell = undefined;
    await this.#loadCell();
  }

  protected read(pick: RunPick): Promise<LabReportView | undefined> {
    return this.app.engine.runs.labReport(pick);
  }

  protected async load(): Promise<void> {
    const { version } = this;
    const axes = await this.app.engine.runs.labAxes(version);
    if (version !== this.version) return;
    this.axes = axes;
    // Values of the other version are none of this one.
    if (this.preset === 'own') this.preset = 'short';
    await this.reprice();
  }

  protected async start(most: number): Promise<RunBegun | undefined> {
    const { connection, version, values, repeat, cursors, cursor } = this;
    if (connection === undefined) return undefined;
    this.#picked = undefined;
    return this.app.engine.runs.runLab(connection, {
      version,
      values,
      repeat,
      cursors,
      most,
      cursor,
    });
  }

  async #loadCell(): Promise<void> {
    const { pick, shown } = this;
    if (pick === undefined || shown === undefined) return;
    const cell = await this.app.engine.runs.labCell(pick, shown);
    if (shown === this.shown && isSamePick(pick, this.pick)) this.#cell = cell;
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
